"""Writes files atomically: a file is written under a temporary name in the same folder, then renamed or linked.

The functions that read files allow for other processes that write and remove files at any moment.
"""

import contextlib
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _, shown

BLOCK = 16384  # least bytes that a file or folder counts, so that 64 MB are at most 4096 files
DEEP = 64  # levels of folders that `tree_bytes` enters
READABLE = 0o644  # the mode of a new file
GAMES = b'{"tengen":"tournament",'  # the first bytes of a tournament's file
REASONS = (  # the system's error messages that users meet most; listed here for translation
    Message("No such file or directory"), Message("Permission denied"), Message("Is a directory"),
    Message("Not a directory"), Message("File exists"), Message("File name too long"),
    Message("No space left on device"), Message("Read-only file system"),
    Message("Too many levels of symbolic links"), Message("Address already in use"),
)  # fmt: skip


def reason(error: OSError) -> str:
    """The system's error message, in the current language if REASONS has it."""
    return shown(Message(error.strerror or type(error).__name__))


def write_whole(path: Path, content: str | bytes, advice: str = "") -> None:
    """Write a file atomically. An older file is replaced and its mode kept; a symbolic link stays a link.

    Raises RunnerError if writing fails, or if the older file holds a tournament, whose games would be lost. The message
    ends with `advice`.
    """
    _spare_games(path, advice)
    data = content.encode() if isinstance(content, str) else content
    with explained(path, advice):
        refuse_pipe(path)
        if path.exists() and not path.is_file():  # a device or a pipe is written directly, not replaced
            path.write_bytes(data)
            return
        place = _place(path)
        mode = stat.S_IMODE(place.stat().st_mode) if place.exists() else READABLE
        with _beside(place.parent, data, mode) as temporary:
            os.replace(temporary, place)


def write_new(folder: Path, stem: str, suffix: str, text: str, advice: str) -> Path:
    """Write a new file named `stem`, or `stem_2`, `stem_3` and so on if the name is taken. Returns the file's path.

    A missing folder is made. Processes that write at the same time get different names. Raises RunnerError if writing
    fails; the message ends with `advice`.
    """
    with explained(folder, advice):
        _make(folder)
        with _beside(folder, text.encode()) as temporary:
            number = 1
            while True:
                path = folder / (stem + (f"_{number}" if number > 1 else "") + suffix)
                try:
                    os.link(temporary, path)
                except FileExistsError:
                    number += 1
                else:
                    return path


def check_writable(path: Path, advice: str, source: Path | None = None) -> None:
    """Raise RunnerError if `write_whole` could not write to `path` later, or if `path` is the file `source`.

    `source`: the file that the command reads. A missing folder is an error.
    """
    if source is not None and os.path.exists(path) and os.path.exists(source) and path.samefile(source):
        raise RunnerError(_("{path} is the file that is read; {advice}").format(path=path, advice=advice))
    _spare_games(path, advice)
    with explained(path, advice):
        if path.is_dir():
            raise IsADirectoryError(0, _("it is a folder"))
        refuse_pipe(path)
        if not path.parent.exists():
            raise FileNotFoundError(0, _("there is no folder {folder}").format(folder=path.parent))
        if not path.exists() or path.is_file():
            with _beside(_place(path).parent, b""):
                pass


def refuse_pipe(path: Path) -> None:
    """Raise OSError for a named pipe, which may block for ever. A shell's `<(...)` is accepted."""
    if path.is_fifo() and path.parts[:2] not in (("/", "dev"), ("/", "proc")):
        raise OSError(0, _("it is a pipe"))


def check_folder(folder: Path, advice: str) -> None:
    """Raise RunnerError if `write_new` could not write into the folder later. A missing folder is made."""
    with explained(folder, advice):
        _make(folder)
        with _beside(folder, b""):
            pass


def _make(folder: Path) -> None:
    if lost := [place for place in (folder, *folder.parents) if place.is_symlink() and not place.exists()]:
        raise OSError(0, _("{path} is a link to nowhere").format(path=lost[-1]))
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)


