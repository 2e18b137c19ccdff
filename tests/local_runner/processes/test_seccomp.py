"""The seccomp filter, executed by an interpreter of its own for both machines; test_attacks.py has the kernel's."""

import errno
import os

import pytest

from local_runner.processes.agent_side import seccomp

ME = 4321
MASK = 0xFFFFFFFF
NEW_USER, THREAD, FILES, VFORK = 0x10000000, 0x00010000, 0x00000400, 0x00004000  # flags of clone
# Calls that no agent may make: numbers on (x86-64, ARM64).
DENIED = {
    "truncate": (76, 45), "ptrace": (101, 117), "bind": (49, 200), "connect": (42, 203), "inotify": (294, 26),
    "removal of another's message queue": (241, 181), "flock": (73, 32), "clone3": (435, 435), "io_uring": (425, 425),
    "process_vm_readv": (310, 270), "memfd_create": (319, 279), "shared memory of System V": (29, 194),
    "a semaphore of System V": (64, 190), "a message queue of System V": (68, 186), "add_key": (248, 217),
    "bpf": (321, 280), "userfaultfd": (323, 282), "perf_event_open": (298, 241),
    "a timer that sends any signal": (222, 107), "setsockopt": (54, 208), "close_range": (436, 436),
    "a call of Linux 5.12": (442, 442), "sched_setscheduler": (144, 119), "setpriority": (141, 140),
    "ioprio_set": (251, 30), "sched_setaffinity": (203, 122), "sched_setattr": (314, 274), "sync": (162, 81),
    "mbind": (237, 235),
}  # fmt: skip
# Call: number on (x86-64, ARM64), arguments, whether an agent of many processes may make it, and one of one process.
# The agent of many processes has a PID namespace of its own.
CALLS = [
    ("read", (0, 63), (), True, True),
    ("write", (1, 64), (), True, True),
    ("openat for reading", (257, 56), (0, 0, os.O_RDONLY), True, True),
    ("openat for writing", (257, 56), (0, 0, os.O_WRONLY | os.O_TRUNC), True, True),
    ("openat that truncates by reading", (257, 56), (0, 0, os.O_RDONLY | os.O_TRUNC), False, False),
    ("a thread", (56, 220), (THREAD | FILES,), True, True),
    ("a thread with open files of its own", (56, 220), (THREAD,), True, False),
    ("a thread whose starter waits where no signal stops it", (56, 220), (THREAD | FILES | VFORK,), True, False),
    ("a user namespace", (56, 220), (NEW_USER,), False, False),
    ("unshare", (272, 97), (NEW_USER,), False, False),
    ("a socket", (41, 198), (1,), False, False),
    ("a pair of Unix sockets", (53, 199), (1,), True, True),
    ("a pair of other sockets", (53, 199), (2,), False, False),
    ("kill itself", (62, 129), (ME,), True, True),
    ("kill another", (62, 129), (ME + 1,), True, False),
    ("kill all", (62, 129), (-1,), True, False),
    ("tgkill itself", (234, 131), (ME,), True, True),
    ("tkill", (200, 130), (ME,), False, False),
    ("wake itself", (62, 129), (ME, 18), False, False),
    ("wake itself by its thread", (234, 131), (ME, ME, 18), False, False),
    ("fork", (57, None), (), True, False),
    ("vfork", (58, None), (), True, False),
    ("a process by clone", (56, 220), (17,), True, False),
    ("another program", (59, 221), (), True, False),
    ("shared memory", (9, 222), (0, 4096, 3, 0x21), True, False),
    ("shared memory of a file", (9, 222), (0, 4096, 3, 0x01), True, True),
    ("private memory", (9, 222), (0, 4096, 3, 0x22), True, True),
    ("huge pages", (9, 222), (0, 4096, 3, 0x40022), True, False),
    ("a larger pipe", (72, 25), (3, 1031, 1 << 20), True, False),
    ("vmsplice", (278, 75), (), True, False),
    ("a socket through a socket", (46, 211), (), True, False),
    ("prctl PR_SET_NAME", (157, 167), (15,), True, True),
    ("prctl PR_SET_DUMPABLE", (157, 167), (4,), False, False),
    ("prctl PR_FUTEX_HASH", (157, 167), (78, 1, 1 << 20), False, False),
    ("a pair of datagram sockets", (53, 199), (1, 2 | 0o2000000), False, False),
    ("a pair of stream sockets", (53, 199), (1, 1 | 0o2000000), True, True),
    ("slots of asynchronous input", (206, 0), (60_000,), False, False),
    ("the kernel's log", (103, 116), (3,), False, False),
    ("another's segment of System V", (30, 196), (7,), False, False),
    ("removal of another's segment", (31, 195), (7, 0), False, False),
    ("another's semaphore", (66, 191), (7,), False, False),
    ("another's messages", (70, 188), (7,), False, False),
    ("its own limits", (302, 261), (0,), True, True),
    ("another's limits", (302, 261), (ME + 1,), False, False),
    ("fcntl F_GETFL", (72, 25), (3, 3), True, True),
    ("fcntl F_SETOWN", (72, 25), (3, 8), False, False),
    ("fcntl F_SETLK", (72, 25), (3, 6), False, False),
    ("ioctl TIOCSTI", (16, 29), (0, 0x5412), False, False),
    ("ioctl FIONBIO", (16, 29), (3, 0x5421), True, True),
    ("ioctl FS_IOC_RESVSP", (16, 29), (1, 0x40305828), False, False),
    ("ioctl FIOSETOWN", (16, 29), (3, 0x8901), False, False),
    ("room in a file", (285, 47), (1, 0, 0, 4096), True, True),
    ("room beyond the end of a file", (285, 47), (1, 1, 0, 4096), False, False),
    ("madvise MADV_DONTNEED", (28, 233), (0, 4096, 4), True, True),
    ("madvise MADV_PAGEOUT", (28, 233), (0, 4096, 21), False, False),
    ("sendfile", (40, 71), (), True, False),
    ("fchmodat", (268, 53), (0, 0, 0o644), False, False),
    ("fchmod", (91, 52), (1, 0o755), False, False),
    ("fchmod to a setuid program", (91, 52), (1, 0o6755), False, False),
    ("fcntl F_SETSIG", (72, 25), (3, 10), False, False),
    ("fcntl F_SETLEASE", (72, 25), (3, 1024), False, False),
    ("fcntl F_NOTIFY", (72, 25), (3, 1026), False, False),
    ("SIGKILL to itself", (62, 129), (ME, 9), True, False),
    ("SIGKILL to itself by its thread", (234, 131), (ME, ME, 9), True, False),
    ("a limit of CPU time", (160, 164), (0,), True, False),
    ("a limit of CPU time by prlimit64", (302, 261), (0, 0, 7), True, False),
    ("a look at the limit of CPU time", (302, 261), (0, 0, 0), True, True),
    ("a limit of the stack", (302, 261), (0, 3, 7), True, True),
    *((name, numbers, (), False, False) for name, numbers in DENIED.items()),
]


