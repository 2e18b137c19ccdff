"""Makes temporary folders, and removes the folders that killed runners have left behind.

A runner holds a lock (flock) on each of its folders, and the kernel releases the lock when the runner ends. So a folder
that can be locked is left over, unless it is so young that its runner may not have locked it yet.
"""

import contextlib
import functools
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from local_runner.system import files

AGENT, GAMES, LOADING = "tengen-agent-", "tengen-games-", "tengen-load-"
OPENED, COPIES = "tengen-opened-", "tengen-copies-"
PREFIXES = (AGENT, GAMES, LOADING, OPENED, COPIES)  # prefixes of the folders' names
YOUNG_SECONDS = 60.0  # a folder whose last change is at most this long ago is kept


@contextlib.contextmanager
def folder(prefix: str) -> Iterator[Path]:
    """Make a temporary folder and remove it at the end of the `with`; `prefix`: one of PREFIXES."""
    place = Path(tempfile.gettempdir()).resolve()
    remove_leftovers(place)
    made = Path(tempfile.mkdtemp(prefix=prefix, dir=place))
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # on file systems without locks, leftovers are never removed
            stack.enter_context(_locked(made))
        stack.callback(files.remove_tree, made)
        yield made


@functools.cache
def remove_leftovers(place: Path) -> None:
    """Remove the folders in `place` that this module made for this user and whose runner has ended; once in a run."""
    for entry in (path for prefix in PREFIXES for path in place.glob(f"{prefix}*")):
        with contextlib.suppress(OSError):  # locked, or removed meanwhile, or of another user
            state = entry.stat(follow_symlinks=False)
            if state.st_uid == os.getuid() and time.time() - state.st_mtime > YOUNG_SECONDS:
                with _locked(entry):
                    files.remove_tree(entry)


@contextlib.contextmanager
def _locked(place: Path) -> Iterator[None]:
    """Hold the lock of a folder. Raises OSError if another process holds it, or if the folder is a link."""
    import fcntl  # imported here, because Windows does not have this module

    handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)
