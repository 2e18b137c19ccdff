"""What the kernel denies to an agent's process and its descendants: calls (seccomp), files (Landlock), root's rights.

The filter (classic BPF for x86-64 and ARM64) denies calls that reach other processes, networks or namespaces, that
allocate memory that no limit counts, that use up what all processes of a user share, and that change owners, modes and
times of files. Unless the agent may have processes, it also denies new processes and programs, so that the kernel's
figures for this one process are exact. Landlock limits the process to granted files; it hides no names and modes.
Sources: Documentation/userspace-api/seccomp_filter.rst and landlock.rst of the kernel.
"""

import ctypes
import errno
import os
import platform
import struct
from typing import Any, Dict, Iterable, List, Optional, Tuple

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # <linux/audit.h>
MACHINES = tuple(AUDIT_ARCH)
NEWEST = 441  # the last call of Linux 5.11; later calls, and those of the x32 ABI, fail as on a kernel of that age
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2

# A call's numbers on (x86-64, ARM64), from <asm/unistd_64.h>, <asm-generic/unistd.h>; None: no such call there.
Numbers = Tuple[Optional[int], Optional[int]]
DENIED: Dict[str, Numbers] = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424), "process_madvise": (440, 440),
    "migrate_pages": (256, 238), "move_pages": (279, 239), "unshare": (272, 97), "setns": (308, 268),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "socket": (41, 198), "bind": (49, 200), "connect": (42, 203),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190), "semop": (65, 193),
    "semctl": (66, 191), "semtimedop": (220, 192), "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188),
    "msgctl": (71, 187), "mq_open": (240, 180), "mq_unlink": (241, 181), "flock": (73, 32), "syslog": (103, 116),
    "inotify_init": (253, None), "inotify_init1": (294, 26), "fanotify_init": (300, 262), "io_setup": (206, 0),
    "timer_create": (222, 107),  # a timer may send SIGCONT to its process while that is stopped
    "sched_setaffinity": (203, 122), "seccomp": (317, 277), "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274), "setpriority": (141, 140), "ioprio_set": (251, 30),
    "mbind": (237, 235), "set_mempolicy": (238, 237), "setsockopt": (54, 208), "sync": (162, 81), "syncfs": (306, 267),
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "chmod": (90, None),
    "fchmod": (91, 52), "fchmodat": (268, 53), "chown": (92, None), "lchown": (94, None),
    "fchown": (93, 55), "fchownat": (260, 54), "utime": (132, None), "utimes": (235, None), "futimesat": (261, None),
    "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16), "truncate": (76, 45),
    "creat": (85, None), "openat2": (437, 437),
}  # fmt: skip
# Denied with ENOSYS, as if the kernel were older: libraries try these calls first and then fall back to older ones.
UNKNOWN: Dict[str, Numbers] = {
    "clone3": (435, 435), "pidfd_open": (434, 434), "io_uring_setup": (425, 425), "memfd_create": (319, 279),
    "close_range": (436, 436),  # it can give a thread open files of its own, beside the limit of the process
}  # fmt: skip
# Denied to an agent that may have only one process. Pages spliced into a pipe, and sockets sent through a socket, would
# be memory that the kernel counts for no process.
DENIED_TO_ONE_PROCESS: Dict[str, Numbers] = {
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281), "vmsplice": (278, 75),
    "splice": (275, 76), "tee": (276, 77), "sendfile": (40, 71), "sendmsg": (46, 211), "sendmmsg": (307, 269),
}  # fmt: skip

# Denied with ENOTSUP, as if files had no extended attributes: Landlock does not hide those of the user's files.
UNSUPPORTED: Dict[str, Numbers] = {
    "getxattr": (191, 8), "lgetxattr": (192, 9), "fgetxattr": (193, 10), "listxattr": (194, 11),
    "llistxattr": (195, 12), "flistxattr": (196, 13),
}  # fmt: skip
# Calls that are denied with some arguments.
RULED: Dict[str, Numbers] = {
    "kill": (62, 129), "tgkill": (234, 131), "clone": (56, 220), "fcntl": (72, 25), "ioctl": (16, 29),
    "mmap": (9, 222), "prctl": (157, 167), "socketpair": (53, 199), "fallocate": (285, 47), "madvise": (28, 233),
    "prlimit64": (302, 261), "setrlimit": (160, 164), "open": (2, None), "openat": (257, 56), "poll": (7, None),
    "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72),
}  # fmt: skip
NUMBERS = {**DENIED, **UNKNOWN, **DENIED_TO_ONE_PROCESS, **UNSUPPORTED, **RULED}

