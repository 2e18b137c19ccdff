"""The kernel: a board is its lines.

Everything a game asks of a position is the sum, over the lines through the changed cells, of a look-up in a table
that is filled as positions need it. This module knows rows, columns and diagonals, and how the contents of lines are
linked into a graph in which a stone is one step; it does not know what a line content means: a `describe` function
tells it.

    content   two bit masks over the cells of a line, bit i = i-th cell
    node      list: node[slot] is the step taken when a stone arrives, node[-1] the Content itself, node[-2] its rank if
              it has been asked for
    slot      i for a black stone on the i-th cell, length + i for a white one
    step      (next node, change of the packed masks, change of the value), or None until it is first needed

The masks of a content are packed side by side into one int, each in a field with a bit per cell of the board, on which
they stand where the line does: lines of one direction share no cell, so a whole direction is the XOR of its lines.
A line has a graph of its own. Few contents occur in two lines (one step in ten does), and so none is moved into place.
"""
from __future__ import annotations

from functools import lru_cache
from typing import Any, Callable, List, NamedTuple, Tuple

BLACK, WHITE = 0, 1
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

Node = List[Any]
Step = Tuple[Node, int, int]
Facts = Tuple[int, int]         # what `describe` says of a content: its masks, packed, and its value


class Line(NamedTuple):
    """One straight line of a board: its direction (index into DIRECTIONS) and its cells in order."""

    direction: int
    cells: tuple[int, ...]


class Content(NamedTuple):
    """A content of a line with its facts, as it is kept in the last item of a node."""

    black: int
    white: int
    packed: int
    value: int


Describe = Callable[[int, int, Line], Facts]
Rank = Callable[[int, int, Line], int]


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
                continue                                  # the line began earlier
            cells = []
            while 0 <= row < rows and 0 <= col < cols:
                cells.append(row * cols + col)
                row, col = row + down, col + right
            if len(cells) >= shortest:
                lines.append(Line(direction, tuple(cells)))
    return lines


class LineTable:
    """The contents of a line, described once each and linked by steps.

    Args: describe: content and line -> Facts; rank: the same -> another number, which few contents are asked for.
    """

    def __init__(self, describe: Describe, rank: Rank, line: Line) -> None:
        self.describe, self.rank = describe, rank
        self.line, self.length = line, len(line.cells)
        self.nodes: dict[tuple[int, int], Node] = {}

    def node(self, black: int, white: int) -> Node:
        """Give the node of a content, describing it if it is new."""
        node: Any = self.nodes.get((black, white))
        if node is None:
            node = [None] * (2 * self.length + 1)
            node.append(Content(black, white, *self.describe(black, white, self.line)))
            self.nodes[black, white] = node
        return node

    def grow(self, node: Node, slot: int) -> Step:
        """Fill in and return the step that a stone in `slot` takes from `node`."""
        black, white, packed, value = node[-1]
        if slot < self.length:
            after = self.node(black | 1 << slot, white)
        else:
            after = self.node(black, white | 1 << slot - self.length)
        there = after[-1]
        step = node[slot] = after, packed ^ there.packed, there.value - value
        return step

    def ranked(self, node: Node) -> int:
        """Fill in and return the rank of a node."""
        here = node[-1]
        rank = node[-2] = self.rank(here.black, here.white, self.line)
        return rank


@lru_cache(maxsize=1 << 14)
def spread(mask: int, stride: int) -> int:
    """The mask with bit i at i * stride.

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


def turns(size: int) -> list[list[int]]:
    """A square board turned by each quarter, itself first: the cell that comes to each place.

    >>> turns(2)
    [[0, 1, 2, 3], [2, 0, 3, 1], [3, 2, 1, 0], [1, 3, 0, 2]]
    """
    board = [tuple(range(start, start + size)) for start in range(0, size * size, size)]
    found = []
    for _ in range(4):
        found.append([cell for row in board for cell in row])
        board = list(zip(*board[::-1]))
    return found
