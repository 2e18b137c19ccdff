"""The cell lists and the learnt weights of their configurations: data/reversi_<n>.bin, by workshop/reversi/weights.py.

    line        a row, column or diagonal of at least SHORTEST cells
    edge        an edge with the two X squares beside its corners
    square      3 x 3 cells in a corner
    strip       2 x 5 cells in a corner, along either edge

Lists that a symmetry of the board maps to each other are of one kind and share their values. The value of a
configuration is the sum of the values of its discs, plus a value of the whole configuration if it occurred often enough
in the games. Each value has STAGES numbers, one for each stage of the game. Mirrored configurations have the same
value; with the colours exchanged, a configuration has the negative value. The file has one row for all of these
configurations, under the smallest of their keys. A key is one int: the mask of the black cells, above it the mask of
the white cells.

A file is compressed by zlib. The numbers in it are little-endian, the 32-bit numbers first:

    32 bits     the number of rows of each kind of list; then for each kind the keys of its rows, ascending, each as
                the difference from the key before
    16 bits     turn for 0 to n * n discs, then mobility for 0 to n * n discs; then for each kind of list STAGES numbers
                for each cell, and STAGES numbers for each row
"""

from __future__ import annotations

import pkgutil
import sys
import zlib
from array import array
from bisect import bisect_left
from itertools import accumulate, product
from typing import Callable, NamedTuple

from ..boards import DIRECTIONS, board_lines, cells_of, rotations

SHORTEST = 3  # cells: no disc can be flipped on a shorter line
SQUARE = 3  # rows and columns of a square
STRIP = (2, 5)  # rows and columns of a strip, or columns and rows
START_DISCS = 4  # discs on the board before the first move
STAGES = 10
FILE = "data/reversi_%d.bin"


class CellList(NamedTuple):
    """A list of cells, whose configurations have values.

    kind: a number; direction: of a line, index into DIRECTIONS, None for other lists; cells: in order
    mirror: for each place of the list, its place in the mirror image, which has the same value
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


def stage(n: int, discs: int) -> int:
    """The stage of the game, 0 to STAGES - 1, by the number of discs on an n x n board."""
    return max(discs - START_DISCS, 0) * STAGES // (n * n - START_DISCS + 1)


def canonical(black: int, white: int, mirror: tuple[int, ...]) -> tuple[int, int]:
    """The key of a configuration's row, and the factor for the row's value: 1, -1, or 0 (its own negative).

    >>> canonical(0b001, 0b110, (2, 1, 0))
    (14, -1)
    >>> canonical(0b110, 0b001, (2, 1, 0))
    (14, 1)
    """
    length = len(mirror)
    black_there, white_there = (sum(1 << mirror[cell] for cell in cells_of(mask)) for mask in (black, white))
    as_is = min(black | white << length, black_there | white_there << length)
    exchanged = min(white | black << length, white_there | black_there << length)
    return min(as_is, exchanged), (as_is < exchanged) - (as_is > exchanged)


class ReversiWeights:
    """The weights of one size of board, in 1/evaluation.UNIT of a disc.

    turn, mobility: by the number of discs
    keys, rows, cells: kind of list -> the keys of its rows, ascending; STAGES values for each row; STAGES values
    for each cell

    Raises zlib.error or ValueError if `data` is not a file of weights for the lists of an n x n board.
    """

    def __init__(self, n: int, data: bytes) -> None:
        raw = zlib.decompress(data)
        lengths = {each.kind: len(each.cells) for each in cell_lists(n)}
        kinds = sorted(lengths)
        counts = _numbers("i", raw[: 4 * len(kinds)])
        after = 4 * (len(kinds) + sum(counts))
        differences, small = _numbers("i", raw[4 * len(kinds) : after]), _numbers("h", raw[after:])
        self.turn, self.mobility = (small[i * (n * n + 1) : (i + 1) * (n * n + 1)].tolist() for i in (0, 1))
        self.keys, self.cells, self.rows = {}, {}, {}
        at, key_at = 2 * (n * n + 1), 0
        for kind, count in zip(kinds, counts):
            self.keys[kind] = array("i", accumulate(differences[key_at : key_at + count]))
            key_at += count
            self.cells[kind] = small[at : at + lengths[kind] * STAGES]
            at += lengths[kind] * STAGES
            self.rows[kind] = small[at : at + count * STAGES]
            at += count * STAGES
        if at != len(small):
            raise ValueError(f"no weights for the lists of a {n} x {n} board")

    def values(self, cell_list: CellList) -> Callable[[int, int], list[int]]:
        """The function (black cells, white cells) -> value at each stage, for the configurations of a list."""
        keys, rows, cells = (of[cell_list.kind] for of in (self.keys, self.rows, self.cells))
        black_cells = [cells[i : i + STAGES].tolist() for i in range(0, len(cells), STAGES)]
        white_cells = [[-weight for weight in row] for row in black_cells]
        nothing = [0] * STAGES

        def value(black: int, white: int) -> list[int]:
            key, sign = canonical(black, white, cell_list.mirror)
            place = bisect_left(keys, key)
            parts = [nothing]
            if sign and place < len(keys) and keys[place] == key:
                parts.append([sign * weight for weight in rows[place * STAGES : (place + 1) * STAGES]])
            parts += [black_cells[cell] for cell in cells_of(black)]
            parts += [white_cells[cell] for cell in cells_of(white)]
            return [sum(column) for column in zip(*parts)]

        return value


def read(n: int) -> ReversiWeights | None:
    """The weights of n x n boards; None if there is no file for this size."""
    try:
        data = pkgutil.get_data(__package__.rpartition(".")[0], FILE % n)
    except OSError:
        return None
    return ReversiWeights(n, data) if data else None


def _numbers(code: str, data: bytes) -> array[int]:
    numbers = array(code)
    numbers.frombytes(data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
