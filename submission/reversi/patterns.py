"""The lists of cells whose contents have a value: all lines, and around the corners what lines alone do not see.

    line        rows and columns by their distance from the edge, diagonals by their length
    edge        an edge with the two X squares beside its corners
    block       the nine cells of a corner

Lists that a symmetry of the board exchanges are of one kind, and their cells are in the same order, up to the symmetry
that the kind has in itself (`mirror`): a content and its mirrored content are worth the same.
"""
from __future__ import annotations

from typing import NamedTuple

from ..lines import DIRECTIONS, board_lines, turns

SHORTEST = 3            # cells of a line on which a disc can turn
BLOCK = 3               # rows and columns of a corner's block
START_DISCS = 4         # on the board before the first move


class Pattern(NamedTuple):
    """A list of cells.

    kind: a number; direction: that of a line, index into DIRECTIONS, None of other lists; cells: in order
    mirror: the symmetry of the kind in itself, for each place the one that it is exchanged with
    """

    kind: int
    direction: int | None
    cells: tuple[int, ...]
    mirror: tuple[int, ...]


def patterns(n: int) -> list[Pattern]:
    """All lists of an n x n board, the lines first, direction by direction; kinds are numbered from 0."""
    half = n // 2
    edge, block = half + n - SHORTEST + 1, half + n - SHORTEST + 2
    found = []
    for direction, cells in board_lines(n, n, SHORTEST):
        place = cells[0] // n if DIRECTIONS[direction] == (0, 1) else cells[0]
        straight = 0 in DIRECTIONS[direction]
        kind = min(place, n - 1 - place) if straight else half + len(cells) - SHORTEST
        found.append(Pattern(kind, direction, cells, tuple(reversed(range(len(cells))))))
    corner = [(row, col) for row in range(BLOCK) for col in range(BLOCK)]
    for turn in turns(n):
        cells = turn[n + 1], *turn[:n], turn[2 * n - 2]
        found.append(Pattern(edge, None, cells, tuple(reversed(range(len(cells))))))
        if n >= 2 * BLOCK:
            cells = tuple(turn[row * n + col] for row, col in corner)
            found.append(Pattern(block, None, cells, tuple(col * BLOCK + row for row, col in corner)))
    return found
