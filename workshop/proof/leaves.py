"""The wins that the upload finds by itself: the threat search of proved.py, in the compiled engine.

The compiled search and the upload's search are equal node for node, so the upload finds every win that is found here. A
search starts with empty tables, on the canonical image, with the budget VCT_NODES and without a clock.
"""

from __future__ import annotations

from submission.k_in_a_row.book import Stones
from submission.k_in_a_row.proved import VCT_NODES
from submission.lines import BLACK
from workshop.gobang.book import count_stones
from workshop.gobang.game import IN_A_ROW, SIZE
from workshop.native.k_in_a_row import NativePosition
from workshop.proof.positions import board_of

FEWEST_STONES = 6  # positions of fewer stones are not searched: none is won within the budget


class Leaves:
    """Finds wins by threats, and remembers the answers."""

    def __init__(self) -> None:
        self.position = NativePosition(SIZE, SIZE, IN_A_ROW)
        self._won: dict[Stones, bool] = {}

    def won(self, form: Stones) -> bool:
        """Whether the search finds a win of Black, to move in a canonical position."""
        if count_stones(form) < FEWEST_STONES:
            return False
        if form not in self._won:
            self._won[form] = bool(self.line(form))
        return self._won[form]

    def line(self, form: Stones) -> list[int]:
        """The moves of a win with Black to move in a canonical position; empty if none is found."""
        self.position.set_up(board_of(form), BLACK)
        self.position.threats.forget()
        return self.position.threats.vct(VCT_NODES).line
