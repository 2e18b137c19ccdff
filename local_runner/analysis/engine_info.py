"""Engine info: the lines and features of one position, while the engine thinks and at the end. Plain values for JSON.

Cells are numbers, row * columns + column, as on the page. Chances are Black's, 0 to 1, a draw counting half.
"""

from dataclasses import dataclass, field
from enum import Enum


class ProvedResult(str, Enum):
    """The proved result of a line for the side to move; the value is that of the JSON."""

    NONE = ""
    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"


@dataclass(frozen=True)
class BestLine:
    """One of the best moves with its principal variation.

    `moves`: cells, the move first. `chance`: Black's chance to win after it. `value`: the engine's, of the side to
    move. `exact`: the proved result. `plies`: in k in a row
    the plies until the end of a proved win or loss. `discs`: in Reversi Black's exact lead at the end, if solved.
    """

    moves: tuple[int, ...]
    chance: float
    value: int
    depth: int
    exact: ProvedResult = ProvedResult.NONE
    plies: int | None = None
    discs: int | None = None


@dataclass(frozen=True)
class Threats:
    """The cells where one side, with one more stone, makes a five, an open four, a four, or an open three.

    Empty in Reversi. `win`: a proved forced win of this side if it were to move, its moves and the replies.
    """

    fives: tuple[int, ...] = ()
    open_fours: tuple[int, ...] = ()
    fours: tuple[int, ...] = ()
    open_threes: tuple[int, ...] = ()
    win: tuple[int, ...] = ()


@dataclass(frozen=True)
class Surroundings:
    """The features of a position that need no search. Pairs are Black's and White's; missing features are empty.

    `heat`: candidate cells with their share of the best one's worth, 0 to 1. `mobility`: legal cells of each side;
    `stable`: cells of discs that can never be turned over again.
    """

    threats: tuple[Threats, Threats] = (Threats(), Threats())
    heat: tuple[tuple[int, float], ...] = ()
    mobility: tuple[int, int] | None = None
    stable: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


@dataclass(frozen=True)
class EngineInfo:
    """Engine info on a position. `lines`: best first; empty after the end of the game. `source`: "search", "threats",
    "solver", "book", "proof" or "scorer". `chance`: Black's, of the best line. `finished`: whether the engine ended.
    """

    lines: tuple[BestLine, ...]
    chance: float
    depth: int
    nodes: int
    seconds: float
    source: str = "search"
    finished: bool = False
    surroundings: Surroundings = field(default_factory=Surroundings)
