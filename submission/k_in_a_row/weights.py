"""The learnt weights of k in a row, read from data/. A row is a name, a number for the mover, one for the other side.

gobang_weights.txt      evaluation: a weight for each of patterns.COUNTS and BOARD; made by workshop/gobang_weights.py
gobang_order.txt        move order: for the surroundings of a free cell, see move_order.py; by workshop/gobang_order.py
"""
from __future__ import annotations

import pkgutil
from functools import lru_cache
from typing import NamedTuple, Tuple

from .move_order import OrderWeights
from .patterns import COUNTS

BOARD = ("turn", "threatened", "four and open three", "best cell")      # see LinesEvaluator.board_features()
WEIGHTS, ORDER = "data/gobang_weights.txt", "data/gobang_order.txt"
LEARNT_K = 5                        # the k for which the move order is learnt


class Weights(NamedTuple):
    """Weights of the evaluation.

    moving, waiting: one for each of COUNTS, if the colour is to move and if it is not
    board: one for each of BOARD, for the mover and for the other side
    """

    moving: Tuple[int, ...]
    waiting: Tuple[int, ...]
    board: Tuple[Tuple[int, int], ...]


NO_WEIGHTS = Weights((0,) * len(COUNTS), (0,) * len(COUNTS), ((0, 0),) * len(BOARD))


@lru_cache(maxsize=None)
def evaluation_weights() -> Weights:
    """The learnt weights of the evaluation."""
    return to_weights(_rows(WEIGHTS))


def to_weights(rows: OrderWeights) -> Weights:
    """The weights of the evaluation from the rows of their file."""
    moving, waiting = zip(*(rows[name] for name in COUNTS))
    return Weights(moving, waiting, tuple(rows[name] for name in BOARD))


def order_weights(k: int) -> OrderWeights:
    """The learnt weights of the move order; empty unless k is LEARNT_K."""
    return _rows(ORDER) if k == LEARNT_K else {}


def _rows(file: str) -> OrderWeights:
    return to_rows((pkgutil.get_data(__package__.rpartition(".")[0], file) or b"").decode("ascii"))


def to_rows(text: str) -> OrderWeights:
    """The rows of a file: the numbers by their name. Raises ValueError for another text."""
    rows = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, mover, other = line.rsplit(None, 2)
            rows[name] = int(mover), int(other)
    return rows
