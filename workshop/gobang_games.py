"""Plays the games that the gobang evaluation is learnt from: the engine against itself, a line of JSON for each game.

    python -m workshop.gobang_games FILE [--games N] [--nodes N] [--processes N]

A game is made by its number and the nodes a move alone, so it is the same however many are played at once, and in
whatever order. Those that the file holds are not played again: whatever stops it, the same command goes on. A change of
the engine, new weights too, wants a new file.

Openings are random; some early moves are, too. A game ends where it is decided, or where the search sees a forced win.
"""
from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sys
from collections.abc import Generator, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

from local_runner.errors import RunnerError
from local_runner.files import check_folder
from local_runner.openings.deal import random_opening
from local_runner.play import GameSetup
from submission.alphabeta import FORCED, Search
from submission.clock import Deadline
from submission.gomoku.position import Position
from workshop.bench_positions import ENV, IN_A_ROW, SIZE

GAMES = 4000
NODES = 800                                     # a move
OPENING_PLIES = (3, 8)              # from, to
STRAY, STRAY_BELOW, STRAY_MOVES = 0.08, 14, 6   # how often, below how many stones, among how many of the best
DRAW, BLACK_WON, WHITE_WON = 0, 1, 2


@dataclass(frozen=True)
class SelfPlay:
    """A finished game.

    number: what it was made from, with the nodes a move; opening: plies that were dealt
    moves: cells, row by row, from the empty board on
    values: what the search made of each position from the opening on, in the mover's view; None where it did not search
            a single ply, as where there is one reply. The last may be a forced win, which is not played out
    winner: DRAW, BLACK_WON or WHITE_WON
    """

    number: int
    nodes: int
    opening: int
    moves: list[int]
    values: list[int | None]
    winner: int


def main(
    file: Annotated[Path, typer.Argument(help="Where the games go; those that are there are not played again.")],
    games: Annotated[int, typer.Option(min=1, help="How many games the file shall hold, numbered from 1.")] = GAMES,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes of the search, a move.")] = NODES,
    processes: Annotated[int, typer.Option(min=1, help="Games at once.")] = os.cpu_count() or 1,
) -> None:
    """Play the engine against itself until the file holds so many games."""
    try:
        finished = fill(file, games, nodes, processes)
    except KeyboardInterrupt:
        sys.exit(f"stopped: {file} is good, and the same command goes on")
    except RunnerError as error:
        sys.exit(str(error))
    print(f"{file}: {finished} games")


def fill(path: Path, games: int, nodes: int, processes: int) -> int:
    """Play those of the games 1 to `games` that the file lacks; returns how many it holds.

    Raises RunnerError where the file is of other nodes, or of something else.
    """
    check_folder(path.parent, "give another file")
    path.touch()
    there = read(path)
    os.truncate(path, len(_whole_lines(path)))
    if any(game.nodes != nodes for game in there):
        raise RunnerError(f"{path} holds games at {there[0].nodes} nodes a move; give another file, or these --nodes")
    missing = sorted(set(range(1, games + 1)) - {game.number for game in there})
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    progress = Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty())
    with open(path, "ab", buffering=0) as file, progress:
        task = progress.add_task("games", total=games, completed=games - len(missing))
        with contextlib.closing(_played(missing, nodes, processes)) as played:
            for game in played:
                file.write(json.dumps(asdict(game)).encode() + b"\n")
                progress.advance(task)
    return len(there) + len(missing)


def read(path: Path) -> list[SelfPlay]:
    """The games of a file by their numbers; a last line that was not written to its end is none.

    Raises RunnerError where there is no such file, or one of something else.
    """
    try:
        return sorted((SelfPlay(**json.loads(line)) for line in _whole_lines(path).splitlines()),
                      key=lambda game: game.number)
    except OSError as error:
        raise RunnerError(f"cannot read {path}: {error.strerror}; python -m workshop.gobang_games makes it") from error
    except (TypeError, ValueError) as error:
        raise RunnerError(f"{path} is no file of games: {error}; give another one") from error


def play(number: int, nodes: int) -> SelfPlay:
    """The game of that number."""
    dice = random.Random(f"self-play {number}")
    opening = random_opening(GameSetup(ENV), dice.randint(*OPENING_PLIES), f"self-play {number}")
    moves = [row * SIZE + col for row, col in opening]
    position = Position(SIZE, SIZE, IN_A_ROW)
    for cell in moves:
        position.play(cell)
    searches = Search(), Search()
    values: list[int | None] = []
    while True:
        value = position.outcome()
        if value is not None:
            break
        thought = searches[position.side].think(position, Deadline(None, nodes))
        value, cell = thought.value, thought.move
        if abs(value) > FORCED:
            values.append(value)
            break
        values.append(value if thought.depth else None)
        if len(moves) < STRAY_BELOW and dice.random() < STRAY:
            cell = dice.choice(position.moves()[:STRAY_MOVES])
        position.play(cell)
        moves.append(cell)
    winner = (BLACK_WON, WHITE_WON)[position.side if value > 0 else 1 - position.side] if value else DRAW
    return SelfPlay(number, nodes, len(opening), moves, values, winner)


def _played(numbers: Iterable[int], nodes: int, processes: int) -> Generator[SelfPlay, None, None]:
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


if __name__ == "__main__":
    typer.run(main)
