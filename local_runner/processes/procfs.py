"""What Linux tells of other processes, and where they may run: descendants, memory, CPU cores.

Everywhere else the answers are "nothing known": no processes, 0 bytes.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")


def descendants(pid: int) -> Iterator[int]:
    """The children of a process, and theirs, and so on."""
    for child in _children(pid):
        yield child
        yield from descendants(child)


def rss(pid: int) -> int:
    """Resident bytes of a process; pages that a fork shares count in each."""
    try:
        return int((PROC / str(pid) / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def pin(pid: int, core: int) -> None:
    """Keep all threads of a process on one core."""
    with contextlib.suppress(OSError):  # ended meanwhile
        for thread in os.listdir(PROC / str(pid) / "task"):
            os.sched_setaffinity(int(thread), {core})


def _children(pid: int) -> list[int]:
    try:
        lists = [task.read_text() for task in (PROC / str(pid) / "task").glob("*/children")]
    except OSError:
        return []
    return [int(child) for text in lists for child in text.split()]
