"""The compiled engine's library: chooses the one for this machine, loads it, declares the types of its C functions.

data/ holds a library for each processor, compressed by xz, and libraries.json with their checksums and the command that
made them (`make native`). The library is written to a temporary file, loaded and removed at once; where no file can be
written, it is loaded from memory. Then a search whose result is known must give this result.

A handle is a pointer to an object of the library. `owned` frees the object when its Python owner is collected.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import lzma
import os
import pkgutil
import tempfile
import weakref
from ctypes import POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_uint64, c_void_p
from functools import lru_cache
from typing import Any, Dict, Iterable, List, Set, Tuple

from ..boards import BLACK, WHITE

AVX2 = {"avx2", "bmi2", "fma", "movbe", "abm", "f16c"}  # flags in /proc/cpuinfo that the library x86_64-v3 needs
LONGEST_ANSWER = 1 << 16  # most 64-bit numbers that one search writes
NO_OUTCOME = -(2**31)
NO_MEMORY = -1  # result of a search that found no memory
HANDLE = c_void_p
CELLS, NODES, FLAG = POINTER(c_int32), POINTER(c_int64), POINTER(c_int32)
PROGRESS = ctypes.CFUNCTYPE(c_int32, c_int64)


class Unavailable(Exception):
    """The compiled engine cannot be used here; the message says why."""


class Request(ctypes.Structure):
    """A search, as cpp/search_api.h explains it."""

    _fields_ = [
        ("seconds", c_double), ("nodes", c_int64), ("depth", c_int64), ("lines", c_int64),
        ("stop", POINTER(c_int32)), ("progress", PROGRESS), ("out", POINTER(c_int64)),
    ]  # fmt: skip


# name of a function without its family -> result, arguments
OF_BOTH: Dict[str, Tuple[Any, List[Any]]] = {
    "free": (None, [HANDLE]),
    "set_up": (None, [HANDLE, c_char_p, c_int]),
    "play": (c_int, [HANDLE, c_int]),
    "undo": (None, [HANDLE]),
    "side": (c_int, [HANDLE]),
    "played": (c_int, [HANDLE]),
    "outcome": (c_int, [HANDLE]),
    "forced": (c_int, [HANDLE]),
    "quiet": (c_int, [HANDLE]),
    "plies_left": (c_int, [HANDLE]),
    "moves": (c_int, [HANDLE, c_int, CELLS]),
    "search_free": (None, [HANDLE]),
    "search_think": (c_int64, [HANDLE, HANDLE, POINTER(Request)]),
}
FUNCTIONS: Dict[str, Tuple[Any, List[Any]]] = {
    **{f"{family}_{name}": types for family in ("k_in_a_row", "reversi") for name, types in OF_BOTH.items()},
    "k_in_a_row_new": (HANDLE, [c_int, c_int, c_int, POINTER(c_uint64), c_void_p, c_char_p, c_char_p]),
    "k_in_a_row_forget": (None, [HANDLE]),
    "k_in_a_row_key": (c_uint64, [HANDLE]),
    "k_in_a_row_evaluate": (c_int, [HANDLE, c_int64, c_int64]),
    "k_in_a_row_want_leaves": (None, [HANDLE, NODES, c_int]),
    "k_in_a_row_evaluations": (c_int64, [HANDLE]),
    "k_in_a_row_leaves": (c_int, [HANDLE, CELLS]),
    "k_in_a_row_vcf": (c_int, [HANDLE, c_double, c_int64, c_int, CELLS, NODES, FLAG]),
    "k_in_a_row_vct": (c_int, [HANDLE, c_double, c_int64, c_int64, CELLS, NODES, FLAG]),
    "k_in_a_row_opponent_vct": (c_int, [HANDLE, c_double, c_int64, CELLS, NODES, FLAG]),
    "k_in_a_row_search_new": (HANDLE, []),
    "reversi_new": (HANDLE, [c_int, c_void_p, c_int, c_void_p, c_void_p, c_int64, c_void_p]),
    "reversi_discs": (None, [HANDLE, c_int, POINTER(c_uint64)]),
    "reversi_legal": (None, [HANDLE, c_int, POINTER(c_uint64)]),
    "reversi_evaluate": (c_int, [HANDLE]),
    "reversi_search_new": (HANDLE, [c_int]),
}


@lru_cache(maxsize=None)
def library() -> Any:
    """The library of this machine. Raises Unavailable if there is none, or if it cannot be loaded."""
    loaded = _load(_unpacked(processor()))
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(loaded, name)
        function.restype, function.argtypes = result, arguments
    return loaded


def available() -> bool:
    """Whether the library works on this machine."""
    try:
        return bool(library())
    except Unavailable:
        return False


def processor() -> str:
    """The name of this machine's library, such as x86_64. Raises Unavailable if there is no library."""
    system = os.uname() if hasattr(os, "uname") else None
    if system is None or system.sysname != "Linux" or system.machine not in libraries():
        raise Unavailable("there is no compiled library for this system")
    if system.machine == "x86_64" and _flags() >= AVX2:
        return "x86_64-v3"
    return system.machine


