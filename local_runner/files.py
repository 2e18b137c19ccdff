"""Text files written whole or not at all: first beside their place under another name, then put there at once."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from local_runner.errors import RunnerError


def write_whole(path: Path, text: str, advice: str) -> None:
    """Write a file, in place of an older one; `advice` ends the sentence of the RunnerError that says why it cannot."""
    with _explained(path, advice):
        if path.exists() and not path.is_file():        # a device or a pipe is written to, not replaced
            path.write_text(text, encoding="utf-8")
            return
        with _beside(path.parent, text) as temporary:
            os.replace(temporary, path)


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
            with _beside(path.parent, ""):
                pass


@contextlib.contextmanager
def _beside(folder: Path, text: str) -> Iterator[str]:
    """A temporary file in `folder` with the text in it, gone again at the end unless it was renamed."""
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(0, f"{folder} is no folder")
    folder.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".", suffix=".part", dir=folder)
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        yield temporary
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


@contextlib.contextmanager
def _explained(place: Path, advice: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RunnerError(f"cannot write {place}: {error.strerror}; {advice}") from error
