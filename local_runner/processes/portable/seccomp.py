"""A seccomp filter for the system calls of an agent's process and its descendants; Linux on x86-64 and ARM64.

A denied call fails with an errno, and the process continues. The filter denies calls that reach other processes,
networks or namespaces, that allocate memory that no limit counts, or that use up what all processes of a user share.
An isolated process has its own PID namespace and read-only mounts. If the process is not isolated, the filter also
denies signals to other processes, and changes of owners, modes and times of files.

The filter is classic BPF (Documentation/userspace-api/seccomp_filter.rst in the kernel's sources).
"""

import ctypes
import errno
import os
import platform
import struct
from typing import Dict, List, Optional, Tuple

X86_64, AARCH64 = "x86_64", "aarch64"
MACHINES = (X86_64, AARCH64)
AUDIT_ARCH = {X86_64: 0xC000003E, AARCH64: 0xC00000B7}  # <linux/audit.h>
X32_BIT = 0x40000000  # calls of the x32 ABI have x86-64's numbers plus this
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2

# Numbers on (x86-64, ARM64), from <asm/unistd_64.h> and <asm-generic/unistd.h>; None: the machine has no such call.
Numbers = Tuple[Optional[int], Optional[int]]
KILL: Numbers = (62, 129)
TGKILL: Numbers = (234, 131)
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
}  # fmt: skip
AFFINITY: Numbers = (203, 122)  # sched_setaffinity, denied after the process has been pinned to its core
# Denied with ENOSYS, as if the kernel were older: libraries try these calls first and then fall back to older ones.
UNKNOWN: Dict[str, Numbers] = {
    "clone3": (435, 435), "pidfd_open": (434, 434), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "memfd_create": (319, 279), "memfd_secret": (447, 447),
}  # fmt: skip
DENIED_UNLESS_ISOLATED: Dict[str, Numbers] = {
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "chmod": (90, None),
    "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None), "lchown": (94, None),
    "fchown": (93, 55), "fchownat": (260, 54), "utime": (132, None), "utimes": (235, None), "futimesat": (261, None),
    "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16), "setxattrat": (463, 463),
    "removexattrat": (466, 466), "truncate": (76, 45), "creat": (85, None), "openat2": (437, 437),
}  # fmt: skip

# Rules on one argument: (call, argument's index, mask, test, value). The call is denied if the test holds for the
# argument's bits in the mask: they equal the value, or they differ from it.
NEW_NAMESPACES = 0x7E020000  # all CLONE_NEW* flags of <linux/sched.h> except CLONE_NEWTIME, which clone() does not take
ALL = 0xFFFFFFFF
AF_UNIX = 1
SOCKET_TYPE = 0xF  # the bits of a socket's type without its flags
UNCONNECTED = (2, 3)  # SOCK_DGRAM, SOCK_RAW: sendto and sendmsg of these would reach any socket by its path or name
PRIO_PROCESS, IOPRIO_WHO_PROCESS = 0, 1  # not all processes of a group or of a user
F_SETOWN, F_SETSIG, F_SETOWN_EX = 8, 10, 15
LOCKS = (6, 7, 37, 38, 1024)  # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW, F_SETLEASE: these work on read-only files
F_NOTIFY = 1026
SO_SNDBUF = 7
FIOSETOWN, SIOCSPGRP, TIOCSTI, TIOCLINUX = 0x8901, 0x8902, 0x5412, 0x541C
SET_ID = 0o6000  # bits of a file's mode: set user id, set group id
EQUALS, DIFFERS = "equals", "differs from"
Rule = Tuple[Numbers, int, int, str, int]
RULES: Tuple[Rule, ...] = (
    ((56, 220), 0, NEW_NAMESPACES, DIFFERS, 0),  # clone
    ((53, 199), 0, ALL, DIFFERS, AF_UNIX),  # socketpair, which multiprocessing and asyncio need
    *(((53, 199), 1, SOCKET_TYPE, EQUALS, kind) for kind in UNCONNECTED),
    ((72, 25), 1, ALL, EQUALS, F_SETOWN),  # fcntl: F_SETOWN would let the kernel send signals to other processes
    ((72, 25), 1, ALL, EQUALS, F_SETSIG),
    ((72, 25), 1, ALL, EQUALS, F_SETOWN_EX),
    ((72, 25), 1, ALL, EQUALS, F_NOTIFY),  # watches a folder, as inotify does
    ((54, 208), 2, ALL, EQUALS, SO_SNDBUF),  # setsockopt: a socket would hold more memory than family.py counts for it
    *(((72, 25), 1, ALL, EQUALS, lock) for lock in LOCKS),  # another process may need to lock the file
    ((16, 29), 1, ALL, EQUALS, FIOSETOWN),  # ioctl: as F_SETOWN, and faked terminal input
    ((16, 29), 1, ALL, EQUALS, SIOCSPGRP),
    ((16, 29), 1, ALL, EQUALS, TIOCSTI),
    ((16, 29), 1, ALL, EQUALS, TIOCLINUX),
    ((90, None), 1, SET_ID, DIFFERS, 0),  # chmod: would make a program that runs with its owner's rights
    ((91, 52), 1, SET_ID, DIFFERS, 0),  # fchmod: for example of the file that holds the agent's output
    ((268, 53), 2, SET_ID, DIFFERS, 0),  # fchmodat
    ((452, 452), 2, SET_ID, DIFFERS, 0),  # fchmodat2
    ((302, 261), 0, ALL, DIFFERS, 0),  # prlimit64 for another process, as in the rules below
    ((144, 119), 0, ALL, DIFFERS, 0),  # sched_setscheduler
    ((142, 118), 0, ALL, DIFFERS, 0),  # sched_setparam
    ((314, 274), 0, ALL, DIFFERS, 0),  # sched_setattr
    ((141, 140), 0, ALL, DIFFERS, PRIO_PROCESS),  # setpriority
    ((141, 140), 1, ALL, DIFFERS, 0),
    ((251, 30), 0, ALL, DIFFERS, IOPRIO_WHO_PROCESS),  # ioprio_set
    ((251, 30), 1, ALL, DIFFERS, 0),
)
TRUNCATES = os.O_TRUNC | os.O_ACCMODE  # opening for reading can truncate a file; Landlock denies this from version 3 on
RULES_UNLESS_ISOLATED: Tuple[Rule, ...] = (
    ((2, None), 1, TRUNCATES, EQUALS, os.O_TRUNC),  # open
    ((257, 56), 2, TRUNCATES, EQUALS, os.O_TRUNC),  # openat
)


