"""Reversi by the compiled engine: a position with the interface of the Python one; search.py has its search.

Sizes 4, 6, 8 and 10 are compiled. NativeReversiPosition answers what ReversiPosition answers.
"""

from __future__ import annotations

from ctypes import byref

import numpy as np

from submission.reversi.endgame import Solution
from submission.reversi.parameters import ReversiParameters
from submission.reversi.position import ReversiPosition
from submission.reversi.weights import ReversiWeights
from workshop.native.list_values import list_table
from workshop.native.parameters import NativeReversiParameters
from workshop.native.shared_library import c_int32, c_int64, c_uint64, checked_board, library, owned

SIZES = (4, 6, 8, 10)
NO_OUTCOME = -(2**31)


class NativeReversiPosition:
    """A position of Reversi; see ReversiPosition for what the functions answer.

    Args: learnt: weights in place of the engine's. Raises ValueError for a size that is not compiled, NoCompiler.
    """

    def __init__(
        self, n: int, parameters: ReversiParameters | None = None, learnt: ReversiWeights | None = None
    ) -> None:
        if n not in SIZES:
            raise ValueError("the compiled engine plays Reversi of the sizes {}".format(", ".join(map(str, SIZES))))
        self.n = n
        self.parameters = parameters or ReversiParameters()
        self._library = library()
        made = NativeReversiParameters.of(n, self.parameters, learnt)
        lists, offsets, values = list_table(n, learnt)
        cells = np.array([cell for each in lists for cell in (*each.cells, -1)], dtype=np.int32)
        starts = np.array(offsets, dtype=np.int64)
        new = self._library.reversi_new(
            n, byref(made), len(lists), cells.ctypes.data, starts.ctypes.data, values.shape[1], values.ctypes.data
        )
        self.handle = owned(self, new, "reversi_free")

    def set_up(self, stones: bytes, side: int) -> None:
        """Set the discs (0 free, 1 black, 2 white, row-major) and the side to move, BLACK or WHITE."""
        self._library.reversi_set_up(self.handle, checked_board(stones, self.n * self.n, side), side)

    def play(self, cell: int) -> None:
        """Play a legal cell, or PASS if there is none."""
        if not self._library.reversi_play(self.handle, cell):
            raise ValueError(f"{cell} is not a legal move")

    def undo(self) -> None:
        """Take back the last move since the set-up."""
        if not self._library.reversi_played(self.handle):
            raise ValueError("no move has been played since the set-up")
        self._library.reversi_undo(self.handle)

    @property
    def side(self) -> int:
        return int(self._library.reversi_side(self.handle))

    @property
    def discs(self) -> tuple[int, int]:
        return self._mask("reversi_discs", 0), self._mask("reversi_discs", 1)

    @property
    def key(self) -> int:
        black, white = self.discs
        return (black << self.n * self.n | white) << 1 | self.side

    def legal_cells(self, side: int) -> int:
        return self._mask("reversi_legal", side)

    def outcome(self) -> int | None:
        outcome = int(self._library.reversi_outcome(self.handle))
        return None if outcome == NO_OUTCOME else outcome

    def forced(self) -> bool:
        return bool(self._library.reversi_forced(self.handle))

    def quiet(self) -> bool:
        return bool(self._library.reversi_quiet(self.handle))

    def plies_left(self) -> int:
        return int(self._library.reversi_plies_left(self.handle))

    def evaluate(self) -> int:
        return int(self._library.reversi_evaluate(self.handle))

    def probcut_margin(self) -> int:
        return int(self._library.reversi_probcut_margin(self.handle))

    def moves(self, depth: int = 0) -> list[int]:
        found = (c_int32 * (self.n * self.n))()
        return found[: self._library.reversi_moves(self.handle, depth, found)]

    def _mask(self, name: str, colour: int) -> int:
        found = (c_uint64 * 2)()
        getattr(self._library, name)(self.handle, colour, found)
        return found[0] | found[1] << 64


class NativeSolver:
    """The endgame solver by itself; its tables are kept from call to call.

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
