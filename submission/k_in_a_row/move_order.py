"""The order of candidate moves: a score for each free cell, for each colour.

A cell's ordering score for the mover is a sum over the four lines through the cell. Each line adds two learnt numbers
(data/gobang_order.txt): one for the mover's surroundings of the cell, one for the opponent's. A colour's surroundings
are the cells of the line less than k away, up to the first stone of the other colour.

The scores of all cells for both colours are packed into one int, a byte per cell: Black's cells in the low bytes,
White's above them. So the scores of a board are the sum of the scores of its lines. The potentials of network.py are
sums of the same form, in higher bytes of the int.
"""

from __future__ import annotations

from typing import Dict, Sequence, Tuple

from ..boards import BLACK, WHITE, Line
from .patterns import free_runs

OrderWeights = Dict[str, Tuple[int, int]]  # a colour's surroundings -> number if it is to move, number if it is not
MOST = 31  # largest number for one line and one colour: the sum of eight such numbers fits into a byte
BYTE = 8  # bits of a score


class RunScores(Dict[int, Tuple[bytes, bytes]]):
    """Numbers for the cells of a run, by the run's key: (if the run's colour is to move, if it is not).

    Args: k: in a row; weights: surroundings of a free cell `*`, X for own stones, read in either direction -> two
    numbers of at most MOST. Without weights, a cell's score is twice the largest number of own stones in a window.
    """

    def __init__(self, k: int, weights: OrderWeights) -> None:
        super().__init__()
        self.k, self.weights = k, weights

    def __missing__(self, key: int) -> tuple[bytes, bytes]:
        size = key.bit_length() - 1
        drawn = "".join(".X"[key >> i & 1] for i in range(size))
        moving, waiting = zip(*(self._score(drawn, cell) if drawn[cell] == "." else (0, 0) for cell in range(size)))
        self[key] = scores = bytes(moving), bytes(waiting)
        return scores

    def _score(self, drawn: str, cell: int) -> tuple[int, int]:
        k = self.k
        if self.weights:
            around = drawn[max(cell - k + 1, 0) : cell] + "*" + drawn[cell + 1 : cell + k]
            return self.weights.get(around) or self.weights.get(around[::-1], (0, 0))
        windows = (drawn[i : i + k] for i in range(max(cell - k + 1, 0), min(cell, len(drawn) - k) + 1))
        score = min(2 * max(window.count("X") for window in windows), MOST)
        return score, score


class LineScores:
    """The `score` function (see line_table.py) for the lines of one direction: scores of the cells of a configuration.

    Args: runs: the scores of runs, one table for each kind of score, the lowest kind first; stride: difference of
    neighbouring cells of a line; cells: number of cells of the board.
    """

    def __init__(self, runs: Sequence[RunScores], stride: int, cells: int) -> None:
        self.runs, self.stride, self.cells = runs, stride, cells
        self.caches: tuple[dict[int, int], ...] = ({}, {})  # packed scores of runs, by colour and key

    def __call__(self, black: int, white: int, line: Line) -> int:
        """The packed scores of a line's cells."""
        first, length = line.cells[0], len(line.cells)
        total = 0
        for colour, own, other in ((BLACK, black, white), (WHITE, white, black)):
            cache = self.caches[colour]
            for start, cells, end in free_runs(other, length, self.runs[0].k):
                key = own >> start & cells | end
                scores = cache.get(key)
                if scores is None:
                    scores = cache[key] = self._of_run(colour, key)
                total += scores << BYTE * (first + self.stride * start)
        return total

    def _of_run(self, colour: int, key: int) -> int:
        packed = bytearray(2 * self.cells * len(self.runs))
        for kind, runs in enumerate(self.runs):
            moving, waiting = runs[key]
            for scored, cells in ((colour, moving), (1 - colour, waiting)):
                begin = (2 * kind + scored) * self.cells
                packed[begin : begin + self.stride * len(cells) : self.stride] = cells
        return int.from_bytes(packed, "little")