def lies_in(path: Path, folder: Path) -> bool:
    """Whether a path is a regular file in the folder, or a link to such a file."""
    place = _place(path)
    return place.is_file() and place.is_relative_to(_place(folder))


def size(path: Path) -> int:
    """The number of bytes in a file; 0 if there is no such file."""
    try:
        status = path.stat()
    except OSError:
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def holds_games(path: Path) -> bool:
    """Whether a file is a tournament's."""
    with contextlib.suppress(OSError):
        if path.is_file():
            with open(path, "rb") as file:
                return file.read(len(GAMES)) == GAMES
    return False


def _spare_games(path: Path, advice: str) -> None:
    """Raise RunnerError if the path is a tournament's file, so that no other output replaces its games."""
    if holds_games(path):
        raise RunnerError(_("{path} holds games and is not replaced; {advice}").format(path=path, advice=advice))


def tail(path: Path, most: int) -> bytes | None:
    """The last `most` bytes of a file; None if the file does not exist or cannot be read."""
    try:
        if not path.is_file():  # opening a pipe would block
            return None
        with open(path, "rb") as file:
            file.seek(max(0, size(path) - most))
            return file.read(most)
    except OSError:
        return None


def keep_tail(path: Path, most: int) -> None:
    """Cut a file to its last `most` bytes, after a line that says so. A file that cannot be cut is left as it is."""
    total, end = size(path), tail(path, most)
    if total > most and end is not None:
        head = _("[the first {number:,} bytes of the output are left out]").format(number=total - most)
        with contextlib.suppress(OSError):
            path.write_bytes(f"{head}\n".encode() + end)


def _place(path: Path) -> Path:
    return Path(os.path.realpath(path))


@contextlib.contextmanager
def _beside(folder: Path, content: bytes, mode: int = READABLE) -> Iterator[str]:
    """Yield the path of a temporary file in `folder` with the content. At the end, remove the file if it remains."""
    if not folder.exists():
        raise FileNotFoundError(0, _("its folder does not exist"))
    if not folder.is_dir():
        raise NotADirectoryError(0, _("{folder} is no folder").format(folder=folder))
    handle, temporary = tempfile.mkstemp(prefix=".", suffix=".part", dir=folder)
    try:
        with open(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, mode)
        yield temporary
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


@contextlib.contextmanager
def explained(place: Path, advice: str) -> Iterator[None]:
    """Raise an OSError of the `with` as a RunnerError that names the place and, if there is one, the advice."""
    try:
        yield
    except OSError as error:
        sentence = _("cannot write {place}: {error}; {advice}") if advice else _("cannot write {path}: {error}")
        raise RunnerError(sentence.format(place=place, path=place, error=reason(error), advice=advice)) from error


def tree_bytes(folder: Path, most: int) -> int:
    """The size on the disk of everything in a folder, at least BLOCK for each entry. Counting stops above `most`.

    Folders that cannot be read count as `most` each, and those nested deeper than DEEP, because the kernel needs long
    to find them. Mounted folders are left out.
    """
    total, folders, device = 0, [(str(folder), 0)], os.stat(folder).st_dev
    while folders and total <= most:
        place, depth = folders.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    with contextlib.suppress(FileNotFoundError):  # the file was deleted in the meantime
                        found = entry.stat(follow_symlinks=False)
                        if found.st_dev != device:
                            continue
                        total += max(BLOCK, found.st_blocks * 512)
                        if total > most:
                            break
                        if stat.S_ISDIR(found.st_mode):
                            folders.append((entry.path, depth + 1))
                            total += most if depth >= DEEP else 0
        except (FileNotFoundError, NotADirectoryError):  # the folder was deleted in the meantime
            continue
        except OSError:  # the runner has no right to look, or the path is too long
            total += most
    return total


def remove_tree(folder: Path) -> None:
    """Delete a folder that an agent's process has filled, even if rights are missing or folders are nested too deep."""
    if folder.is_symlink():
        folder.unlink()
        return
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        for command in (["chmod", "-R", "u+rwX", "--", str(folder)], ["rm", "-rf", "--", str(folder)]):
            subprocess.run(command, stderr=subprocess.DEVNULL, check=False)
