"""What a study has measured so far: a file with a line of JSON for each result, written whole or not at all.

The first line says what is measured and on which machine. A line without an end, left by a run that was killed while it
wrote, is cut off; the result is measured again. One run at a time writes.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from local_runner.errors import RunnerError
from local_runner.files import check_folder
from local_runner.header import header

Key = tuple[str | int, ...]
Result = Mapping[str, Any]


class Journal:
    """An open file of results, by their keys; made by `open_journal`."""

    def __init__(self, file: IO[bytes], head: Result, results: dict[Key, Result]) -> None:
        self._file = file
        self.head = head
        self.results = results

    def add(self, key: Key, result: Result) -> None:
        """Keep a result; it is on the disk when this returns."""
        self._file.write(_line({"key": key, **result}))
        self._file.flush()
        os.fsync(self._file.fileno())
        self.results[key] = result


@contextmanager
def open_journal(path: Path, terms: Result) -> Iterator[Journal]:
    """Begin a file, or go on with it. `terms`: what gives the keys their meaning, as plain values.

    Raises RunnerError for a file of other terms, one that another run writes, and one that cannot be written.
    """
    check_folder(path.parent, "give --out another folder")
    with open(path, "a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunnerError(f"{path} is being written by another run; wait for it, or stop it") from None
        head, results = _read(path, file)
        if head is None:
            head = {"header": header(), "terms": dict(terms)}
            file.write(_line(head))
        elif head["terms"] != json.loads(json.dumps(terms)):
            raise RunnerError(f"{path} holds results of other options: {head['terms']}; give --out another folder")
        yield Journal(file, head, results)


def _read(path: Path, file: IO[bytes]) -> tuple[Result | None, dict[Key, Result]]:
    """The first line, None where there is none, and all results; what has no end is cut off."""
    file.seek(0)
    whole, end, _ = file.read().rpartition(b"\n")
    file.truncate(len(whole) + len(end))
    try:
        lines = [json.loads(line) for line in whole.splitlines()]
        results = {tuple(line.pop("key")): line for line in lines[1:]}
        if lines and "terms" not in lines[0]:
            raise KeyError("terms")
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise RunnerError(f"{path} is no file of a study, or a damaged one: {error!r}; move it away") from error
    return (lines[0] if lines else None), results


def _line(values: Result) -> bytes:
    return json.dumps(values, allow_nan=False).encode() + b"\n"
