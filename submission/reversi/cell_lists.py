"""The lists of cells whose contents have a value: all lines, and around the corners what lines alone do not see.

    line        rows and columns by their distance from the edge, diagonals by their length
    edge        an edge with the two X squares beside its corners
    block       the nine cells of a corner

Lists that a symmetry of the board exchanges are of one kind, with their cells in the same order up to the symmetry of
the kind itself (`mirror`). A content and its mirror image have the same value.
"""
from __future__ import annotations

from typing import NamedTuple

from ..lines import DIRECTIONS, board_lines, rotations

SHORTEST = 3            # cells of a line on which a disc can be flipped
BLOCK = 3               # rows and columns of a corner's block
START_DISCS = 4         # on the board before the first move


class CellList(NamedTuple):
    """A list of cells.

    kind: a number; direction: index into DIRECTIONS of a line, None for other lists; cells: in order
    mirror: the symmetry of the kind itself: for each place the one that it is exchanged with
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
