"""Reads children, memory, CPU time and states of processes from Linux's /proc.

On other systems the functions find no children, and give 0 for memory and times.
"""

import errno
import os
import time
from collections.abc import Iterator
from typing import NamedTuple

MAPS_BYTES = 2 << 20  # how much of a process's list of mappings is read; honest lists have up to a tenth of it
CPU_CLOCK = 2  # CPUCLOCK_SCHED of the kernel's <linux/posix-timers.h>: the CPU time of a whole process


class Status(NamedTuple):
    """Memory in bytes, and the number of threads; 0 if the process has no memory."""

    peak: int = 0  # the kernel's maximum of the resident memory, plus the present page tables
    threads: int = 0


def descendants(pid: int) -> Iterator[int]:
    """All descendants of a process, parents first."""
    for child in children(pid):
        yield child
        yield from descendants(child)


def children(pid: int) -> list[int]:
    """The children of a process; none if it has ended."""
    return [int(child) for task in tasks(pid) for child in _read(f"{pid}/task/{task}/children").split()]


def tasks(pid: int) -> list[int]:
    """The ids of a process's threads; none if it has ended."""
    return list(map(int, _entries(f"/proc/{pid}/task")))


def status(pid: int) -> Status:
    """The peak memory and the threads of a process."""
    text = _read(f"{pid}/status")
    peak, tables = _number(text, b"\nVmHWM:"), _number(text, b"\nVmPTE:")
    return Status((peak + tables) * 1024, _number(text, b"\nThreads:")) if peak else Status()


def deleted_bytes(pid: int, folder: str, most: int) -> int:
    """The size of a folder's deleted files that a process holds open; `most` for a mapped one, and if one is hidden."""
    start, end = os.fsencode(f"{folder}/"), b" (deleted)"
    maps = _read(f"{pid}/maps", MAPS_BYTES)
    total = most if len(maps) == MAPS_BYTES else 0
    for fd in _entries(f"/proc/{pid}/fd"):
        link = f"/proc/{pid}/fd/{fd}".encode()
        try:
            if (name := os.readlink(link)).startswith(start) and name.endswith(end):
                total += os.stat(link).st_blocks * 512
        except OSError as error:  # the file may have been closed
            total += most if error.errno == errno.ENAMETOOLONG else 0
    lines = [line.split(None, 5) for line in maps.split(b"\n")]  # other separators may be in the name of a file
    mapped = {tuple(line[3:5]) for line in lines if line[5:] and line[5].startswith(start) and line[5].endswith(end)}
    return total + most * len(mapped)


def pss(pid: int) -> int:
    """Proportional set size in bytes: a page that n processes share counts 1/n."""
    return _number(_read(f"{pid}/smaps_rollup"), b"\nPss:") * 1024


def waited(task: str) -> float:
    """Seconds that a thread has waited for a core so far; `task`: its path in /proc."""
    words = _read(f"{task}/schedstat").split()
    return int(words[1]) / 1e9 if len(words) > 1 else 0.0


def idle(core: int | None) -> float:
    """Seconds in which a core was idle since the machine started; None: all cores together. Steps of 0.01 s."""
    name = b"\ncpu " if core is None else b"\ncpu%d " % core
    return sum(map(int, (b"\n" + _read("stat")).partition(name)[2].split(None, 5)[3:5])) / 100


def cpu_seconds(pid: int) -> float:
    """CPU seconds of all threads of a process so far; 0 if it has ended."""
    try:
        return time.clock_gettime((~pid << 3) | CPU_CLOCK)
    except (OSError, AttributeError):
        return 0.0


def states(pid: int) -> dict[int, bytes]:
    """Thread -> its state letter, such as b"R" for running or b"T" for stopped; empty if the process has ended."""
    stats = {task: _read(f"{pid}/task/{task}/stat").rpartition(b")")[2] for task in tasks(pid)}  # without the name
    return {task: next(iter(stat.split()), b"X") for task, stat in stats.items()}


def is_stopped(pid: int) -> bool:
    """Whether all threads of the process are stopped, traced or ended, so that none runs before SIGCONT."""
    return set(states(pid).values()) <= {b"T", b"t", b"Z", b"X"}


def _entries(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _number(text: bytes, name: bytes) -> int:
    words = text.partition(name)[2].split(None, 1)
    return int(words[0]) if words else 0


def _read(path: str, most: int = -1) -> bytes:
    """The first `most` bytes of a file in /proc, or all; b"" if the process has ended or may not be looked at."""
    try:
        with open(f"/proc/{path}", "rb") as file:
            return file.read(most)
    except OSError:
        return b""
