"""Runs the tasks of a study that have no result yet, and shows a progress bar."""

from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from local_runner.study.journal import Journal, Key, Values

Task = tuple[Key, Callable[[], Values]]


def measure(journal: Journal, tasks: Iterator[Task], total: int, title: str, *, quiet: bool) -> None:
    """Run the tasks without a result in the journal, one after the other. A task may use the results before it.

    `total`: the maximum number of tasks.
    """
    with bar(quiet) as progress:
        shown = progress.add_task(title, total=total)
        for key, task in tasks:
            if key not in journal.results:
                progress.update(shown, description=f"{title} {' '.join(map(str, key))}")
                journal.add(key, task())
            progress.advance(shown)
        progress.update(shown, completed=total, description=title)


def bar(quiet: bool) -> Progress:
    """A progress bar on stderr; nothing if `quiet`."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
               TimeRemainingColumn())  # fmt: skip
    return Progress(*columns, console=Console(stderr=True, quiet=quiet))
