"""How a study goes through what it measures: what is in the journal is not measured again, a bar shows the rest."""

from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from local_runner.study.journal import Journal, Key, Result

Task = tuple[Key, Callable[[], Result]]


def measure(journal: Journal, tasks: Iterator[Task], total: int, title: str, *, quiet: bool) -> None:
    """Do the tasks that the journal has no result of, one after the other; they may ask it for those before.

    `total`: how many tasks there are at most.
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
    """A progress bar on stderr, where nothing else is shown."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
               TimeRemainingColumn())  # fmt: skip
    return Progress(*columns, console=Console(stderr=True, quiet=quiet))