# Rules on one argument: (call, argument's index, mask, test, value). The call is denied if the test holds for the
# argument's bits in the mask: they equal the value, or they differ from it.
NEW_NAMESPACES = 0x7E020000  # all CLONE_NEW* flags of <linux/sched.h> except CLONE_NEWTIME, which clone() does not take
# A thread without CLONE_FILES has open files of its own. No signal stops the caller of CLONE_VFORK while it waits.
CLONE_THREAD, CLONE_FILES, CLONE_VFORK = 0x00010000, 0x00000400, 0x00004000
ALL = 0xFFFFFFFF
AF_UNIX = 1
SOCKET_TYPE = 0xF  # the bits of a socket's type without its flags
SOCK_STREAM = 1  # sendto and sendmsg of others would reach any socket by its path or name, or hold twice as much
SIGKILL, SIGCONT = 9, 18
# Commands of fcntl: F_SETOWN, F_SETSIG, F_SETOWN_EX (the kernel would send signals to other processes); F_NOTIFY
# (watches a folder, as inotify does); F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW, F_SETLEASE (locks of files).
FCNTL_DENIED = (8, 10, 15, 1026, 6, 7, 37, 38, 1024)
F_SETFL, F_SETPIPE_SZ = 4, 1031
# Only commands of ioctl with this second byte: those of terminals, FIONBIO and FIONREAD. Others change the owner of a
# pipe, as F_SETOWN does, or reserve room on the disk. TIOCSTI, TIOCLINUX: faked input.
IOCTL_KIND, IOCTL_TERMINAL, IOCTL_DENIED = 0xFF00, 0x5400, (0x5412, 0x541C)
# PR_SET_PDEATHSIG, PR_SET_DUMPABLE (hides /proc files), PR_SET_SECCOMP, PR_SCHED_CORE (keeps others from a core's
# second thread), PR_FUTEX_HASH (a table of any size in the kernel), PR_SET_VMA (a name for each mapping)
PRCTL_DENIED = (1, 4, 22, 62, 78, 0x53564D41)
MADV_PAGEOUT = 21  # pages that a process swaps out are in no count of resident memory
MAP_GROWSDOWN = 0x100  # such pages do not count as data
# Calls, and the argument with the signal, the flags, or the number of files (`select`: the highest descriptor + 1). An
# agent waits for one at most, because a thread that waits keeps the files, and what is in them, after they are closed.
KILLS, OPENS = (("kill", 1), ("tgkill", 2)), (("open", 1), ("openat", 2))
WAITS = (("poll", 1), ("ppoll", 1), ("select", 0), ("pselect6", 0))
SHARED_ANONYMOUS = 0x21  # MAP_SHARED | MAP_ANONYMOUS: such pages stay when they leave the page table, and count nowhere
MAP_HUGETLB = 0x40000  # such pages are in no count of resident memory
TRUNCATES = os.O_TRUNC | os.O_ACCMODE  # opening for reading can truncate a file; Landlock denies this from version 3 on
DIRECT = getattr(os, "O_DIRECT", 0)  # many such writes keep a process in the kernel for minutes, even after SIGKILL
EQUALS, DIFFERS = "equals", "differs from"
Rule = Tuple[str, int, int, str, int]
RULES: Tuple[Rule, ...] = (
    ("clone", 0, NEW_NAMESPACES, DIFFERS, 0),
    ("socketpair", 0, ALL, DIFFERS, AF_UNIX),  # asyncio needs pairs of Unix sockets
    ("socketpair", 1, SOCKET_TYPE, DIFFERS, SOCK_STREAM),
    *(("fcntl", 1, ALL, EQUALS, command) for command in FCNTL_DENIED),
    ("ioctl", 1, IOCTL_KIND, DIFFERS, IOCTL_TERMINAL),
    *(("ioctl", 1, ALL, EQUALS, command) for command in IOCTL_DENIED),
    ("fallocate", 1, ALL, DIFFERS, 0),  # with FALLOC_FL_KEEP_SIZE a file needs more room than its size says
    ("madvise", 2, ALL, EQUALS, MADV_PAGEOUT),
    *(("prctl", 0, ALL, EQUALS, option) for option in PRCTL_DENIED),
    ("prlimit64", 0, ALL, DIFFERS, 0),  # if it names another process
    *((call, at, TRUNCATES, EQUALS, os.O_TRUNC) for call, at in OPENS),
    *((call, at, DIRECT, EQUALS, DIRECT) for call, at in OPENS),
    *((call, at, ALL, EQUALS, SIGCONT) for call, at in KILLS),  # no thread may continue its process while it is stopped
)
# SIGKILL comes from outside (host_process.py): a process that sends it to itself gets SIGSYS (launcher.py). No limit
# of CPU time (RLIMIT_CPU, RLIMIT_RTTIME; `prlimit64` with a new value) can be set.
CPU_LIMITS = (0, 15)
RULES_OF_ONE_PROCESS: Tuple[Rule, ...] = (
    ("clone", 0, CLONE_THREAD | CLONE_FILES | CLONE_VFORK, DIFFERS, CLONE_THREAD | CLONE_FILES),
    *(("mmap", 3, flags, EQUALS, flags) for flags in (SHARED_ANONYMOUS, MAP_HUGETLB, MAP_GROWSDOWN)),
    *((call, at, ALL - 1, DIFFERS, 0) for call, at in WAITS),
    ("fcntl", 1, ALL, EQUALS, F_SETPIPE_SZ),
    *(("setrlimit", 0, ALL, EQUALS, limit) for limit in CPU_LIMITS),
)

