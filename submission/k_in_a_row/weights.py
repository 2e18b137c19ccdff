"""The learnt weights of k in a row, read from data/. A row is a name, a number for the mover, one for the opponent.

gobang_weights.txt      evaluation: a weight for each of patterns.COUNTS and BOARD; made by workshop/gobang/weights.py
gobang_order.txt        move order: numbers for the surroundings of a free cell (move_order.py); by workshop/gobang
gobang_network.txt      the numbers of class Network, its rows differ; made by workshop/gobang/network.py
"""

from __future__ import annotations

import pkgutil
from functools import lru_cache
from typing import List, NamedTuple, Optional, Tuple

from .move_order import OrderWeights
from .patterns import COUNTS

BOARD = ("turn", "threatened", "four and open three", "best cell")  # see LinesEvaluator.board_features()
WEIGHTS, ORDER, NETWORK = "data/gobang_weights.txt", "data/gobang_order.txt", "data/gobang_network.txt"
KINDS = 2  # potentials of a cell for each colour, in the network
LEARNT_K = 5  # the k for which the move order and the network are learnt


class Network:
    """The learnt numbers of NetworkEvaluator (see network.py), from the text of data/gobang_network.txt.

    potentials: KINDS tables of numbers by the surroundings of a free cell, as in move_order.py
    activations: KINDS tables of 256 bytes, by the potential of a cell
    scale: divides a sum of activations in log(1 + sum / scale)
    units: for each hidden unit (bias, weight of its output, weight of each input)
    constant: is added to the value of every position
    """

    def __init__(self, text: str) -> None:
        self.potentials: List[OrderWeights] = [{} for _ in range(KINDS)]
        self.activations: List[bytes] = []
        self.units: List[Tuple[int, ...]] = []
        for line in text.splitlines():
            name, *numbers = line.split()
            if name == "unit":
                self.units.append(tuple(map(int, numbers)))
            elif name == "activation":
                self.activations.append(bytes(map(int, numbers)))
            elif name == "scale":
                self.scale = int(numbers[0])
            elif name == "constant":
                self.constant = int(numbers[0])
            elif name != "#":
                for kind, potentials in enumerate(self.potentials):
                    potentials[name] = int(numbers[2 * kind]), int(numbers[2 * kind + 1])


class Weights(NamedTuple):
    """Weights of the evaluation.

    moving, waiting: one for each of COUNTS, if the colour is to move and if it is not
    board: one for each of BOARD, for the mover and for the opponent
    network: the numbers of NetworkEvaluator, for LEARNT_K
    """

    moving: Tuple[int, ...]
    waiting: Tuple[int, ...]
    board: Tuple[Tuple[int, int], ...]
    network: Optional[Network] = None


NO_WEIGHTS = Weights((0,) * len(COUNTS), (0,) * len(COUNTS), ((0, 0),) * len(BOARD))


@lru_cache(maxsize=None)
def evaluation_weights() -> Weights:
    """The learnt weights of the evaluation."""
    rows = _rows(WEIGHTS)
    moving, waiting = zip(*(rows[name] for name in COUNTS))
    return Weights(moving, waiting, tuple(rows[name] for name in BOARD))


@lru_cache(maxsize=None)
def network_weights() -> Weights:
    """The learnt weights of the evaluation, with the network."""
    return evaluation_weights()._replace(network=Network(_text(NETWORK)))


def order_weights(k: int) -> OrderWeights:
    """The learnt weights of the move order; empty unless k is LEARNT_K."""
    return _rows(ORDER) if k == LEARNT_K else {}


def _rows(file: str) -> OrderWeights:
    rows = {}
    for line in _text(file).splitlines():
        if line and not line.startswith("#"):
            name, mover, other = line.rsplit(None, 2)
            rows[name] = int(mover), int(other)
    return rows


def _text(file: str) -> str:
    return (pkgutil.get_data(__package__.rpartition(".")[0], file) or b"").decode("ascii")
