"""Plays Reversi games of the engine against itself, from which the evaluation is learnt.

    python -m workshop.reversi.games FILE [--size N] [--games N] [--nodes N] [--jobs N] [--first N]

FILE is described in game_file.py. A game starts with moves at random or by a policy, so that the evaluation also learns
from positions that good players avoid: docs/developers/engine/11-learning.md. Then the compiled engine plays.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, partial
from typing import Annotated

import typer

from submission.boards import BLACK, WHITE
from submission.native.reversi import NativeReversiPosition, stones_of
from submission.native.search import NativeSearch
from submission.reversi.evaluation import UNIT
from submission.reversi.position import DISC, FINAL, ReversiPosition
from submission.search.clock import Deadline
from workshop import game_file
from workshop.command import CORES, GameFile, Games, Jobs, MoveNodes, run

GAMES = 10_000
SIZE = 10
NODES = 200  # nodes per move
EXACT = 14  # with at most this many empty cells, the search has no node limit
FEWEST_PLIES = 4  # least number of plies before the engine plays
MOST_RANDOM = 1 / 3  # largest number of random plies before the engine plays, per cell of the board
MOST_BY_POLICY = 0.6  # the same limit in a game of two policies
RANDOM_SHARE = 0.2  # share of a policy's moves that are random
SHORT_NODES = 20  # nodes of the short search that is a policy


@dataclass(frozen=True)
class ReversiSelfPlay(game_file.NumberedResult):
    """A finished game.

    size: side of the board; opening: plies before the engine played; moves: cells and PASS, from the start
    values: the search value of the position before each move after the opening, in discs, for Black. If there was only
        one move, or if the search found only the winner, the value is that of the next position
    difference: Black's discs less White's at the end
    """

    size: int
    opening: int
    moves: list[int]
    values: list[float]
    difference: int


def main(
    file: GameFile,
    size: Annotated[int, typer.Option(min=4, max=10, help="Rows and columns: 4, 6, 8 or 10.")] = SIZE,
    games: Games = GAMES,
    nodes: MoveNodes = NODES,
    jobs: Jobs = CORES,
    first: Annotated[int, typer.Option(min=1, help="Number of the first game; another one gives other openings.")] = 1,
) -> None:
    """Play the engine against itself until the file holds the wanted number of games."""
    game_file.fill(file, ReversiSelfPlay, partial(play, size), games, nodes, jobs, first)


def play(size: int, number: int, nodes: int) -> ReversiSelfPlay:
    """Play the game with this number."""
    moves = first_moves(size, number)
    opening = len(moves)
    position = start(size)
    for move in moves:
        position.play(move)
    searches = NativeSearch(size), NativeSearch(size)
    found: list[float | None] = []
    while position.outcome() is None:
        choice = position.moves()
        move, value = choice[0], None
        if len(choice) > 1:
            limit = None if position.plies_left() <= EXACT else nodes
            thought = searches[position.side].think(position, Deadline(None, limit))
            move = thought.move
            if limit is None or abs(thought.value) < FINAL:  # else only the winner is known, not the difference
                value = in_discs(thought.value) * (1 if position.side == BLACK else -1)
        position.play(move)
        moves.append(move)
        found.append(value)
    black, white = (bin(discs).count("1") for discs in position.discs)
    values = [float(black - white)]
    for value in reversed(found):
        values.append(values[-1] if value is None else value)
    return ReversiSelfPlay(number, nodes, size, opening, moves, values[:0:-1], black - white)


def in_discs(value: int) -> float:
    """A search value in discs. A final value becomes the disc difference at the end of the game."""
    if abs(value) < FINAL:
        return round(value / UNIT, 2)
    return (abs(value) - FINAL) / DISC * (1 if value > 0 else -1)


def start(size: int) -> NativeReversiPosition:
    """The position before the first move: for each size one object, which the next call changes."""
    first, position = ReversiPosition.start(size), _kept(size)
    position.set_up(stones_of(first), first.side)
    return position


@cache
def _kept(size: int) -> NativeReversiPosition:
    """A compiled position, cached because its tables of cell lists take a second to make."""
    return NativeReversiPosition(size)


def first_moves(size: int, number: int) -> list[int]:
    """The moves before the engine plays: random, or by the policies of both sides if `number` is even."""
    rng = random.Random(f"self-play {size} {number}")
    by_policy = number % 2 == 0
    plies = rng.randint(FEWEST_PLIES, int(size * size * (MOST_BY_POLICY if by_policy else MOST_RANDOM)))
    position = start(size)
    known = [_random_move, _most_discs, _short_search]
    policies = [rng.choice(known) if by_policy else _random_move for _ in (BLACK, WHITE)]
    moves: list[int] = []
    while len(moves) < plies and position.outcome() is None:
        policy = _random_move if rng.random() < RANDOM_SHARE else policies[position.side]
        moves.append(policy(position, rng))
        position.play(moves[-1])
    return moves


def _random_move(position: NativeReversiPosition, rng: random.Random) -> int:
    return rng.choice(sorted(position.moves()))


def _most_discs(position: NativeReversiPosition, rng: random.Random) -> int:
    """The move after which the mover has the most discs; ties are broken at random."""
    moves = sorted(position.moves())

    def discs(move: int) -> int:
        side = position.side
        position.play(move)
        count = bin(position.discs[side]).count("1")
        position.undo()
        return count

    return max(rng.sample(moves, len(moves)), key=discs)


def _short_search(position: NativeReversiPosition, rng: random.Random) -> int:
    move: int = NativeSearch(position.n).think(position, Deadline(None, SHORT_NODES)).move
    return move


if __name__ == "__main__":
    run(main)