@lru_cache(maxsize=None)
def libraries() -> Dict[str, Any]:
    """The contents of libraries.json by processor: the library's sha256, and how it was made."""
    made: Dict[str, Any] = json.loads(_data("libraries.json"))["libraries"]
    return made


def _flags() -> Set[str]:
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            return next((set(line.split()) for line in file if line.startswith("flags")), set())
    except OSError:
        return set()


def _data(name: str) -> bytes:
    try:
        return pkgutil.get_data(__package__, "data/" + name) or b""
    except OSError as error:
        raise Unavailable(f"{name} is missing") from error


def _unpacked(name: str) -> bytes:
    content = lzma.decompress(_data(name + ".so.xz"))
    if hashlib.sha256(content).hexdigest() != libraries()[name]["sha256"]:
        raise Unavailable(f"the library {name} is damaged")
    return content


def _load(content: bytes) -> Any:
    try:
        handle, path = tempfile.mkstemp(".so")
    except OSError:  # no folder is writable
        handle, path = ctypes.CDLL(None).memfd_create(b"tengen", 0), ""
        if handle < 0:
            raise Unavailable("no temporary file can be written") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            return ctypes.CDLL(path or f"/proc/self/fd/{handle}")
    except OSError as error:
        raise Unavailable(f"the library cannot be loaded: {error}") from error
    finally:
        if path:
            os.unlink(path)


def owned(owner: object, handle: int, free: str) -> int:
    """Return the handle; when its owner is garbage-collected, the C function named `free` frees the object."""
    weakref.finalize(owner, getattr(library(), free), handle)
    return handle


def words(numbers: Iterable[int]) -> Any:
    """Unsigned numbers of 64 bits as an array of C."""
    listed = list(numbers)
    return (c_uint64 * len(listed))(*listed)


class NativeBoard:
    """The functions that the positions of both families share. Args: family: the prefix of the functions' names."""

    def __init__(self, family: str, handle: int, cells: int) -> None:
        self._library, self._family, self.cells = library(), family, cells
        self.handle = owned(self, handle, f"{family}_free")

    def _call(self, name: str, *arguments: Any) -> int:
        """Call a C function of this family, and return its result."""
        return int(getattr(self._library, f"{self._family}_{name}")(self.handle, *arguments) or 0)

    def set_up(self, stones: bytes, side: int) -> None:
        """Set the board (0 free, 1 black, 2 white, row-major) and the side to move, BLACK or WHITE.

        Raises ValueError if the board's size, a cell or the side is wrong: the library itself does not check them.
        """
        if len(stones) != self.cells:
            raise ValueError(f"the board has {self.cells} cells; give {self.cells} bytes, not {len(stones)}")
        if side not in (BLACK, WHITE) or max(stones) > 2:
            raise ValueError(f"a side is {BLACK} or {WHITE}, not {side}; a cell 0, 1 or 2")
        self._call("set_up", bytes(stones), side)

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
