"""The learnt weights of the evaluation, read from data/gobang_weights.txt, which workshop/gobang_weights.py makes.

A row for each of patterns.COUNTS and BOARD: its name, its weight for the side to move, and for the other one. The unit
is a six hundredth of the logarithm of the odds to win.
"""
from __future__ import annotations

import pkgutil

from .patterns import COUNTS, Weights

BOARD = ("turn", "threatened", "four and open three")       # see Position.evaluate()
FILE = "data/gobang_weights.txt"


def read() -> tuple[Weights, list[tuple[int, int]]]:
    """The weights of COUNTS, as describer() takes them, and those of BOARD."""
    text = pkgutil.get_data(__package__.rpartition(".")[0], FILE)
    rows = {}
    for line in (text or b"").decode("ascii").splitlines():
        if line and not line.startswith("#"):
            name, mover, other = line.rsplit(None, 2)
            rows[name] = int(mover), int(other)
    moving, waiting = zip(*(rows[name] for name in COUNTS))
    return (moving, waiting), [rows[name] for name in BOARD]
