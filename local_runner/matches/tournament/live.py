"""The games of a tournament that are being played, for those who watch: a small file beside the tournament's own.

The run writes FILE.live, at most a few times a second, and removes it at the end. Nothing depends on it: a run goes on
if it cannot be written, and a file that a killed run has left behind is old and not shown.
"""

import contextlib
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local_runner.game.participants import Watcher
from local_runner.game.records import Cell
from local_runner.terminal.progress import Playing

EVERY_SECONDS = 0.5  # least time between two versions
STALE_SECONDS = 10.0  # a version that is older was left behind
MOST_GAMES = 64  # that are shown


def live_path(path: Path) -> Path:
    """The file beside a tournament's file."""
    return path.with_name(path.name + ".live")


class MovesNow(Watcher):
    """Keeps the moves of a game that is being played, for `LiveFile`."""

    def __init__(self, moves: list[Cell | None]) -> None:
        self._moves = moves

    def moved(self, cell: Cell | None) -> None:
        self._moves.append(cell)


class LiveFile:
    """The file of a run; `write` is called again and again in the run's thread. `path`: of the tournament's file."""

    def __init__(self, path: Path) -> None:
        self._path = live_path(path)
        self._on_disk = path.is_file()
        self._last = 0.0

    def write(self, playing: Mapping[int, Playing]) -> None:
        """Write what is played now, if it is time."""
        now = time.monotonic()
        if not self._on_disk or now - self._last < EVERY_SECONDS:
            return
        self._last = now
        games = [
            {"number": number, "names": [game.black, game.white], "moves": list(game.moves)}
            for number, game in sorted(list(playing.items())[:MOST_GAMES])
        ]
        part = self._path.with_name(self._path.name + ".part")
        try:
            part.write_text(json.dumps({"at": time.time(), "games": games}), encoding="ascii")
            os.replace(part, self._path)
        except OSError:
            self._on_disk = False  # nobody can watch then

    def remove(self) -> None:
        """The run has ended."""
        if self._on_disk:
            with contextlib.suppress(OSError):
                self._path.unlink()


@dataclass(frozen=True)
class GameNow:
    """A game that is being played: its number, Black's and White's names, and the moves so far, with the opening."""

    number: int
    names: tuple[str, str]
    moves: tuple[Cell | None, ...]


def games_now(path: Path) -> list[GameNow]:
    """The games of a tournament's file that are being played; none if no run says so."""
    try:
        found: Any = json.loads(live_path(path).read_bytes())
        if time.time() - found["at"] > STALE_SECONDS:
            return []
        return [GameNow(int(game["number"]), (str(game["names"][0]), str(game["names"][1])),
                        tuple((int(cell[0]), int(cell[1])) if cell else None for cell in game["moves"]))
                for game in found["games"]]  # fmt: skip
    except (OSError, ValueError, TypeError, LookupError):
        return []
