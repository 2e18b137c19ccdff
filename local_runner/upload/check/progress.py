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


class ConsoleProgress(Progress):
    """The running games in the status line of a terminal.

    A pipe gets a line for every game when it ends, and one every LINE_SECONDS while it goes on.
    """

    def __init__(self, console: Console, status: Status | None = None) -> None:
        self._console, self._status = console, status
        self._lock = threading.Lock()
        self._running: dict[str, int] = {}  # steps of each game
        self._began = perf_counter()
        self._told: dict[str, float] = {}  # when the last line on a game was printed

    def reached(self, game: str, steps: int) -> None:
        with self._lock:
            self._running[game] = steps
            if self._status is not None:
                self._update(self._status)
            elif perf_counter() - self._told.get(game, self._began) >= LINE_SECONDS:
                self._told[game] = perf_counter()
                self._console.print(Text(_step(game, steps)), soft_wrap=True)

    def ended(self, game: str, steps: int) -> None:
        with self._lock:
            self._running.pop(game, None)
            if self._status is not None:
                self._update(self._status)
            else:
                line = _("{game}: {steps}").format(game=shown(game), steps=shown(amount(steps, STEPS)))
                self._console.print(Text(line), soft_wrap=True)

    def _update(self, status: Status) -> None:
        status.update(Text("; ".join(_step(game, steps) for game, steps in self._running.items())))


def _step(game: str, number: int) -> str:
    return _("{game}: step {number}").format(game=shown(game), number=number)


@contextmanager
def showing(console: Console) -> Iterator[Progress]:
    """A progress that is shown at the console while the block runs."""
    if console.is_terminal:
        with console.status(_("reading the file")) as status:
            yield ConsoleProgress(console, status)
    else:
        yield ConsoleProgress(console)
