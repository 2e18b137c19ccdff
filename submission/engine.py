"""The engine: give a board and limits, get a Thought (move, value, principal variation).

    >>> engine = engine_for(Variant(K_IN_A_ROW, 15, 15, 5))
    >>> divmod(engine.think(bytes(225), BLACK, Limits(depth=2)).move, 15)
    (7, 7)

The engine knows no platform. player.py and ai_player.py call it; so can any other program. `think` tries in this order:
proved win and opening book (gobang); threat search (k in a row) or endgame solver (Reversi); alpha-beta. With 0 seconds
`think` does not search: the pattern scorer chooses the move (k in a row), or the highest rank of a cell (Reversi).
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional

from .boards import BLACK, K_IN_A_ROW, NO_MOVE, REVERSI, WHITE, Variant
from .k_in_a_row import scorer
from .k_in_a_row.book import IN_A_ROW, SIZE, VCT_NODES, ProvedWin, book
from .k_in_a_row.parameters import KInARowParameters
from .k_in_a_row.position import KInARowPosition
from .reversi.board import legal_cells
from .reversi.evaluation import square_ranks
from .reversi.parameters import ReversiParameters
from .reversi.position import ReversiPosition
from .reversi.search import ReversiSearch
from .search.clock import Deadline, Limits
from .search.deepening import Progress, Search, Thought
from .search.parameters import SearchParameters
from .search.searchable import WIN

PROOF_SHARE = 0.75  # largest share of a thought's time for the threat search of the proved win
ENGINES = ("search", "scorer", "native")  # alpha-beta, a quick move without search, alpha-beta compiled
PARAMETERS: Dict[str, SearchParameters] = {K_IN_A_ROW: KInARowParameters(), REVERSI: ReversiParameters()}  # defaults
NATIVE_PROBCUT = tuple(max(0, depth - 2 * ((depth + 3) // 4)) for depth in range(1, 33))  # Python engine: 12 depths
NATIVE_PARAMETERS: Dict[str, SearchParameters] = {  # of the compiled engine; its tables take at most 100 MB a player
    K_IN_A_ROW: KInARowParameters(table_entries=690_000),
    REVERSI: ReversiParameters(
        table_entries=340_000, solver_entries=170_000, probcut_depths=NATIVE_PROBCUT, probcut_margin=0.7
    ),
}


class Engine:
    """Searches positions of one game; the transposition tables are kept until `new_game`.

    Use `engine_for` to make an engine. A board is rows * cols bytes, row-major, 0 free, 1 black, 2 white; `side` to
    move: 0 Black, 1 White. Only `stop` may be called from another thread.
    """

    not_native = ""  # why the engine is not compiled, although the compiled engine was asked for

    def __init__(self, variant: Variant, parameters: Any, searches: bool, use_book: bool, compiled: Any = None) -> None:
        self.variant, self.parameters, self.searches, self.use_book = variant, parameters, searches, use_book
        self._compiled, self.native = compiled, compiled is not None  # the module native/search.py, or None
        self.deadline = Deadline(None)
        self._position: Any = None  # made when it is first needed: quick_move() needs none
        self.search: Any
        self.new_game()

    def new_game(self) -> None:
        """Start again with new tables."""
        self.search = self._compiled.search_for(self.variant) if self.native else self._make_search()

    def close(self) -> None:
        """Free all memory at once, not when the garbage collector runs. No method may be called afterwards."""
        if self._position is not None:
            vars(self._position).clear()  # breaks the reference cycles between the position and its parts
        vars(self).clear()

    def position(self, stones: bytes, side: int) -> Any:
        """The engine's only position, set to this board. Each call of another method may overwrite it.

        Raises ValueError for a wrong number of bytes, for a byte above 2, and for any other `side`.
        """
        cells = self.variant.rows * self.variant.cols
        if len(stones) != cells:
            raise ValueError(f"the board has {cells} cells; give {cells} bytes, not {len(stones)}")
        if max(stones) > 2 or side not in (BLACK, WHITE):
            raise ValueError("a stone is 0 (free), 1 (black) or 2 (white); the side to move is 0 (Black) or 1 (White)")
        position = self._any_position()
        position.set_up(stones, side)
        return position

    def think(
        self, stones: bytes, side: int, limits: Limits, started: float | None = None, progress: Progress | None = None
    ) -> Thought:
        """The best move found within the limits; NO_MOVE if there is no move.

        Args: started: the perf_counter() value from which the seconds count, by default now; progress: called after
        each iteration with its thoughts, best first; a true result ends the search. A book move takes no search.
        Raises ValueError for a limit below 1 node or ply, and as `position`.
        """
        deadline = self._new_deadline(limits, started)
        if not self._has_time(limits):
            move = self.quick_move(stones, side)
            pv = [] if move is None else [move]
            return Thought(pv[0] if pv else NO_MOVE, 0, 0, 0, pv, deadline.elapsed(), "scorer")
        known = self._from_book(stones, side, deadline)
        return known or self.search.think(self.position(stones, side), deadline, limits.depth, progress)

    def think_ahead(
        self, stones: bytes, side: int, limits: Limits, started: Optional[float] = None
    ) -> Optional[Thought]:
        """Think while the opponent is to move, to fill the tables.

        The search starts from the first position in which the side to move has two moves or more. Single moves before
        that position are played and then taken back. Returns None if the engine does not search, there is no time, or
        the game is over.
        """
        if not self._has_time(limits):
            return None
        deadline, position, forced = self._new_deadline(limits, started), self.position(stones, side), 0
        moves = position.moves()
        while len(moves) == 1 and position.outcome() is None:
            position.play(moves[0])
            forced += 1
            moves = position.moves()
        thoughts = self.search.analyse(position, deadline, limits.depth, moves=moves)
        for _ in range(forced):
            position.undo()
        return thoughts[0] if thoughts else None

    def analyse(
        self, stones: bytes, side: int, limits: Limits, lines: int = 3, progress: Optional[Progress] = None
    ) -> List[Thought]:
        """The `lines` best moves, best first, each with value and principal variation; the book is not used."""
        deadline = self._new_deadline(limits)
        return self.search.analyse(self.position(stones, side), deadline, limits.depth, lines, progress)

    def stop(self) -> None:
        """End the running search; may be called from another thread."""
        self.deadline.stop()

    def quick_move(self, stones: bytes, side: int) -> Optional[int]:
        """A legal move of a side, without search and without a position, within 2 ms; None if there is none."""
        raise NotImplementedError

    def _any_position(self) -> Any:
        """The engine's only position, whatever board it shows."""
        if self._position is None:
            made = self._compiled.position_for(self.variant, self.parameters) if self.native else self._make_position()
            self._position = made
        return self._position

    def _make_position(self) -> Any:
        raise NotImplementedError

    def _make_search(self) -> Search:
        raise NotImplementedError

    def _from_book(self, stones: bytes, side: int, deadline: Deadline) -> Optional[Thought]:
        return None

    def _has_time(self, limits: Limits) -> bool:
        return self.searches and (limits.seconds is None or limits.seconds > 0)

    def _new_deadline(self, limits: Limits, started: Optional[float] = None) -> Deadline:
        if any(limit is not None and limit < 1 for limit in (limits.nodes, limits.depth)):
            raise ValueError(f"give at least 1 node and 1 ply of depth, or None for no limit, not {limits}")
        self.deadline = Deadline(limits.seconds, limits.nodes, started)
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

    def quick_move(self, stones: bytes, side: int) -> Optional[int]:
        if not stones.count(0):
            return None
        return scorer.best_cell(stones, self.variant.rows, self.variant.cols, 1 + side)

    def _from_book(self, stones: bytes, side: int, deadline: Deadline) -> Optional[Thought]:
        if not self.use_book or self.variant[1:] != (SIZE, SIZE, IN_A_ROW):
            return None
        thought = self._proved_thought(stones, deadline) if side == BLACK else None
        if thought is not None:
            return thought
        reply = book().look_up(stones)
        return reply and Thought(reply.move, reply.value, reply.depth, 0, [reply.move], deadline.elapsed(), "book")

    def _proved_thought(self, stones: bytes, deadline: Deadline) -> Optional[Thought]:
        """Black's move of the proved win; None outside the proof.

        The thought's depth is the number of plies to the win. A move of the proof's book has depth 0. As its distance
        from the win is not known, the value is a win on the last free cell. If the threat search cannot finish within
        PROOF_SHARE of the time, the engine plays as if there were no proof. With a limit below VCT_NODES nodes, only
        moves of the proof's book are played.
        """
        if stones.count(BLACK + 1) != stones.count(WHITE + 1):
            return None
        self.proved = self.proved or ProvedWin(self._any_position())
        search = deadline.nodes >= VCT_NODES
        move = self.proved.reply(stones, deadline.part(PROOF_SHARE) if search else None, search)
        if move is None:
            return None
        plies = self.proved.plies
        return Thought(move, WIN - (plies or stones.count(0)), plies, 0, [move], deadline.elapsed(), "proof")


