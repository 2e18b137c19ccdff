"""One player of one game: what it remembers between calls, whose turn it finds it is, and how it comes to a move.

The platform asks both players at every step and says neither whose turn it is nor when a game begins; both are read
off the boards, compared with the one before. When it is the other side's turn, the time is used to think about his
position: what is found stays in the search's table for the next call.
"""
from __future__ import annotations

import gc
import time
from typing import NamedTuple, Union

from . import codec
from .alphabeta import Search, Thought
from .clock import Deadline
from .codec import LINE, Snapshot
from .gomoku import scorer
from .gomoku.book import IN_A_ROW, SIZE, Reply, book
from .gomoku.position import Position as LinePosition
from .reversi.board import PASS
from .reversi.patterns import START_DISCS
from .reversi.position import Position as ReversiPosition
from .reversi.search import ReversiSearch

Position = Union[LinePosition, ReversiPosition]


class Game(NamedTuple):
    """How one game is played: a row of the settings table in submission.py.

    rows, cols: the board this row is for, None for any; in_a_row: k of k in a row, None in Reversi; engine: "search" or
    "scorer"; seconds, off_turn_seconds: thinking time per call, None for no limit; depth, nodes: limits of the search;
    book: whether it may answer from the book.
    """

    kind: str
    rows: int | None
    cols: int | None
    in_a_row: int | None
    engine: str
    seconds: float | None
    off_turn_seconds: float | None
    depth: int | None = None
    nodes: int | None = None
    book: bool = True

    def fits(self, snapshot: Snapshot) -> bool:
        """Tell whether this row is for the board of the snapshot."""
        return self.kind == snapshot.kind and self.rows in (None, snapshot.rows) and self.cols in (None, snapshot.cols)


class Player:
    """Plays one colour. Ask at every step; where a row is shown instead of the board, with the last board again."""

    def __init__(self) -> None:
        self.snapshot: Snapshot | None = None
        self.to_move = 1                # 1 black, 2 white
        self.search = Search()
        self.line_position: LinePosition | None = None      # it remembers threats
        self.thought: Thought | None = None

    def answer(self, snapshot: Snapshot, game: Game, started: float, on_turn: bool = False) -> tuple[int, int]:
        """Give the (row, col) to answer with; legal whenever it is this player's turn and there is a legal cell.

        `started`: perf_counter at the moment the platform called; the game's seconds count from there. `on_turn`: where
        only the player to move is asked, so that its turn it is.
        """
        self._look(snapshot)
        if on_turn:
            self.to_move = snapshot.player
        self.thought = None
        on_turn = self.to_move == snapshot.player
        cell = quick_cell(snapshot)
        seconds = game.seconds if on_turn else game.off_turn_seconds
        if game.engine == "search" and (seconds is None or seconds > 0):
            position = self._position(snapshot, game, self.to_move - 1)
            reply = book_reply(snapshot, game) if on_turn else None
            if not on_turn:
                _play_forced(position)
            if reply is not None:
                cell = reply.move
                self.thought = Thought(cell, reply.value, reply.depth, 0, [cell], time.perf_counter() - started)
            elif position.moves():
                self.thought = self._think(position, Deadline(seconds, game.nodes, started), game.depth)
                if on_turn and self.thought.move != PASS:
                    cell = self.thought.move
        return divmod(cell or 0, snapshot.cols)

    def _look(self, now: Snapshot) -> None:
        """Compare the board with the one before: is it a new game, and whose turn is it?"""
        before = self.snapshot
        if before is None or not _continues(before, now):
            before = None
            self.search = ReversiSearch() if now.kind == codec.REVERSI else Search()
            self.line_position = None
        self.snapshot = now
        if now.kind == LINE:
            self.to_move = 1 if now.stones.count(1) == now.stones.count(2) else 2
        elif before is None:
            self.to_move = 1 if len(now.stones) - now.stones.count(0) == START_DISCS else now.player
        else:
            added = [stone for stone, old in zip(now.stones, before.stones) if stone and not old]
            if len(added) == 1:
                self.to_move = 3 - added[0]
            elif added:                                   # calls are missing: take it that the asked one is to move
                self.to_move = now.player
            elif ReversiPosition.from_stones(now.stones, now.cols, self.to_move - 1).forced():
                self.to_move = 3 - self.to_move           # he had to pass

    def _position(self, snapshot: Snapshot, game: Game, side: int) -> Position:
        """The snapshot as a position to search, with `side` (0 black, 1 white) to move."""
        if snapshot.kind == codec.REVERSI:
            return ReversiPosition.from_stones(snapshot.stones, snapshot.cols, side)
        if self.line_position is None:
            k = min(game.in_a_row or 5, max(snapshot.rows, snapshot.cols))
            self.line_position = LinePosition(snapshot.rows, snapshot.cols, k)
        self.line_position.set_up(snapshot.stones, side)
        return self.line_position

    def _think(self, position: Position, deadline: Deadline, depth: int | None) -> Thought:
        """Search with the garbage collector held still, and let it forget what the search keeps.

        The tables have no cycles, and a look through them costs a tenth of a second at a moment of its own choice.
        """
        collecting = gc.isenabled()
        gc.disable()
        try:
            return self.search.think(position, deadline, depth)
        finally:
            gc.freeze()
            if collecting:
                gc.enable()


def book_reply(snapshot: Snapshot, game: Game) -> Reply | None:
    """What the book says, where there is one for the game and it is asked."""
    if game.book and (snapshot.rows, snapshot.cols, game.in_a_row) == (SIZE, SIZE, IN_A_ROW):
        return book().look_up(snapshot.stones)
    return None


def quick_cell(snapshot: Snapshot) -> int | None:
    """The move of the rules of thumb, within a millisecond or so; None when the player asked has no legal cell."""
    if not snapshot.stones.count(0):
        return None
    if snapshot.kind == LINE:
        return scorer.best_cell(snapshot.stones, snapshot.rows, snapshot.cols, snapshot.player)
    position = ReversiPosition.from_stones(snapshot.stones, snapshot.cols, snapshot.player - 1)
    return None if position.forced() else position.moves()[0]


def _play_forced(position: Position) -> None:
    """Play the only moves there are up to a position with a choice: that is the one worth thinking ahead about."""
    moves = position.moves()
    while len(moves) == 1 and position.outcome() is None:
        position.play(moves[0])
        moves = position.moves()


def _continues(before: Snapshot, now: Snapshot) -> bool:
    """Tell whether `now` can have come of `before`: no stone has gone, and on line boards none has turned."""
    if before[:3] != now[:3]:
        return False
    if now.kind == LINE:
        return all(not old or old == new for old, new in zip(before.stones, now.stones))
    return all(not old or new for old, new in zip(before.stones, now.stones))
