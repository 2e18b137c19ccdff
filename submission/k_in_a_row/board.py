"""The m x n board: play and undo, with pattern masks and line values that are updated incrementally.

The board uses the line tables of its size and k, and does not judge moves. One int per direction holds the masks of
both colours for all lines of that direction (see line_table.py). undo() restores saved values and computes nothing.
Few positions need ordering scores. They are computed on demand, from those of the last earlier position that has them.
"""

from __future__ import annotations

from typing import Any, Tuple

from ..boards import BLACK, WHITE, cells_of
from .geometry import geometry
from .line_table import CHANGE
from .patterns import VALUE_BITS, Pattern
from .weights import KINDS, Weights, evaluation_weights

HALF = 1 << VALUE_BITS - 1  # half the range of one packed value
LOW = 16  # best_scores() returns this for any lower score
BELOW_LOW = bytes(range(LOW))  # the bytes that best_scores() deletes before it takes the maximum


class KInARowBoard:
    """A board with play and undo.

    side      colour to move, BLACK or WHITE
    value     sum of the packed values of all lines, see patterns.VALUE_BITS
    totals    per direction, the masks of both colours: the mask of pattern p of colour c stands at bit
              (c * CLASSES + p) * cells
    occupied  mask of the cells with a stone
    key       Zobrist key
    """

    __slots__ = ("__dict__", "_scored", "geometry", "history", "key", "nodes", "occupied", "side", "totals", "value",
                 "weights")  # fmt: skip

    def __init__(self, rows: int, cols: int, k: int, weights: Weights | None = None) -> None:
        self.weights = weights or evaluation_weights()
        self.history: list[tuple[Any, ...]] = []
        self.clear(rows, cols, k)

    def clear(self, rows: int, cols: int, k: int) -> None:
        """Empty the board and set its size and k; Black is to move."""
        self.geometry = shape = geometry(rows, cols, k, self.weights)
        self.nodes = list(shape.start)
        self.side = BLACK
        self.value = 0
        self.totals = shape.start_totals
        self.occupied = 0
        self.key = 0
        self._clear_history(shape.start_scores)

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
        self._clear_history(sum(table.scores(node) for table, node in zip(self.geometry.tables, self.nodes)))

    def _clear_history(self, scores: int) -> None:
        """Empty the history; `scores`: the packed scores of the position."""
        self.history.clear()
        self._scored: list[tuple[int, Any, int]] = [(0, None, scores)]  # (length of history, its last entry, scores)

    # ---- moves

    def play(self, cell: int) -> None:
        """Put a stone of the side to move on an empty cell (not checked)."""
        nodes = self.nodes
        place = l0, s0, l1, s1, l2, s2, l3, s3, bit, key = self.geometry.places[self.side][cell]
        n0, n1, n2, n3 = nodes[l0], nodes[l1], nodes[l2], nodes[l3]
        totals = t0, t1, t2, t3 = self.totals
        self.history.append((cell, n0, n1, n2, n3, place, totals, self.value, self.key))
        nodes[l0], d0, v0, _ = n0[s0] or self.geometry.tables[l0].grow(n0, s0)
        nodes[l1], d1, v1, _ = n1[s1] or self.geometry.tables[l1].grow(n1, s1)
        nodes[l2], d2, v2, _ = n2[s2] or self.geometry.tables[l2].grow(n2, s2)
        nodes[l3], d3, v3, _ = n3[s3] or self.geometry.tables[l3].grow(n3, s3)
        self.totals = t0 ^ d0, t1 ^ d1, t2 ^ d2, t3 ^ d3
        self.value += v0 + v1 + v2 + v3
        self.occupied |= bit
        self.key ^= key
        self.side = 1 - self.side

    def undo(self) -> None:
        """Take the last stone back."""
        _, n0, n1, n2, n3, place, self.totals, self.value, self.key = self.history.pop()
        l0, _, l1, _, l2, _, l3, _, bit, _ = place
        nodes = self.nodes
        nodes[l0], nodes[l1], nodes[l2], nodes[l3] = n0, n1, n2, n3
        self.occupied ^= bit
        self.side = 1 - self.side

    def undo_to(self, moves: int) -> None:
        """Take stones back until the history has `moves` entries."""
        while len(self.history) > moves:
            self.undo()

    def switch_side(self) -> None:
        """Null move: the opponent is to move. A second call undoes the first."""
        self.side = 1 - self.side
        self.key ^= self.geometry.turn_key

    # ---- patterns and values

    def masks(self) -> Tuple[int, int]:
        """The packed pattern masks of the mover and of the opponent: the union of all directions.

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
        """Cells where a stone of the mover removes all OPEN_FOUR cells of the opponent; at least one must exist."""
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
        """The highest ordering score of any cell, for the mover and for the opponent; LOW if all scores are lower."""
        cells = self.geometry.cells
        scores = (self._packed_scores() & self.geometry.scores_mask).to_bytes(2 * cells, "little")
        black = max(scores[:cells].translate(None, BELOW_LOW), default=LOW)
        white = max(scores[cells:].translate(None, BELOW_LOW), default=LOW)
        return (black, white) if self.side == BLACK else (white, black)

    def potentials(self) -> bytes:
        """The potentials (network.py) of all cells, a byte each: for each kind, Black's cells row-major, then White's.

        A potential is a sum over the runs of both colours in four lines. A byte has room for the runs of one colour. A
        larger sum carries into the next cell's byte. The last byte takes the carry of the last cell.
        """
        shape = self.geometry
        return (self._packed_scores() >> shape.score_bits).to_bytes(2 * KINDS * shape.cells + 1, "little")

    def _packed_scores(self) -> int:
        """Packed scores and potentials: those of the last scored position, plus the changes by the moves since."""
        history, scored = self.history, self._scored
        played, last, scores = scored[-1]
        while played and (played > len(history) or history[played - 1] is not last):
            scored.pop()
            played, last, scores = scored[-1]
        if played == len(history):
            return scores
        for _, n0, n1, n2, n3, (l0, s0, l1, s1, l2, s2, l3, s3, _, _), _, _, _ in history[played:]:
            try:
                scores += n0[s0][CHANGE] + n1[s1][CHANGE] + n2[s2][CHANGE] + n3[s3][CHANGE]
            except TypeError:  # the change of the scores of a step is not computed yet
                for line, node, slot in ((l0, n0, s0), (l1, n1, s1), (l2, n2, s2), (l3, n3, s3)):
                    change = node[slot][CHANGE]
                    scores += self.geometry.tables[line].change(node, slot) if change is None else change
        scored.append((len(history), history[-1], scores))
        return scores
