"""Asks games which weights of the gobang evaluation should be larger or smaller than they are.

    python -m workshop.gobang_tuning FILE [--games N] [--nodes N] [--processes N]      see game_file.py

Weights that best say what a search says (gobang_weights.py) are not quite those that a search plays best with. So for
each pair of games, the colours swapped, dice change the weights of either player: each of STEPS is taken down, not at
all, or up. What a step adds to the score of a match is taken to be a parabola for each weight, and a pair to score what
the one player's steps add less what the other's do: a response surface (Box and Wilson 1951), by least squares. The
table tells what one step down and one step up would add to the weights in use, in per cent of the points, with the
interval of 95 %. It is the same for as many games of the same engine.
"""
from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from local_runner.errors import RunnerError
from local_runner.openings.books import Opening, Purpose, book
from submission.alphabeta import Search
from submission.clock import Deadline
from submission.k_in_a_row.patterns import COUNTS
from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.weights import Weights
from submission.searchable import PROVED_WIN
from workshop import game_file
from workshop.bench_positions import ENV, IN_A_ROW, SIZE
from workshop.gobang_weights import NAMES, Array, in_use

PAIRS = 2000
NODES = 3000                # a move
MOST_PLIES = 130            # of a game, which then is drawn
EVERYTHING = "everything"   # a fifth more of each weight
STEPS = {                   # up, in the evaluation's units: for the side to move and for the other one
    "1 in a window": (4, -4),
    "2 in a window": (12, -12),
    "3 in a window": (12, -12),
    "1 in a span": (6, -6),
    "2 in a span": (8, -8),
    "3 in a span": (0, -35),
    "FOUR": (35, -35),
    "OPEN_FOUR": (0, -30),
    "OPEN_THREE": (15, -15),
    "open two": (5, -5),
    "turn": (30, 0),
    "threatened": (-30, 0),
    "four and open three": (60, -80),
    "best cell": (7, -4),
}
CHANGES = [EVERYTHING, *STEPS]


@dataclass(frozen=True)
class Pair(game_file.SelfPlay):
    """Two finished games of an opening.

    first, second: of either player the steps of CHANGES, -1, 0 or 1
    score: of the first player, who is Black in one game and White in the other: 0 to 1
    """

    first: list[int]
    second: list[int]
    score: float


def main(
    file: Annotated[Path, typer.Argument(help="Where the games go; those that are there are not played again.")],
    pairs: Annotated[int, typer.Option(min=1, help="How many pairs of games the file shall hold.")] = PAIRS,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes of the search, a move.")] = NODES,
    processes: game_file.Processes = game_file.CORES,
) -> None:
    """Play until the file holds so many pairs, and tell what the steps are worth."""
    game_file.main(file, Pair, play, pairs, nodes, processes)
    try:
        Console().print(told(game_file.read(file, Pair)))
    except RunnerError as error:
        raise SystemExit(str(error)) from error


def play(number: int, nodes: int) -> Pair:
    """The pair of that number."""
    dice = random.Random(f"tuning {number}")
    opening = dice.choice(openings())
    first, second = ([dice.randint(-1, 1) for _ in CHANGES] for _ in range(2))
    black, white = _game(opening, nodes, first, second), _game(opening, nodes, second, first)
    return Pair(number, nodes, first, second, (black + 1 - white) / 2)


@cache
def openings() -> list[Opening]:
    """Those that are for tuning."""
    return book(ENV, Purpose.TUNE)


def changed(steps: Sequence[int]) -> Array:
    """The weights in use and so many steps of CHANGES."""
    of = in_use()
    for step, name in zip(steps, CHANGES, strict=True):
        if name == EVERYTHING:
            of *= 1 + 0.2 * step
        else:
            of[:, NAMES.index(name)] += step * np.array(STEPS[name])
    return np.rint(of)


def player(weights: Array) -> KInARowPosition:
    """An empty board whose evaluation has these weights."""
    of_lines, of_board = np.hsplit(weights.astype(int), [len(COUNTS)])
    moving, waiting = map(tuple, of_lines.tolist())
    of = Weights(moving, waiting, tuple(map(tuple, of_board.T.tolist())))
    return KInARowPosition(SIZE, SIZE, IN_A_ROW, weights=of)


def _game(opening: Opening, nodes: int, black: Sequence[int], white: Sequence[int]) -> float:
    """Play to where a search sees the end: 1 where Black wins, 0 where White does, else one half."""
    players = [(player(changed(steps)), Search()) for steps in (black, white)]
    for row, col in opening:
        for position, _ in players:
            position.play(row * SIZE + col)
    for ply in range(len(opening), MOST_PLIES):
        position, search = players[ply % 2]
        thought = search.think(position, Deadline(None, nodes))
        if abs(thought.value) >= PROVED_WIN:
            return float((thought.value > 0) == (ply % 2 == 0))
        for position, _ in players:
            position.play(thought.move)
    return 0.5


def worth(pairs: Sequence[Pair]) -> tuple[Array, Array]:
    """What a step down and a step up of each of CHANGES add to the score, and the intervals' halves: CHANGES x 2, both.

    Raises RunnerError where there are too few pairs to tell.
    """
    first = np.array([pair.first for pair in pairs], dtype=float)
    second = np.array([pair.second for pair in pairs], dtype=float)
    found = np.hstack([first - second, first ** 2 - second ** 2])
    scores = np.array([pair.score for pair in pairs]) - 0.5
    free = len(pairs) - found.shape[1]
    if free < 1 or np.linalg.matrix_rank(found) < found.shape[1]:
        raise RunnerError(f"{len(pairs)} pairs are too few to tell what {len(CHANGES)} changes are worth; play more")
    fitted, (residue,) = np.linalg.lstsq(found, scores, rcond=None)[:2]
    spread = np.linalg.inv(found.T @ found) * residue / free
    n = len(CHANGES)
    of = np.array([np.hstack([sign * np.eye(n), np.eye(n)]) for sign in (-1, 1)])       # down and up
    return (of @ fitted).T, 1.96 * np.sqrt(np.einsum("sij,jk,sik->is", of, spread, of))


def told(pairs: Sequence[Pair]) -> Table:
    """The table of what steps are worth."""
    table = Table("change", "a step", "down", "up", title=f"{len(pairs)} pairs of games")
    for name, each, error in zip(CHANGES, *worth(pairs), strict=True):
        size = "a fifth" if name == EVERYTHING else " ".join(f"{part:+}" for part in STEPS[name])
        table.add_row(name, size, *map("{:+.1f} ± {:.1f} %".format, 100 * each, 100 * error))
    return table


if __name__ == "__main__":
    typer.run(main)
