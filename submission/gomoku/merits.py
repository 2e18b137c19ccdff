"""How much each free cell of a line counts for the order of moves.

A cell counts by what is less than k cells away in the line, as far as the other colour's first stone: so much if this
colour is to move, and so much if the other one is. The sum over the four lines of a cell, for both colours, is its
merit, in a byte: what a line counts for Black's moves stands in the bytes of its cells, and for White's moves as many
bytes further as the board has cells. So the merits of a board are the sum of its lines.
"""
from __future__ import annotations

from typing import Dict, Tuple

from ..lines import Line
from .patterns import runs_of

Order = Dict[str, Tuple[int, int]]
MOST = 31                           # of a number: eight of them are a merit
BYTE = 8


class Merits:
    """What contents of lines of one direction count.

    Args: k: in a row; order: what counts, for the side to move and for the other one, MOST or less: of a free cell,
    drawn with what is less than k cells away, `*` the cell, X own stones, the drawing or its mirror image. Without any,
    a cell counts by the stones in the fullest window. stride: of the lines' cells; cells: of the board.
    """

    def __init__(self, k: int, order: Order, stride: int, cells: int) -> None:
        self.k, self.order, self.stride, self.cells = k, order, stride, cells
        self.known: dict[tuple[int, int], tuple[int, int]] = {}         # of runs, by size and own stones

    def __call__(self, black: int, white: int, line: Line) -> int:
        """What a content counts."""
        black_moving, black_waiting = self._of_colour(black, white, line)
        white_moving, white_waiting = self._of_colour(white, black, line)
        return black_moving + white_waiting + (white_moving + black_waiting << BYTE * self.cells)

    def _of_colour(self, own: int, other: int, line: Line) -> tuple[int, int]:
        moving = waiting = 0
        for start, run in runs_of(own, other, len(line.cells)):
            found = self.known.get(run)
            if found is None:
                found = self.known[run] = self._of_run(*run)
            shift = BYTE * (line.cells[0] + self.stride * start)
            moving += found[0] << shift
            waiting += found[1] << shift
        return moving, waiting

    def _of_run(self, size: int, own: int) -> tuple[int, int]:
        k, drawn = self.k, "".join(".X"[own >> i & 1] for i in range(size))
        moving = waiting = 0
        for cell in range(size):
            if size < k or own >> cell & 1:
                continue
            if self.order:
                around = drawn[max(cell - k + 1, 0):cell] + "*" + drawn[cell + 1:cell + k]
                one, two = self.order.get(around) or self.order.get(around[::-1], (0, 0))
            else:
                windows = (drawn[i:i + k] for i in range(max(cell - k + 1, 0), min(cell, size - k) + 1))
                one = two = min(2 * max(window.count("X") for window in windows), MOST)
            shift = BYTE * self.stride * cell
            moving += one << shift
            waiting += two << shift
        return moving, waiting
