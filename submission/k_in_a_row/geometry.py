"""The data that all k-in-a-row boards of one size and k share: lines, tables, keys, neighbourhoods."""

from __future__ import annotations

import random
from typing import Any, Tuple

from ..boards import BLACK, DIRECTIONS, WHITE, board_lines, geometries
from .line_table import Content, LineTable, Node
from .move_order import BYTE, LineScores, RunScores
from .patterns import CLASSES, LineFacts, Pattern, Runs
from .weights import Weights, order_weights

Spot = Tuple[int, int]  # line number, slot in its node
NEAR = 2  # cells: a cell is near a stone if it is at most this far away in one of eight directions
MOST_RUNS = 30000  # if more runs than this are stored, forget() drops the runs too


class KInARowGeometry:
    """The data that all boards of one size and k share. Use `geometry()` to get an instance.

    places: per colour and cell, the changes by a stone there, as a flat tuple: line and slot for each of the four
    directions, the cell's bit, the change of the Zobrist key
    near: per cell, mask of the cells near it; in_line: per cell, mask of the cells that share a window of k with it
    half: number of bits of one colour's masks; shifts: bit position of each Pattern's mask within these bits
    """

    def __init__(self, rows: int, cols: int, k: int, weights: Weights) -> None:
        self.rows, self.cols, self.k, self.weights = rows, cols, k, weights
        self.cells = rows * cols
        self.all = (1 << self.cells) - 1
        self.half = CLASSES * self.cells
        self.shifts = tuple(pattern * self.cells for pattern in Pattern)
        self.runs = runs = Runs(k, weights.moving, weights.waiting)
        potentials = weights.network.potentials if weights.network else []
        of_runs = [RunScores(k, numbers) for numbers in (order_weights(k), *potentials)]
        strides = [down * cols + right or 1 for down, right in DIRECTIONS]  # 0: a line of one cell
        self.facts = [LineFacts(runs, stride, self.cells) for stride in strides]
        self.line_scores = [LineScores(of_runs, stride, self.cells) for stride in strides]
        self.kinds = len(potentials)
        self.score_bits = BYTE * 2 * self.cells
        self.scores_mask = (1 << self.score_bits) - 1
        self.lines = lines = board_lines(rows, cols, k)
        self.tables = [LineTable(self.facts[line.direction], self.line_scores[line.direction], line) for line in lines]
        outside = len(lines)  # number of the dummy line, which stands for all lines shorter than k
        spots: list[list[list[Spot]]] = [[[(outside, 0)] * 4 for _ in range(self.cells)] for _ in (BLACK, WHITE)]
        for number, line in enumerate(lines):
            for i, cell in enumerate(line.cells):
                spots[BLACK][cell][line.direction] = number, i
                spots[WHITE][cell][line.direction] = number, len(line.cells) + i
        noise = random.Random(20211222)  # any seed is good, because the keys need only differ
        self.keys = [[noise.getrandbits(62) for _ in range(self.cells)] for _ in (BLACK, WHITE)]
        self.turn_key = noise.getrandbits(62)
        self.near = [self._around(cell, NEAR) for cell in range(self.cells)]
        self.in_line = [self._around(cell, k - 1) for cell in range(self.cells)]
        self.places = [
            [(*sum(four, ()), 1 << cell, keys[cell] ^ self.turn_key) for cell, four in enumerate(colour)]
            for colour, keys in zip(spots, self.keys)
        ]
        self.forget()

    def forget(self) -> None:
        """Empty the tables, but keep up to MOST_RUNS analysed runs. Boards that still use the old nodes stay valid."""
        if self._cached_runs() > MOST_RUNS:
            for cache in self._caches():
                cache.clear()
            self.runs.clear()
        dummy: Node = []  # node of the dummy line, whose only step leads back to the same node
        dummy += [[dummy, 0, 0, 0], 0, Content(0, 0, 0, 0)]
        totals, scores = [0] * len(DIRECTIONS), 0
        self.start = []
        for line, table in zip(self.lines, self.tables):
            table.nodes.clear()
            node = table.node(0, 0)
            self.start.append(node)
            totals[line.direction] ^= node[-1].packed
            scores += table.scores(node)
        self.start.append(dummy)
        self.start_totals, self.start_scores = tuple(totals), scores

    def contents(self) -> int:
        """The number of line configurations in the tables."""
        return sum(len(table.nodes) for table in self.tables)

    def size(self) -> int:
        """Estimated bytes in use. A configuration takes 2.4 kB on 15x15, most of it for its steps."""
        masks, potentials = 4 * self.cells, self.cells * self.kinds
        of_contents = self.contents() * (600 + masks + 2 * potentials)
        of_runs = self._cached_runs() * (100 + masks // 2 + potentials) + 800 * len(self.runs)
        return of_contents + of_runs + self.cells * (1000 + self.cells)

    def _cached_runs(self) -> int:
        return sum(map(len, self._caches()))

    def _caches(self) -> list[Any]:
        owners: list[Any] = [*self.facts, *self.line_scores]
        return [cache for owner in owners for cache in owner.caches]

    def key_of(self, stones: bytes, side: int) -> int:
        """The Zobrist key of a board (0 empty, 1 black, 2 white, row-major) with `side` to move."""
        key = self.turn_key if side == WHITE else 0
        for cell, stone in enumerate(stones):
            if stone:
                key ^= self.keys[stone - 1][cell]
        return key

    def _around(self, cell: int, steps: int) -> int:
        """Mask of the cells at most `steps` away in one of the eight directions, and of the cell itself."""
        row, col = divmod(cell, self.cols)
        around = 0
        for down, right in DIRECTIONS:
            for step in range(-steps, steps + 1):
                r, c = row + step * down, col + step * right
                if 0 <= r < self.rows and 0 <= c < self.cols:
                    around |= 1 << r * self.cols + c
        return around


def geometry(rows: int, cols: int, k: int, weights: Weights) -> KInARowGeometry:
    """The shared geometry of a size, a k and the weights of an evaluation."""
    key = rows, cols, k, weights.moving, weights.waiting, weights.network
    shared: KInARowGeometry = geometries.get(key, lambda: KInARowGeometry(rows, cols, k, weights))
    return shared
