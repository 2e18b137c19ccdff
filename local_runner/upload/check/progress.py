"""Shows the progress of a check: a status line in a terminal, plain lines in a pipe. Several threads may report."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from rich.console import Console
from rich.status import Status
from rich.text import Text

from local_runner.language.languages import STEPS, _, amount, shown

LINE_SECONDS = 5.0  # least time between two lines about one running game


class Progress:
    """Receives the steps of the games; this base class shows nothing."""

    def reached(self, game: str, steps: int, *, ended: bool, games: int) -> None:
        """A game has reached this number of steps. `game`: a Message; `ended`: or stopped; `games`: of the check."""


class ConsoleProgress(Progress):
    """Shows the running games in the status line of a terminal.

    Without a status line, a line is printed when a game ends, and every LINE_SECONDS while it runs.
    """

    def __init__(self, console: Console, status: Status | None = None) -> None:
        self._console, self._status = console, status
        self._lock = threading.Lock()
        self._running: dict[str, int] = {}  # steps of each game
        self._began = perf_counter()
        self._told: dict[str, float] = {}  # game -> time at which the last line about the game was printed

    def reached(self, game: str, steps: int, *, ended: bool, games: int) -> None:
        with self._lock:
            self._running[game] = steps
            if ended:
                del self._running[game]
            if self._status is not None:
                self._status.update(Text("; ".join(_step(*each) for each in self._running.items())))
            elif ended:
                line = _("{game}: {steps}").format(game=shown(game), steps=shown(amount(steps, STEPS)))
                self._console.print(Text(line), soft_wrap=True)
            elif perf_counter() - self._told.get(game, self._began) >= LINE_SECONDS:
                self._told[game] = perf_counter()
                self._console.print(Text(_step(game, steps)), soft_wrap=True)


def _step(game: str, number: int) -> str:
    return _("{game}: step {number}").format(game=shown(game), number=number)


@contextmanager
def showing(console: Console) -> Iterator[Progress]:
    """A Progress that is shown on the console while the `with` block runs."""
    if console.is_terminal:
        with console.status(_("reading the file")) as status:
            yield ConsoleProgress(console, status)
    else:
        yield ConsoleProgress(console)
