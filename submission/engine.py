"""The engine: set up a board, give limits, get a Thought (move, value, principal variation).

    >>> engine = engine_for(Variant(K_IN_A_ROW, 15, 15, 5))
    >>> engine.set_up(bytes(225), side=0)
    >>> divmod(engine.think(Limits(depth=2)).move, 15)
    (7, 7)

The engine knows no platform. player.py and ai_player.py call it; so can any other program. `think` tries in this order:
proved win and opening book (gobang); threat search (k in a row) or endgame solver (Reversi); alpha-beta. With 0 seconds
`think` does not search: the pattern scorer chooses the move (k in a row), or the highest rank of a cell (Reversi).
"""

from __future__ import annotations

import time
from typing import Any, Callable, Dict, List, Optional

from .k_in_a_row import scorer
from .k_in_a_row.book import IN_A_ROW, SIZE, book
from .k_in_a_row.parameters import KInARowParameters
from .k_in_a_row.position import KInARowPosition
from .k_in_a_row.proved import VCT_NODES, ProvedWin
from .lines import BLACK, WHITE, cells_of
from .reversi.parameters import ReversiParameters
from .reversi.position import ReversiPosition
from .reversi.search import ReversiSearch
from .search.clock import Deadline, Limits
from .search.deepening import Progress, Search, Thought
from .search.parameters import SearchParameters
from .search.searchable import WIN
from .variant import K_IN_A_ROW, NO_MOVE, REVERSI, Variant

PROOF_SHARE = 0.75  # largest share of a thought's time for the threat search of the proved win
ENGINES = ("search", "scorer")  # alpha-beta, or a quick move without search
PARAMETERS: Dict[str, SearchParameters] = {K_IN_A_ROW: KInARowParameters(), REVERSI: ReversiParameters()}  # defaults


class Engine:
    """Searches positions of one game; the transposition tables are kept until `new_game`.

    Use `engine_for` to make an engine. Only `stop` may be called from another thread.
    """

    def __init__(self, variant: Variant, parameters: Any, searches: bool, use_book: bool) -> None:
        self.variant, self.parameters, self.searches, self.use_book = variant, parameters, searches, use_book
        self.stones, self.side = bytes(variant.rows * variant.cols), BLACK
        self.deadline = Deadline(None)
        self._position: Any = None  # made on first need: a quick move in k in a row needs no position
        self._is_set_up = False  # whether _position shows `stones` and `side`
        self.search: Search
        self.new_game()

    @property
    def position(self) -> Any:
        """The position that is searched: the board and side of the last `set_up`."""
        if self._position is None:
            self._position = self._make_position()
        if not self._is_set_up:
            self._position.set_up(self.stones, self.side)
            self._is_set_up = True
        return self._position

    def new_game(self) -> None:
        """Start again with new tables and an empty board."""
        self.set_up(bytes(len(self.stones)), BLACK)
        self.search = self._make_search()

    def close(self) -> None:
        """Free all memory at once, not when the garbage collector runs. No method may be called afterwards."""
        if self._position is not None:
            vars(self._position).clear()  # breaks the reference cycles between the position and its parts
        vars(self).clear()

    def set_up(self, stones: bytes, side: int) -> None:
        """Set the board: rows * cols bytes, row-major, 0 free, 1 black, 2 white. `side` to move: 0 Black, 1 White.

        Raises ValueError for a wrong number of bytes, for a byte above 2, and for any other `side`.
        """
        cells = self.variant.rows * self.variant.cols
        if len(stones) != cells:
            raise ValueError(f"the board has {cells} cells; give {cells} bytes, not {len(stones)}")
        if max(stones) > 2 or side not in (BLACK, WHITE):
            raise ValueError("a stone is 0 (free), 1 (black) or 2 (white); the side to move is 0 (Black) or 1 (White)")
        self.stones, self.side, self._is_set_up = stones, side, False

    def think(self, limits: Limits, started: Optional[float] = None, progress: Optional[Progress] = None) -> Thought:
        """The best move found within the limits; NO_MOVE if there is no move.

        Args: started: the perf_counter() value from which the seconds count, by default now; progress: called after
        each iteration with its thoughts, best first; a true result ends the search. A book move takes no search.
        Raises ValueError for a limit below 1 node or ply.
        """
        _check(limits)
        began = time.perf_counter() if started is None else started
        if not self.searches or (limits.seconds is not None and limits.seconds <= 0):
            return self._quick_thought(began)
        if not self.position.moves():
            return Thought(NO_MOVE, self.position.outcome() or 0, 0, 0, [], time.perf_counter() - began)
        deadline = self._new_deadline(limits, began)
        return self._from_book(deadline) or self.search.think(self.position, deadline, limits.depth, progress)

    def think_ahead(self, limits: Limits, started: Optional[float] = None) -> Optional[Thought]:
        """Think while the opponent is to move, to fill the tables.

        The search starts from the first position in which the side to move has two moves or more. Single moves before
        that position are played and then taken back. Returns None if the engine does not search, there is no time, or
        the game is over.
        """
        if not self.searches or (limits.seconds is not None and limits.seconds <= 0):
            return None
        began = time.perf_counter() if started is None else started
        position = self.position
        forced = 0
        moves = position.moves()
        while len(moves) == 1 and position.outcome() is None:
            position.play(moves[0])
            forced += 1
            moves = position.moves()
        thought = self.search.think(position, self._new_deadline(limits, began), limits.depth) if moves else None
        for _ in range(forced):
            position.undo()
        return thought

    def analyse(self, limits: Limits, lines: int = 3, progress: Optional[Progress] = None) -> List[Thought]:
        """The `lines` best moves, best first, each with value and principal variation; the book is not used."""
        _check(limits)
        if not self.position.moves():
            return []
        deadline = self._new_deadline(limits, time.perf_counter())
        return self.search.analyse(self.position, deadline, limits.depth, lines, progress)

    def stop(self) -> None:
        """End the running search; may be called from another thread."""
        self.deadline.stop()

    def quick_move(self, side: Optional[int] = None) -> Optional[int]:
        """A legal move without search, within 2 ms, for `side` (by default the side to move); None if there is none."""
        raise NotImplementedError

    def _make_position(self) -> Any:
        raise NotImplementedError

    def _make_search(self) -> Search:
        raise NotImplementedError

    def _from_book(self, deadline: Deadline) -> Optional[Thought]:
        return None

    def _quick_thought(self, began: float) -> Thought:
        move = self.quick_move()
        pv = [] if move is None else [move]
        return Thought(pv[0] if pv else NO_MOVE, 0, 0, 0, pv, time.perf_counter() - began, "scorer")

    def _new_deadline(self, limits: Limits, began: float) -> Deadline:
        self.deadline = Deadline(limits.seconds, limits.nodes, began)
        return self.deadline


