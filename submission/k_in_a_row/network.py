"""The evaluation of five in a row by a small network, computed in whole numbers.

    potentials  of a free cell for a colour, KINDS bytes: each is the sum, over the four lines through the cell, of a
                learnt number for its surroundings; packed like the ordering scores (move_order.py)
    pools       of a colour, KINDS: each is the sum of activation[potential] over the cells
    inputs      the logarithms of the pools, the value of all lines, whether the opponent has an OPEN_FOUR cell, the
                numbers of four-and-open-three cells
    unit        max(0, bias + weights * inputs)
    value       constant + weights * units

The units are packed into one int, LANE bits each. So one multiplication multiplies an input by the weights of all
units. One more multiplies a GROUP of units by their output weights and adds them up. Doing so for all units at once
would take longer, because the time of a multiplication grows with the square of the number of units.
"""

from __future__ import annotations

from functools import lru_cache
from math import log1p
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Type

from ..boards import BLACK, WHITE
from ..search.searchable import INFINITE
from .evaluation import LinesEvaluator
from .weights import KINDS, LEARNT_K, Network, Weights, network_weights

LANE = 48  # bits of a unit
GROUP = 11  # units that one multiplication adds up
UNIT = 1 << 16  # fixed point: this number stands for 1 in a unit
LOGARITHM = 256  # fixed point: this number stands for 1 in the logarithm of a pool
MOST_POOL = 4095  # a greater pool counts as MOST_POOL
MOST_CACHED = 40000  # most values in the cache, about 170 bytes each

# Slice of KInARowPosition.potentials(), activation table, potentials with activation 0, weights of all units.
Pool = Tuple[slice, bytes, bytes, int]


@lru_cache(maxsize=4)
def packed(network: Network, cells: int) -> Tuple[Any, ...]:
    """The network as NetworkEvaluator.value() reads it, packed for a board with this number of cells.

    Returns: side to move -> its pools; pool -> its logarithm; for each other input, the weights of all units; the
    biases of all units, with the top bit of each lane set; these top bits; output weights of each group, the last unit
    lowest (in the product units * weights, lane SUM is the sum); the constant.
    """
    biases, outs, *inputs = zip(*network.units)
    tops = _pack([TOP] * len(outs))
    groups = [outs[first : first + GROUP] for first in range(0, len(outs), GROUP)]
    weights = [_pack(row) for row in inputs]
    pools = tuple(list(_pools(network, cells, weights, side)) for side in (BLACK, WHITE))
    packed_outs = [_pack(group[::-1]) << LANE * (GROUP - len(group)) for group in groups]
    table = logarithms(network.scale)
    return pools, table, weights[2 * KINDS :], _pack(biases) + tops, tops, packed_outs, network.constant


def _pools(network: Network, cells: int, weights: List[int], side: int) -> Iterator[Pool]:
    for kind, activation in enumerate(network.activations):
        silent = bytes(byte for byte in range(256) if not activation[byte])
        for other in (0, 1):
            first = cells * (2 * kind + (side ^ other))
            yield slice(first, first + cells), activation, silent, weights[KINDS * other + kind]


def logarithms(scale: int) -> List[int]:
    """LOGARITHM * log(1 + pool / scale) for each pool up to MOST_POOL."""
    return [round(LOGARITHM * log1p(pool / scale)) for pool in range(MOST_POOL + 1)]


def _pack(numbers: Sequence[int]) -> int:
    """Whole numbers packed into lanes, the first number lowest. A negative number borrows from the lanes above it."""
    return sum(number << LANE * lane for lane, number in enumerate(numbers))


TOP = 1 << LANE - 1
IN_GROUP = (1 << LANE * GROUP) - 1
NO_BORROW = _pack([TOP] * GROUP)  # added to a sum: every lane is then positive, so no lane borrows
SUM = LANE * (GROUP - 1)  # first bit of the lane that holds the sum of a group


class NetworkEvaluator(LinesEvaluator):
    """The value of the network described above. For other k or weights, `suited` chooses LinesEvaluator.

    Unit, margins and lazy evaluation are those of LinesEvaluator. BELOW and ABOVE hold in 96 of 100 leaves.
    """

    BELOW = 350
    ABOVE = 1250

    def __init__(self, position: Any) -> None:
        super().__init__(position)
        self.network = packed(position.weights.network, position.geometry.cells)
        self.cache: Dict[int, int] = {}  # values by the position's key; one value in three is used again

    @classmethod
    def weights(cls) -> Weights:
        return network_weights()

    @classmethod
    def suited(cls, k: int, weights: Optional[Weights]) -> Type[LinesEvaluator]:
        return cls if k == LEARNT_K and (weights is None or weights.network) else LinesEvaluator

    def value(self, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        position = self.position
        lines: int = position.lines_value()
        if lines - self.below >= beta:
            return lines - self.below
        if lines + self.above <= alpha:
            return lines + self.above
        cached = self.cache.get(position.key)
        if cached is not None:
            return cached
        pools, logarithm, (of_lines, of_threatened, of_own, of_other), units, tops, outs, constant = self.network
        potentials = position.potentials()
        for cells, activation, silent, weight in pools[position.side]:
            units += logarithm[min(sum(potentials[cells].translate(activation, silent)), MOST_POOL)] * weight
        units += lines * of_lines
        threatened, own_cells, other_cells = self._threats()
        if threatened:
            units += of_threatened
        if own_cells or other_cells:
            units += own_cells * of_own + other_cells * of_other
        positive = units & tops  # the top bit of each lane whose unit is not negative
        units &= positive - (positive >> LANE - 1)
        total = NO_BORROW
        for out in outs:
            total += (units & IN_GROUP) * out
            units >>= LANE * GROUP
        if len(self.cache) >= MOST_CACHED:
            self.cache.clear()
        value: int = ((total >> SUM & (1 << LANE) - 1) - TOP >> 16) + constant
        self.cache[position.key] = value
        return value
