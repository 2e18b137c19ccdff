"""What the contents of a board's lists of cells are worth: by hand, for boards of any size.

Values are Black's view less White's, the same at every stage of a game. The unit is a twentieth of a disc.
"""
from __future__ import annotations

from typing import Callable, List

from .patterns import BLOCK, Pattern

STAGES = 1
CORNER, C_SQUARE, X_SQUARE, EDGE, MOBILITY = 120, -25, -60, 6, 9

Values = Callable[[int, int], List[int]]        # of a content, black cells and white cells: its value at each stage


def values(n: int, pattern: Pattern) -> Values:
    """The values of the contents of a list and of all lists of its kind, on an n x n board."""
    length = len(pattern.cells)
    if pattern.direction is None and length == BLOCK * BLOCK:
        return _corner
    if pattern.direction is not None and pattern.kind == 0:
        middle = (1 << length - 2) - 1 & ~3
        return lambda black, white: [EDGE * (bin(black & middle).count("1") - bin(white & middle).count("1"))]
    return lambda black, white: [0]


def ranks(n: int) -> list[int]:
    """Of each cell, its place in the order of moves: the better, the larger."""
    last = n - 1
    near = {(0, 0): CORNER, (0, 1): C_SQUARE, (1, 0): C_SQUARE, (1, 1): X_SQUARE}
    cells = ((min(row, last - row), min(col, last - col)) for row in range(n) for col in range(n))
    return [near.get(cell, 0 if min(cell) else EDGE) for cell in cells]


def _corner(black: int, white: int) -> list[int]:
    """The corner, or as long as it is free, the squares beside it."""
    if (black | white) & 1:
        return [CORNER if black & 1 else -CORNER]
    beside, x = 1 << 1 | 1 << BLOCK, 1 << BLOCK + 1
    return [C_SQUARE * (bin(black & beside).count("1") - bin(white & beside).count("1"))
            + X_SQUARE * (bool(black & x) - bool(white & x))]
