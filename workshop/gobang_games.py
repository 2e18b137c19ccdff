"""Plays the games that the gobang evaluation is learnt from: the engine against itself, a line of JSON for each game.

    python -m workshop.gobang_games FILE [--games N] [--nodes N] [--width N] [--processes N]      see game_file.py

Openings are random; some early moves are, too. A game ends where it is decided, or where the search sees a forced win.
"""
from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from local_runner.game_setup import GameSetup
from local_runner.openings.deal import random_opening
from submission.alphabeta import Search
from submission.clock import Deadline
from submission.k_in_a_row.parameters import Parameters
from submission.k_in_a_row.position import KInARowPosition
from submission.searchable import PROVED_WIN
from workshop import game_file
from workshop.bench_positions import ENV, IN_A_ROW, SIZE

GAMES = 1000
NODES = 3000                                    # a move
OPENING_PLIES = (3, 8)              # from, to
STRAY, STRAY_BELOW, STRAY_MOVES = 0.08, 14, 6   # how often, below how many stones, among how many of the best


@dataclass(frozen=True)
class SelfPlay(game_file.SelfPlay):
    """A finished game.

    opening: plies that were dealt
    moves: cells, row by row, from the empty board on
    values: what the search made of each position from the opening on, in the mover's view; None where it did not search
            a single ply, as where there is one reply. The last may be a forced win, which is not played out
    strays: which of the moves were random
    """

    opening: int
    moves: list[int]
    values: list[int | None]
    strays: list[int]


def main(
    file: Annotated[Path, typer.Argument(help="Where the games go; those that are there are not played again.")],
    games: Annotated[int, typer.Option(min=1, help="How many games the file shall hold, numbered from 1.")] = GAMES,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes of the search, a move.")] = NODES,
    width: Annotated[int | None, typer.Option(min=1, help="Cells looked at in a quiet position.")] = None,
    processes: game_file.Processes = game_file.CORES,
) -> None:
    """Play the engine against itself until the file holds so many games."""
    game_file.main(file, SelfPlay, partial(play, width=width), games, nodes, processes)


def read(path: Path) -> list[SelfPlay]:
    """The games of a file by their numbers; see game_file.read."""
    return game_file.read(path, SelfPlay)


def play(number: int, nodes: int, width: int | None = None) -> SelfPlay:
    """The game of that number; `width`: cells looked at in a quiet position, None for the engine's."""
    dice = random.Random(f"self-play {number}")
    opening = random_opening(GameSetup(ENV), dice.randint(*OPENING_PLIES), f"self-play {number}")
    moves = [row * SIZE + col for row, col in opening]
    parameters = Parameters() if width is None else Parameters(root_candidates=width, candidates=(width,))
    position = KInARowPosition(SIZE, SIZE, IN_A_ROW, parameters)
    for cell in moves:
        position.play(cell)
    searches = Search(), Search()
    values: list[int | None] = []
    strays: list[int] = []
    while position.outcome() is None:
        thought = searches[position.side].think(position, Deadline(None, nodes))
        cell = thought.move
        if abs(thought.value) > PROVED_WIN:
            values.append(thought.value)
            break
        values.append(thought.value if thought.depth else None)
        if len(moves) < STRAY_BELOW and dice.random() < STRAY:
            cell = dice.choice(position.moves()[:STRAY_MOVES])
            strays.append(len(moves))
        position.play(cell)
        moves.append(cell)
    return SelfPlay(number, nodes, len(opening), moves, values, strays)


def positions(game: SelfPlay, parameters: Parameters | None = None) -> Iterator[KInARowPosition]:
    """The positions of a game from the opening on; one object, which is played on."""
    position = KInARowPosition(SIZE, SIZE, IN_A_ROW, parameters)
    for cell in game.moves[:game.opening]:
        position.play(cell)
    yield position
    for cell in game.moves[game.opening:]:
        position.play(cell)
        yield position


if __name__ == "__main__":
    typer.run(main)
