"""Engine info: the best lines and the features of one position, as plain values for JSON.

The engine sends engine info during a search and at its end. Cells are numbers, row * columns + column, as on the page.
Chances are Black's winning chances, 0 to 1; a draw counts half.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from local_runner.game.coordinates import name, numbered


def names_of(cells: Iterable[int], columns: int) -> tuple[str, ...]:
    """The names of cells on a board of `columns`; "pass" for -1."""
    places = (numbered(cell, columns) for cell in cells)
    return tuple("pass" if place is None else name(place) for place in places)


class ProvedResult(str, Enum):
    """The proved result of a line for the side to move. JSON holds the member's value."""

    NONE = ""
    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"


@dataclass(frozen=True)
class BestLine:
    """One of the best moves with its principal variation.

    `moves`: the cells of the variation, the best move first. `chance`: Black's chance after that move. `value`: the
    engine's value for the side to move. `exact`: the proved result. `plies`: in k in a row, the plies until the end of
    a proved win or loss. `discs`: in Reversi, Black's exact lead at the end, if solved. `names`: the moves as names,
    such as h8, "pass" for a pass.
    """

    moves: tuple[int, ...]
    chance: float
    value: int
    depth: int
    exact: ProvedResult = ProvedResult.NONE
    plies: int | None = None
    discs: int | None = None
    names: tuple[str, ...] = ()

    @property
    def move(self) -> str:
        """The name of the best move."""
        return self.names[0]

    def __str__(self) -> str:
        return " ".join(self.names)


@dataclass(frozen=True)
class Threats:
    """The cells where one more stone of one side makes a five, an open four, a four, or an open three.

    All fields are empty in Reversi. `win`: moves and replies of a forced win that is proved if this side is to move.
    """

    fives: tuple[int, ...] = ()
    open_fours: tuple[int, ...] = ()
    fours: tuple[int, ...] = ()
    open_threes: tuple[int, ...] = ()
    win: tuple[int, ...] = ()


@dataclass(frozen=True)
class Features:
    """The features of a position beside the best lines. Pairs hold Black's feature and White's; () or None: not known.

    `threats`: only in k in a row. `heat`: (cell, heat) of the best candidate moves; heat grows with a move's value, and
    the best move has 1. `mobility`: number of legal cells. `stable`: cells of discs that cannot be turned over again.
    """

    threats: tuple[Threats, Threats] = (Threats(), Threats())
    heat: tuple[tuple[int, float], ...] = ()
    mobility: tuple[int, int] | None = None
    stable: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


@dataclass(frozen=True)
class EngineInfo:
    """Engine info on a position.

    `lines`: best first; empty after the end of the game. `chance`: Black's chance after the best line's first move.
    `source`: the method that found the move: "search", "threats", "solver", "book", "proof" or "scorer". `finished`:
    whether this is the final result of the search.
    """

    lines: tuple[BestLine, ...]
    chance: float
    depth: int
    nodes: int
    seconds: float
    source: str = "search"
    finished: bool = False
    features: Features = field(default_factory=Features)
