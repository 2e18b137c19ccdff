"""The cell lists, whose configurations have learnt values: all lines, edges with X squares, two shapes at the corners.

    line        a row, column or diagonal of at least SHORTEST cells
    edge        an edge with the two X squares beside its corners
    square      3 x 3 cells in a corner
    strip       2 x 5 cells in a corner, along either edge

Lists that a symmetry of the board maps to each other are of one kind and share their values. Examples are rows and
columns at the same distance from the edge, and diagonals of the same length. `mirror` maps a configuration to its
mirror image, which has the same value.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from ..lines import DIRECTIONS, board_lines, rotations

SHORTEST = 3  # cells: no disc can be flipped on a shorter line
SQUARE = 3  # rows and columns of a square
STRIP = (2, 5)  # rows and columns of a strip, or columns and rows
START_DISCS = 4  # discs on the board before the first move


class CellList(NamedTuple):
    """A list of cells.

    kind: a number; direction: of a line, index into DIRECTIONS, None for other lists; cells: in order
    mirror: for each place of the list, its place in the mirror image
    """

    kind: int
    direction: int | None
    cells: tuple[int, ...]
    mirror: tuple[int, ...]


def cell_lists(n: int) -> list[CellList]:
    """All lists of an n x n board, the lines first, direction by direction. Kinds are numbered from 0."""
    half = n // 2
    edge, square, strip = (half + n - SHORTEST + i for i in (1, 2, 3))
    lists = []
    for direction, cells in board_lines(n, n, SHORTEST):
        place = cells[0] // n if DIRECTIONS[direction] == (0, 1) else cells[0]
        straight = 0 in DIRECTIONS[direction]
        kind = min(place, n - 1 - place) if straight else half + len(cells) - SHORTEST
        lists.append(CellList(kind, direction, cells, tuple(reversed(range(len(cells))))))
    in_square = list(product(range(SQUARE), repeat=2))
    in_strip = list(product(range(STRIP[0]), range(STRIP[1])))
    for rotation in rotations(n):
        cells = rotation[n + 1], *rotation[:n], rotation[2 * n - 2]
        lists.append(CellList(edge, None, cells, tuple(reversed(range(len(cells))))))
        if n >= 2 * SQUARE:
            cells = tuple(rotation[row * n + col] for row, col in in_square)
            lists.append(CellList(square, None, cells, tuple(col * SQUARE + row for row, col in in_square)))
            for down, right in ((n, 1), (1, n)):
                cells = tuple(rotation[row * down + col * right] for row, col in in_strip)
                lists.append(CellList(strip, None, cells, tuple(range(len(cells)))))
    return lists
