"""How far a check is: a status line in a terminal, plain lines in a pipe. Games report from several threads at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from rich.console import Console
from rich.status import Status
from rich.text import Text

from local_runner.language.amounts import STEPS, amount
from local_runner.language.languages import _, shown

LINE_SECONDS = 5.0  # between two lines on one game


class Progress:
    """Receives the steps of the games, which are named by messages; this one shows nothing."""

    def reached(self, game: str, steps: int) -> None:
        """A game has made so many steps."""

    def ended(self, game: str, steps: int) -> None:
        """A game is over, or was stopped."""


class StatusProgress(Progress):
    """All running games in one line, which rich redraws."""

    def __init__(self, status: Status) -> None:
        self._status = status
        self._lock = threading.Lock()
        self._running: dict[str, int] = {}

    def reached(self, game: str, steps: int) -> None:
        with self._lock:
            self._running[game] = steps
            self._show()

    def ended(self, game: str, steps: int) -> None:
        with self._lock:
            self._running.pop(game, None)
            self._show()

    def _show(self) -> None:
        games = (_step(game, steps) for game, steps in self._running.items())
        self._status.update(Text("; ".join(games)))


class LineProgress(Progress):
    """A line for every game when it ends, and every LINE_SECONDS while it goes on."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._lock = threading.Lock()
        self._began = perf_counter()
        self._told: dict[str, float] = {}

    def reached(self, game: str, steps: int) -> None:
        with self._lock:
            if perf_counter() - self._told.setdefault(game, self._began) >= LINE_SECONDS:
                self._tell(_step(game, steps))
                self._told[game] = perf_counter()

    def ended(self, game: str, steps: int) -> None:
        with self._lock:
            self._tell(_("{game}: {steps}").format(game=shown(game), steps=shown(amount(steps, STEPS))))

    def _tell(self, line: str) -> None:
        self._console.print(Text(line), soft_wrap=True)


def _step(game: str, number: int) -> str:
    return _("{game}: step {number}").format(game=shown(game), number=number)


@contextmanager
def showing(console: Console) -> Iterator[Progress]:
    """A progress that is shown at the console while the block runs."""
    if console.is_terminal:
        with console.status(_("reading the file")) as status:
            yield StatusProgress(status)
    else:
        yield LineProgress(console)
