"""Plays the games that the Reversi evaluation is learnt from: the engine against itself, a line of JSON for each game.

    python -m workshop.reversi_games FILE [--size N] [--games N] [--nodes N] [--processes N] [--onward FILE]
                                                                                                see game_file.py

Openings are random and of all lengths up to a third of the game, so that also what good players avoid is seen. In every
second game they are longer, and each side takes as many discs as it can, moves at random, or plays well: what comes
of other ways to play is seen, too. Then the engine plays both sides, and the last plies without a mistake: from there
on the result is exact. Or it goes on with the games of another file from their middle: at more nodes, their results
tell more of the second half.
"""
from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Annotated

import typer

from local_runner.errors import RunnerError
from submission.clock import Deadline
from submission.lines import BLACK, WHITE
from submission.reversi.position import ReversiPosition
from submission.reversi.search import ReversiSearch
from workshop import game_file

GAMES = 10_000
SIZE = 10
NODES = 200                             # a move
EXACT = 14                              # so many free cells and fewer are played to the end without limit
FEWEST_PLIES = 4                        # of an opening;
LONGEST, LONGEST_UNLIKE = 1 / 3, 0.6    # of the cells, its plies: where it is random, and where the sides are unlike
AT_RANDOM = 0.2                         # of the moves of unlike sides
GLANCE = 20                             # nodes for the others of a side that plays well
MIDDLE_SHARE = 2                        # the cells for each ply of a game that is played onward


@dataclass(frozen=True)
class SelfPlay(game_file.SelfPlay):
    """A finished game.

    size: of the board; opening: plies that were given; moves: cells, row by row, and PASS, from the start on
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
    processes: game_file.Processes = game_file.CORES,
    onward: Annotated[Path | None, typer.Option(help="Go on with the games of this file from their middle.")] = None,
) -> None:
    """Play the engine against itself until the file holds so many games."""
    game_file.main(file, SelfPlay, partial(play, size, onward=onward), games, nodes, processes)


def play(size: int, number: int, nodes: int, onward: Path | None = None) -> SelfPlay:
    """The game of that number. Raises RunnerError where `onward` does not hold games of this size."""
    moves = _half(onward, size, number) if onward else first_moves(size, number)
    opening = len(moves)
    position = ReversiPosition.start(size)
    for move in moves:
        position.play(move)
    searches = ReversiSearch(), ReversiSearch()
    while position.outcome() is None:
        choice = position.moves()
        move = choice[0]
        if len(choice) > 1:
            limit = None if position.plies_left() <= EXACT else nodes
            move = searches[position.side].think(position, Deadline(None, limit)).move
        position.play(move)
        moves.append(move)
    black, white = (bin(discs).count("1") for discs in position.discs)
    return SelfPlay(number, nodes, size, opening, moves, black - white)


def first_moves(size: int, number: int) -> list[int]:
    """The moves before the engine takes over: random ones, in every second game those of unlike sides."""
    dice = random.Random(f"self-play {size} {number}")
    unlike = number % 2 == 0
    plies = dice.randint(FEWEST_PLIES, int(size * size * (LONGEST_UNLIKE if unlike else LONGEST)))
    position = ReversiPosition.start(size)
    sides = [dice.choice([_any, _most_discs, _good]) if unlike else _any for _ in (BLACK, WHITE)]
    moves: list[int] = []
    while len(moves) < plies and position.outcome() is None:
        choose = _any if dice.random() < AT_RANDOM else sides[position.side]
        moves.append(choose(position, dice))
        position.play(moves[-1])
    return moves


def _any(position: ReversiPosition, dice: random.Random) -> int:
    return dice.choice(sorted(position.moves()))


def _most_discs(position: ReversiPosition, dice: random.Random) -> int:
    moves = sorted(position.moves())

    def discs(move: int) -> int:
        side = position.side
        position.play(move)
        found = bin(position.discs[side]).count("1")
        position.undo()
        return found

    return max(dice.sample(moves, len(moves)), key=discs)


def _good(position: ReversiPosition, dice: random.Random) -> int:
    return ReversiSearch().think(position, Deadline(None, GLANCE)).move


def _half(path: Path, size: int, number: int) -> list[int]:
    """The first moves of a game of that file, the random ones all of them."""
    games = _games(path)
    game = games[number % len(games)]
    if game.size != size:
        raise RunnerError(f"{path} holds games of size {game.size}; give --size {game.size}, or another file")
    return game.moves[:max(game.opening, size * size // MIDDLE_SHARE)]


@cache
def _games(path: Path) -> list[SelfPlay]:
    found = game_file.read(path, SelfPlay)
    if not found:
        raise RunnerError(f"{path} holds no games; give another file")
    return found


if __name__ == "__main__":
    typer.run(main)
