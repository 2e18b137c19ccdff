"""Engine info: the best lines and the features of one position, as plain values for JSON.

The engine sends engine info during a search and at its end. Cells are numbers, row * columns + column, as on the page.
Chances are Black's winning chances, 0 to 1; a draw counts half; a proved result has the chance 0, 1/2 or 1.
Values become chances by scales; docs/en/reference/analysis.md shows how well the scales fit.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from math import exp
from typing import Any

from local_runner.game.coordinates import name, numbered
from local_runner.game.session import GameSession


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
        """The name of the variation's first move."""
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
    whether this is the final result of the search. `compiled`: whether the compiled engine searched.
    """

    lines: tuple[BestLine, ...]
    chance: float
    depth: int
    nodes: int
    seconds: float
    source: str = "search"
    finished: bool = False
    compiled: bool = False
    features: Features = field(default_factory=Features)


# ---- winning chances: 1 / (1 + exp(-value / scale)); workshop/lab/winning_chance.py fitted the scales

STAGES = 5  # stages of a game of Reversi; in each, a fifth of the board's cells gets discs
# Scales by the number of the board's cells. A board of another size uses the scale of the nearest size.
ROW_SCALES: Mapping[int, float] = {121: 609.0, 225: 530.0}
REVERSI_SCALES: Mapping[int, tuple[float, ...]] = {  # number of cells -> scale of each stage
    64: (168.0, 168.0, 146.0, 134.0, 134.0),
    100: (185.0, 230.0, 276.0, 188.0, 152.0),
}
MOST = 30.0  # value / scale is limited to [-MOST, MOST]
PROVED = {ProvedResult.WIN: 1.0, ProvedResult.LOSS: 0.0, ProvedResult.DRAW: 0.5}  # the mover's chance


def stage(cells: int, discs: int) -> int:
    """The stage of a game of Reversi with `discs` on a board of `cells`, 0 to STAGES - 1."""
    return min(discs * STAGES // cells, STAGES - 1)


@dataclass(frozen=True)
class Chances:
    """Turns values of a position into chances. `mover`: 0 Black, 1 White; `scale`: the value with odds e : 1 to win."""

    mover: int
    scale: float

    @classmethod
    def of(cls, session: GameSession) -> "Chances":
        """The converter for a session's position."""
        stones = [stone for row in session.env.stones() for stone in row]
        cells, reversi = len(stones), session.env.turns_discs
        nearest = min(REVERSI_SCALES if reversi else ROW_SCALES, key=lambda each: abs(each - cells))
        if not reversi:
            return cls(session.to_move, ROW_SCALES[nearest])
        return cls(session.to_move, REVERSI_SCALES[nearest][stage(cells, cells - stones.count(0))])

    def black(self, value: float) -> float:
        """Black's chance for a value from the point of view of the side to move."""
        ratio = max(-MOST, min(MOST, value / self.scale))
        mover = 1 / (1 + exp(-ratio))
        return 1 - mover if self.mover else mover

    def after(self, line: Mapping[str, Any]) -> float:
        """Black's chance after the first move of a line, given with the host's keys "exact" and "value"."""
        exact = PROVED.get(ProvedResult(line["exact"]))
        if exact is None:
            return self.black(line["value"])
        return 1 - exact if self.mover else exact
