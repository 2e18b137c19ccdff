"""Shows on stderr the progress of some work and the time left: a live bar on a terminal, else plain lines.

Time left = (time from the run's start to the last finished item) / (items done in this run) * (items left) - (time
since that item). Items are games or steps. The estimate assumes that as many items run at once as before.
"""

from collections.abc import Iterable, Mapping, Sequence
from time import perf_counter
from typing import NamedTuple

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.text import Text

from env_adapter import Cell
from local_runner.language.languages import _, listed
from local_runner.language.text import in_line

LINE_SECONDS = 30.0  # least time between two plain lines
NAMED = 4  # largest number of running games that are named
MINUTE, HOUR = 60, 3600  # seconds


class Playing(NamedTuple):
    """A running game. `black`, `white`: the agents' names. `began`: the time of its start by `perf_counter`.

    `moves`: the moves so far, the opening included; another thread appends to this list.
    """

    black: str
    white: str
    began: float
    moves: Sequence[Cell | None] = ()


class Pace:
    """Counts the items done and estimates the time left.

    `total`: number of items, which may change. `done`: items done before this run.
    """

    def __init__(self, total: int, done: int = 0) -> None:
        self.total, self.done = total, done
        self._before = done
        self._began = self._last = perf_counter()

    def to(self, done: int) -> None:
        """Set the number of items done."""
        self.done, self._last = done, perf_counter()

    @property
    def an_hour(self) -> str:
        """The items done per hour in this run, as the end of a sentence; "" before this run has done an item."""
        here = self.done - self._before
        pace = HOUR * here / (perf_counter() - self._began) if here else 0
        return _(", {number:.0f} an hour").format(number=pace) if here else ""

    @property
    def rest(self) -> str:
        """The time left, as the end of a sentence; "" if there is no estimate yet or no item is left."""
        here = self.done - self._before
        if not here or self.done >= self.total:
            return ""
        each = (self._last - self._began) / here
        left = max(0.0, each * (self.total - self.done) - (perf_counter() - self._last))
        return _(", {duration} left").format(duration=lasting(left))


class Meter(Progress):
    """A context that shows a progress bar on stderr, if that is a terminal; nothing if `quiet`."""

    def __init__(self, title: str, total: int, *, quiet: bool = False) -> None:
        console = Console(stderr=True, quiet=quiet)
        super().__init__(console=console, transient=True, disable=not console.is_terminal)
        self._task = self.add_task(escape(in_line(title)), total=total)

    def to(self, done: int | None = None, title: str | None = None) -> None:
        """Set the number of items done, or the title of the work that follows; None keeps each."""
        self.update(self._task, completed=done, description=title and escape(in_line(title)))

    def step(self) -> None:
        """Count one more item as done."""
        self.advance(self._task)


class Lines:
    """Prints lines about progress: the first line at once, later ones at most every LINE_SECONDS."""

    def __init__(self, console: Console) -> None:
        self._console, self._said = console, -LINE_SECONDS

    def say(self, line: str) -> None:
        """Print the line if LINE_SECONDS have passed since the last printed line."""
        if perf_counter() - self._said >= LINE_SECONDS:
            self._console.print(Text(line))
            self._said = perf_counter()


def games_now(playing: Mapping[int, Playing]) -> Iterable[Text]:
    """One line that names the running games, the earliest begun first; [] if no game is running."""
    games = sorted(playing.items(), key=lambda item: item[1].began)
    if not games:
        return []
    now = perf_counter()
    named = [f"{number} {in_line(game.black)} - {in_line(game.white)} {lasting(now - game.began)}"
             for number, game in games[:NAMED]]  # fmt: skip
    more = _(", and {number} more").format(number=len(games) - NAMED) if len(games) > NAMED else ""
    return [Text(_("now: {games}").format(games=listed(named)) + more)]


def lasting(seconds: float) -> str:
    """A duration as text.

    >>> [lasting(each) for each in (0.4, 59.9, 61, 3599, 3600, 100_000)]
    ['0 s', '60 s', '1 min', '60 min', '1 h 0 min', '27 h 46 min']
    """
    if seconds < MINUTE:
        return _("{seconds:.0f} s").format(seconds=seconds)
    if seconds < HOUR:
        return _("{minutes:.0f} min").format(minutes=seconds / MINUTE)
    hours, rest = divmod(seconds, HOUR)
    return _("{hours:.0f} h {minutes:.0f} min").format(hours=hours, minutes=rest // MINUTE)
