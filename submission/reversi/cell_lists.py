"""The lists of cells whose contents have a learnt value: all lines, and two shapes at the edges and corners.

    line        a row, column or diagonal of at least SHORTEST cells
    edge        an edge with the two X squares beside its corners
    block       3 x 3 cells in a corner

Lists that a symmetry of the board maps to each other are of one kind and share their values: rows and columns at one
distance from the edge, diagonals of one length. `mirror` maps a content to its mirror image, of the same value.
"""
from __future__ import annotations

from typing import NamedTuple

from ..lines import DIRECTIONS, board_lines, rotations

SHORTEST = 3            # cells: no disc can be flipped on a shorter line
BLOCK = 3               # rows and columns of a corner's block
START_DISCS = 4         # on the board before the first move


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
    edge, block = half + n - SHORTEST + 1, half + n - SHORTEST + 2
    found = []
    for direction, cells in board_lines(n, n, SHORTEST):
        place = cells[0] // n if DIRECTIONS[direction] == (0, 1) else cells[0]
        straight = 0 in DIRECTIONS[direction]
        kind = min(place, n - 1 - place) if straight else half + len(cells) - SHORTEST
        found.append(CellList(kind, direction, cells, tuple(reversed(range(len(cells))))))
    corner = [(row, col) for row in range(BLOCK) for col in range(BLOCK)]
    for rotation in rotations(n):
        cells = rotation[n + 1], *rotation[:n], rotation[2 * n - 2]
        found.append(CellList(edge, None, cells, tuple(reversed(range(len(cells))))))
        if n >= 2 * BLOCK:
            cells = tuple(rotation[row * n + col] for row, col in corner)
            found.append(CellList(block, None, cells, tuple(col * BLOCK + row for row, col in corner)))
    return found