LOAD, AND, JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06  # <linux/bpf_common.h>
INSTRUCTION, PROGRAM = struct.Struct("=HBBI"), struct.Struct("@HP")  # sock_filter, sock_fprog of <linux/filter.h>
Code = Tuple[int, int, int, int]  # code, jump if true, jump if false, value
ALLOW, ERRNO, TRAP, END = 0x7FFF0000, 0x00050000, 0x00030000, 0x80000000  # SECCOMP_RET_* of <linux/seccomp.h>
NUMBER_AT, ARCH_AT, ARGUMENTS_AT = 0, 4, 16  # offsets in struct seccomp_data; arguments have 8 bytes, low half first


def filter_calls(processes: bool, isolated: bool) -> None:
    """Install the filter for this process and its future descendants. Raises OSError if the kernel refuses."""
    # Several processes of one PID namespace may send signals to each other.
    code = program(platform.machine(), processes, None if processes and isolated else os.getpid())
    instructions = ctypes.create_string_buffer(b"".join(INSTRUCTION.pack(*fields) for fields in code))
    whole = ctypes.create_string_buffer(PROGRAM.pack(len(code), ctypes.addressof(instructions)))
    _prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(whole))


def program(machine: str, processes: bool, pid: Optional[int]) -> List[Code]:
    """The BPF instructions of the filter; `pid`: the only process that may get signals; None: any."""
    column, denied = MACHINES.index(machine), ERRNO | errno.EPERM
    refused = [(DENIED, denied), (UNKNOWN, ERRNO | errno.ENOSYS), (UNSUPPORTED, ERRNO | errno.ENOTSUP)]
    rules: List[Tuple[str, List[Any], int]] = [(call, [test], denied) for call, *test in RULES]
    rules.append(("fcntl", [(1, ALL, EQUALS, F_SETFL), (2, DIRECT, EQUALS, DIRECT)], denied))
    if pid is not None:  # before the rule for SIGKILL to itself
        rules += [(call, [(0, ALL, DIFFERS, pid)], denied) for call, _at in KILLS]
    if not processes:
        refused.append((DENIED_TO_ONE_PROCESS, denied))
        rules += [(call, [test], denied) for call, *test in RULES_OF_ONE_PROCESS]
        for half in (2, 2.5):  # of the pointer to the new value
            rules += [("prlimit64", [(1, ALL, EQUALS, limit), (half, ALL, DIFFERS, 0)], denied) for limit in CPU_LIMITS]
        rules += [(call, [(at, ALL, EQUALS, SIGKILL)], TRAP) for call, at in KILLS]
    code: List[Code] = [
        (LOAD, 0, 0, ARCH_AT),
        (JUMP_IF_EQUAL, 1, 0, AUDIT_ARCH[machine]),
        (RETURN, 0, 0, END),
        (LOAD, 0, 0, NUMBER_AT),
        (JUMP_IF_AT_LEAST, 0, 1, NEWEST + 1),
        (RETURN, 0, 0, ERRNO | errno.ENOSYS),
    ]
    for call, tests, result in [*((call, [], result) for calls, result in refused for call in calls), *rules]:
        number, again = NUMBERS[call][column], [(LOAD, 0, 0, NUMBER_AT)] if tests else []
        if number is None:
            continue
        code.append((JUMP_IF_EQUAL, 0, 3 * len(tests) + 1 + len(again), number))
        for left, (argument, bits, test, value) in zip(range(3 * len(tests) - 2, 0, -3), tests):
            jumps = (0, left) if test == EQUALS else (left, 0)
            place = ARGUMENTS_AT + int(8 * argument)
            code += [(LOAD, 0, 0, place), (AND, 0, 0, bits), (JUMP_IF_EQUAL, *jumps, value)]
        code += [(RETURN, 0, 0, result), *again]
    return [*code, (RETURN, 0, 0, ALLOW)]


