"""A trial evaluator, as an example of a new one: it counts only the open threes that each side can make."""

from __future__ import annotations

from submission.k_in_a_row.evaluation import KInARowEvaluator
from submission.k_in_a_row.patterns import Pattern
from submission.search.evaluator import INFINITE, Margins


class OpenThrees(KInARowEvaluator):
    """100 for each cell where a side makes an open three.

    `stones` counts the calls of play() and undo(), for a test.
    """

    unit = 100
    margins = Margins(futility=(200, 300), razoring=(200,))
    incremental = True

    def __init__(self, position) -> None:
        super().__init__(position)
        self.stones = 0

    def reset(self) -> None:
        self.stones = bin(self.position.occupied).count("1")

    def play(self, move: int) -> None:
        self.stones += 1

    def undo(self) -> None:
        self.stones -= 1

    def value(self, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        shape = self.position.geometry
        own, other = (
            bin(mask >> shape.shifts[Pattern.OPEN_THREE] & shape.all).count("1") for mask in self.position.masks()
        )
        return self.unit * (own - other)
