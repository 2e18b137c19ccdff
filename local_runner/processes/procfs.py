"""Reads children, memory, CPU time and states of other processes from Linux's /proc.

On other systems the functions find no children, and give 0 for memory and CPU time.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")
CPU_CLOCK = 2  # CPUCLOCK_SCHED of the kernel's <linux/posix-timers.h>: the CPU time of a whole process


class Status(NamedTuple):
    """Memory in bytes, and the number of threads; all 0 if the process has no memory any more."""

    peak: int = 0
    resident: int = 0
    threads: int = 0


class Turns(NamedTuple):
    """Seconds that a thread has run, and has waited for a core, so far."""

    ran: float = 0.0
    waited: float = 0.0


def descendants(pid: int) -> Iterator[int]:
    """All descendants of a process, parents first."""
    for child in children(pid):
        yield child
        yield from descendants(child)


def children(pid: int) -> list[int]:
    """The children of a process; none if it has ended."""
    return [int(child) for task in tasks(pid) for child in _read(f"/proc/{pid}/task/{task}/children").split()]


def tasks(pid: int) -> list[int]:
    """The ids of a process's threads; none if it has ended."""
    try:
        return list(map(int, os.listdir(f"/proc/{pid}/task")))
    except OSError:
        return []


def status(pid: int) -> Status:
    """The memory and the threads of a process. The peak is the kernel's own high-water mark."""
    text = _read(f"/proc/{pid}/status")
    peak, resident, threads = (_number(text, name) for name in (b"VmHWM:", b"VmRSS:", b"Threads:"))
    return Status(peak * 1024, resident * 1024, threads) if peak else Status()


def pss(pid: int) -> int:
    """Proportional set size in bytes: a page that n processes share counts 1/n. Falls back to the resident bytes."""
    return _number(_read(f"/proc/{pid}/smaps_rollup"), b"\nPss:") * 1024 or status(pid).resident


def turns(pid: int) -> dict[int, Turns]:
    """Thread -> its turns on a core, for the threads of a process."""
    found = {}
    for task in tasks(pid):
        words = _read(f"/proc/{pid}/task/{task}/schedstat").split()
        if len(words) > 1:
            found[task] = Turns(int(words[0]) / 1e9, int(words[1]) / 1e9)
    return found


def cpu_seconds(pid: int) -> float:
    """CPU seconds of all threads of a process so far; 0 if it has ended."""
    try:
        return time.clock_gettime((~pid << 3) | CPU_CLOCK)
    except (OSError, AttributeError):
        return 0.0


def reaped_seconds(pid: int) -> float:
    """CPU seconds of the ended children of a process, and of their ended children, for which it has waited."""
    fields = _after_name(pid)
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK") if len(fields) > 14 else 0.0


def states(pid: int, *, main_thread: bool = True) -> set[bytes]:
    """The state letters of a process's threads, such as b"R" for running or b"T" for stopped; none if it has ended."""
    return {_state(f"{pid}/task/{task}") for task in tasks(pid) if main_thread or task != pid}


def is_stopped(pid: int) -> bool:
    """Whether all threads of the process are stopped, traced or ended, so that none runs before SIGCONT."""
    return states(pid) <= {b"T", b"t", b"Z", b"X"}


def has_ended(pid: int) -> bool:
    """Whether the process has ended; its parent may not have waited for it yet."""
    return _state(str(pid)) in (b"Z", b"X")


def _state(task: str) -> bytes:
    return next(iter(_after_name(task)), b"X")


def _after_name(task: int | str) -> list[bytes]:
    """The fields of /proc/TASK/stat from the third one on, the state; the name before may hold any character."""
    return _read(f"/proc/{task}/stat").rpartition(b")")[2].split()


def _number(text: bytes, name: bytes) -> int:
    words = text.partition(name)[2].split(None, 1)
    return int(words[0]) if words else 0


def _read(path: str) -> bytes:
    """The content of a file; b"" if the process has ended or may not be looked at."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return b""
