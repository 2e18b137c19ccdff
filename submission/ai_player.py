"""What is uploaded to the Mo platform: `AIPlayer(color).get_move(board)`, for Reversi. Not used on Jidi.

`color` is "X", who begins, or "O"; a move is its column and row, "A1" to "H8". Of the board it asks get_legal_actions
and reads `_board`, the rows of "X", "O" and "."; it never writes there. Only who is to move is asked, so there is no
thinking on the other's turn. A fault inside is kept in `fault` and answered with a legal move all the same.
"""
GAME_SECONDS = 55.0     # for all moves of a game together; the platform allows 60 s a side
MOVE_SECONDS = 3.0      # for one move at most

import time
import traceback
from typing import Any, Optional

from .codec import REVERSI, Snapshot
from .player import Game, Player

MARKS = ".XO"
PACE = Game(REVERSI, None, None, None, "search", MOVE_SECONDS, 0.0)


class AIPlayer:
    """One side, of one game after the other; the platform may set `color` anew before a game."""

    def __init__(self, color: str) -> None:
        if color not in ("X", "O"):
            raise ValueError(f"a color is 'X' or 'O', not {color!r}")
        self.color = color
        self.fault: Optional[str] = None        # the last one's traceback
        self._player = Player()
        self._discs = 0                         # when last asked
        self._spent = 0.0                       # seconds of this game

    def get_move(self, board: Any) -> Optional[str]:
        """The move to play, None where there is none."""
        started = time.perf_counter()
        legal = list(board.get_legal_actions(self.color))
        move = None
        if len(legal) > 1:
            try:
                move = self._think(board._board, started)
            except Exception:
                self.fault = traceback.format_exc()
        self._spent += time.perf_counter() - started
        return move if move in legal else next(iter(legal), None)

    def _think(self, rows: Any, started: float) -> str:
        stones = bytes(MARKS.index(mark) for row in rows for mark in row)
        free = stones.count(0)
        discs = len(stones) - free
        if discs < self._discs:                 # a new game
            self._spent = 0.0
        self._discs = discs
        seconds = max(GAME_SECONDS - self._spent, 0.0) / max((free + 1) // 2, 1)
        snapshot = Snapshot(REVERSI, len(rows), len(rows[0]), stones, MARKS.index(self.color))
        game = PACE._replace(seconds=min(seconds, MOVE_SECONDS))
        row, col = self._player.answer(snapshot, game, started, on_turn=True)
        return chr(ord("A") + col) + str(row + 1)
