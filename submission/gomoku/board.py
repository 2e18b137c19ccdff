"""The m x n board: stones put down and taken back, with the masks and the value of all lines always current.

Knows the line tables of its size and rule; does not know what is a good move. One int per direction holds the masks
of both colours for every line of that direction (see lines.py); undo puts four ints and four nodes back, nothing is
recomputed. Few positions are asked for the merits of their cells: they start from those of the last position on the way
to them that was asked, too.
"""
from __future__ import annotations

import random
from typing import Any, Tuple

from ..lines import BLACK, DIRECTIONS, WHITE, Content, LineTable, Node, board_lines, cells_of
from . import weights
from .merits import CellsOfRuns, Merits
from .patterns import VALUE_BITS, Runs, describer

Spot = Tuple[int, int]                  # line number, slot in its node
NEAR = 2                                # a cell is near a stone within this many steps in one of the eight directions
HALF = 1 << VALUE_BITS - 1
LOW = 16                                # merits below it are not told apart where the largest is asked for
LESS = bytes(range(LOW))
MOST_CONTENTS = 20000                   # line contents that a Geometry may hold when it is asked for: 1.4 kB each


class Geometry:
    """What all boards of one size and rule share: lines, tables, keys, neighbourhoods. Use `geometry()` to get one.

    places: per colour and cell, what a stone there changes: the Spot of each direction, one after the other, its bit,
    and the change of the key
    near: per cell, the cells near it; in_line: per cell, the cells that a row of k through it may reach
    common: merits that cells have on the empty board, too
    """

    def __init__(self, rows: int, cols: int, k: int) -> None:
        self.rows, self.cols, self.k = rows, cols, k
        self.cells = rows * cols
        self.all = (1 << self.cells) - 1
        of_lines, self.of_board = weights.read()
        runs, ranked = Runs(k, of_lines), CellsOfRuns(k, weights.order(k))
        strides = [down * cols + right for down, right in DIRECTIONS]
        facts = [describer(runs, stride, self.cells) for stride in strides]
        ranks = [Merits(ranked, stride, self.cells) for stride in strides]
        self.lines = lines = board_lines(rows, cols, k)
        self.tables = [LineTable(facts[line.direction], ranks[line.direction], line) for line in lines]
        outside = len(lines)                              # number of the line that stands for "too short for k"
        spots: list[list[list[Spot]]] = [[[(outside, 0)] * 4 for _ in range(self.cells)] for _ in (BLACK, WHITE)]
        for number, line in enumerate(lines):
            for i, cell in enumerate(line.cells):
                spots[BLACK][cell][line.direction] = number, i
                spots[WHITE][cell][line.direction] = number, len(line.cells) + i
        noise = random.Random(20211222)                   # any seed: keys only have to differ
        self.keys = [[noise.getrandbits(62) for _ in range(self.cells)] for _ in (BLACK, WHITE)]
        self.turn_key = noise.getrandbits(62)
        self.near = [self._around(cell, NEAR) for cell in range(self.cells)]
        self.in_line = [self._around(cell, k - 1) for cell in range(self.cells)]
        self.places = [[(*sum(four, ()), 1 << cell, keys[cell] ^ self.turn_key)
                        for cell, four in enumerate(colour)] for colour, keys in zip(spots, self.keys)]
        self.forget()

    def forget(self) -> None:
        """Let the tables begin anew, knowing the runs they have met; boards that stand on the old ones may go on."""
        dead: Node = []
        dead += [(dead, 0, 0), 0, Content(0, 0, 0, 0)]    # every step stays
        totals, merits = [0] * len(DIRECTIONS), 0
        self.start = []
        for line, table in zip(self.lines, self.tables):
            table.nodes.clear()
            node = table.node(0, 0)
            self.start.append(node)
            totals[line.direction] ^= node[-1].packed
            merits += table.ranked(node)
        self.start.append(dead)
        self.start_totals, self.start_merits = tuple(totals), merits

    def contents(self) -> int:
        """How many line contents the tables hold by now."""
        return sum(len(table.nodes) for table in self.tables)

    def key_of(self, stones: bytes, side: int) -> int:
        """The Zobrist key of a board (0 empty, 1 black, 2 white, row-major) with `side` to move."""
        key = self.turn_key if side == WHITE else 0
        for cell, stone in enumerate(stones):
            if stone:
                key ^= self.keys[stone - 1][cell]
        return key

    def _around(self, cell: int, steps: int) -> int:
        """The cells that are at most so many steps away in one of the eight directions."""
        row, col = divmod(cell, self.cols)
        around = 0
        for down, right in DIRECTIONS:
            for step in range(-steps, steps + 1):
                r, c = row + step * down, col + step * right
                if 0 <= r < self.rows and 0 <= c < self.cols:
                    around |= 1 << r * self.cols + c
        return around


_GEOMETRIES: dict[tuple[int, int, int], Geometry] = {}


def geometry(rows: int, cols: int, k: int) -> Geometry:
    """The one shared Geometry of a size and rule, made on first need; what has grown too large is forgotten."""
    shape = _GEOMETRIES.get((rows, cols, k))
    if shape is None:
        shape = _GEOMETRIES[rows, cols, k] = Geometry(rows, cols, k)
    if shape.contents() > MOST_CONTENTS:
        shape.forget()
    return shape


