"""The C functions of the compiled engine with their types, and the parameters of alpha-beta (cpp/parameters.h).

A handle is a pointer to an object of the library. `owned` frees the object when its Python owner is collected. The
defaults, ranges and meanings of parameters are those of submission/. Python computes the tables that need floating
point, such as the reductions.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterable, Sequence
from ctypes import POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_uint64, c_void_p
from functools import cache
from typing import Any

from submission.lines import BLACK, WHITE
from submission.search.alphabeta import NEVER, REDUCTION_SIZE, late_move_reductions
from submission.search.evaluator import Margins
from submission.search.parameters import SearchParameters
from workshop.native.build import build

LONGEST_ANSWER = 1 << 16  # most 64-bit numbers that one search writes
NO_OUTCOME = -(2**31)
HANDLE = c_void_p
CELLS, NODES, FLAG = POINTER(c_int32), POINTER(c_int64), POINTER(c_int32)

# name -> result, arguments
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "k_in_a_row_new": (HANDLE, [c_int, c_int, c_int, POINTER(c_uint64), c_void_p, c_char_p, c_char_p]),
    "k_in_a_row_free": (None, [HANDLE]),
    "k_in_a_row_set_up": (None, [HANDLE, c_char_p, c_int]),
    "k_in_a_row_play": (c_int, [HANDLE, c_int]),
    "k_in_a_row_undo": (None, [HANDLE]),
    "k_in_a_row_forget": (None, [HANDLE]),
    "k_in_a_row_key": (c_uint64, [HANDLE]),
    "k_in_a_row_side": (c_int, [HANDLE]),
    "k_in_a_row_outcome": (c_int, [HANDLE]),
    "k_in_a_row_forced": (c_int, [HANDLE]),
    "k_in_a_row_quiet": (c_int, [HANDLE]),
    "k_in_a_row_plies_left": (c_int, [HANDLE]),
    "k_in_a_row_played": (c_int, [HANDLE]),
    "k_in_a_row_evaluate": (c_int, [HANDLE, c_int64, c_int64]),
    "k_in_a_row_want_leaves": (None, [HANDLE, NODES, c_int]),
    "k_in_a_row_evaluations": (c_int64, [HANDLE]),
    "k_in_a_row_leaves": (c_int, [HANDLE, CELLS]),
    "k_in_a_row_moves": (c_int, [HANDLE, c_int, CELLS]),
    "k_in_a_row_vcf": (c_int, [HANDLE, c_int64, c_int, CELLS, NODES, FLAG]),
    "k_in_a_row_vct": (c_int, [HANDLE, c_int64, c_int64, CELLS, NODES, FLAG]),
    "k_in_a_row_opponent_vct": (c_int, [HANDLE, c_int64, CELLS, NODES, FLAG]),
    "k_in_a_row_search_new": (HANDLE, []),
    "k_in_a_row_search_free": (None, [HANDLE]),
    "k_in_a_row_search_think": (c_int64, [HANDLE, HANDLE, c_double, c_int64, c_int, c_int, POINTER(c_int64)]),
    "reversi_new": (HANDLE, [c_int, c_void_p, c_int, c_void_p, c_void_p, c_int64, c_void_p]),
    "reversi_free": (None, [HANDLE]),
    "reversi_set_up": (None, [HANDLE, c_char_p, c_int]),
    "reversi_play": (c_int, [HANDLE, c_int]),
    "reversi_undo": (None, [HANDLE]),
    "reversi_side": (c_int, [HANDLE]),
    "reversi_played": (c_int, [HANDLE]),
    "reversi_discs": (None, [HANDLE, c_int, POINTER(c_uint64)]),
    "reversi_legal": (None, [HANDLE, c_int, POINTER(c_uint64)]),
    "reversi_outcome": (c_int, [HANDLE]),
    "reversi_forced": (c_int, [HANDLE]),
    "reversi_quiet": (c_int, [HANDLE]),
    "reversi_plies_left": (c_int, [HANDLE]),
    "reversi_evaluate": (c_int, [HANDLE]),
    "reversi_moves": (c_int, [HANDLE, c_int, CELLS]),
    "reversi_search_new": (HANDLE, [c_int]),
    "reversi_search_free": (None, [HANDLE]),
    "reversi_search_think": (c_int64, [HANDLE, HANDLE, c_double, c_int64, c_int, c_int, POINTER(c_int64)]),
}


@cache
def library() -> Any:
    """The library, compiled at the first call. Raises NoCompiler if it cannot be compiled."""
    loaded = ctypes.CDLL(str(build()))
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(loaded, name)
        function.restype, function.argtypes = result, arguments
    return loaded


def owned(owner: object, handle: int, free: str) -> int:
    """Return the handle, and let the function `free` free it when its owner is collected."""
    weakref.finalize(owner, getattr(library(), free), handle)
    return handle


def words(numbers: Iterable[int]) -> Any:
    """Unsigned numbers of 64 bits as an array of C."""
    listed = list(numbers)
    return (c_uint64 * len(listed))(*listed)


def checked_board(stones: bytes, cells: int, side: int) -> bytes:
    """Check a board of `cells` cells (0 free, 1 black, 2 white) and a side to move, and return the board.

    Raises ValueError if the board's size, a cell or the side is wrong: the library itself does not check them.
    """
    if len(stones) != cells:
        raise ValueError(f"the board has {cells} cells; give {cells} bytes, not {len(stones)}")
    if side not in (BLACK, WHITE) or max(stones) > 2:
        raise ValueError(f"a side is {BLACK} or {WHITE}, not {side}; a cell 0, 1 or 2")
    return bytes(stones)


class NativeBoard:
    """The functions that the positions of both families share. Args: family: the prefix of the functions' names."""

    def __init__(self, family: str, handle: int, cells: int) -> None:
        self._library, self._family, self.cells = library(), family, cells
        self.handle = owned(self, handle, f"{family}_free")

    def _call(self, name: str, *arguments: Any) -> int:
        """Call a C function of this family, and return its result."""
        return int(getattr(self._library, f"{self._family}_{name}")(self.handle, *arguments) or 0)

    def set_up(self, stones: bytes, side: int) -> None:
        """Set the board (0 free, 1 black, 2 white, row-major) and the side to move, BLACK or WHITE."""
        self._call("set_up", checked_board(stones, self.cells, side), side)

    def undo(self) -> None:
        """Take back the last move since the set-up."""
        if not self._call("played"):
            raise ValueError("no move has been played since the set-up")
        self._call("undo")

    @property
    def side(self) -> int:
        return self._call("side")

    def outcome(self) -> int | None:
        outcome = self._call("outcome")
        return None if outcome == NO_OUTCOME else outcome

    def forced(self) -> bool:
        return bool(self._call("forced"))

    def quiet(self) -> bool:
        return bool(self._call("quiet"))

    def plies_left(self) -> int:
        return self._call("plies_left")

    def moves(self, depth: int = 0) -> list[int]:
        cells = (c_int32 * self.cells)()
        return cells[: self._call("moves", depth, cells)]


