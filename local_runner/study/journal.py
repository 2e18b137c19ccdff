"""The journal of a study: a file with one JSON line for each result.

The first line holds the machine and the options. A line without an end was left by a run that was killed while writing;
it is removed and its result is measured again. Only one run can write at a time.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.system.files import check_folder
from local_runner.system.header import header

Key = tuple[str | int, ...]
Values = Mapping[str, Any]


class Journal:
    """An open file of results by their keys, made by `open_journal`."""

    def __init__(self, file: IO[bytes], head: Values, results: dict[Key, Values]) -> None:
        self._file = file
        self.head = head
        self.results = results

    def add(self, key: Key, result: Values) -> None:
        """Store a result. It is on disk when this returns."""
        self._file.write(_line({"key": key, **result}))
        self._file.flush()
        os.fsync(self._file.fileno())
        self.results[key] = result


@contextmanager
def open_journal(path: Path, terms: Values) -> Iterator[Journal]:
    """Create a journal, or continue it. `terms`: the options that its results depend on, as plain values.

    Raises RunnerError for a file with other terms, one that another run is writing, and one that cannot be written.
    """
    check_folder(path.parent, _("give --out another folder"))
    with open(path, "a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sentence = _("{path} is being written by another run; wait until it ends, or stop it")
            raise RunnerError(sentence.format(path=path)) from None
        head, results = _read(path, file)
        if head is None:
            head = {"header": header(), "terms": dict(terms)}
            file.write(_line(head))
        elif head["terms"] != json.loads(json.dumps(terms)):
            sentence = _("{path} holds results with other options: {options}; give --out another folder")
            raise RunnerError(sentence.format(path=path, options=head["terms"]))
        yield Journal(file, head, results)


def _read(path: Path, file: IO[bytes]) -> tuple[Values | None, dict[Key, Values]]:
    """The first line (None if there is none) and all results. An incomplete last line is removed from the file."""
    file.seek(0)
    whole, end, _cut = file.read().rpartition(b"\n")
    file.truncate(len(whole) + len(end))
    try:
        lines = [json.loads(line) for line in whole.splitlines()]
        results = {tuple(line.pop("key")): line for line in lines[1:]}
        if lines and "terms" not in lines[0]:
            raise KeyError("terms")
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        sentence = _("{path} is not the file of a study, or damaged ({error!r}); move it away")
        raise RunnerError(sentence.format(path=path, error=error)) from error
    return (lines[0] if lines else None), results


def _line(values: Values) -> bytes:
    return json.dumps(values, allow_nan=False).encode() + b"\n"