# ---- files

CREATE, ADD, RESTRICT = 444, 445, 446  # numbers of landlock_create_ruleset, _add_rule, _restrict_self on all machines
ASK_VERSION, PATH_BENEATH = 1, 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REFER, TRUNCATE, IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
FIRST_RIGHTS = (1 << 13) - 1  # all rights of version 1
READ = EXECUTE | READ_FILE | READ_DIR
OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE  # all other rights are rights of folders
# Version -> rights that it adds: (file rights, network rights (TCP bind, connect), scopes (abstract sockets, signals)).
VERSIONS = {1: (FIRST_RIGHTS, 0, 0), 2: (REFER, 0, 0), 3: (TRUNCATE, 0, 0), 4: (0, 3, 0), 5: (IOCTL_DEVICE, 0, 0),
            6: (0, 0, 3)}  # fmt: skip


def landlock_version() -> int:
    """The kernel's version of Landlock; 0 if Landlock is missing or switched off."""
    return max(0, _syscall(CREATE, None, 0, ASK_VERSION))


def restrict_files(readable: Iterable[str], writable: Iterable[str], listed: Iterable[str] = ()) -> None:
    """Deny this process all files except these paths and everything beneath them; missing paths are skipped.

    listed: folders in which only the names may be read, as an import does. Raises OSError if the kernel refuses.
    """
    known = [each for first, each in VERSIONS.items() if first <= landlock_version()]
    files, network, scopes = (sum(each[kind] for each in known) for kind in range(3))
    # An older kernel knows only the first fields and refuses the structure unless all other fields are zero.
    attributes = struct.pack("=QQQ", files, network, scopes)
    ruleset = _checked(_syscall(CREATE, attributes, len(attributes), 0))
    for paths, rights in ((readable, READ & files), (writable, files), (listed, READ_DIR & files)):
        for path in filter(os.path.exists, paths):
            place, granted = os.open(path, os.O_PATH), rights if os.path.isdir(path) else rights & OF_FILES
            _checked(_syscall(ADD, ruleset, PATH_BENEATH, struct.pack("=Qi", granted, place), 0))
            os.close(place)
    _checked(_syscall(RESTRICT, ruleset, 0))
    os.close(ruleset)


# ---- root's rights

CAPABILITY_VERSION_3 = 0x20080522  # <linux/capability.h>


def drop_rights() -> None:
    """Drop all capabilities, and the right to get any by a program; the kernel requires this of the other functions."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    _checked(ctypes.CDLL(None, use_errno=True).capset(header, (ctypes.c_uint32 * 6)()))
    _prctl(PR_SET_NO_NEW_PRIVS, 1)


def _syscall(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    given: List[object] = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return int(libc.syscall(ctypes.c_long(number), *given))


def _prctl(option: int, *values: int) -> None:
    given = map(ctypes.c_ulong, (*values, *[0] * (4 - len(values))))
    _checked(ctypes.CDLL(None, use_errno=True).prctl(option, *given))


def _checked(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