def verdict(machine, many, number, arguments, arch=None):
    """The filter's result. The loop below interprets the five BPF instructions that the filter uses."""
    data = {0: number, 4: seccomp.AUDIT_ARCH[machine] if arch is None else arch}
    data.update({16 + 8 * place: value & MASK for place, value in enumerate(arguments)})
    code, at, accumulator = seccomp.program(machine, many, None if many else ME), 0, 0
    while True:
        operation, if_true, if_false, value = code[at]
        at += 1
        if operation == seccomp.LOAD:
            accumulator = data.get(value, 0)
        elif operation == seccomp.AND:
            accumulator &= value
        elif operation == seccomp.JUMP_IF_EQUAL:
            at += if_true if accumulator == value else if_false
        elif operation == seccomp.JUMP_IF_AT_LEAST:
            at += if_true if accumulator >= value else if_false
        else:
            assert operation == seccomp.RETURN
            return value


@pytest.mark.parametrize("machine", seccomp.MACHINES)
@pytest.mark.parametrize(("what", "numbers", "arguments", "many", "one"), CALLS, ids=[call[0] for call in CALLS])
def test_what_is_denied(machine, what, numbers, arguments, many, one):
    number = numbers[seccomp.MACHINES.index(machine)]
    if number is None:
        return
    found = [verdict(machine, kind, number, arguments) == seccomp.ALLOW for kind in (True, False)]
    assert found == [many, one], what


@pytest.mark.parametrize(("number", "arguments"), [(62, (ME, 9)), (234, (ME, ME, 9))])
def test_sigkill_to_itself_is_another_signal(number, arguments):
    assert verdict("x86_64", False, number, arguments) == seccomp.TRAP


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_other_machines_calls_end_the_process(machine):
    foreign = next(arch for other, arch in seccomp.AUDIT_ARCH.items() if other != machine)
    assert verdict(machine, True, 0, (), arch=foreign) == seccomp.END


@pytest.mark.parametrize("number", [442, 0x40000000 + 41])
def test_newer_numbers_and_those_of_the_x32_abi_are_unknown(number):
    assert verdict("x86_64", True, number, (1,)) == seccomp.ERRNO | errno.ENOSYS
