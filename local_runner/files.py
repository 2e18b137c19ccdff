"""Files written whole or not at all: first beside their place under another name, then put there at once.

And files that somebody else writes, and may remove at any moment, looked at with care.
"""

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from local_runner.errors import RunnerError

READABLE = 0o644  # the mode of a file that is new


def write_whole(path: Path, content: str | bytes, advice: str) -> None:
    """Write a file, in place of an older one, whose mode it keeps; a link to a file stays one.

    `advice` ends the sentence of the RunnerError that says why it cannot.
    """
    with _explained(path, advice):
        if path.exists() and not path.is_file():        # a device or a pipe is written to, not replaced
            path.write_bytes(_encoded(content))
            return
        place = _place(path)
        mode = stat.S_IMODE(place.stat().st_mode) if place.exists() else READABLE
        with _beside(place.parent, content, mode) as temporary:
            os.replace(temporary, place)


def write_new(folder: Path, stem: str, suffix: str, text: str, advice: str) -> Path:
    """Write a file that replaces none: `stem`, or `stem_2`, `stem_3` and so on where that is taken; returns its path.

    However many processes write at once, each gets a name of its own. Raises RunnerError, nothing written.
    """
    with _explained(folder, advice), _beside(folder, text) as temporary:
        number = 1
        while True:
            path = folder / (stem + (f"_{number}" if number > 1 else "") + suffix)
            try:
                os.link(temporary, path)
            except FileExistsError:
                number += 1
            else:
                return path


def check_writable(path: Path, advice: str) -> None:
    """Raise RunnerError now if `write_whole` could not write there later."""
    with _explained(path, advice):
        if path.is_dir():
            raise IsADirectoryError(0, "it is a folder")
        if not path.exists() or path.is_file():
            with _beside(_place(path).parent, ""):
                pass


def check_folder(folder: Path, advice: str) -> None:
    """Raise RunnerError now if `write_new` could not write into the folder later; makes it where it is missing."""
    with _explained(folder, advice), _beside(folder, ""):
        pass


def size(path: Path) -> int:
    """Bytes in a file; 0 where there is no such file, or no longer one."""
    try:
        found = path.stat()
    except OSError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


def tail(path: Path, most: int) -> bytes | None:
    """The last `most` bytes of a file; None where there is no such file, or no longer one."""
    try:
        if not path.is_file():                          # opening a pipe would wait for ever
            return None
        with open(path, "rb") as file:
            file.seek(max(0, size(path) - most))
            return file.read(most)
    except OSError:
        return None


def _place(path: Path) -> Path:
    """Where a file really is, or would be."""
    return Path(os.path.realpath(path))


@contextlib.contextmanager
def _beside(folder: Path, content: str | bytes, mode: int = READABLE) -> Iterator[str]:
    """A temporary file in `folder` with the content in it, gone again at the end unless it was renamed."""
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(0, f"{folder} is no folder")
    folder.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".", suffix=".part", dir=folder)
    try:
        with open(handle, "wb") as file:
            file.write(_encoded(content))
        os.chmod(temporary, mode)
        yield temporary
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def _encoded(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


@contextlib.contextmanager
def _explained(place: Path, advice: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RunnerError(f"cannot write {place}: {error.strerror}; {advice}") from error
