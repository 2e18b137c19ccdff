"""Runs the tasks of a study that have no result yet, and shows how far they are."""

from collections.abc import Callable, Iterator

from local_runner.language.languages import shown
from local_runner.study.journal import Journal, Key, Values
from local_runner.terminal.progress import Meter

Task = tuple[Key, Callable[[], Values]]


def measure(journal: Journal, tasks: Iterator[Task], total: int, title: str, *, quiet: bool) -> None:
    """Run the tasks without a result in the journal, one after the other. A task may use the results before it.

    `total`: the maximum number of tasks.
    """
    with Meter(title, total, quiet=quiet) as meter:
        for number, (key, task) in enumerate(tasks, start=1):
            if key not in journal.results:
                journal.add(key, task())
            meter.to(number, " ".join([title, *(shown(part) if isinstance(part, str) else str(part) for part in key)]))
        meter.to(total, title)
