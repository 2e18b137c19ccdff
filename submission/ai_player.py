"""The file to upload to the Mo platform: `AIPlayer(color).get_move(board)`, for Reversi. Not used on Jidi.

`color` is "X" (Black, who begins) or "O". A move is a text, column then row: "A1" to "H8". The board object must have
get_legal_actions() and `_board`, a list of rows of "X", "O" and "."; the agent does not change them. The platform calls
only the side to move, so the agent cannot think in the opponent's time. If the engine raises an exception, AIPlayer
keeps the traceback in `fault` and plays a legal move.
"""

GAME_SECONDS = 55.0  # seconds for all moves of this side in a game; the platform allows 60 s
MOVE_SECONDS = 3.0  # seconds, at most, for one move

import time
import traceback
from typing import Any, Optional

from .boards import REVERSI, Variant
from .engine import Engine, engine_for
from .search.clock import CollectorPaused, Limits

MARKS = ".XO"  # free, black, white


class AIPlayer:
    """Plays one side in a series of games; the platform may change the attribute `color` before each game."""

    def __init__(self, color: str) -> None:
        if color not in ("X", "O"):
            raise ValueError(f"a color is 'X' or 'O', not {color!r}")
        self.color = color
        self.fault: Optional[str] = None  # traceback of the last exception
        self._engine: Optional[Engine] = None
        self._discs = 0  # number of discs at the last call
        self._spent = 0.0  # seconds used in this game

    def get_move(self, board: Any) -> Optional[str]:
        """The move to play; None if `color` has no legal move."""
        started = time.perf_counter()
        with CollectorPaused():
            legal = list(board.get_legal_actions(self.color))
            move = None
            if len(legal) > 1:
                try:
                    move = self._think(board._board, started)
                except MemoryError:  # no memory for a traceback; the next call makes a new engine
                    self._engine, self.fault = None, "MemoryError"
                except Exception:
                    self.fault = traceback.format_exc()
            self._spent += time.perf_counter() - started
            return move if move in legal else next(iter(legal), None)

    def _think(self, rows: Any, started: float) -> str:
        stones = bytes(MARKS.index(mark) for row in rows for mark in row)
        free = stones.count(0)
        discs = len(stones) - free
        if self._engine is None or discs < self._discs:  # a new game
            self._spent = 0.0
            self._engine = self._engine or engine_for(Variant(REVERSI, len(rows), len(rows[0])))
            self._engine.new_game()
        self._discs = discs
        seconds = max(GAME_SECONDS - self._spent, 0.0) / max((free + 1) // 2, 1)
        limits = Limits(min(seconds, MOVE_SECONDS))
        move = self._engine.think(stones, MARKS.index(self.color) - 1, limits, started).move
        row, col = divmod(move, len(rows))
        return chr(ord("A") + col) + str(row + 1)
