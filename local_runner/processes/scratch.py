"""Temporary folders that do not outlive their runner for long: the next run removes those of killed runners.

A runner holds a lock (flock) on each of its folders, and the kernel releases it when the runner ends. So a folder that
can be locked has no owner. A folder is made before it is locked, so folders younger than YOUNG_SECONDS stay.
"""

import contextlib
import functools
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from local_runner.processes.sandbox import SCRATCH, USERS, is_root
from local_runner.system import files

AGENT, GAMES, LOADING, SALVAGE = SCRATCH, "tengen-games-", "tengen-load-", "tengen-salvage-"
OPENED = "tengen-opened-"
PREFIXES = (AGENT, GAMES, LOADING, SALVAGE, OPENED)  # of the folders' names
YOUNG_SECONDS = 60.0  # since the last change in a folder


@contextlib.contextmanager
def folder(prefix: str) -> Iterator[Path]:
    """A new folder, removed at the end; `prefix`: one of PREFIXES."""
    place = Path(tempfile.gettempdir())
    _tidied(place)
    made = Path(tempfile.mkdtemp(prefix=prefix, dir=place))
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # where folders cannot be locked, none is removed
            stack.enter_context(_locked(made))
        stack.callback(files.remove_tree, made)
        yield made


@functools.cache
def _tidied(place: Path) -> None:
    """`remove_leftovers`, once in each run."""
    remove_leftovers(place)


def remove_leftovers(place: Path) -> None:
    """Remove the folders in `place` that were made here by this user and whose runner has died."""
    with contextlib.suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIXES) and entry.is_dir(follow_symlinks=False):
                _remove_if_left(Path(entry.path))


def _remove_if_left(found: Path) -> None:
    with contextlib.suppress(OSError):  # locked, or removed meanwhile, or of another user
        state = found.stat(follow_symlinks=False)
        ours = state.st_uid == os.getuid() or (is_root() and state.st_uid in USERS)  # root's agents are these users
        if ours and time.time() - state.st_mtime > YOUNG_SECONDS:
            with _locked(found):
                files.remove_tree(found)


@contextlib.contextmanager
def _locked(place: Path) -> Iterator[None]:
    """Hold the lock of a folder. Raises OSError if another process holds it, or if the folder is a link."""
    import fcntl  # here, because Windows has none

    handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)
