"""Other processes as Linux shows them in /proc: their descendants, memory and CPU cores.

On other systems there are no descendants, and memory is 0 bytes.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")


def descendants(pid: int) -> Iterator[int]:
    """All descendants of a process."""
    for child in _children(pid):
        yield child
        yield from descendants(child)


def rss(pid: int) -> int:
    """Resident bytes of a process; pages shared after a fork count for each process."""
    try:
        return int((PROC / str(pid) / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def pin(pid: int, core: int) -> None:
    """Pin all threads of a process to one core."""
    with contextlib.suppress(OSError):  # it may have ended
        for thread in os.listdir(PROC / str(pid) / "task"):
            os.sched_setaffinity(int(thread), {core})


def _children(pid: int) -> list[int]:
    try:
        lists = [task.read_text() for task in (PROC / str(pid) / "task").glob("*/children")]
    except OSError:
        return []
    return [int(child) for text in lists for child in text.split()]
