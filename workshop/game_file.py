"""Files of games that the engine plays against itself: a line of JSON for each, as they end.

A game is made by its number and the nodes a move alone, so it is the same however many are played at once, and in
whatever order. Those that the file holds are not played again: whatever stops it, the same command goes on. A change of
the engine, new weights too, wants a new file.
"""
from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

from local_runner.errors import RunnerError
from local_runner.files import check_folder


@dataclass(frozen=True)
class SelfPlay:
    """A finished game: what it was made from."""

    number: int
    nodes: int


Played = TypeVar("Played", bound=SelfPlay)
Play = Callable[[int, int], Played]             # number, nodes -> the game
Processes = Annotated[int, typer.Option(min=1, help="Games at once.")]
CORES = os.cpu_count() or 1


def main(path: Path, kind: type[Played], play: Play[Played], games: int, nodes: int, processes: int) -> None:
    """Fill a file as a command of its own."""
    try:
        finished = fill(path, kind, play, games, nodes, processes)
    except KeyboardInterrupt:
        sys.exit(f"stopped: {path} is good, and the same command goes on")
    except RunnerError as error:
        sys.exit(str(error))
    print(f"{path}: {finished} games")


def fill(path: Path, kind: type[Played], play: Play[Played], games: int, nodes: int, processes: int) -> int:
    """Play those of the games 1 to `games` that the file lacks; returns how many it holds.

    Raises RunnerError where the file is of other nodes, or of something else.
    """
    check_folder(path.parent, "give another file")
    path.touch()
    there = read(path, kind)
    os.truncate(path, len(_whole_lines(path)))
    if any(game.nodes != nodes for game in there):
        raise RunnerError(f"{path} holds games at {there[0].nodes} nodes a move; give another file, or these --nodes")
    missing = sorted(set(range(1, games + 1)) - {game.number for game in there})
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    progress = Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty())
    with open(path, "ab", buffering=0) as file, progress:
        task = progress.add_task("games", total=games, completed=games - len(missing))
        with contextlib.closing(_played(play, missing, nodes, processes)) as played:
            for game in played:
                file.write(json.dumps(asdict(game)).encode() + b"\n")
                progress.advance(task)
    return len(there) + len(missing)


def read(path: Path, kind: type[Played]) -> list[Played]:
    """The games of a file by their numbers; a last line that was not written to its end is none.

    Raises RunnerError where there is no such file, or one of something else.
    """
    try:
        return sorted((kind(**json.loads(line)) for line in _whole_lines(path).splitlines()),
                      key=lambda game: game.number)
    except OSError as error:
        made_by = kind.__module__
        raise RunnerError(f"cannot read {path}: {error.strerror}; python -m {made_by} makes it") from error
    except (TypeError, ValueError) as error:
        raise RunnerError(f"{path} is no file of games: {error}; give another one") from error


def _played(play: Play[Played], numbers: Iterable[int], nodes: int, processes: int) -> Generator[Played, None, None]:
    """The games as they end; when it is closed, no other is begun, and it waits for those that are being played."""
    pool = ProcessPoolExecutor(processes, initializer=_ignore_interrupts)
    try:
        for done in as_completed([pool.submit(play, number, nodes) for number in numbers]):
            yield done.result()
    finally:
        pool.shutdown(cancel_futures=True)                  # `with` would do it once more, and cancel nothing


def _ignore_interrupts() -> None:
    """Ctrl-C is for the process that writes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _whole_lines(path: Path) -> bytes:
    text = path.read_bytes()
    return text[:text.rfind(b"\n") + 1]
