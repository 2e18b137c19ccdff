"""Reads children, memory, CPU time and states of other processes from Linux's /proc, and pins processes to cores.

On other systems the functions find no children, and give 0 for memory and CPU time.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")
CPU_CLOCK = 2  # CPUCLOCK_SCHED of the kernel's <linux/posix-timers.h>: the CPU time of a whole process


def descendants(pid: int) -> Iterator[int]:
    """All descendants of a process, parents first."""
    for child in children(pid):
        yield child
        yield from descendants(child)


def children(pid: int) -> list[int]:
    """The children of a process; none if it has ended."""
    tasks = f"/proc/{pid}/task"
    found: list[int] = []
    try:
        for task in os.listdir(tasks):
            with open(f"{tasks}/{task}/children", "rb", buffering=0) as file:
                found += map(int, file.read().split())
    except OSError:
        pass
    return found


def rss(pid: int) -> int:
    """Resident bytes of a process; a page that several processes share counts fully for each."""
    try:
        return int((PROC / str(pid) / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def peak(pid: int) -> int:
    """The peak resident bytes of a process; 0 if it has ended."""
    try:
        with open(f"/proc/{pid}/status", "rb", buffering=0) as file:
            found = file.read().partition(b"VmHWM:")[2].split(None, 1)
        return int(found[0]) * 1024 if found else 0
    except OSError:
        return 0


def pss(pid: int) -> int:
    """Proportional set size in bytes: a page that n processes share counts 1/n. Falls back to `rss`."""
    try:
        text = (PROC / str(pid) / "smaps_rollup").read_text()
        return int(text.partition("\nPss:")[2].split(None, 1)[0]) * 1024
    except (OSError, IndexError, ValueError):
        return rss(pid)


def waited_seconds(pid: int) -> float:
    """Seconds that the main thread of a process has waited for a core so far; 0 if it has ended."""
    try:
        with open(f"/proc/{pid}/schedstat", "rb", buffering=0) as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


def cpu_seconds(pid: int) -> float:
    """CPU seconds of all threads of a process so far; 0 if it has ended."""
    try:
        return time.clock_gettime((~pid << 3) | CPU_CLOCK)
    except (OSError, AttributeError):
        return 0.0


def is_busy(pid: int, main_thread: bool = True) -> bool:
    """Whether a thread of the process runs or waits for a core; `main_thread`: whether the main thread counts."""
    return b"R" in _states(pid, main_thread)


def is_stopped(pid: int) -> bool:
    """Whether all threads of the process are stopped, traced or ended, so that none runs before SIGCONT."""
    return _states(pid) <= {b"T", b"t", b"Z", b"X"}


def pin(pid: int, core: int) -> None:
    """Pin all threads of a process to one core."""
    with contextlib.suppress(OSError):  # the process may have ended
        for thread in os.listdir(PROC / str(pid) / "task"):
            os.sched_setaffinity(int(thread), {core})


def _states(pid: int, main_thread: bool = True) -> set[bytes]:
    """The state letters of a process's threads, such as b"R" for running; empty if the process has ended."""
    tasks = f"/proc/{pid}/task"
    try:
        threads = [task for task in os.listdir(tasks) if main_thread or int(task) != pid]
    except OSError:
        return set()
    return {_state(f"{tasks}/{task}/stat") for task in threads}


def _state(path: str) -> bytes:
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read().rpartition(b")")[2].split()[0]  # the process name in brackets may hold any character
    except OSError:
        return b"X"  # the thread has ended
