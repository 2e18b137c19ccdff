"""Shows viewers the games that a tournament is playing now, through the file FILE.live beside the tournament's FILE.

The run rewrites FILE.live while it waits for games, and removes it at the end. The file holds the time and the
games in progress as JSON. If FILE.live cannot be written, the run goes on. If a killed run leaves FILE.live behind,
viewers ignore the file after `STALE_SECONDS`.
"""

import contextlib
import os
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec

from local_runner.terminal.progress import Playing

STALE_SECONDS = 10.0  # a file that was written longer ago is ignored
MOST_GAMES = 64  # games that are written


def live_path(path: Path) -> Path:
    """The path of the live file of a tournament's file."""
    return path.with_name(path.name + ".live")


def write(path: Path, playing: Mapping[int, Playing]) -> None:
    """Write the games in progress of a tournament's file."""
    games = dict(sorted(list(playing.items())[:MOST_GAMES]))
    part = path.with_name(path.name + ".live.part")
    with contextlib.suppress(OSError):
        part.write_bytes(msgspec.json.encode((time.time(), games)))
        os.replace(part, live_path(path))


def remove(path: Path) -> None:
    """Remove the live file of a tournament's file."""
    with contextlib.suppress(OSError):
        live_path(path).unlink()


def games_now(path: Path) -> dict[int, Playing]:
    """The games in progress of a tournament's file; {} if there is no live file, or it is unreadable or stale."""
    try:
        written, games = msgspec.json.decode(live_path(path).read_bytes(), type=tuple[float, dict[int, Playing]])
    except (OSError, ValueError):
        return {}
    return games if time.time() - written <= STALE_SECONDS else {}
