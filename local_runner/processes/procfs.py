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
SHARED_ANONYMOUS = b"/dev/zero (deleted)"  # the name of shared memory without a file in /proc/PID/maps


def descendants(pid: int) -> Iterator[int]:
    """All descendants of a process, parents first."""
    for child in children(pid):
        yield child
        yield from descendants(child)


def children(pid: int) -> list[int]:
    """The children of a process; none if it has ended."""
    tasks = f"/proc/{pid}/task"
    pids: list[int] = []
    try:
        for task in os.listdir(tasks):
            pids += map(int, _read(f"{tasks}/{task}/children").split())
    except OSError:
        pass
    return pids


class Pages(NamedTuple):
    """Bytes of a process: its address space, its resident memory, and the part of that which others may share."""

    mapped: int = 0
    resident: int = 0
    shared: int = 0


def pages(pid: int) -> Pages:
    """The memory of a process; a page that several processes share counts fully for each."""
    size = os.sysconf("SC_PAGE_SIZE")
    return Pages(*(int(count) * size for count in _read(f"/proc/{pid}/statm").split()[:3]))


def peak(pid: int) -> int:
    """The peak resident bytes of a process; 0 if it has ended."""
    words = _read(f"/proc/{pid}/status").partition(b"VmHWM:")[2].split(None, 1)
    return int(words[0]) * 1024 if words else 0


def page_tables(pid: int) -> int:
    """The bytes of a process's page tables; 0 if it has ended."""
    words = _read(f"/proc/{pid}/status").partition(b"VmPTE:")[2].split(None, 1)
    return int(words[0]) * 1024 if words else 0


def pss(pid: int) -> int:
    """Proportional set size in bytes: a page that n processes share counts 1/n. Falls back to the resident bytes."""
    words = _read(f"/proc/{pid}/smaps_rollup").partition(b"\nPss:")[2].split(None, 1)
    return int(words[0]) * 1024 if words else pages(pid).resident


def shared_segments(pid: int, most: int) -> tuple[dict[bytes, int], int]:
    """Inode -> bytes of the shared memory without a file that a process maps; and the bytes of text that were read.

    Reads at most `most` bytes of /proc/PID/maps, because an agent can make this file long.
    """
    sizes: dict[bytes, int] = {}
    text = _read(f"/proc/{pid}/maps", most)
    for line in text.splitlines():
        if line.endswith(SHARED_ANONYMOUS):
            first, last = (int(place, 16) for place in line.split(None, 1)[0].split(b"-"))
            inode = line.split()[4]
            sizes[inode] = sizes.get(inode, 0) + last - first
    return sizes, len(text)


def root_folder(pid: int) -> Path:
    """The root folder of a process, as a path by which others reach it; they need the right to trace the process."""
    return PROC / str(pid) / "root"


def open_files(pid: int) -> int:
    """The number of open file descriptors of a process; 0 if they cannot be seen."""
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def turns(pid: int) -> tuple[float, float]:
    """Seconds that the main thread of a process has run, and has waited for a core, so far; 0 and 0 if it has ended."""
    words = _read(f"/proc/{pid}/schedstat").split()
    return (int(words[0]) / 1e9, int(words[1]) / 1e9) if len(words) > 1 else (0.0, 0.0)


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


def is_busy(pid: int, main_thread: bool = True) -> bool:
    """Whether a thread of the process runs or waits for a core; `main_thread`: whether the main thread counts."""
    return b"R" in _states(pid, main_thread)


def is_stopped(pid: int) -> bool:
    """Whether all threads of the process are stopped, traced or ended, so that none runs before SIGCONT."""
    return _states(pid) <= {b"T", b"t", b"Z", b"X"}


def state(task: str) -> bytes:
    """The state letter of a process or thread, b"X" if it has ended; `task`: "PID" or "PID/task/TID"."""
    return next(iter(_after_name(task)), b"X")


def _states(pid: int, main_thread: bool = True) -> set[bytes]:
    """The state letters of a process's threads, such as b"R" for running; empty if the process has ended."""
    try:
        threads = [task for task in os.listdir(f"/proc/{pid}/task") if main_thread or int(task) != pid]
    except OSError:
        return set()
    return {state(f"{pid}/task/{task}") for task in threads}


def _after_name(task: int | str) -> list[bytes]:
    """The fields of /proc/TASK/stat from the third one on, the state; the name before may hold any character."""
    return _read(f"/proc/{task}/stat").rpartition(b")")[2].split()


def _read(path: str, most: int = -1) -> bytes:
    """The content of a file, at most `most` bytes; b"" if the process has ended or may not be looked at."""
    try:
        with open(path, "rb", buffering=0) as file:
            if most < 0:
                return file.read()
            data = b""
            while len(data) < most and (part := file.read(most - len(data))):
                data += part
            return data
    except OSError:
        return b""
