"""Locks a tournament's file, so that two runs cannot play it at once. A new tournament may not use an existing file."""

import fcntl
import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.matches.tournament.tables import is_tournament
from local_runner.system.files import reason


def check_there(path: Path) -> None:
    """Raise RunnerError if the path is a folder or no file."""
    if path.is_dir():
        raise RunnerError(_("{path} is a folder; give the tournament's file").format(path=path))
    if not path.is_file():
        raise RunnerError(_("there is no tournament file {path}").format(path=path))


@contextmanager
def locked(path: Path, *, new: bool = False) -> Iterator[None]:
    """Lock the file against other runs inside a `with`. If the process dies, the lock ends too.

    `new`: make the file, and remove it at the end if it is still empty. An existing empty file is accepted, because a
    run that was killed at its start leaves one behind. Raises RunnerError if the file cannot be opened for writing,
    another run has locked it, or `new` is given and the file is not empty.
    """
    advice = _("give --out another file") if new else _("make it writable, or copy it to where you may write")
    made = new and not os.path.exists(path)
    try:
        handle = os.open(path, os.O_RDWR | (os.O_CREAT if made else 0), 0o644)
    except OSError as error:
        sentence = _("cannot write {path}: {error}; {advice}")
        raise RunnerError(sentence.format(path=path, error=reason(error), advice=advice)) from error
    with os.fdopen(handle, "rb"):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # flock does not conflict with SQLite's fcntl locks
        except BlockingIOError:
            sentence = _("{path} is being played by another run; wait for it, or stop it and resume")
            raise RunnerError(sentence.format(path=path)) from None
        except OSError as error:
            sentence = _("cannot lock {path}: {error}; {advice}")
            raise RunnerError(sentence.format(path=path, error=reason(error), advice=advice)) from error
        if new and (os.fstat(handle).st_size or not path.is_file()):
            if path.is_file() and is_tournament(os.pread(handle, 100, 0)):
                sentence = _("{path} exists; go on by `tengen tournament --resume {quoted}`, or {advice}")
            else:
                sentence = _("{path} exists and is no tournament file; {advice}")
            raise RunnerError(sentence.format(path=path, quoted=shlex.quote(str(path)), advice=advice))
        try:
            yield
        finally:
            if made and os.fstat(handle).st_size == 0:
                path.unlink(missing_ok=True)
