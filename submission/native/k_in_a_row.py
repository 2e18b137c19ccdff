"""k in a row by the compiled engine: a position with the interface of KInARowPosition; search.py has the search.

The functions of NativePosition return what those of KInARowPosition return. NativeSearch (search.py) finds the same
move, value, depth, nodes and principal variation as Search. A position has tables of its own, so two threads may use
two positions.
"""

from __future__ import annotations

from ctypes import byref, c_int32, c_int64
from typing import Optional, Sequence

from ..boards import BLACK, WHITE
from ..k_in_a_row.geometry import geometry
from ..k_in_a_row.move_order import OrderWeights
from ..k_in_a_row.network import logarithms
from ..k_in_a_row.parameters import EVALUATORS, KInARowParameters
from ..k_in_a_row.vcf import ThreatResult
from ..k_in_a_row.weights import Network, Weights, order_weights
from ..search.clock import Deadline
from ..search.parameters import UNLIMITED
from ..search.searchable import INFINITE
from .library import NativeBoard, library, words
from .parameters import NativeKInARowParameters

MOST_SIDE = 16  # most rows, and most columns, of a board


class NativeThreats:
    """The threat searches of a position: the interface of ThreatSearch."""

    def __init__(self, handle: int) -> None:
        self._handle, self._library = handle, library()

    def vcf(self, budget: int, deadline: Optional[Deadline] = None, in_line: bool = False) -> ThreatResult:
        return self._run("k_in_a_row_vcf", deadline, budget, in_line)

    def vct(self, budget: int, deadline: Optional[Deadline] = None, most_effort: int = UNLIMITED) -> ThreatResult:
        return self._run("k_in_a_row_vct", deadline, budget, most_effort)

    def opponent_vct(self, budget: int, deadline: Optional[Deadline] = None) -> ThreatResult:
        return self._run("k_in_a_row_opponent_vct", deadline, budget)

    def forget(self) -> None:
        """Drop all stored results."""
        self._library.k_in_a_row_forget(self._handle)

    def _run(self, name: str, deadline: Optional[Deadline], *arguments: int) -> ThreatResult:
        line, nodes, complete = (c_int32 * (MOST_SIDE * MOST_SIDE))(), c_int64(), c_int32()
        seconds = float("inf") if deadline is None else deadline.end - deadline.started - deadline.elapsed()
        size = getattr(self._library, name)(self._handle, seconds, *arguments, line, byref(nodes), byref(complete))
        if deadline is not None:
            deadline.spent += nodes.value
        return ThreatResult(line[:size], nodes.value, bool(complete.value))


class NativePosition(NativeBoard):
    """A position of k in a row; KInARowPosition explains the functions.

    Args: as KInARowPosition; order: weights of the move order, by default the engine's own. Raises ValueError if rows,
    cols or k exceed MOST_SIDE or the evaluator is not compiled, Unavailable if the library does not work.
    """

    def __init__(
        self, rows: int, cols: int, k: int, parameters: KInARowParameters | None = None,
        weights: Weights | None = None, order: OrderWeights | None = None,
    ) -> None:  # fmt: skip
        if not (0 < rows <= MOST_SIDE and 0 < cols <= MOST_SIDE and 0 < k <= MOST_SIDE):
            raise ValueError(f"the compiled engine takes boards of up to {MOST_SIDE} rows and columns")
        self.parameters = parameters or KInARowParameters()
        evaluator = EVALUATORS[self.parameters.evaluator].suited(k, weights)
        weights = weights or evaluator.weights()
        shape = geometry(rows, cols, k, weights)
        if order is None:
            order = order_weights(k)
        rows_of_order = "".join(f"{around} {moving} {waiting}\n" for around, (moving, waiting) in order.items())
        made = NativeKInARowParameters.of(self.parameters, evaluator, weights)
        keys = words([*shape.keys[BLACK], *shape.keys[WHITE], shape.turn_key])
        new = library().k_in_a_row_new(
            rows, cols, k, keys, byref(made), rows_of_order.encode("ascii"), text_of(weights.network).encode("ascii")
        )
        super().__init__("k_in_a_row", new, rows * cols)
        self.threats = NativeThreats(self.handle)
        self._wanted = 0

    def new_threats(self) -> NativeThreats:
        """The position's threat search without stored results. A compiled position has only one."""
        self.threats.forget()
        return self.threats

    def play(self, cell: int) -> None:
        """Put a stone of the side to move on a free cell."""
        if not self._call("play", cell):
            raise ValueError(f"cell {cell} is not free")

    @property
    def key(self) -> int:
        return self._call("key")

    def evaluate(self, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        return self._call("evaluate", alpha, beta)

    def want_leaves(self, numbers: Sequence[int]) -> None:
        """Count evaluations from 0 again. `numbers`, ascending: the evaluations whose positions are recorded."""
        self._call("want_leaves", (c_int64 * len(numbers))(*numbers), len(numbers))
        self._wanted = len(numbers)

    @property
    def evaluations(self) -> int:
        """Evaluations since want_leaves()."""
        return self._call("evaluations")

    def leaves(self) -> list[list[int]]:
        """For each recorded position, the moves since set_up()."""
        packed = (c_int32 * ((MOST_SIDE * MOST_SIDE + 1) * self._wanted))()
        numbers = iter(packed[: self._call("leaves", packed)])
        return [[next(numbers) for _ in range(size)] for size in numbers]


def text_of(network: Network | None) -> str:
    """The text that cpp/network.h reads."""
    if network is None:
        return ""
    table = logarithms(network.scale)
    rows: list[Sequence[object]] = [
        (len(network.potentials[0]), len(network.units), len(table)),
        *(
            (around, *(number for kind in network.potentials for number in kind[around]))
            for around in network.potentials[0]
        ),
        *map(list, network.activations),
        table,
        *network.units,
        (network.constant,),
    ]
    return "\n".join(" ".join(map(str, row)) for row in rows)