class ReversiEngine(Engine):
    """The engine for Reversi."""

    def _make_position(self) -> ReversiPosition:
        return ReversiPosition(self.variant.rows, self.parameters)

    def _make_search(self) -> Search:
        return ReversiSearch()

    def quick_move(self, stones: bytes, side: int) -> Optional[int]:
        cells, rank = legal_cells(stones, self.variant.rows, side), square_ranks(self.variant.rows)
        return max(cells, key=rank.__getitem__, default=None)


FAMILIES: Dict[str, Callable[..., Engine]] = {K_IN_A_ROW: KInARowEngine, REVERSI: ReversiEngine}


def engine_for(
    variant: Variant, parameters: Optional[SearchParameters] = None, *, engine: str = "search", use_book: bool = True
) -> Engine:
    """A new engine for a variant.

    Args: parameters: by default the family's entry in PARAMETERS or NATIVE_PARAMETERS; engine: one of ENGINES;
        use_book: whether to use opening book and proved win. Where the compiled engine does not work, the Python engine
    plays, and `not_native` says why. Raises ValueError for an unknown family or engine, and for a board size or k that
    the family does not allow.
    """
    family, rows, cols, k = variant
    if family not in FAMILIES or engine not in ENGINES:
        raise ValueError("there are the families {} and the engines {}".format(", ".join(FAMILIES), ", ".join(ENGINES)))
    if rows < 1 or cols < 1 or (k or 1) < 1 or (family == REVERSI and (rows != cols or rows % 2 or rows < 4)):
        raise ValueError("a board has at least one row and column; in Reversi it is square, its size even, 4 or more")
    not_native = ""
    if engine == "native":
        try:
            from .native import search as compiled  # an upload may be without it

            compiled.check()
            native = FAMILIES[family](variant, parameters or NATIVE_PARAMETERS[family], True, use_book, compiled)
            native.position(bytes(rows * cols), BLACK)  # raises ValueError for a size that is not compiled
            return native
        except Exception as error:  # whatever does not work here, the Python engine plays
            not_native = f"{type(error).__name__}: {error}"
            parameters = None if parameters == NATIVE_PARAMETERS[family] else parameters
    made = FAMILIES[family](variant, parameters or PARAMETERS[family], engine != "scorer", use_book)
    made.not_native = not_native
    return made
