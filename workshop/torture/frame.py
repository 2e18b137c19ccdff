"""Runs torture tests: finds them, keeps their journals, and does the trials that a journal lacks, several at once.

A journal is a file of JSON Lines (local_runner/study/journal.py), a line for each trial or batch of trials. A run that
is killed loses the trials it was doing, which are done again.
"""
from __future__ import annotations

import importlib
import multiprocessing
import os
import pkgutil
import shutil
import signal
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

from local_runner.errors import RunnerError
from local_runner.portable.guard import tie
from local_runner.study.journal import Journal, open_journal

PACKAGE = "workshop.torture"
SHOWN_FAULTS = 20           # failures of one batch that the journal describes; it counts all


@dataclass(frozen=True)
class TrialOutcome:
    """What one trial found.

    fault: "" if all is well, else one sentence
    most: figures of which the table shows the largest, e.g. {"RSS, MB": 31.5}
    samples: measured values of which the table shows percentiles, e.g. {"alone, s": [0.803, 0.801]}
    counts: how often something happened, e.g. {"on turn": 40}
    """

    number: int
    fault: str = ""
    most: Mapping[str, float] = field(default_factory=dict)
    samples: Mapping[str, Sequence[float]] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class TortureTest:
    """A test, as its module describes it. `title` is the first line of its docstring; `amount` is in trials."""

    name: str
    module: str
    title: str
    allowed: str
    amount: int
    batch: int


def tests() -> list[TortureTest]:
    """All tests, by name."""
    folder = Path(__file__).parent
    names = [f"{PACKAGE}.{each.name}" for each in pkgutil.iter_modules([str(folder)]) if each.name != "__main__"]
    modules = [module for module in map(importlib.import_module, names) if hasattr(module, "NAME")]
    return sorted((TortureTest(module.NAME, module.__name__, (module.__doc__ or "").partition("\n")[0].rstrip("."),
                               getattr(module, "ALLOWED", "no failure"), module.AMOUNT, getattr(module, "BATCH", 1))
                   for module in modules), key=lambda test: test.name)


def find(name: str) -> TortureTest:
    """The test of a name; RunnerError if there is none."""
    known = {test.name: test for test in tests()}
    if name not in known:
        raise RunnerError(f"there is no torture test {name!r}; there are: {', '.join(known)}")
    return known[name]


def do(test: TortureTest, first: int, count: int, folder: Path | None = None) -> list[TrialOutcome]:
    """Do the trials of consecutive numbers, in an empty folder (inside `folder`) that is removed afterwards."""
    module = importlib.import_module(test.module)
    with tempfile.TemporaryDirectory(prefix="", dir=folder, ignore_cleanup_errors=True) as made:
        if hasattr(module, "batch"):
            outcomes: list[TrialOutcome] = module.batch(first, count, Path(made))
            if [each.number for each in outcomes] != list(range(first, first + count)):
                raise RuntimeError(f"{test.name}: batch({first}, {count}) gave {len(outcomes)} outcomes")
            return outcomes
        found = []
        for number in range(first, first + count):
            scratch = Path(made, str(number - first))
            scratch.mkdir()
            found.append(TrialOutcome(number, module.trial(number, scratch)))
        return found


def run(test: TortureTest, out: Path, jobs: int, amount: int, screen: Console,
        known: AbstractSet[int] = frozenset()) -> None:
    """Do the trials from 1 to `amount` that the journal of the test in the folder `out` lacks.

    `known`: trials that were done elsewhere and are not done again.
    """
    with open_journal(out / f"{test.name}.jsonl", {"test": test.name}) as journal, Progress(
            *Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
            console=screen, disable=not screen.is_terminal) as progress:
        waiting = lacking(done(journal.results) | known, amount, test.batch)
        total = sum(count for _, count in waiting)
        bar = progress.add_task(test.name, total=amount, completed=amount - total)
        scratch = scratch_of(test, out)
        shutil.rmtree(scratch, ignore_errors=True)          # left by a run that was killed
        scratch.mkdir(parents=True)
        for outcomes in _in_processes(test, waiting, scratch, jobs):
            journal.add((outcomes[0].number, len(outcomes)), to_line(outcomes))
            progress.advance(bar, len(outcomes))
            for outcome in outcomes:
                if outcome.fault:
                    screen.print(f"{test.name} {outcome.number}: {outcome.fault}", markup=False, highlight=False)


def scratch_of(test: TortureTest, out: Path) -> Path:
    """The folder for the trials of a run; its name is short, because Ray makes sockets below it."""
    return Path(tempfile.gettempdir(), f"t-{zlib.crc32(f'{out.resolve()} {test.name}'.encode()):08x}")


def done(results: Iterable[Any]) -> set[int]:
    """The numbers of all trials in the results of a journal."""
    return {number for first, count in results for number in range(first, first + count)}


def lacking(numbers: set[int], amount: int, most: int) -> list[tuple[int, int]]:
    """The missing numbers from 1 to `amount`, as (first, count) of batches of at most `most`."""
    batches = []
    missing = (number for number in range(1, amount + 1) if number not in numbers)
    for _, group in groupby(enumerate(missing), key=lambda pair: pair[1] - pair[0]):
        run = (number for _, number in group)
        while batch := list(islice(run, most)):
            batches.append((batch[0], len(batch)))
    return batches


def to_line(outcomes: Sequence[TrialOutcome]) -> dict[str, Any]:
    """A batch as its line of the journal: failures and figures."""
    faults = [[each.number, each.fault] for each in outcomes if each.fault]
    most: dict[str, float] = {}
    samples: dict[str, list[float]] = {}
    counts: dict[str, int] = {}
    for each in outcomes:
        for name, value in each.most.items():
            most[name] = max(value, most.get(name, value))
        for name, values in each.samples.items():
            samples.setdefault(name, []).extend(round(value, 5) for value in values)
        for name, count in each.counts.items():
            counts[name] = counts.get(name, 0) + count
    return {"failed": len(faults), "faults": faults[:SHOWN_FAULTS], "most": most, "samples": samples, "counts": counts}


def journal_of(test: TortureTest, out: Path) -> Journal | None:
    """The journal of a test as it is now, for reading; None if there is none."""
    path = out / f"{test.name}.jsonl"
    if not path.is_file():
        return None
    with tempfile.TemporaryDirectory() as folder:           # a copy: another run may be writing the journal
        copy = Path(folder, path.name)
        copy.write_bytes(path.read_bytes())
        with open_journal(copy, {"test": test.name}) as journal:
            return journal


def _in_processes(test: TortureTest, batches: Sequence[tuple[int, int]], folder: Path, jobs: int,
                  ) -> Iterator[list[TrialOutcome]]:
    """The outcomes of all batches as they end. Closing the iterator waits for the batches that run."""
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_begin_worker,
                               initargs=(os.getpid(), list(sys.path)))
    left = iter(batches)
    running: set[Future[list[TrialOutcome]]] = set()
    try:
        while True:
            running |= {pool.submit(do, test, *batch, folder) for batch in islice(left, jobs - len(running))}
            if not running:
                return
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for each in ended:
                yield each.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _begin_worker(parent: int, path: list[str]) -> None:
    """Leave Ctrl-C to the main process, and end when that is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.path[:] = path
    tie(parent, signal.SIGKILL)
