"""Other processes as Linux shows them in /proc: their children, memory, CPU time and CPU cores.

On other systems there are no children, and memory and CPU time are 0.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")
CPU_CLOCK = 2  # CPUCLOCK_SCHED of the kernel's <linux/posix-timers.h>: the clock of a whole process, in nanoseconds


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
    """Resident bytes of a process; pages shared after a fork count for each process."""
    try:
        return int((PROC / str(pid) / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def peak(pid: int) -> int:
    """The most resident bytes that a process has had."""
    try:
        with open(f"/proc/{pid}/status", "rb", buffering=0) as file:
            found = file.read().partition(b"VmHWM:")[2].split(None, 1)
        return int(found[0]) * 1024 if found else 0
    except OSError:
        return 0


def pss(pid: int) -> int:
    """Resident bytes of a process, in which a page that several share counts in parts; as `rss` if it is not told."""
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
    """Whether a thread of the process runs or waits for a core; `main_thread`: whether that one counts."""
    return b"R" in _states(pid, main_thread)


def is_stopped(pid: int) -> bool:
    """Whether no thread of the process can run before it is continued: all are stopped, traced or ended."""
    return _states(pid) <= {b"T", b"t", b"Z", b"X"}


def pin(pid: int, core: int) -> None:
    """Pin all threads of a process to one core."""
    with contextlib.suppress(OSError):  # it may have ended
        for thread in os.listdir(PROC / str(pid) / "task"):
            os.sched_setaffinity(int(thread), {core})


def _states(pid: int, main_thread: bool = True) -> set[bytes]:
    """The states of a process's threads, as letters; none if it has ended."""
    tasks = f"/proc/{pid}/task"
    try:
        threads = [task for task in os.listdir(tasks) if main_thread or int(task) != pid]
    except OSError:
        return set()
    return {_state(f"{tasks}/{task}/stat") for task in threads}


def _state(path: str) -> bytes:
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read().rpartition(b")")[2].split()[0]  # the name in brackets may hold anything
    except OSError:
        return b"X"  # it has ended
