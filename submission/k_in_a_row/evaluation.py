"""Evaluators for k in a row: the value of a quiet position, without search.

To add an evaluator, write a subclass of KInARowEvaluator in a new file and enter it in EVALUATORS. The parameter
`evaluator` chooses an evaluator by its name there.
"""

from __future__ import annotations

from typing import Any, Optional, Tuple, Type

from ..boards import BLACK
from ..search.searchable import INFINITE, Evaluator, Margins
from .patterns import COUNTS, Pattern, free_runs
from .weights import NO_WEIGHTS, Weights, evaluation_weights

NO_BOUND = 4 * INFINITE  # greater than the distance of any two values: no bound ever applies
OPEN_FOUR, FOUR, OPEN_THREE = int(Pattern.OPEN_FOUR), int(Pattern.FOUR), int(Pattern.OPEN_THREE)


class KInARowEvaluator(Evaluator):
    """An Evaluator of a KInARowPosition, with weights for the line tables and proof numbers for df-pn."""

    @classmethod
    def weights(cls) -> Weights:
        """The weights by which the line tables compute `position.lines_value()`; all 0 by default."""
        return NO_WEIGHTS

    @classmethod
    def suited(cls, k: int, weights: Optional[Weights]) -> Type[KInARowEvaluator]:
        """This class if it supports k and the weights (None: its own weights), else another evaluator."""
        return cls

    def effort(self, mover_attacks: bool) -> int:
        """The initial proof number, at least 1, of a new df-pn leaf. `mover_attacks`: the mover is the attacker."""
        return 1


class LinesEvaluator(KInARowEvaluator):
    """The learnt evaluation: a weighted sum of features of all lines, and of four features of the board.

    At a value of `unit`, the odds to win are e : 1, by the logistic regression of workshop/gobang/weights.py. Lazy
    evaluation returns a bound as soon as the bound is outside the window. The bounds are given by BELOW, ABOVE and
    LEAST_BEST, and hold in 99 of 100 positions.
    """

    unit = 600
    margins = Margins(futility=(200, 250, 300, 350, 400), razoring=(200, 300))
    BELOW = 150  # value() is at least lines_value() - BELOW
    ABOVE = 700  # value() is at most lines_value() + ABOVE
    LEAST_BEST = 170  # the terms of the "best cell" feature add at least this
    EFFORT_AT = 1000  # effort() is 1 if the attacker's value is at least this
    EFFORT_STEP = 70  # effort() grows by 1 for each step below EFFORT_AT
    MOST_EFFORT = 20  # effort() is at most this

    def __init__(self, position: Any) -> None:
        super().__init__(position)
        self.turn, self.threatened, self.four_three, self.best = position.weights.board
        self.below, self.above, self.least_best = self.BELOW, self.ABOVE, self.LEAST_BEST
        if not position.parameters.lazy_evaluation:
            self.below, self.above, self.least_best = NO_BOUND, NO_BOUND, -NO_BOUND
        self.guesses_effort = position.parameters.effort_from_value
        shifts = position.geometry.shifts
        self.open_four, self.four, self.open_three = shifts[OPEN_FOUR], shifts[FOUR], shifts[OPEN_THREE]
        self.all_cells = position.geometry.all

    @classmethod
    def weights(cls) -> Weights:
        return evaluation_weights()

    def quick(self) -> int:
        value: int = self.position.lines_value()
        return value

    def value(self, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        position = self.position
        value: int = position.lines_value()
        if value - self.below >= beta:
            return value - self.below
        if value + self.above <= alpha:
            return value + self.above
        threatened, own, other = self._threats()
        value += self.turn[0] + self.threatened[0] * threatened
        if own or other:
            value += self.four_three[0] * own + self.four_three[1] * other
        if value + self.least_best >= beta:
            return value + self.least_best
        best_own, best_other = position.best_scores()
        return value + self.best[0] * best_own + self.best[1] * best_other

    def effort(self, mover_attacks: bool) -> int:
        if not self.guesses_effort:
            return 1
        value = self.position.lines_value()
        missing = self.EFFORT_AT - (value if mover_attacks else -value)
        return min(max(missing // self.EFFORT_STEP, 1), self.MOST_EFFORT)

    def _threats(self) -> Tuple[int, int, int]:
        """(whether the opponent has an OPEN_FOUR cell; the four-and-open-three cells of mover and of opponent)."""
        own, other = self.position.scanned_masks()
        four, open_three, all_cells = self.four, self.open_three, self.all_cells
        own_cells = own >> four & own >> open_three & all_cells
        other_cells = other >> four & other >> open_three & all_cells
        threatened = 1 if other >> self.open_four & all_cells else 0
        own_count = bin(own_cells).count("1") if own_cells else 0
        return threatened, own_count, bin(other_cells).count("1") if other_cells else 0

    # ---- features, for learning: without lazy evaluation, value() is the sum of features times weights

    def line_features(self) -> Tuple[Tuple[int, ...], Tuple[int, ...]]:
        """The features patterns.COUNTS, summed over all lines, for the mover and for the opponent."""
        position = self.position
        shape = position.geometry
        sums = [[0] * len(COUNTS), [0] * len(COUNTS)]
        for line, node in zip(shape.lines, position.nodes):
            black, white = node[-1].black, node[-1].white
            for colour, own, other in ((0, black, white), (1, white, black)):
                for start, cells, end in free_runs(other, len(line.cells), shape.k):
                    counts = shape.runs[own >> start & cells | end].counts
                    sums[colour] = [a + b for a, b in zip(sums[colour], counts)]
        black_sums, white_sums = map(tuple, sums)
        return (black_sums, white_sums) if position.side == BLACK else (white_sums, black_sums)

    def board_features(self) -> Tuple[Tuple[int, int, int, int], Tuple[int, int, int, int]]:
        """(turn, threatened, cells of four and open three, highest ordering score) of the mover and the opponent."""
        threatened, own, other = self._threats()
        best_own, best_other = self.position.best_scores()
        return (1, threatened, own, best_own), (0, 0, other, best_other)
