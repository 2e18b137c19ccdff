"""The compiled search, with the interface of search/deepening.py; makes compiled positions and searches for Engine."""

from __future__ import annotations

from ctypes import byref, c_int32, c_int64, pointer
from functools import lru_cache
from typing import Any, List, Optional

from ..boards import NO_MOVE, REVERSI, Variant
from ..search.clock import Deadline
from ..search.deepening import Progress, Thought
from .k_in_a_row import NativePosition
from .library import LONGEST_ANSWER, NO_MEMORY, PROGRESS, Request, Unavailable, library, owned

SOURCES = ("search", "threats", "solver", "solver")  # values of Thought.source, in the order of the C++ enum Source
WINNER_FROM_SOLVER = 3  # the source of a thought whose value is proved to win, but not exact
INFINITY = float("inf")
RESERVE = 0.002  # seconds; the search ends this long before its deadline. It checks the clock every 16 nodes
CHECKED = (6, 6, 5), (21, 14), 500  # a search with a known result: (rows, columns, k), moves played, limit of nodes
KNOWN = 15, 98, 3, 512  # the known result of this search: move, value, depth, nodes


class _Stop:
    """An item of Deadline.parts for a running search: Deadline.stop(), from any thread, ends the library's search."""

    def __init__(self, deadline: Deadline) -> None:
        self.number = c_int32(0)
        deadline.parts.append(self)
        if deadline.end == -INFINITY:
            self.stop()

    def stop(self) -> None:
        self.number.value = 1


class NativeSearch:
    """Searches positions; the transposition table is kept from one search to the next.

    Args: reversi: the size of the board, for a search of Reversi; None: k in a row. `exact`: as ReversiSearch.exact.
    """

    exact, nodes = True, 0
    deadline: Optional[Deadline] = None

    def __init__(self, reversi: Optional[int] = None) -> None:
        self._library = library()
        if reversi is None:
            family, made = "k_in_a_row", self._library.k_in_a_row_search_new()
        else:
            family, made = "reversi", self._library.reversi_search_new(reversi)
        self._think = getattr(self._library, f"{family}_search_think")
        self._handle = owned(self, made, f"{family}_search_free")

    def think(
        self, position: Any, deadline: Deadline, depth: Optional[int] = None, progress: Optional[Progress] = None
    ) -> Thought:
        """As Search.think(); also adds to `deadline.spent`. Raises MemoryError if the tables find no memory."""
        thoughts = self._run(position, deadline, depth, 0, progress)
        return thoughts[0] if thoughts else Thought(NO_MOVE, position.outcome() or 0, 0, 0, [], deadline.elapsed())

    def analyse(
        self, position: Any, deadline: Deadline, depth: Optional[int] = None, lines: int = 1,
        progress: Optional[Progress] = None, moves: Optional[List[int]] = None,
    ) -> List[Thought]:  # fmt: skip
        """As Search.analyse(), but `moves` is not used."""
        return self._run(position, deadline, depth, lines, progress)

    def _run(
        self, position: Any, deadline: Deadline, depth: Optional[int], lines: int, progress: Optional[Progress]
    ) -> List[Thought]:
        if not position.moves():
            return []
        answer, stop, raised = (c_int64 * LONGEST_ANSWER)(), _Stop(deadline), []
        self.deadline, self.nodes = deadline, 0

        def report(size: int) -> int:
            try:
                if size < 0:  # called between iterations, so that Python handles its signals
                    self.nodes = max(self.nodes, ~size)
                    return False
                return bool(progress and progress(self._thoughts(answer[:size], deadline)[0]))
            except BaseException as error:  # goes on to the caller, through the library
                raised.append(error)
                return True

        nodes = 0 if deadline.nodes == INFINITY else max(1, int(deadline.nodes) - deadline.spent)
        seconds = deadline.end - deadline.started - deadline.elapsed() - RESERVE
        request = Request(seconds, nodes, depth or 0, lines, pointer(stop.number),
                          PROGRESS(report) if progress else PROGRESS(), answer)  # fmt: skip
        size = self._think(self._handle, position.handle, byref(request))
        if raised:
            raise raised[0]
        if size == NO_MEMORY:
            raise MemoryError
        thoughts, spent = self._thoughts(answer[:size], deadline)
        self.nodes = max(thought.nodes for thought in thoughts)
        deadline.spent += spent
        return thoughts

    def _thoughts(self, answer: List[int], deadline: Deadline) -> Any:
        """The thoughts in the library's answer, one for each move asked for, and the nodes spent outside alpha-beta."""
        numbers = iter(answer)
        many, spent = next(numbers), next(numbers)
        thoughts = []
        for _ in range(many):
            move, value, reached, visited, source, length = (next(numbers) for _ in range(6))
            pv = [next(numbers) for _ in range(length)]
            self.exact = source != WINNER_FROM_SOLVER
            thoughts.append(Thought(move, value, reached, visited, pv, deadline.elapsed(), SOURCES[source]))
        return thoughts, spent


def position_for(variant: Variant, parameters: Any) -> Any:
    """A compiled position on the empty board of a variant; `parameters`: of its family."""
    if variant.family == REVERSI:
        from .reversi import NativeReversiPosition  # needs numpy

        return NativeReversiPosition(variant.rows, parameters)
    rows, cols = variant.rows, variant.cols
    return NativePosition(rows, cols, min(variant.in_a_row or 5, max(rows, cols)), parameters)


def search_for(variant: Variant) -> NativeSearch:
    """A compiled search for the positions of a variant."""
    return NativeSearch(variant.rows if variant.family == REVERSI else None)


@lru_cache(maxsize=None)
def check() -> None:
    """Compare a search of the library with its known result. Raises Unavailable if they differ."""
    shape, moves, nodes = CHECKED
    position = NativePosition(*shape)
    for move in moves:
        position.play(move)
    found = NativeSearch().think(position, Deadline(None, nodes))[:4]
    if found != KNOWN:
        raise Unavailable(f"the library gives {found} for a search whose result is {KNOWN}")
