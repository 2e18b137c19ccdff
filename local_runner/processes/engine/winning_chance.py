"""Converts the engine's values to winning chances, from 0 to 1; a draw counts half.

The mover's chance is 1 / (1 + exp(-value / scale)). workshop/lab/winning_chance.py fitted the scales to games of the
engine against itself; docs/en/reference/analysis.md shows how well the scales fit. A proved result has the chance 0,
1/2 or 1.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import exp
from typing import Any

from local_runner.game.session import GameSession
from local_runner.processes.engine.engine_info import ProvedResult

STAGES = 5  # number of stages of a game of Reversi, each a fifth of the board's cells filled
# Scales by the number of the board's cells. A board of another size uses the scale of the nearest size.
ROW_SCALES: Mapping[int, float] = {121: 609.0, 225: 530.0}
REVERSI_SCALES: Mapping[int, tuple[float, ...]] = {  # by stage
    64: (168.0, 168.0, 146.0, 134.0, 134.0),
    100: (185.0, 230.0, 276.0, 188.0, 152.0),
}
MOST = 30.0  # value / scale is limited to [-MOST, MOST]
PROVED = {ProvedResult.WIN: 1.0, ProvedResult.LOSS: 0.0, ProvedResult.DRAW: 0.5}  # the mover's chance


def stage(cells: int, discs: int) -> int:
    """The stage of a game of Reversi with `discs` on a board of `cells`, 0 to STAGES - 1."""
    return min(discs * STAGES // cells, STAGES - 1)


def _nearest(cells: int, known: Collection[int]) -> int:
    return min(known, key=lambda each: abs(each - cells))


@dataclass(frozen=True)
class Chances:
    """Converts values at one position. `mover`: 0 Black, 1 White; `scale`: the value with odds of e : 1 to win."""

    mover: int
    scale: float

    @classmethod
    def of(cls, session: GameSession) -> "Chances":
        """The converter for a session's position."""
        stones = [stone for row in session.env.stones() for stone in row]
        cells = len(stones)
        if not session.env.turns_discs:
            return cls(session.to_move, ROW_SCALES[_nearest(cells, ROW_SCALES)])
        by_stage = REVERSI_SCALES[_nearest(cells, REVERSI_SCALES)]
        return cls(session.to_move, by_stage[stage(cells, cells - stones.count(0))])

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
