"""Plays the games that the Reversi evaluation is learnt from: the engine against itself, a line of JSON for each game.

    python -m workshop.reversi_games FILE [--size N] [--games N] [--nodes N] [--processes N]       see game_file.py

Openings are random and of all lengths up to a third of the game, so that also what good players avoid is seen. Then the
engine plays both sides, and the last plies without a mistake: from there on the result is exact.
"""
from __future__ import annotations

import os
import random
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from submission.clock import Deadline
from submission.reversi.position import Position
from submission.reversi.search import ReversiSearch
from workshop import game_file

GAMES = 10_000
SIZE = 10
NODES = 200                             # a move
EXACT = 12                              # so many free cells and fewer are played to the end without limit
FEWEST_PLIES, OPENING_SHARE = 4, 3      # of an opening, and the cells for each of its plies at most


@dataclass(frozen=True)
class SelfPlay(game_file.SelfPlay):
    """A finished game.

    size: of the board; opening: plies that were random; moves: cells, row by row, and PASS, from the start on
    difference: Black's discs less White's at the end
    """

    size: int
    opening: int
    moves: list[int]
    difference: int


def main(
    file: Annotated[Path, typer.Argument(help="Where the games go; those that are there are not played again.")],
    size: Annotated[int, typer.Option(min=4, max=26, help="Rows and columns.")] = SIZE,
    games: Annotated[int, typer.Option(min=1, help="How many games the file shall hold, numbered from 1.")] = GAMES,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes of the search, a move.")] = NODES,
    processes: Annotated[int, typer.Option(min=1, help="Games at once.")] = os.cpu_count() or 1,
) -> None:
    """Play the engine against itself until the file holds so many games."""
    game_file.main(file, SelfPlay, partial(play, size), games, nodes, processes)


def play(size: int, number: int, nodes: int) -> SelfPlay:
    """The game of that number."""
    dice = random.Random(f"self-play {size} {number}")
    opening = dice.randint(FEWEST_PLIES, size * size // OPENING_SHARE)
    position = Position.start(size)
    searches = ReversiSearch(), ReversiSearch()
    moves: list[int] = []
    while position.outcome() is None:
        choice = position.moves()
        if len(moves) < opening:
            move = dice.choice(sorted(choice))
        elif len(choice) == 1:
            move = choice[0]
        else:
            limit = None if position.plies_left() <= EXACT else nodes
            move = searches[position.side].think(position, Deadline(None, limit)).move
        position.play(move)
        moves.append(move)
    black, white = (bin(discs).count("1") for discs in position.discs)
    return SelfPlay(number, nodes, size, min(opening, len(moves)), moves, black - white)


if __name__ == "__main__":
    typer.run(main)
