"""Who wants to see what the engines of a room see, and how many engines think ahead on the whole machine."""

import os
import threading
from typing import Protocol

from local_runner.analysis.look import Look
from local_runner.game.setup import GameSetup
from local_runner.server.positions import Played

AHEAD_SLOTS = threading.BoundedSemaphore(max(1, (os.cpu_count() or 1) - 1))  # engines that think in a human's time


class RoomLooker(Protocol):
    """A page that looks inside a room. Its methods are called in the room's thread and must not wait."""

    lines: int

    def moved(self, setup: GameSetup, cells: Played, ply: int, *, engine: bool, over: bool) -> None:
        """The room's position is this one; `engine`: the room's own engine shows what it sees of it."""

    def looked(self, look: Look, ply: int, player: int) -> None:
        """The room's engine, on the seat of that player, sees this."""


class RoomLookers:
    """The pages that look inside a room; they come and go in the event loop."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lookers: list[RoomLooker] = []

    def add(self, looker: RoomLooker) -> None:
        """Show the next position to this page, too."""
        with self._lock:
            self._lookers.append(looker)

    def remove(self, looker: RoomLooker) -> None:
        """Show it nothing more; it need not be there."""
        with self._lock:
            self._lookers = [each for each in self._lookers if each is not looker]

    def now(self) -> list[RoomLooker]:
        """Those that are there now."""
        with self._lock:
            return list(self._lookers)

    @property
    def lines(self) -> int:
        """The most lines that one of them wants, at least 1."""
        return max((looker.lines for looker in self.now()), default=1)
