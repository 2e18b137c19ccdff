"""Files of JSON Lines that grow while others read them: one process appends, any number of processes read.

A line is a JSON object whose last field is a hash of the text before it, so that a changed byte is found:
    {"number":7,"winner":1,"hash":"9b1c3a5ed08f2467"}
A killed process leaves at most one unfinished line at the end; readers leave this line out, and the next writer cuts it
off. A line whose hash is wrong is returned as damaged, and the lines after it are read.
"""

import fcntl
import hashlib
import json
import mmap
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.system.files import reason

_JSON = json.JSONEncoder(separators=(",", ":"), allow_nan=False)
FIELD = b',"hash":"'
DIGITS = 16  # hexadecimal digits of a hash


class Line(NamedTuple):
    """A line of a file.

    number: counts from 1
    start, end: place in the file in bytes; the next line begins at `end`
    text: the object as JSON, without the hash; None if the line is damaged
    """

    number: int
    start: int
    end: int
    text: bytes | None

    @property
    def value(self) -> dict[str, Any] | None:
        """The object of the line; None if the line is damaged."""
        try:
            return None if self.text is None else json.loads(self.text)
        except (ValueError, RecursionError):
            return None


def encoded(value: Mapping[str, Any]) -> bytes:
    """The line of an object with at least one field, including its line break. The field "hash" is added."""
    text = _JSON.encode(value).encode()[:-1]
    return text + FIELD + _hash(text) + b'"}\n'


def _checked(line: bytes) -> bytes | None:
    """The JSON of a line without the hash; None if the hash is missing or wrong."""
    text, field, end = line.rstrip(b"\r\n").rpartition(FIELD)
    return text + b"}" if field and end == _hash(text) + b'"}' else None


def _hash(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:DIGITS].encode()


def read(path: Path, start: int = 0, number: int = 1) -> Iterator[Line]:
    """The lines of a file from the byte `start` on, where line `number` begins. An unfinished last line is left out.

    Raises RunnerError if the file cannot be read.
    """
    try:
        with open(path, "rb") as file:
            file.seek(start)
            for content in file:
                if not content.endswith(b"\n"):
                    return
                end = start + len(content)
                yield Line(number, start, end, _checked(content))
                start, number = end, number + 1
    except OSError as error:
        raise RunnerError(_("cannot read {path}: {error}").format(path=path, error=reason(error))) from error


class Writer:
    """Appends lines to a file that `writing` has opened and locked.

    `cut`: the number of bytes of an unfinished last line, which were cut off.
    """

    def __init__(self, path: Path, handle: int, cut: int) -> None:
        self.path, self.cut, self._handle = path, cut, handle
        self._size = os.fstat(handle).st_size

    def append(self, value: Mapping[str, Any]) -> int:
        """Write an object as the last line, and return the byte at which it begins.

        Raises RunnerError if the file was moved or changed by others, or cannot be written; the lines before stay.
        """
        self.check_place()
        start, content = self._size, encoded(value)
        try:
            if os.write(self._handle, content) != len(content):
                os.write(self._handle, content)  # a full disk has written only a part; this write raises the error
                raise OSError(0, _("only a part of a line was written"))
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._handle, start)
            sentence = _("cannot write {path}: {error}; mend that, then resume or begin again")
            raise RunnerError(sentence.format(path=self.path, error=reason(error))) from error
        self._size += len(content)
        return start

    def in_place(self) -> bool:
        """Whether the path still leads to the file that is written, and nobody else has changed its size."""
        try:
            state = os.fstat(self._handle)
            return os.path.samestat(os.stat(self.path), state) and state.st_size == self._size
        except OSError:
            return False

    def check_place(self) -> None:
        """Raise RunnerError if the file was removed, moved or changed by others."""
        if not self.in_place():
            sentence = _("{path} was removed, replaced or changed while it was written; put it back, or begin again")
            raise RunnerError(sentence.format(path=self.path))


@contextmanager
def writing(path: Path, *, new: bool = False) -> Iterator[Writer]:
    """Open a file inside a `with`, for one writer at a time; an unfinished last line is cut off.

    `new`: the file must be empty or not exist, and is removed at the end if nothing was written. Raises RunnerError if
    the file cannot be opened, has another writer, is not empty although `new` is set, or holds no JSON Lines.
    """
    made = new and not os.path.lexists(path)
    try:
        handle = os.open(path, os.O_RDWR | os.O_APPEND | (os.O_CREAT if new else 0), 0o644)
    except OSError as error:
        sentence = _("cannot write {path}: {error}; give another file")
        raise RunnerError(sentence.format(path=path, error=reason(error))) from error
    with os.fdopen(handle, "rb", buffering=0):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sentence = _("{path} is being written by another run; wait for it, or stop it and resume")
            raise RunnerError(sentence.format(path=path)) from None
        if new and (os.fstat(handle).st_size or not path.is_file()):
            raise RunnerError(_("{path} exists and is not empty; give another file").format(path=path))
        try:
            yield Writer(path, handle, _cut(path, handle))
        finally:
            if made and not os.fstat(handle).st_size:
                path.unlink(missing_ok=True)


def _cut(path: Path, handle: int) -> int:
    """Cut off what follows the last line break; returns how many bytes. Refuses a file with another first line."""
    size = os.fstat(handle).st_size
    if not size:
        return 0
    first = next(read(path), None)
    if first is None or first.value is None:
        raise RunnerError(_("the first line of {path} is damaged, or it is another kind of file").format(path=path))
    with mmap.mmap(handle, 0, access=mmap.ACCESS_READ) as content:
        end = content.rfind(b"\n") + 1
    if end < size:
        os.ftruncate(handle, end)
    return size - end
