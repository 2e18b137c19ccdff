"""What is learnt of k in a row, read from the tables in data/, a row each: a name, a number of the side to move, and
one of the other side.

gobang_weights.txt is the evaluation, made by workshop/gobang_weights.py: for each of patterns.COUNTS and BOARD its
weight. In a search the standard deviation of evaluations is 560.

gobang_order.txt is the order of moves in five in a row, made by workshop/gobang_order.py: for the surroundings of a
free cell in a line what they count, see merits.py.
"""
from __future__ import annotations

import pkgutil

from .merits import Order
from .patterns import COUNTS, Weights

BOARD = ("turn", "threatened", "four and open three", "best cell")      # see Position.evaluate()
WEIGHTS, ORDER = "data/gobang_weights.txt", "data/gobang_order.txt"
ORDER_OF = 5                                                # in a row


def read() -> tuple[Weights, list[tuple[int, int]]]:
    """The weights of COUNTS, as patterns.Runs takes them, and those of BOARD."""
    rows = _rows(WEIGHTS)
    moving, waiting = zip(*(rows[name] for name in COUNTS))
    return (moving, waiting), [rows[name] for name in BOARD]


def order(k: int) -> Order:
    """What counts for the order of moves, as Merits takes it; nothing where it is not learnt for k in a row."""
    return _rows(ORDER) if k == ORDER_OF else {}


def _rows(file: str) -> dict[str, tuple[int, int]]:
    text = pkgutil.get_data(__package__.rpartition(".")[0], file)
    rows = {}
    for line in (text or b"").decode("ascii").splitlines():
        if line and not line.startswith("#"):
            name, mover, other = line.rsplit(None, 2)
            rows[name] = int(mover), int(other)
    return rows
