"""What a board is worth: the values of its lists of cells, of the turn, and of legal moves.

Learnt for the sizes that data/ has weights of, see weights.py; by hand for all others. Values of contents are Black's
view less White's; UNIT is worth one disc.
"""
from __future__ import annotations

from typing import Callable, List, NamedTuple

from . import weights
from .patterns import BLOCK, Pattern
from .weights import STAGES

UNIT = 32
CORNER, C_SQUARE, X_SQUARE, EDGE, MOBILITY = 190, -40, -95, 10, 15

Values = Callable[[int, int], List[int]]        # of a content, black cells and white cells: its value at each stage


class Evaluation(NamedTuple):
    """values: of the contents of a pattern, and of all of its kind

    By the number of discs on the board, stages: of the values; turn: what it is worth to be on the move; mobility: what
    one more legal move than the other side's is worth.
    """

    values: Callable[[Pattern], Values]
    stages: list[int]
    turn: list[int]
    mobility: list[int]


def evaluation(n: int) -> Evaluation:
    """That of an n x n board."""
    stages = [weights.stage(n, discs) for discs in range(n * n + 1)]
    learnt = weights.read(n)
    if learnt is None:
        return Evaluation(_by_hand, stages, [0] * len(stages), [MOBILITY] * len(stages))
    return Evaluation(learnt.values, stages, learnt.turn, learnt.mobility)


def ranks(n: int) -> list[int]:
    """Of each cell, its place in the order of moves: the better, the larger."""
    last = n - 1
    near = {(0, 0): CORNER, (0, 1): C_SQUARE, (1, 0): C_SQUARE, (1, 1): X_SQUARE}
    cells = ((min(row, last - row), min(col, last - col)) for row in range(n) for col in range(n))
    return [near.get(cell, 0 if min(cell) else EDGE) for cell in cells]


def _by_hand(pattern: Pattern) -> Values:
    length = len(pattern.cells)
    if pattern.direction is None and length == BLOCK * BLOCK:
        return lambda black, white: [_corner(black, white)] * STAGES
    middle = (1 << length - 2) - 1 & ~3 if pattern.direction is not None and pattern.kind == 0 else 0
    return lambda black, white: [EDGE * (bin(black & middle).count("1") - bin(white & middle).count("1"))] * STAGES


def _corner(black: int, white: int) -> int:
    """The corner, or as long as it is free, the squares beside it."""
    if (black | white) & 1:
        return CORNER if black & 1 else -CORNER
    beside, x = 1 << 1 | 1 << BLOCK, 1 << BLOCK + 1
    return (C_SQUARE * (bin(black & beside).count("1") - bin(white & beside).count("1"))
            + X_SQUARE * (bool(black & x) - bool(white & x)))
