"""The m x n board: play and undo, with pattern masks and line values that are updated incrementally.

Knows the line tables of its size and rule; does not know which move is good. One int per direction holds the masks of
both colours for all lines of that direction (see line_table.py). undo() restores saved values and computes nothing.
Ordering scores are needed at few positions. They are updated on demand, from the last scored position on the path.
"""
from __future__ import annotations

import random
from typing import Any, Tuple

from ..cache import geometries
from ..lines import BLACK, DIRECTIONS, WHITE, board_lines, cells_of
from .line_table import SCORES, Content, LineTable, Node
from .move_order import BYTE, LineScores, RunScores
from .patterns import CLASSES, VALUE_BITS, LineFacts, Pattern, Runs
from .weights import KINDS, Weights, evaluation_weights, order_weights

Spot = Tuple[int, int]                  # line number, slot in its node
NEAR = 2                                # cells: a cell is near a stone at most this far away in one of eight directions
HALF = 1 << VALUE_BITS - 1              # half the range of one packed value
LOW = 16                                # best_scores() returns this for any lower score
BELOW_LOW = bytes(range(LOW))           # the scores that it skips
MOST_RUNS = 30000                       # forget() drops the analysed runs, too, if there are more than this


class KInARowGeometry:
    """What all boards of one size and rule share: lines, tables, keys, neighbourhoods. Use `geometry()` to get one.

    places: per colour and cell, what a stone there changes, as a flat tuple: line and slot for each of the four
    directions, the cell's bit, the change of the Zobrist key
    near: per cell, mask of the cells near it; in_line: per cell, mask of the cells that share a window of k with it
    half: number of bits of one colour's masks; shifts: position of each Pattern's mask within them
    """

    def __init__(self, rows: int, cols: int, k: int, weights: Weights) -> None:
        self.rows, self.cols, self.k, self.weights = rows, cols, k, weights
        self.cells = rows * cols
        self.all = (1 << self.cells) - 1
        self.half = CLASSES * self.cells
        self.shifts = tuple(pattern * self.cells for pattern in Pattern)
        self.runs = runs = Runs(k, weights.moving, weights.waiting)
        potentials = weights.network.potentials if weights.network else []
        of_runs = [RunScores(k, weights) for weights in (order_weights(k), *potentials)]
        strides = [down * cols + right for down, right in DIRECTIONS]
        self.facts = [LineFacts(runs, stride, self.cells) for stride in strides]
        self.line_scores = [LineScores(of_runs, stride, self.cells) for stride in strides]
        self.score_bits = BYTE * 2 * self.cells
        self.scores_mask = (1 << self.score_bits) - 1
        self.lines = lines = board_lines(rows, cols, k)
        self.tables = [LineTable(self.facts[line.direction], self.line_scores[line.direction], line) for line in lines]
        outside = len(lines)                              # number of a dummy line, instead of lines shorter than k
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
        """Empty the tables, but keep up to MOST_RUNS analysed runs. Boards that still use the old nodes stay valid."""
        if self._cached_runs() > MOST_RUNS:
            for cache in self._caches():
                cache.clear()
            self.runs.clear()
        dead: Node = []
        dead += [(dead, 0, 0), 0, Content(0, 0, 0, 0)]    # node of the dummy line: its only step leads back to it
        totals, scores = [0] * len(DIRECTIONS), 0
        self.start = []
        for line, table in zip(self.lines, self.tables):
            table.nodes.clear()
            node = table.node(0, 0)
            self.start.append(node)
            totals[line.direction] ^= node[-1].packed
            scores += table.scores(node)
        self.start.append(dead)
        self.start_totals, self.start_scores = tuple(totals), scores

    def contents(self) -> int:
        """The number of line contents in the tables."""
        return sum(len(table.nodes) for table in self.tables)

    def size(self) -> int:
        """Estimated bytes in use. A content takes 1.4 kB on 15x15, most of it for the masks in its steps."""
        masks = 4 * self.cells
        return (self.contents() * (450 + masks) + self._cached_runs() * (100 + masks // 2) + 800 * len(self.runs)
                + self.cells * (1000 + self.cells))

    def _cached_runs(self) -> int:
        return sum(map(len, self._caches()))

    def _caches(self) -> list[Any]:
        return [known for facts in self.facts for known in facts.known] + [
            known for scores in self.line_scores for known in scores.known]

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
    """The shared geometry of a size, rule and evaluation."""
    found: KInARowGeometry = geometries.get((rows, cols, k, weights.moving, weights.waiting, weights.network),
                                            lambda: KInARowGeometry(rows, cols, k, weights))
    return found


class KInARowBoard:
    """A board with play and undo.

    side      colour to move, BLACK or WHITE
    value     sum of the packed values of all lines, see patterns.VALUE_BITS
    totals    per direction, the masks of both colours: the mask of pattern p of colour c stands at bit
              (c * CLASSES + p) * cells
    occupied  mask of the cells with a stone
    key       Zobrist key
    """

    def __init__(self, rows: int, cols: int, k: int, weights: Weights | None = None) -> None:
        self.weights = weights or evaluation_weights()
        self.history: list[tuple[Any, ...]] = []
        self.clear(rows, cols, k)

    def clear(self, rows: int, cols: int, k: int) -> None:
        """Make it an empty board, Black to move."""
        self.geometry = shape = geometry(rows, cols, k, self.weights)
        self.nodes = list(shape.start)
        self.side = BLACK
        self.value = 0
        self.totals = shape.start_totals
        self.occupied = 0
        self.key = 0
        self._begin(shape.start_scores)

    def set_up(self, stones: bytes, side: int) -> None:
        """Set the stones (same size; 0 free, 1 black, 2 white, row-major) and the side to move."""
        self.clear(self.geometry.rows, self.geometry.cols, self.geometry.k)
        for colour in (BLACK, WHITE):
            for cell, stone in enumerate(stones):
                if stone == colour + 1:
                    self.side = colour
                    self.play(cell)
        self.side = side
        self.key = self.geometry.key_of(stones, side)
        self._begin(self._packed_scores())

    def _begin(self, scores: int) -> None:
        """Empty the history; `scores`: the packed scores of the position."""
        self.history.clear()
        self._scored: list[tuple[int, Any, int]] = [(0, None, scores)]  # (length of history, its last entry, scores)

    # ---- moves

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

    def undo_to(self, moves: int) -> None:
        """Take stones back until the history has `moves` entries."""
        while len(self.history) > moves:
            self.undo()

    def switch_side(self) -> None:
        """Null move: the other side is to move. A second call undoes it."""
        self.side = 1 - self.side
        self.key ^= self.geometry.turn_key

    # ---- what stands on the board

    def masks(self) -> Tuple[int, int]:
        """The packed pattern masks of the mover and of the other side: the union of all directions.

        The mask of pattern p is `masks >> geometry.shifts[p] & geometry.all`.
        """
        t0, t1, t2, t3 = self.totals
        black = t0 | t1 | t2 | t3
        return (black >> self.geometry.half, black) if self.side else (black, black >> self.geometry.half)

    def crossings(self) -> Tuple[int, int]:
        """As `masks`, but only the cells where one stone makes the same pattern in two directions."""
        t0, t1, t2, t3 = self.totals
        black = t0 & t1 | t2 & t3 | (t0 | t1) & (t2 | t3)
        return (black >> self.geometry.half, black) if self.side else (black, black >> self.geometry.half)

    def open_four_answers(self) -> int:
        """Cells where a stone of the mover removes all OPEN_FOUR cells of the other side, which has at least one."""
        shape = self.geometry
        base = shape.half if self.side == BLACK else 0
        open_four, answer = base + shape.shifts[Pattern.OPEN_FOUR], base + shape.shifts[Pattern.ANSWER]
        answers = shape.all
        for total in self.totals:
            if total >> open_four & shape.all:
                answers &= total >> answer
        return answers

    def lines_value(self) -> int:
        """The value of all lines in the view of the side to move."""
        if self.side == WHITE:
            return self.value + HALF >> VALUE_BITS
        value = self.value & 2 * HALF - 1
        return value - 2 * HALF if value >= HALF else value

    def near(self) -> int:
        """Mask of the cells near a stone, occupied ones included."""
        near = 0
        for cell in cells_of(self.occupied):
            near |= self.geometry.near[cell]
        return near

    # ---- ordering scores and potentials

    def scores(self) -> bytes:
        """The ordering score of each cell for the mover, row-major; see move_order.py."""
        cells = self.geometry.cells
        scores = (self._packed_scores() & self.geometry.scores_mask).to_bytes(2 * cells, "little")
        return scores[:cells] if self.side == BLACK else scores[cells:]

    def best_scores(self) -> tuple[int, int]:
        """The highest ordering score of a cell, for the mover and for the other side; at least LOW."""
        cells = self.geometry.cells
        scores = (self._packed_scores() & self.geometry.scores_mask).to_bytes(2 * cells, "little")
        black = max(scores[:cells].translate(None, BELOW_LOW), default=LOW)
        white = max(scores[cells:].translate(None, BELOW_LOW), default=LOW)
        return (black, white) if self.side == BLACK else (white, black)

    def potentials(self) -> bytes:
        """The potentials of each cell, row-major: the first for Black, for White, then the second; see network.py."""
        shape = self.geometry
        return (self._packed_scores() >> shape.score_bits).to_bytes(2 * KINDS * shape.cells, "little")

    def _packed_scores(self) -> int:
        """Scores and potentials: those of the last position on the path that has them, plus the changes since."""
        history, scored = self.history, self._scored
        played, last, scores = scored[-1]
        while played and (played > len(history) or history[played - 1] is not last):
            scored.pop()
            played, last, scores = scored[-1]
        if played == len(history):
            return scores
        shape, nodes = self.geometry, self.nodes
        if played + 1 == len(history):
            cell, n0, n1, n2, n3, _, _, _ = history[-1]
            l0, _, l1, _, l2, _, l3, _, _, _ = shape.places[BLACK][cell]
            m0, m1, m2, m3 = nodes[l0], nodes[l1], nodes[l2], nodes[l3]
            try:
                scores += (m0[SCORES] - n0[SCORES] + m1[SCORES] - n1[SCORES] + m2[SCORES] - n2[SCORES]
                           + m3[SCORES] - n3[SCORES])
                scored.append((played + 1, history[-1], scores))
                return scores
            except TypeError:
                pass
        before: dict[int, Node] = {}
        for cell, n0, n1, n2, n3, _, _, _ in reversed(history[played:]):
            l0, _, l1, _, l2, _, l3, _, _, _ = shape.places[BLACK][cell]
            before[l0], before[l1], before[l2], before[l3] = n0, n1, n2, n3
        for line, node in before.items():
            now = nodes[line]
            added, removed = now[SCORES], node[SCORES]
            if added is None:
                added = shape.tables[line].scores(now)
            if removed is None:
                removed = shape.tables[line].scores(node)
            scores += added - removed
        scored.append((len(history), history[-1], scores))
        return scores
