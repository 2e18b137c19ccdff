"""Reversi by the compiled engine: a position with the interface of the Python one; search.py has its search.

Sizes 4, 6, 8 and 10 are compiled. NativeReversiPosition's functions return what ReversiPosition's return.
"""

from __future__ import annotations

from ctypes import byref, c_int64, c_uint64

import numpy as np

from submission.reversi.endgame import Solution
from submission.reversi.parameters import ReversiParameters
from submission.reversi.position import ReversiPosition
from submission.reversi.weights import ReversiWeights
from workshop.native.list_values import list_table
from workshop.native.parameters import NativeReversiParameters
from workshop.native.shared_library import NativeBoard, library, owned

SIZES = (4, 6, 8, 10)


class NativeReversiPosition(NativeBoard):
    """A position of Reversi; ReversiPosition explains the functions.

    Args: learnt: weights in place of the engine's. Raises ValueError for a size not in SIZES, NoCompiler if the
    library cannot be built.
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

    def probcut_margin(self) -> int:
        return self._call("probcut_margin")

    def _mask(self, name: str, colour: int) -> int:
        words = (c_uint64 * 2)()
        self._call(name, colour, words)
        return words[0] | words[1] << 64


class NativeSolver:
    """The endgame solver without a search; its tables are kept from call to call.

    Args: n: size of the board; table_entries: of one generation of a table.
    """

    def __init__(self, n: int, table_entries: int = 20000) -> None:
        self.entries = table_entries
        self._library = library()
        self._handle = owned(self, self._library.reversi_search_new(n), "reversi_search_free")

    def solve(self, position: NativeReversiPosition, nodes: int = 0) -> Solution:
        """As Solver.solve(), without the seconds; nodes 0: no limit."""
        answer = (c_int64 * 4)()
        self._library.reversi_search_solve(self._handle, position.handle, self.entries, nodes, answer)
        move, lower, upper, visited = answer[:]
        return Solution(move, lower, upper, visited, 0.0)


def stones_of(position: ReversiPosition) -> bytes:
    """The discs of a Python position as set_up() takes them."""
    black, white = position.discs
    return bytes((black >> cell & 1) + 2 * (white >> cell & 1) for cell in range(position.geometry.cells))