class Instruction(ctypes.Structure):
    """struct sock_filter of <linux/filter.h>."""

    _fields_ = (("code", ctypes.c_uint16), ("jt", ctypes.c_uint8), ("jf", ctypes.c_uint8), ("k", ctypes.c_uint32))


class Program(ctypes.Structure):
    """struct sock_fprog of <linux/filter.h>."""

    _fields_ = (("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(Instruction)))


LOAD, AND, JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, RETURN = 0x20, 0x54, 0x15, 0x35, 0x06  # <linux/bpf_common.h>
Code = Tuple[int, int, int, int]  # code, jump if true, jump if false, value
ALLOW, ERRNO, END = 0x7FFF0000, 0x00050000, 0x80000000  # SECCOMP_RET_* of <linux/seccomp.h>
NUMBER_AT, ARCH_AT, ARGUMENTS_AT = 0, 4, 16  # offsets in struct seccomp_data; arguments have 8 bytes, low half first


def install(isolated: bool) -> None:
    """Install the filter for this process and its future descendants. Raises OSError if the kernel refuses."""
    code = program(platform.machine(), isolated, os.getpid())
    array = (Instruction * len(code))(*(Instruction(*fields) for fields in code))
    whole = Program(len(code), array)
    _prctl(PR_SET_NO_NEW_PRIVS, 1, 0)
    _prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(whole))


def of_init(machine: str) -> bytes:
    """The filter for the init of a PID namespace, as bubblewrap's --seccomp takes it: an array of struct sock_filter.

    The init's children inherit this filter. They may still be pinned to a core.
    """
    return b"".join(struct.pack("=HBBI", *fields) for fields in program(machine, True, 0, pinned=False))


def program(machine: str, isolated: bool, pid: int, pinned: bool = True) -> List[Code]:
    """The BPF instructions of the filter for a machine.

    pid: the process itself, which may signal itself
    pinned: whether the process and its descendants may no longer change their CPU cores
    """
    column = MACHINES.index(machine)
    code: List[Code] = [
        (LOAD, 0, 0, ARCH_AT),
        (JUMP_IF_EQUAL, 1, 0, AUDIT_ARCH[machine]),
        (RETURN, 0, 0, END),
        (LOAD, 0, 0, NUMBER_AT),
    ]
    if machine == X86_64:
        code += [(JUMP_IF_AT_LEAST, 0, 1, X32_BIT), (RETURN, 0, 0, ERRNO | errno.ENOSYS)]
    denied = [(numbers, errno.EPERM) for numbers in [*DENIED.values(), *([AFFINITY] if pinned else [])]]
    denied += [(numbers, errno.ENOSYS) for numbers in UNKNOWN.values()]
    rules = [*RULES, *([] if pinned else [(AFFINITY, 0, ALL, DIFFERS, 0)])]
    if not isolated:
        denied += [(numbers, errno.EPERM) for numbers in DENIED_UNLESS_ISOLATED.values()]
        rules += [*RULES_UNLESS_ISOLATED, *((numbers, 0, ALL, DIFFERS, pid) for numbers in (KILL, TGKILL))]
    for numbers, error in denied:
        number = numbers[column]
        if number is not None:
            code += [(JUMP_IF_EQUAL, 0, 1, number), (RETURN, 0, 0, ERRNO | error)]
    for numbers, argument, bits, test, value in rules:
        number = numbers[column]
        if number is not None:
            code += _rule(number, argument, bits, test, value)
    return [*code, (RETURN, 0, 0, ALLOW)]


def _rule(number: int, argument: int, bits: int, test: str, value: int) -> List[Code]:
    holds, fails = (0, 1) if test == EQUALS else (1, 0)
    return [
        (JUMP_IF_EQUAL, 0, 5, number),
        (LOAD, 0, 0, ARGUMENTS_AT + 8 * argument),
        (AND, 0, 0, bits),
        (JUMP_IF_EQUAL, holds, fails, value),
        (RETURN, 0, 0, ERRNO | errno.EPERM),
        (LOAD, 0, 0, NUMBER_AT),
    ]


def _prctl(option: int, first: int, second: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, ctypes.c_ulong(first), ctypes.c_ulong(second), ctypes.c_ulong(0), ctypes.c_ulong(0)):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