class KInARowEngine(Engine):
    """The engine for k in a row. In gobang the engine also uses an opening book and, as Black, the proved win."""

    proved: Optional[ProvedWin] = None  # made on first need

    def new_game(self) -> None:
        super().new_game()
        self.proved = None
        if self._position is not None:
            self._position.threats.forget()

    def _make_position(self) -> KInARowPosition:
        rows, cols = self.variant.rows, self.variant.cols
        k = min(self.variant.in_a_row or IN_A_ROW, max(rows, cols))
        return KInARowPosition(rows, cols, k, self.parameters)

    def _make_search(self) -> Search:
        return Search()

    def quick_move(self, side: Optional[int] = None) -> Optional[int]:
        if not self.stones.count(0):
            return None
        player = 1 + (self.side if side is None else side)
        return scorer.best_cell(self.stones, self.variant.rows, self.variant.cols, player)

    def _from_book(self, deadline: Deadline) -> Optional[Thought]:
        if not self.use_book or self.variant[1:] != (SIZE, SIZE, IN_A_ROW):
            return None
        thought = self._proved_thought(deadline)
        if thought is not None:
            return thought
        reply = book().look_up(self.stones)
        return reply and Thought(reply.move, reply.value, reply.depth, 0, [reply.move], deadline.elapsed(), "book")

    def _proved_thought(self, deadline: Deadline) -> Optional[Thought]:
        """The move of the proved win; None outside the proof. The thought's depth is the number of plies to the win.

        A prepared move has depth 0. Since the length of its win is not known, its value is that of a win on the last
        free cell. The threat search has PROOF_SHARE of the time. If that does not suffice, the engine plays as if
        there were no proof. With a limit below VCT_NODES nodes, only prepared moves are played.
        """
        if self.side != BLACK or self.stones.count(BLACK + 1) != self.stones.count(WHITE + 1):
            return None
        self.proved = self.proved or ProvedWin()
        search = deadline.nodes >= VCT_NODES
        move = self.proved.reply(self.stones, deadline.part(PROOF_SHARE) if search else None, search)
        if move is None:
            return None
        plies = self.proved.plies
        return Thought(move, WIN - (plies or self.stones.count(0)), plies, 0, [move], deadline.elapsed(), "proof")


class ReversiEngine(Engine):
    """The engine for Reversi."""

    def _make_position(self) -> ReversiPosition:
        return ReversiPosition(self.variant.rows, self.parameters)

    def _make_search(self) -> Search:
        return ReversiSearch()

    def quick_move(self, side: Optional[int] = None) -> Optional[int]:
        cells = cells_of(self.position.legal_cells(self.side if side is None else side))
        return max(cells, key=self.position.geometry.rank.__getitem__, default=None)


FAMILIES: Dict[str, Callable[..., Engine]] = {K_IN_A_ROW: KInARowEngine, REVERSI: ReversiEngine}


def engine_for(
    variant: Variant, parameters: Optional[SearchParameters] = None, *, engine: str = "search", use_book: bool = True
) -> Engine:
    """A new engine for a variant.

    Args: parameters: by default those of PARAMETERS; engine: one of ENGINES; use_book: use book and proof.
    Raises ValueError for an unknown family or engine, and for a board size or k that the family does not allow.
    """
    family, rows, cols, k = variant
    if family not in FAMILIES or engine not in ENGINES:
        raise ValueError("there are the families {} and the engines {}".format(", ".join(FAMILIES), ", ".join(ENGINES)))
    if rows < 1 or cols < 1 or (k or 1) < 1 or (family == REVERSI and (rows != cols or rows % 2 or rows < 4)):
        raise ValueError("a board has at least one row and column; in Reversi it is square, its size even, 4 or more")
    return FAMILIES[family](variant, parameters or PARAMETERS[family], engine == "search", use_book)


def _check(limits: Limits) -> None:
    if min(limits.nodes or 1, limits.depth or 1) < 1 or limits.nodes == 0 or limits.depth == 0:
        raise ValueError(f"give at least 1 node and 1 ply of depth, or None for no limit, not {limits}")
