"""Reversi by the compiled engine: a position with the interface of the Python one; search.py has its search.

Sizes 4, 6, 8 and 10 are compiled. NativeReversiPosition's functions return what ReversiPosition's return. The engine
gets the values of all configurations of the cell lists as one table. There, the configuration of a list is a number in
base 3: 0 free, 1 black, 2 white, the first cell the lowest digit.
"""

from __future__ import annotations

from ctypes import byref, c_double, c_int64, c_uint64
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from submission.reversi import weights
from submission.reversi.cell_lists import CellList, cell_lists
from submission.reversi.evaluation import CellListEvaluator, square_ranks
from submission.reversi.parameters import ReversiParameters
from submission.reversi.position import ReversiPosition
from submission.reversi.weights import STAGES, ReversiWeights
from workshop.native.shared_library import NativeBoard, NativeSearchParameters, library

Numbers = Any  # a numpy array of whole numbers
SIZES = (4, 6, 8, 10)


class NativeReversiParameters(NativeSearchParameters):
    """The parameters of Reversi and the numbers of its evaluator."""

    _fields_ = [  # noqa: RUF012  # as ctypes has it
        *((name, c_int64) for name in (
            "ordered_depth", "reply_rank", "valued_depth", "value_rank", "few_discs", "solver_empties",
            "solver_only_empties", "solver_entries")),
        ("probcut_margin", c_double), ("solver_share", c_double),
        ("deviation", c_double * STAGES),
        *((name, c_int64 * 129) for name in ("stages", "turn", "mobility")),
        ("rank", c_int64 * 128),
    ]  # fmt: skip

    @classmethod
    def of(cls, n: int, use: ReversiParameters, learnt: ReversiWeights | None = None) -> NativeReversiParameters:
        """The parameters of a position, with the weights `learnt`; None: the engine's weights for the size.

        Raises ValueError for an evaluator that is not compiled.
        """
        if use.evaluator != "cell_lists":
            raise ValueError(f"the compiled engine has the evaluator 'cell_lists' only, not {use.evaluator!r}")
        made = cls()
        made.fill(use, CellListEvaluator.margins, (0, *use.probcut_depths))
        model = CellListEvaluator.model(n)
        if learnt:
            model = model._replace(turn=learnt.turn, mobility=learnt.mobility)
        for name, numbers in (
            ("deviation", CellListEvaluator.DEVIATION),
            ("stages", model.stages),
            ("turn", model.turn),
            ("mobility", model.mobility),
            ("rank", square_ranks(n)),
        ):
            for i, number in enumerate(numbers):
                getattr(made, name)[i] = number
        return made


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

    def _mask(self, name: str, colour: int) -> int:
        words = (c_uint64 * 2)()
        self._call(name, colour, words)
        return words[0] | words[1] << 64


def stones_of(position: ReversiPosition) -> bytes:
    """The discs of a Python position as set_up() takes them."""
    black, white = position.discs
    return bytes((black >> cell & 1) + 2 * (white >> cell & 1) for cell in range(position.geometry.cells))


# ---- the values of cell lists


class ListTable(NamedTuple):
    """The lists of a size, and the values of their configurations.

    lists: as cell_lists() gives them; offsets: the place of each list's first content in a row of `values`, equal
    for lists of one kind; values: int16, by stage and content
    """

    lists: list[CellList]
    offsets: list[int]
    values: Numbers


@lru_cache(maxsize=8)
def list_table(n: int, learnt: ReversiWeights | None = None) -> ListTable:
    """The table of n x n boards, by the weights `learnt`; None: the engine's.

    Raises ValueError if a value does not fit into 16 bits.
    """
    lists = cell_lists(n)
    learnt = learnt or weights.read(n)
    kinds = {each.kind: each for each in lists}
    tables, offset_of, total = [], {}, 0
    for kind, example in sorted(kinds.items()):
        offset_of[kind] = total
        tables.append(_learnt(learnt, example) if learnt else _asked(n, example))
        total += 3 ** len(example.cells)
    values = np.concatenate(tables, axis=1)
    if abs(values).max() > np.iinfo(np.int16).max:
        raise ValueError("the value of a list does not fit into 16 bits")
    return ListTable(lists, [offset_of[each.kind] for each in lists], np.ascontiguousarray(values, np.int16))


def _masks(length: int, colour: int) -> Numbers:
    """For each configuration, the mask of the cells of a colour (1 black, 2 white)."""
    contents = np.arange(3**length)
    mask = np.zeros_like(contents)
    for cell in range(length):
        mask |= (contents // 3**cell % 3 == colour).astype(mask.dtype) << cell
    return mask


def _learnt(learnt: ReversiWeights, each: CellList) -> Numbers:
    """As canonical() and ReversiWeights.values() of submission/reversi/weights.py, for all configurations."""
    length = len(each.cells)
    black, white = _masks(length, 1), _masks(length, 2)
    mirrored = [np.zeros_like(black), np.zeros_like(black)]
    for cell, there in enumerate(each.mirror):
        for mask, image in zip((black, white), mirrored, strict=True):
            image |= (mask >> cell & 1) << there
    as_is = np.minimum(black | white << length, mirrored[0] | mirrored[1] << length)
    exchanged = np.minimum(white | black << length, mirrored[1] | mirrored[0] << length)
    key, sign = np.minimum(as_is, exchanged), np.sign(exchanged - as_is)
    keys = np.array(learnt.keys[each.kind], dtype=np.int64)
    rows = np.array(learnt.rows[each.kind], dtype=np.int64).reshape(-1, STAGES)
    cells = np.array(learnt.cells[each.kind], dtype=np.int64).reshape(length, STAGES)
    values = np.zeros((STAGES, 3**length), dtype=np.int64)
    if len(keys):
        place = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
        values += np.where(keys[place] == key, sign, 0) * rows[place].T
    for cell in range(length):
        values += ((black >> cell & 1) - (white >> cell & 1)) * cells[cell][:, None]
    return values


def _asked(n: int, each: CellList) -> Numbers:
    """The values of a list's configurations, from the evaluator of this size."""
    length = len(each.cells)
    value_of = CellListEvaluator.model(n).values(each)
    contents = zip(_masks(length, 1), _masks(length, 2), strict=True)
    return np.array([value_of(int(black), int(white)) for black, white in contents]).T
