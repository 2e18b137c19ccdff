"""Files of self-play games in JSON Lines: one game a line, appended when it ends.

A game depends only on its number and on the nodes per move, not on the number of processes or on the order of play.
Games in the file are not played again, so the same command continues after a stop. Use a new file for another engine
or other weights.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

from local_runner.errors import RunnerError
from local_runner.system import json_lines
from local_runner.system.files import check_folder
from workshop.command import with_progress


@dataclass(frozen=True)
class NumberedResult:
    """Base class of a line of the file: the game's number and the nodes per move, which determine the result."""

    number: int
    nodes: int


R = TypeVar("R", bound=NumberedResult)
Play = Callable[[int, int], R]  # (number, nodes) -> result


def fill(path: Path, kind: type[R], play: Play[R], games: int, nodes: int, processes: int, first: int = 1) -> list[R]:
    """Play the missing games of the numbers `first` to `first` + `games` - 1; returns the file's games, as read().

    Ctrl-C ends the program with a message. Raises RunnerError if the folder is not writable, if a game of the file has
    another number of nodes per move, or if a line is not a `kind`.
    """
    check_folder(path.parent, "give another file")
    known = read(path, kind) if path.exists() else []
    if any(game.nodes != nodes for game in known):
        raise RunnerError(
            f"{path} holds games with {known[0].nodes} nodes per move; give another file, or --nodes {known[0].nodes}"
        )
    missing = sorted(set(range(first, first + games)) - {game.number for game in known})
    # The processes ignore Ctrl-C: this process, which writes the file, handles it.
    pool = ProcessPoolExecutor(processes, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    try:
        with json_lines.writing(path, new=not path.exists()) as file:
            playing = [pool.submit(play, number, nodes) for number in missing]
            for done in with_progress(as_completed(playing), "games", len(missing)):
                file.append(asdict(done.result()))
    except KeyboardInterrupt:
        sys.exit(f"stopped; {path} is intact, and the same command goes on from there")
    finally:
        pool.shutdown(cancel_futures=True)  # leaving a `with` block would not cancel waiting games
    print(f"{path}: {len(known) + len(missing)} games")
    return read(path, kind)


def read(path: Path, kind: type[R]) -> list[R]:
    """The games of a file, sorted by number. An incomplete last line is ignored.

    Raises RunnerError if the file cannot be read, or if a line is damaged or is not a `kind`.
    """
    games = []
    for line in json_lines.read(path):
        try:
            games.append(kind(**(line.value or {})))
        except TypeError as error:
            raise RunnerError(f"{path} is no file of games: line {line.number}: {error}; give another one") from error
    return sorted(games, key=lambda game: game.number)
