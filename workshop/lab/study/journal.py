"""The journal of a study: a file with one JSON line for each result; and the loop that adds the missing ones.

The first line holds the machine and the options. A run that is killed while writing leaves a line without an end. The
next run removes it and measures its result again. Only one run may use a file at a time.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from local_runner.errors import RunnerError
from local_runner.system.files import check_folder
from local_runner.system.header import header
from local_runner.terminal.progress import Meter
from workshop.command import OUTPUT_ADVICE

Key = tuple[str | int, ...]
Values = Mapping[str, Any]
Task = tuple[Key, Callable[[], Values]]


class Journal:
    """An open file of results by their keys, made by `open_journal`; `head`: the machine and the options."""

    def __init__(self, file: IO[bytes], head: Values, results: dict[Key, Values]) -> None:
        self._file = file
        self.head = head
        self.results = results

    def measure(self, tasks: Iterator[Task], total: int, title: str) -> None:
        """Run the tasks without a result, one after the other. A task may use the results before it.

        `total`: the maximum number of tasks.
        """
        with Meter(title, total) as meter:
            for number, (key, task) in enumerate(tasks, start=1):
                if key not in self.results:
                    self.add(key, task())
                meter.to(number, " ".join([title, *map(str, key)]))
            meter.to(total, title)

    def add(self, key: Key, result: Values) -> None:
        """Store a result. It is on disk when this returns."""
        self._file.write(_line({"key": key, **result}))
        self._file.flush()
        os.fsync(self._file.fileno())
        self.results[key] = result


@contextmanager
def open_journal(path: Path, terms: Values) -> Iterator[Journal]:
    """Create a journal, or continue it. `terms`: the options that its results depend on, as plain values.

    Raises RunnerError for a file with other terms or other content, and for one that cannot be written.
    """
    check_folder(path.parent, OUTPUT_ADVICE)
    with open(path, "a+b") as file:
        file.seek(0)
        whole, end, _cut = file.read().rpartition(b"\n")
        file.truncate(len(whole) + len(end))
        try:
            lines = [json.loads(line) for line in whole.splitlines()]
            results = {tuple(line.pop("key")): line for line in lines[1:]}
            known = lines[0]["terms"] if lines else None
        except (ValueError, KeyError, AttributeError, TypeError) as error:
            raise RunnerError(f"{path} is not the file of a study, or damaged ({error!r}); move it away") from error
        if not lines:
            lines = [{"header": header(), "terms": dict(terms)}]
            file.write(_line(lines[0]))
        elif known != terms:
            raise RunnerError(f"{path} holds results with other options: {known}; {OUTPUT_ADVICE}")
        yield Journal(file, lines[0], results)


def _line(values: Values) -> bytes:
    return json.dumps(values, allow_nan=False).encode() + b"\n"