# ---- parameters

MOST_DEPTHS = 64


class ByDepth(ctypes.Structure):
    """A tuple with one item per depth, from depth 0."""

    _fields_ = [("size", c_int64), ("items", c_int64 * MOST_DEPTHS)]

    @classmethod
    def of(cls, items: Iterable[int]) -> ByDepth:
        listed = list(items)
        if len(listed) > MOST_DEPTHS:
            raise ValueError(f"the compiled engine takes at most {MOST_DEPTHS} items by depth, not {len(listed)}")
        return cls(len(listed), (c_int64 * MOST_DEPTHS)(*listed))


_REDUCTIONS = c_int64 * REDUCTION_SIZE * REDUCTION_SIZE


class NativeSearchParameters(ctypes.Structure):
    """The parameters of alpha-beta."""

    _fields_ = [
        *((name, c_int64) for name in (
            "table_entries", "killers", "null_window", "improving_plies", "improving_depth",
            "iir_depth", "forced_replies", "extension_plies")),
        ("futility", ByDepth), ("razoring", ByDepth), ("probcut_depths", ByDepth),
        ("reductions", _REDUCTIONS), ("reductions_not_improving", _REDUCTIONS),
    ]  # fmt: skip

    def fill(self, use: SearchParameters, margins: Margins, probcut_depths: Sequence[int] = ()) -> None:
        """Copy the parameters of alpha-beta and the evaluator's margins into the fields."""
        copy_fields(self, use)
        futility = margins.futility if use.futility else ()
        razoring = margins.razoring if use.razoring else ()
        size = max(len(futility), len(razoring))
        self.futility, self.razoring = (
            ByDepth.of([0, *given, *[NEVER] * (size - len(given))]) for given in (futility, razoring)
        )
        self.probcut_depths = ByDepth.of(probcut_depths)
        divisor = use.lmr_divisor if use.lmr else float("inf")
        for name, more in (("reductions", 0), ("reductions_not_improving", use.improving_plies)):
            setattr(
                self,
                name,
                _REDUCTIONS(*((c_int64 * REDUCTION_SIZE)(*row) for row in late_move_reductions(divisor, more))),
            )


def copy_fields(made: Any, use: Any) -> None:
    """Copy the numbers and switches from `use` to the fields of `made` that have the same names."""
    plain = [
        name
        for kind in type(made).__mro__
        for name, held in getattr(kind, "_fields_", ())
        if held in (c_int64, c_double)
    ]
    for name in plain:
        if hasattr(use, name):
            setattr(made, name, getattr(use, name))
