"""Reserves for one runner at a time: temporary folders, and CPU cores of this machine for the runner's agents.

A runner holds a lock (flock) on each of its folders, and a socket that is bound to a name for each core. The kernel
releases both when the runner ends. So a folder that can be locked is left over from a killed runner and is removed,
unless it is so young that its runner may not have locked it yet.
"""

import contextlib
import fcntl
import functools
import os
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from local_runner.system import files

PREFIX = "tengen-scratch-"  # the beginning of the folders' names
YOUNG_SECONDS = 60.0  # a folder whose last change is at most this long ago is kept


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Make a temporary folder and remove it at the end of the `with`."""
    place = Path(tempfile.gettempdir()).resolve()
    remove_leftovers(place)
    made = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # on file systems without locks, leftovers are never removed
            stack.enter_context(_locked(made))
        stack.callback(files.remove_tree, made)
        yield made


@functools.cache
def remove_leftovers(place: Path) -> None:
    """Remove the folders in `place` that this module made for this user and whose runner has ended; once in a run."""
    for entry in place.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # locked by its runner, removed in the meantime, or another user's
            state = entry.stat(follow_symlinks=False)
            if state.st_uid == os.getuid() and time.time() - state.st_mtime > YOUNG_SECONDS:
                with _locked(entry):
                    files.remove_tree(entry)


@contextlib.contextmanager
def _locked(place: Path) -> Iterator[None]:
    """Hold the lock of a folder. Raises OSError if another process holds it, or if the folder is a link."""
    handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


@contextlib.contextmanager
def cores(count: int) -> Iterator[list[int | None]]:
    """Claim `count` free cores inside a `with`, the highest numbers first, so that no two matches pin to the same core.

    If fewer cores are free, the list is filled up with None, which means any core. The sockets' names are in Linux's
    abstract namespace; on other systems no core is claimed.
    """
    with contextlib.ExitStack() as claims:
        found: list[int | None] = []
        for core in sorted(os.sched_getaffinity(0), reverse=True) if hasattr(os, "sched_getaffinity") else []:
            if len(found) < count:
                claim = claims.enter_context(socket.socket(socket.AF_UNIX))
                with contextlib.suppress(OSError):  # claimed by another process
                    claim.bind(f"\0tengen core {core}")
                    found.append(core)
        yield found + [None] * (count - len(found))
