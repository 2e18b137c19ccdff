"""Our engine in a process of its own, asked about positions: thoughts, looks while it thinks, and stopping at once."""

from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

from local_runner.analysis.look import Look
from local_runner.game_setup import GameSetup
from local_runner.records import Cell


@dataclass(frozen=True)
class Question:
    """A position, as a setup and the moves so far (the opening included), and how long to think about it.

    `lines`: how many best lines. `seconds`, `nodes`, `depth`: limits, None for none; without any, until `stop`.
    `use_book`: a book move is answered at once. `ahead`: the position is that of the other side's turn; think so that
    the next question is answered faster. `every`: seconds between two looks.
    """

    setup: GameSetup
    cells: tuple[Cell | None, ...]
    lines: int = 1
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    use_book: bool = False
    ahead: bool = False
    every: float = 0.1


class EngineProcess:
    """One engine; its tables are kept from question to question of the same game. Not for two threads, except `stop`."""

    def start(self) -> None:
        """Start the process; if not called, the first question does so. Raises RunnerError if that fails."""
        raise NotImplementedError

    def think(self, question: Question, look: Callable[[Look], object] | None = None) -> Look:
        """The final look, after calling `look` with those on the way. Raises RunnerError if the process has died."""
        raise NotImplementedError

    def stop(self) -> None:
        """End the thought that is running, within a few milliseconds; may be called from any thread."""
        raise NotImplementedError

    def close(self) -> None:
        """End the process; may be called twice."""
        raise NotImplementedError

    def __enter__(self) -> "EngineProcess":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()
