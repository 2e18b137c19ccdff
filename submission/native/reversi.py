"""Reversi by the compiled engine: a position with the interface of the Python one; search.py has its search.

Sizes 4, 6, 8 and 10 are compiled. NativeReversiPosition's functions return what ReversiPosition's return. The engine
gets the values of all configurations of the cell lists as one table. There, the configuration of a list is a number in
base 3: 0 free, 1 black, 2 white, the first cell the lowest digit.
"""

from __future__ import annotations

from ctypes import byref, c_uint64
from functools import lru_cache
from typing import Any, List, Tuple

import numpy as np

from ..reversi import weights
from ..reversi.evaluation import CellListEvaluator
from ..reversi.parameters import ReversiParameters
from ..reversi.position import ReversiPosition
from ..reversi.weights import STAGES, CellList, ReversiWeights, cell_lists
from .library import NativeBoard, library
from .parameters import NativeReversiParameters

Numbers = Any  # a numpy array of whole numbers
SIZES = (4, 6, 8, 10)


class NativeReversiPosition(NativeBoard):
    """A position of Reversi; ReversiPosition explains the functions.

    Args: learnt: weights in place of the engine's. Raises ValueError for a size not in SIZES, Unavailable if
    the library does not work.
    """

    def __init__(
        self, n: int, parameters: ReversiParameters | None = None, learnt: ReversiWeights | None = None
    ) -> None:
        if n not in SIZES:
            raise ValueError("the compiled engine plays Reversi of the sizes {}".format(", ".join(map(str, SIZES))))
        self.n = n
        self.parameters = parameters or ReversiParameters()
        made = NativeReversiParameters.of(n, self.parameters, learnt)
        lists, offsets, values = list_table(n, learnt)
        cells = np.array([cell for each in lists for cell in (*each.cells, -1)], dtype=np.int32)
        starts = np.array(offsets, dtype=np.int64)
        new = library().reversi_new(
            n, byref(made), len(lists), cells.ctypes.data, starts.ctypes.data, values.shape[1], values.ctypes.data
        )
        super().__init__("reversi", new, n * n)

    def play(self, cell: int) -> None:
        """Play a legal cell, or PASS if there is none."""
        if not self._call("play", cell):
            raise ValueError(f"{cell} is not a legal move")

    @property
    def discs(self) -> tuple[int, int]:
        return self._mask("discs", 0), self._mask("discs", 1)

    @property
    def key(self) -> int:
        black, white = self.discs
        return (black << self.cells | white) << 1 | self.side

    def legal_cells(self, side: int) -> int:
        return self._mask("legal", side)

    def evaluate(self) -> int:
        return self._call("evaluate")

    def _mask(self, name: str, colour: int) -> int:
        words = (c_uint64 * 2)()
        self._call(name, colour, words)
        return words[0] | words[1] << 64


def stones_of(position: ReversiPosition) -> bytes:
    """The discs of a Python position as set_up() takes them."""
    black, white = position.discs
    return bytes((black >> cell & 1) + 2 * (white >> cell & 1) for cell in range(position.geometry.cells))


# ---- the values of cell lists


@lru_cache(maxsize=8)
def list_table(n: int, learnt: ReversiWeights | None = None) -> Tuple[List[CellList], List[int], Numbers]:
    """The lists of n x n boards and the values of their configurations, by the weights `learnt`; None: the engine's.

    Returns: the lists as cell_lists() gives them; the place of each list's first content in a row of the values, equal
    for lists of one kind; the values, int16, by stage and content. Raises ValueError if a value does not fit into 16
    bits.
    """
    lists = cell_lists(n)
    learnt = learnt or weights.read(n)
    kinds = {each.kind: each for each in lists}
    tables, offset_of, total = [], {}, 0
    for kind, example in sorted(kinds.items()):
        offset_of[kind] = total
        tables.append(_learnt(learnt, example) if learnt else _asked(n, example))
        total += 3 ** len(example.cells)
        if abs(tables[-1]).max() > np.iinfo(np.int16).max:
            raise ValueError("the value of a list does not fit into 16 bits")
    values = np.ascontiguousarray(np.concatenate([table.astype(np.int16) for table in tables], axis=1))
    return lists, [offset_of[each.kind] for each in lists], values


def _learnt(learnt: ReversiWeights, each: CellList) -> Numbers:
    """As ReversiWeights.values() of submission/reversi/weights.py: int32 of shape (stages, configurations).

    First it adds the weights of single discs, cell by cell. Then it adds the values of each stored row, for the four
    configurations that share the row: as stored, mirrored, and both with the colours exchanged.
    """
    length, size = len(each.cells), 1
    keys, rows, cells = (np.array(of[each.kind], dtype=np.int32) for of in (learnt.keys, learnt.rows, learnt.cells))
    values = np.zeros((STAGES, 3**length), dtype=np.int32)
    for weights_of_cell in cells.reshape(length, STAGES, 1):
        values[:, size : 2 * size] = values[:, :size] + weights_of_cell
        values[:, 2 * size : 3 * size] = values[:, :size] - weights_of_cell
        size *= 3
    black, white = ((keys[:, None] >> np.arange(length) + shift & 1) for shift in (0, length))
    here, there = (3 ** np.array(places, dtype=np.int64) for places in (range(length), each.mirror))
    as_is, exchanged = (
        [(one + 2 * other) @ base for base in (here, there)] for one, other in ((black, white), (white, black))
    )
    differs = (as_is[0] != exchanged[0]) & (as_is[0] != exchanged[1])
    for sign, (first, second) in ((1, as_is), (-1, exchanged)):
        for contents, which in ((first, differs), (second, differs & (first != second))):
            values[:, contents[which]] += sign * rows.reshape(-1, STAGES)[which].T
    return values


def _asked(n: int, each: CellList) -> Numbers:
    """The values of a list's configurations, from the evaluator of this size."""
    value_of = CellListEvaluator.model(n).values(each)
    pairs = [(0, 0)]
    for cell in range(len(each.cells)):
        pairs += [(black | 1 << cell, white) for black, white in pairs] + [
            (black, white | 1 << cell) for black, white in pairs
        ]
    return np.array([value_of(*pair) for pair in pairs]).T
