"""The player of one colour: its memory between the calls of the platform.

The platform calls both players at every step. The calls say neither whose turn it is nor when a game begins. The
player infers both by comparing the board with that of its last call. When the opponent is to move, the player thinks
ahead.
"""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Tuple

from .codec import Snapshot
from .engine import PARAMETERS, Engine, engine_for
from .reversi.cell_lists import START_DISCS
from .search.clock import Limits
from .search.deepening import Thought
from .variant import K_IN_A_ROW, NO_MOVE, REVERSI, Variant


class Settings(NamedTuple):
    """How one game is played: a row of the table in submission.py, with the overrides of configure().

    rows, cols: size of the board that the row is for, None for any; in_a_row: None in Reversi
    engine: "search" or "scorer"; seconds, off_turn_seconds: thinking time per call, None for no limit
    depth, nodes: limits of the search; book: whether the opening book is used
    parameters: by family, the engine's parameters that differ from the defaults
    """

    family: str
    rows: Optional[int]
    cols: Optional[int]
    in_a_row: Optional[int]
    engine: str
    seconds: Optional[float]
    off_turn_seconds: Optional[float]
    depth: Optional[int] = None
    nodes: Optional[int] = None
    book: bool = True
    parameters: Optional[Dict[str, Any]] = None

    def fits(self, snapshot: Snapshot) -> bool:
        """Whether this row applies to the board of the snapshot."""
        same_size = self.rows in (None, snapshot.rows) and self.cols in (None, snapshot.cols)
        return self.family == snapshot.family and same_size

    def make_engine(self, snapshot: Snapshot) -> Engine:
        """A new engine for the board of the snapshot."""
        changed = (self.parameters or {}).get(self.family, {})
        variant = Variant(self.family, snapshot.rows, snapshot.cols, self.in_a_row)
        return engine_for(variant, PARAMETERS[self.family].changed(**changed), engine=self.engine, use_book=self.book)

    def limits(self, on_turn: bool) -> Limits:
        return Limits(self.seconds if on_turn else self.off_turn_seconds, self.nodes, self.depth)


class Player:
    """Plays one colour. `answer` must be called at every step of the game."""

    def __init__(self) -> None:
        self.snapshot: Optional[Snapshot] = None
        self.to_move = 1  # 1 black, 2 white
        self.thought: Optional[Thought] = None  # result of the last call
        self.engine: Optional[Engine] = None
        self._settings: Optional[Settings] = None  # the settings that self.engine was made with

    def answer(self, snapshot: Snapshot, settings: Settings, started: float) -> Tuple[int, int]:
        """The (row, col) of the answer: a legal move if this player is to move and has one.

        `started`: the perf_counter() value when the platform called; time limits count from it.
        """
        before, self.snapshot = self.snapshot, snapshot
        if before is not None and not _continues(before, snapshot):
            before = None  # a new game
        engine = self._engine(before is None, snapshot, settings)
        self.to_move = self._whose_turn(before, snapshot, engine)
        engine.set_up(snapshot.stones, self.to_move - 1)
        if self.to_move == snapshot.player:
            self.thought = engine.think(settings.limits(on_turn=True), started)
            move: Optional[int] = self.thought.move
        else:
            move = engine.quick_move(snapshot.player - 1)  # a legal answer, in case the turn was inferred wrongly
            self.thought = engine.think_ahead(settings.limits(on_turn=False), started)
        return divmod(0 if move is None or move == NO_MOVE else move, snapshot.cols)

    def make_room_for(self, board: Snapshot) -> None:
        """Close the engine if its family or board size is another: the process has gone on to another game."""
        if self.engine is not None and self.engine.variant[:3] != board[:3]:
            self.engine.close()
            self.engine = None

    def _engine(self, new_game: bool, now: Snapshot, settings: Settings) -> Engine:
        """The engine of this game; a new one if the board's size or the settings have changed."""
        self.make_room_for(now)
        if self.engine is None or settings != self._settings:
            if self.engine is not None:
                self.engine.close()
            self.engine, self._settings = settings.make_engine(now), settings
        elif new_game:
            self.engine.new_game()
        return self.engine

    def _whose_turn(self, before: Optional[Snapshot], now: Snapshot, engine: Engine) -> int:
        """Whose turn it is, 1 Black or 2 White; `before`: the board of the last call, None in a new game."""
        if now.family == K_IN_A_ROW:
            return 1 if now.stones.count(1) == now.stones.count(2) else 2
        if before is None:
            return 1 if len(now.stones) - now.stones.count(0) == START_DISCS else now.player
        added = [stone for stone, old in zip(now.stones, before.stones) if stone and not old]
        if len(added) == 1:
            return 3 - added[0]
        if added:  # calls were missed: assume that this player is to move
            return now.player
        engine.set_up(now.stones, self.to_move - 1)
        passed = engine.quick_move() is None
        return 3 - self.to_move if passed else self.to_move


def _continues(before: Snapshot, now: Snapshot) -> bool:
    """Whether `now` can follow from `before`: no stone has gone and, in k in a row, none has changed its colour."""
    may_flip = now.family == REVERSI
    pairs = zip(before.stones, now.stones)
    return before[:3] == now[:3] and all(not old or new == old or (new and may_flip) for old, new in pairs)
