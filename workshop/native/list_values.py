"""The values of all contents of Reversi's cell lists, as one table for the compiled engine.

The content of a list is a number in base 3: 0 free, 1 black, 2 white, the first cell the lowest digit. The learnt
values are those of ReversiWeights.values(), computed for all contents at once. For a board size without a file of
weights, the evaluator computes the value of each content.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from submission.reversi import weights
from submission.reversi.cell_lists import CellList, cell_lists
from submission.reversi.evaluation import CellListEvaluator
from submission.reversi.weights import STAGES, ReversiWeights

Numbers = Any  # a numpy array of whole numbers


class ListTable(NamedTuple):
    """The lists of a size, and the values of their contents.

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
    """For each content, the mask of the cells of a colour (1 black, 2 white)."""
    contents = np.arange(3**length)
    mask = np.zeros_like(contents)
    for cell in range(length):
        mask |= (contents // 3**cell % 3 == colour).astype(mask.dtype) << cell
    return mask


def _learnt(learnt: ReversiWeights, each: CellList) -> Numbers:
    """As canonical() and ReversiWeights.values() of submission/reversi/weights.py, for all contents at once."""
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
    """The values of a list's contents, from the evaluator of this size."""
    length = len(each.cells)
    value_of = CellListEvaluator.model(n).values(each)
    contents = zip(_masks(length, 1), _masks(length, 2), strict=True)
    return np.array([value_of(int(black), int(white)) for black, white in contents]).T
