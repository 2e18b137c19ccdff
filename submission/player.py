"""The player of one colour: its memory between the calls of the platform.

The platform calls both players at every step. The calls say neither whose turn it is nor when a game begins. The player
infers the turn and the begin of a game by comparing the board with the board of its last call. When the opponent is to
move, the player thinks ahead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Tuple

from .boards import K_IN_A_ROW, NO_MOVE, REVERSI, Variant
from .codec import MOST_SIZE, Snapshot
from .engine import ENGINES, PARAMETERS, Engine, engine_for
from .reversi.board import legal_cells
from .reversi.weights import START_DISCS
from .search.clock import Limits
from .search.deepening import Thought
from .search.parameters import UNLIMITED, Checked, SearchParameters, parameter

SECONDS = "seconds, such as 0.8; None: no limit"
SIDE = "of the board; None: any"


@dataclass(frozen=True)
class Settings(Checked):
    """The settings of one game: a row of the table in submission.py, as configure() has changed it."""

    family: str = parameter(K_IN_A_ROW, "name", None, None, "of games", PARAMETERS)
    rows: Optional[int] = parameter(None, "rows", 1, MOST_SIZE, SIDE)
    cols: Optional[int] = parameter(None, "columns", 1, MOST_SIZE, SIDE)
    in_a_row: Optional[int] = parameter(None, "stones", 2, UNLIMITED, "that win in k_in_a_row; None only in reversi")
    engine: str = parameter("search", "name", None, None, "of the engine", ENGINES)
    seconds: Optional[float] = parameter(None, "s", 0, UNLIMITED, SECONDS)
    off_turn_seconds: Optional[float] = parameter(None, "s", 0, UNLIMITED, SECONDS)
    depth: Optional[int] = parameter(None, "plies", 1, UNLIMITED, "limit of the search")
    nodes: Optional[int] = parameter(None, "nodes", 1, UNLIMITED, "limit of the search")
    book: bool = parameter(True, "switch", None, None, "whether the opening book is used")
    parameters: Optional[SearchParameters] = None  # parameters of the engine; None: the family's defaults

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.in_a_row is None) != (self.family == REVERSI):
            raise ValueError(f"in_a_row is {self.in_a_row!r}; allowed: a number in k_in_a_row, None in reversi")

    def fits(self, snapshot: Snapshot) -> bool:
        """Whether this row applies to the board of the snapshot."""
        same_size = self.rows in (None, snapshot.rows) and self.cols in (None, snapshot.cols)
        return self.family == snapshot.family and same_size

    def make_engine(self, snapshot: Snapshot) -> Engine:
        """A new engine for the board of the snapshot."""
        variant = Variant(self.family, snapshot.rows, snapshot.cols, self.in_a_row)
        return engine_for(variant, self.parameters, engine=self.engine, use_book=self.book)

    def limits(self, on_turn: bool) -> Limits:
        """The limits of a call."""
        return Limits(self.seconds if on_turn else self.off_turn_seconds, self.nodes, self.depth)


class Player:
    """Plays one colour. `answer` must be called at every step of the game."""

    def __init__(self) -> None:
        self.snapshot: Optional[Snapshot] = None
        self.to_move = 1  # 1 black, 2 white
        self.thought: Optional[Thought] = None  # result of the last call
        self.engine: Optional[Engine] = None
        self._made_for: Any = None  # the settings and the board's size that self.engine was made for

    def answer(self, now: Snapshot, settings: Settings, started: float) -> Tuple[int, int]:
        """The (row, col) of the answer: a legal move if this player is to move and has one.

        `started`: the perf_counter() value when the platform called; time limits count from it.
        """
        before, self.snapshot = self.snapshot, now
        if before is not None and not _continues(before, now):
            before = None  # a new game
        made_for = settings, now[:3]
        if self.engine is None or self._made_for != made_for:
            self.close()
            self.engine, self._made_for = settings.make_engine(now), made_for
        elif before is None:
            self.engine.new_game()
        self.to_move = whose_turn(before, self.to_move, now)
        limits = settings.limits(on_turn=self.to_move == now.player)
        if self.to_move == now.player:
            self.thought = self.engine.think(now.stones, self.to_move - 1, limits, started)
            move: Optional[int] = self.thought.move
        else:
            move = self.engine.quick_move(now.stones, now.player - 1)  # legal, in case the turn was inferred wrongly
            self.thought = self.engine.think_ahead(now.stones, self.to_move - 1, limits, started)
        return divmod(0 if move is None or move == NO_MOVE else move, now.cols)

    def close(self) -> None:
        """Free the engine, which holds nearly all memory. The next answer makes a new one."""
        if self.engine is not None:
            self.engine.close()
            self.engine = None


def whose_turn(before: Optional[Snapshot], to_move: int, now: Snapshot) -> int:
    """Whose turn it is, 1 Black or 2 White, by the rules.

    `before`: the board of the last call, with `to_move` to move; None in a new game.
    """
    if now.family == K_IN_A_ROW:
        return 1 if now.stones.count(1) == now.stones.count(2) else 2
    if before is None:
        return 1 if len(now.stones) - now.stones.count(0) == START_DISCS else now.player
    added = [stone for stone, old in zip(now.stones, before.stones) if stone and not old]
    if len(added) == 1:
        return 3 - added[0]
    if added:  # calls were missed: assume that this player is to move
        return now.player
    return to_move if legal_cells(now.stones, now.cols, to_move - 1) else 3 - to_move


def _continues(before: Snapshot, now: Snapshot) -> bool:
    """Whether `now` can be a later board of the same game: no stone has gone or, in k in a row, changed its colour."""
    may_flip = now.family == REVERSI
    pairs = zip(before.stones, now.stones)
    return before[:3] == now[:3] and all(not old or new == old or (new and may_flip) for old, new in pairs)
