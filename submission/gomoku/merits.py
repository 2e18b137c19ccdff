"""How much each free cell of a line counts for the order of moves.

A cell counts by what is less than k cells away in the line, as far as the other colour's first stone: so much if this
colour is to move, and so much if the other one is. The sum over the four lines of a cell, for both colours, is its
merit, in a byte: what a line counts for Black's moves stands in the bytes of its cells, and for White's moves as many
bytes further as the board has cells. So the merits of a board are the sum of its lines.
"""
from __future__ import annotations

from typing import Dict, Tuple

from ..lines import BLACK, WHITE, Line
from .patterns import free_runs

Order = Dict[str, Tuple[int, int]]
MOST = 31                           # of a number: eight of them are a merit
BYTE = 8


class CellsOfRuns(Dict[int, Tuple[bytes, bytes]]):
    """What the cells of the runs met so far count, by the runs' keys: for the side to move, and for the other one.

    Args: k: in a row; order: what counts, for the side to move and for the other one, MOST or less: of a free cell,
    drawn with what is less than k cells away, `*` the cell, X own stones, the drawing or its mirror image. Without any,
    a cell counts by the stones in the fullest window.
    """

    def __init__(self, k: int, order: Order) -> None:
        super().__init__()
        self.k, self.order = k, order

    def __missing__(self, key: int) -> tuple[bytes, bytes]:
        size = key.bit_length() - 1
        drawn = "".join(".X"[key >> i & 1] for i in range(size))
        moving, waiting = zip(*(self._merit(drawn, cell) if drawn[cell] == "." else (0, 0) for cell in range(size)))
        self[key] = found = bytes(moving), bytes(waiting)
        return found

    def _merit(self, drawn: str, cell: int) -> tuple[int, int]:
        k = self.k
        if self.order:
            around = drawn[max(cell - k + 1, 0):cell] + "*" + drawn[cell + 1:cell + k]
            return self.order.get(around) or self.order.get(around[::-1], (0, 0))
        windows = (drawn[i:i + k] for i in range(max(cell - k + 1, 0), min(cell, len(drawn) - k) + 1))
        merit = min(2 * max(window.count("X") for window in windows), MOST)
        return merit, merit


class Merits:
    """What contents of lines of one direction count.

    Args: runs: of k in a row; stride: of the lines' cells; cells: of the board.
    """

    def __init__(self, runs: CellsOfRuns, stride: int, cells: int) -> None:
        self.runs, self.stride, self.cells = runs, stride, cells
        self.known: tuple[dict[int, int], ...] = ({}, {})         # what runs count, by colour and key

    def __call__(self, black: int, white: int, line: Line) -> int:
        """What a content counts."""
        first, length = line.cells[0], len(line.cells)
        total = 0
        for colour, own, other in ((BLACK, black, white), (WHITE, white, black)):
            known = self.known[colour]
            for start, cells, end in free_runs(other, length, self.runs.k):
                key = own >> start & cells | end
                found = known.get(key)
                if found is None:
                    found = known[key] = self._of_run(colour, key)
                total += found << BYTE * (first + self.stride * start)
        return total

    def _of_run(self, colour: int, key: int) -> int:
        moving, waiting = self.runs[key]
        field = bytearray(2 * self.cells)
        for begin, cells in ((colour, moving), (1 - colour, waiting)):
            begin *= self.cells
            field[begin:begin + self.stride * len(cells):self.stride] = cells
        return int.from_bytes(field, "little")
