"""What both families of games share: variants, the lines and rotations of a board, bit masks, the cache of geometries.

A geometry is the data that all boards of one size share: lines, look-up tables, keys. The platform may use boards of
many sizes in one process, so the cache is bounded.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from typing import Any, Callable, Hashable, NamedTuple, Optional

K_IN_A_ROW, REVERSI = "k_in_a_row", "reversi"  # the families
NO_MOVE = -1  # a pass, or no move because the game is over
BLACK, WHITE = 0, 1
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # (rows down, columns right) from one cell of a line to the next
MOST_BYTES = 40000000  # bytes: limit for all geometries together, by their size() estimates


class Variant(NamedTuple):
    """One concrete game. in_a_row: None in Reversi, whose board is square with even sides."""

    family: str
    rows: int
    cols: int
    in_a_row: Optional[int] = None


class Line(NamedTuple):
    """One row, column or diagonal of a board: its direction (index into DIRECTIONS) and its cells in order."""

    direction: int
    cells: tuple[int, ...]


def board_lines(rows: int, cols: int, shortest: int) -> list[Line]:
    """List the lines of a rows x cols board that have at least `shortest` cells, direction by direction.

    >>> [line.cells for line in board_lines(2, 3, 2)]
    [(0, 1, 2), (3, 4, 5), (0, 3), (1, 4), (2, 5), (0, 4), (1, 5), (1, 3), (2, 4)]
    """
    lines = []
    for direction, (down, right) in enumerate(DIRECTIONS):
        for start in range(rows * cols):
            row, col = divmod(start, cols)
            if 0 <= row - down < rows and 0 <= col - right < cols:
                continue  # not the first cell of its line
            cells = []
            while 0 <= row < rows and 0 <= col < cols:
                cells.append(row * cols + col)
                row, col = row + down, col + right
            if len(cells) >= shortest:
                lines.append(Line(direction, tuple(cells)))
    return lines


@lru_cache(maxsize=1 << 14)
def spread(mask: int, stride: int) -> int:
    """Move bit i of a mask to bit i * stride.

    >>> bin(spread(0b101, 3))
    '0b1000001'
    """
    return sum(1 << cell * stride for cell in cells_of(mask))


def cells_of(mask: int) -> list[int]:
    """List the numbers of the set bits, lowest first.

    >>> cells_of(0b1010)
    [1, 3]
    """
    cells = []
    while mask:
        low = mask & -mask
        cells.append(low.bit_length() - 1)
        mask ^= low
    return cells


def rotations(size: int) -> list[list[int]]:
    """The four rotations of a square board, the identity first: for each cell, the cell that is rotated to it.

    >>> rotations(2)
    [[0, 1, 2, 3], [2, 0, 3, 1], [3, 2, 1, 0], [1, 3, 0, 2]]
    """
    board = [tuple(range(start, start + size)) for start in range(0, size * size, size)]
    images = []
    for _ in range(4):
        images.append([cell for row in board for cell in row])
        board = list(zip(*board[::-1]))
    return images


class GeometryCache:
    """Geometries by key. A geometry has `size()`, an estimate of its bytes, and `forget()`, which empties it."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self._by_key: OrderedDict[Hashable, Any] = OrderedDict()  # the least recently used first

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The geometry of a key, made on first need. Above `most_bytes` in all, the least recently used are dropped."""
        geometry = self._by_key.pop(key, None) or make()
        free = self.most_bytes - geometry.size()
        if free < 0:
            geometry.forget()
        for other in list(reversed(self._by_key)):
            free -= self._by_key[other].size()
            if free < 0:
                self._by_key.pop(other).forget()  # breaks the reference cycles, so that the nodes are freed at once
        self._by_key[key] = geometry
        return geometry


geometries = GeometryCache()
