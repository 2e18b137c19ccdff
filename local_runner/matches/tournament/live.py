"""The games of a tournament that are being played, for those who watch: a small file beside the tournament's own.

The run writes FILE.live, at most a few times a second, and removes it at the end. The file holds the time and the games
as JSON. Nothing depends on it: a run goes on
if it cannot be written, and a file that a killed run has left behind is old and not shown.
"""

import contextlib
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from local_runner.game.records import Cell
from local_runner.terminal.progress import Playing

EVERY_SECONDS = 0.5  # least time between two versions
STALE_SECONDS = 10.0  # a version that is older was left behind
MOST_GAMES = 64  # that are shown


@dataclass(frozen=True)
class GameNow:
    """A game that is being played: its number, Black's and White's names, and the moves so far, with the opening."""

    number: int
    names: tuple[str, str]
    moves: tuple[Cell | None, ...]


def live_path(path: Path) -> Path:
    """The file beside a tournament's file."""
    return path.with_name(path.name + ".live")


class LiveFile:
    """The file of a run; `write` is called again and again in the run's thread. `path`: of the tournament's file."""

    def __init__(self, path: Path) -> None:
        self._path = live_path(path)
        self._on_disk = path.is_file()
        self._last = 0.0

    def write(self, playing: Mapping[int, Playing]) -> None:
        """Write the games that are being played, if EVERY_SECONDS have passed."""
        now = time.monotonic()
        if not self._on_disk or now - self._last < EVERY_SECONDS:
            return
        self._last = now
        games = [GameNow(number, (game.black, game.white), tuple(game.moves))
                 for number, game in sorted(list(playing.items())[:MOST_GAMES])]  # fmt: skip
        part = self._path.with_name(self._path.name + ".part")
        try:
            part.write_bytes(msgspec.json.encode((time.time(), games)))
            os.replace(part, self._path)
        except OSError:
            self._on_disk = False  # nobody can watch then

    def remove(self) -> None:
        """The run has ended."""
        if self._on_disk:
            with contextlib.suppress(OSError):
                self._path.unlink()


def games_now(path: Path) -> list[GameNow]:
    """The games of a tournament's file that are being played; none if no run says so."""
    try:
        written, games = msgspec.json.decode(live_path(path).read_bytes(), type=tuple[float, list[GameNow]])
    except (OSError, ValueError):
        return []
    return games if time.time() - written <= STALE_SECONDS else []
