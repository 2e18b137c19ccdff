"""The engine's values as chances to win. A chance is Black's, from 0 to 1; a draw counts half.

The chance is 1 / (1 + exp(-value / scale)). The scales are fitted to games of the engine with itself by
workshop/winning_chance.py; docs/analysis.md shows how well they fit. Proved results have the chances 0, 1/2 and 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp
from typing import Any

from local_runner.session import GameSession

K_IN_A_ROW_SCALES: Mapping[int, tuple[float, ...]] = {5: (600.0,)}
OTHER_ROW_SCALE = 600.0
REVERSI_SCALES: Mapping[int, tuple[float, ...]] = {8: (256.0,), 10: (300.0,)}
MOST = 40.0  # value / scale is cut off here


@dataclass(frozen=True)
class Chances:
    """Chances at one position. `mover`: 0 Black, 1 White; `scale`: the value at which the odds are e : 1."""

    mover: int
    scale: float

    @classmethod
    def of(cls, session: GameSession) -> "Chances":
        return cls(session.to_move, 600.0)

    def black(self, value: float) -> float:
        """Black's chance for a value of the side to move."""
        ratio = max(-MOST, min(MOST, value / self.scale))
        mover = 1 / (1 + exp(-ratio))
        return 1 - mover if self.mover else mover

    def after(self, line: Mapping[str, Any]) -> float:
        """Black's chance after the first move of a line of the host."""
        exact = {"win": 1.0, "loss": 0.0, "draw": 0.5}.get(line["exact"])
        if exact is None:
            return self.black(line["value"])
        return 1 - exact if self.mover else exact
