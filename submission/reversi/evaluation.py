"""Evaluators for Reversi. CellListEvaluator adds the values of all cell lists, of having the move, and of mobility.

The weights of CellListEvaluator are learnt for the sizes for which data/ has a file (see weights.py), and set by hand
for other sizes. To add an evaluator, write a subclass of ReversiEvaluator in a new file and enter it in EVALUATORS.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Callable, List, NamedTuple

from ..boards import BLACK
from ..search.searchable import INFINITE, Evaluator, Margins
from . import weights
from .weights import SQUARE, STAGES, CellList

UNIT = 32  # evaluation points for one disc
CORNER, C_SQUARE, X_SQUARE, EDGE, MOBILITY = 190, -40, -95, 10, 15  # set by hand; in 1/UNIT of a disc

ListValues = Callable[[int, int], List[int]]  # (black cells, white cells) of a list -> its value at each stage
AT_STAGE = [itemgetter(stage) for stage in range(STAGES)]  # AT_STAGE[s](node): the value of a node at stage s


class Model(NamedTuple):
    """The data of an evaluator for one size of board.

    values: gives for a cell list its function (black cells, white cells) -> values by stage, in Black's view; lists of
    one kind have the same function
    stages, turn, mobility: each by the number of discs: the stage of the game, the value of having the move, and the
    value of each legal move that the mover has more than the opponent
    """

    values: Callable[[CellList], ListValues]
    stages: List[int]
    turn: List[int]
    mobility: List[int]


class ReversiEvaluator(Evaluator):
    """An Evaluator of a ReversiPosition, with a model for each size and the deviation for ProbCut."""

    @classmethod
    def model(cls, n: int) -> Model:
        """The data for n x n boards. By default all cell lists have the value 0."""
        stages = [weights.stage(n, discs) for discs in range(n * n + 1)]
        return Model(lambda cells: lambda black, white: [0] * STAGES, stages, [0] * len(stages), [0] * len(stages))

    def deviation(self) -> float:
        """Standard deviation of (deep search value - shallow search value) at this stage, for ProbCut."""
        return 0.0


class CellListEvaluator(ReversiEvaluator):
    """The evaluation with learnt weights, or weights set by hand. `unit` is one disc."""

    unit = UNIT
    margins = Margins(futility=(100, 140, 180, 220))
    DEVIATION = tuple(round((0.7 + 0.66 * stage) * UNIT) for stage in range(STAGES))  # workshop/reversi/probcut.py

    @classmethod
    def model(cls, n: int) -> Model:
        stages = [weights.stage(n, discs) for discs in range(n * n + 1)]
        learnt = weights.read(n)
        if learnt is None:
            return Model(_by_hand, stages, [0] * len(stages), [MOBILITY] * len(stages))
        return Model(learnt.values, stages, learnt.turn, learnt.mobility)

    def value(self, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        """The value of the position; the window is ignored, since no part of the evaluation is slow enough to skip."""
        position = self.position
        black, white = position.discs
        discs = bin(black | white).count("1")
        side = position.side
        _, stages, turn, mobility = position.geometry.model
        value = sum(map(AT_STAGE[stages[discs]], position.nodes))
        more = bin(position.legal_cells(side)).count("1") - bin(position.legal_cells(1 - side)).count("1")
        return (value if side == BLACK else -value) + turn[discs] + mobility[discs] * more

    def deviation(self) -> float:
        black, white = self.position.discs
        return self.DEVIATION[self.position.geometry.model.stages[bin(black | white).count("1")]]


def square_ranks(n: int) -> List[int]:
    """The rank of each cell in the order of moves: the higher, the better."""
    last = n - 1
    near = {(0, 0): CORNER, (0, 1): C_SQUARE, (1, 0): C_SQUARE, (1, 1): X_SQUARE}
    cells = ((min(row, last - row), min(col, last - col)) for row in range(n) for col in range(n))
    return [near.get(cell, 0 if min(cell) else EDGE) for cell in cells]


def _by_hand(cells: CellList) -> ListValues:
    length = len(cells.cells)
    if cells.direction is None and length == SQUARE * SQUARE:
        return lambda black, white: [_corner(black, white)] * STAGES
    middle = (1 << length - 2) - 1 & ~3 if cells.direction is not None and cells.kind == 0 else 0
    return lambda black, white: [EDGE * (bin(black & middle).count("1") - bin(white & middle).count("1"))] * STAGES


def _corner(black: int, white: int) -> int:
    """Black's value of a 3 x 3 square: of its corner or, while that is free, of its C squares and X square."""
    if (black | white) & 1:
        return CORNER if black & 1 else -CORNER
    c_squares, x_square = 1 << 1 | 1 << SQUARE, 1 << SQUARE + 1
    on_c = bin(black & c_squares).count("1") - bin(white & c_squares).count("1")
    on_x = bool(black & x_square) - bool(white & x_square)
    return C_SQUARE * on_c + X_SQUARE * on_x
