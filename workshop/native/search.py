"""The compiled search, and engines that use this search. The interfaces are those of submission/search/ and engine.py.

>>> from submission.search.clock import Limits
>>> from submission.variant import K_IN_A_ROW, Variant
>>> engine = native_engine_for(Variant(K_IN_A_ROW, 15, 15, 5))
>>> divmod(engine.think(bytes(225), 0, Limits(nodes=1000)).move, 15)
(7, 7)
"""

from __future__ import annotations

from collections.abc import Callable
from ctypes import c_int64
from typing import Any

from submission.engine import PARAMETERS, Engine, KInARowEngine, ReversiEngine
from submission.k_in_a_row.move_order import OrderWeights
from submission.k_in_a_row.weights import Weights
from submission.reversi.weights import ReversiWeights
from submission.search.clock import Deadline
from submission.search.deepening import Progress, Thought
from submission.search.parameters import SearchParameters
from submission.variant import K_IN_A_ROW, NO_MOVE, REVERSI, Variant
from workshop.native.k_in_a_row import NativePosition
from workshop.native.reversi import NativeReversiPosition
from workshop.native.shared_library import LONGEST_ANSWER, library, owned

SOURCES = ("search", "threats", "solver")  # values of Thought.source, in the order of the C++ enum Source
INFINITY = float("inf")


class NativeSearch:
    """Searches positions; the transposition table is kept from one search to the next.

    Args: reversi: the size of the board, for a search of Reversi; None: k in a row.
    """

    def __init__(self, reversi: int | None = None) -> None:
        self._library = library()
        if reversi is None:
            family, made = "k_in_a_row", self._library.k_in_a_row_search_new()
        else:
            family, made = "reversi", self._library.reversi_search_new(reversi)
        self._think = getattr(self._library, f"{family}_search_think")
        self._handle = owned(self, made, f"{family}_search_free")

    def think(
        self, position: Any, deadline: Deadline, depth: int | None = None, progress: Progress | None = None
    ) -> Thought:
        """As Search.think(); also adds to `deadline.spent`. Raises ValueError if `progress` is given."""
        thoughts = self._run(position, deadline, depth, 0, progress)
        return thoughts[0] if thoughts else Thought(NO_MOVE, position.outcome() or 0, 0, 0, [], deadline.elapsed())

    def analyse(
        self,
        position: Any,
        deadline: Deadline,
        depth: int | None = None,
        lines: int = 1,
        progress: Progress | None = None,
        moves: list[int] | None = None,
    ) -> list[Thought]:
        """As Search.analyse(), but `moves` is not used."""
        return self._run(position, deadline, depth, lines, progress)

    def _run(
        self, position: Any, deadline: Deadline, depth: int | None, lines: int, progress: Progress | None
    ) -> list[Thought]:
        if progress is not None:
            raise ValueError("the compiled search reports no progress")
        if not position.moves():
            return []
        seconds = deadline.end - deadline.started - deadline.elapsed()
        nodes = 0 if deadline.nodes == INFINITY else int(deadline.nodes) - deadline.spent
        answer = (c_int64 * LONGEST_ANSWER)()
        size = self._think(self._handle, position.handle, seconds, nodes, depth or 0, lines, answer)
        numbers = iter(answer[:size])
        many, spent = next(numbers), next(numbers)
        deadline.spent += spent
        thoughts = []
        for _ in range(many):
            move, value, reached, visited, source, length = (next(numbers) for _ in range(6))
            pv = [next(numbers) for _ in range(length)]
            thoughts.append(Thought(move, value, reached, visited, pv, deadline.elapsed(), SOURCES[source]))
        return thoughts


class NativeKInARowEngine(KInARowEngine):
    """The engine for k in a row, with its opening book, on the compiled position and search.

    weights, order: weights of the evaluation and of the move order; None: the engine's own
    """

    weights: Weights | None = None
    order: OrderWeights | None = None

    def _make_position(self) -> Any:
        rows, cols = self.variant.rows, self.variant.cols
        return NativePosition(
            rows, cols, min(self.variant.in_a_row or 5, max(rows, cols)), self.parameters, self.weights, self.order
        )

    def _make_search(self) -> Any:
        return NativeSearch()


class NativeReversiEngine(ReversiEngine):
    """The engine for Reversi on the compiled position and search.

    weights: weights of the evaluation, to be set before the first position; None: the engine's own.
    """

    weights: ReversiWeights | None = None

    def _make_position(self) -> Any:
        return NativeReversiPosition(self.variant.rows, self.parameters, self.weights)

    def _make_search(self) -> Any:
        return NativeSearch(self.variant.rows)


ENGINES: dict[str, Callable[..., Engine]] = {K_IN_A_ROW: NativeKInARowEngine, REVERSI: NativeReversiEngine}


def native_engine_for(variant: Variant, parameters: SearchParameters | None = None, *, use_book: bool = True) -> Engine:
    """As engine_for(), compiled. Raises ValueError for a game that is not compiled, NoCompiler without a compiler."""
    if variant.family not in ENGINES:
        raise ValueError(f"the compiled engine does not play {variant.family}")
    return ENGINES[variant.family](variant, parameters or PARAMETERS[variant.family], "search", use_book)