class Board:
    """A position that stones are played on and taken back from.

    side      colour to move, BLACK or WHITE
    value     sum of the lines' values, see patterns.VALUE_BITS
    totals    per direction, the masks of both colours: mask number n stands at bit n * cells
    occupied  cells with a stone
    key       equal for equal stones and side to move
    """

    def __init__(self, rows: int, cols: int, k: int) -> None:
        self.history: list[tuple[Any, ...]] = []
        self.clear(rows, cols, k)

    def clear(self, rows: int, cols: int, k: int) -> None:
        """Make it an empty board, Black to move."""
        self.geometry = shape = geometry(rows, cols, k)
        self.nodes = list(shape.start)
        self.side = BLACK
        self.value = 0
        self.totals = shape.start_totals
        self.occupied = 0
        self.key = 0
        self._begin(shape.start_merits)

    def _begin(self, merits: int) -> None:
        """Forget how the board has come about; `merits`: of its cells."""
        self.history.clear()
        self._summed: list[tuple[int, Any, int]] = [(0, None, merits)]  # stones played, the last of them, merits then

    def play(self, cell: int) -> None:
        """Put a stone of the side to move on an empty cell (not checked)."""
        nodes = self.nodes
        l0, s0, l1, s1, l2, s2, l3, s3, bit, key = self.geometry.places[self.side][cell]
        n0, n1, n2, n3 = nodes[l0], nodes[l1], nodes[l2], nodes[l3]
        totals = self.totals
        self.history.append((cell, n0, n1, n2, n3, totals, self.value, self.key))
        nodes[l0], d0, v0 = n0[s0] or self.geometry.tables[l0].grow(n0, s0)
        nodes[l1], d1, v1 = n1[s1] or self.geometry.tables[l1].grow(n1, s1)
        nodes[l2], d2, v2 = n2[s2] or self.geometry.tables[l2].grow(n2, s2)
        nodes[l3], d3, v3 = n3[s3] or self.geometry.tables[l3].grow(n3, s3)
        t0, t1, t2, t3 = totals
        self.totals = t0 ^ d0, t1 ^ d1, t2 ^ d2, t3 ^ d3
        self.value += v0 + v1 + v2 + v3
        self.occupied |= bit
        self.key ^= key
        self.side = 1 - self.side

    def undo(self) -> None:
        """Take the last stone back."""
        cell, n0, n1, n2, n3, self.totals, self.value, self.key = self.history.pop()
        side = self.side = 1 - self.side
        l0, _, l1, _, l2, _, l3, _, bit, _ = self.geometry.places[side][cell]
        nodes = self.nodes
        nodes[l0], nodes[l1], nodes[l2], nodes[l3] = n0, n1, n2, n3
        self.occupied ^= bit

    def lines_value(self) -> int:
        """The value of all lines in the view of the side to move."""
        if self.side == WHITE:
            return self.value + HALF >> VALUE_BITS
        value = self.value & 2 * HALF - 1
        return value - 2 * HALF if value >= HALF else value

    def near(self) -> int:
        """The cells near a stone, occupied ones included."""
        near = 0
        for cell in cells_of(self.occupied):
            near |= self.geometry.near[cell]
        return near

    def merits(self) -> bytes:
        """What each cell counts for the order of the mover's moves, row-major; see merits.py."""
        cells = self.geometry.cells
        merits = self._merits().to_bytes(2 * cells, "little")
        return merits[:cells] if self.side == BLACK else merits[cells:]

    def best_merits(self) -> tuple[int, int]:
        """The largest merit of a cell, for the mover and for the other side; no less than LOW."""
        cells = self.geometry.cells
        merits = self._merits().to_bytes(2 * cells, "little")
        black = max(merits[:cells].translate(None, LESS), default=LOW)
        white = max(merits[cells:].translate(None, LESS), default=LOW)
        return (black, white) if self.side == BLACK else (white, black)

    def _merits(self) -> int:
        history, summed = self.history, self._summed
        played, last, merits = summed[-1]
        while played and (played > len(history) or history[played - 1] is not last):
            summed.pop()
            played, last, merits = summed[-1]
        if played == len(history):
            return merits
        shape, nodes = self.geometry, self.nodes
        before: dict[int, Node] = {}
        for cell, n0, n1, n2, n3, _, _, _ in reversed(history[played:]):
            l0, _, l1, _, l2, _, l3, _, _, _ = shape.places[BLACK][cell]
            before[l0], before[l1], before[l2], before[l3] = n0, n1, n2, n3
        for line, node in before.items():
            now = nodes[line]
            rank, rank_before = now[-2], node[-2]
            if rank is None:
                rank = shape.tables[line].ranked(now)
            if rank_before is None:
                rank_before = shape.tables[line].ranked(node)
            merits += rank - rank_before
        summed.append((len(history), history[-1], merits))
        return merits

    def set_up(self, stones: bytes, side: int) -> None:
        """Show a board of the same size (0 free, 1 black, 2 white, row-major) and say who moves."""
        self.clear(self.geometry.rows, self.geometry.cols, self.geometry.k)
        for colour in (BLACK, WHITE):
            for cell, stone in enumerate(stones):
                if stone == colour + 1:
                    self.side = colour
                    self.play(cell)
        self.side = side
        self.key = self.geometry.key_of(stones, side)
        self._begin(self._merits())
