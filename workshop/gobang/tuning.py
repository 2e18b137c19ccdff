"""Measures in games which weights of the gobang evaluation should be larger or smaller.

    python -m workshop.gobang.tuning FILE [--pairs N] [--nodes N] [--jobs N]

FILE is described in game_file.py. Weights that predict a search best (weights.py) are not quite those with which
a search plays best. In each pair of games, colours swapped, both players get random changes of their weights: each of
STEPS is subtracted, left out or added. In the model, the effects of a player's changes on his score add up; each effect
is a parabola in its step. Least squares fits the parabolas: a response surface (Box and Wilson 1951).

The table shows what a step down and a step up add to the score against the weights in use, in percent of the points,
with 95 % intervals. The same engine gives the same table for the same number of pairs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from submission.k_in_a_row.patterns import COUNTS
from submission.k_in_a_row.weights import Weights
from workshop import game_file
from workshop.command import CORES, GameFile, Jobs, MoveNodes, run
from workshop.gobang.game import ENV, to_cells
from workshop.gobang.learning import Array
from workshop.gobang.search import new_position, new_search
from workshop.gobang.weights import NAMES, current_weights
from workshop.lab.choices import PAIRS, ChoicesPair, least_squares, openings
from workshop.lab.openings import play_to_forced_win

NODES = 3000  # per move
MOST_PLIES = 130  # plies after which a game is drawn, the opening included
EVERYTHING = "everything"  # all weights at once
EVERYTHING_STEP = 0.2  # of each weight
STEPS = {  # feature -> what a step up adds to its weights for the mover and for the other side
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


def main(
    file: GameFile,
    pairs: Annotated[int, typer.Option(min=1, help="Number of pairs of games the file holds at the end.")] = PAIRS,
    nodes: MoveNodes = NODES,
    jobs: Jobs = CORES,
) -> None:
    """Play until the file holds the wanted number of pairs, and print what the steps are worth."""
    game_file.run_command(file, ChoicesPair, play, pairs, nodes, jobs)
    Console().print(effects_table(game_file.read(file, ChoicesPair)))


def play(number: int, nodes: int) -> ChoicesPair:
    """Play the pair of a number. A player chooses a step for each of CHANGES: -1, 0 or 1."""
    dice = random.Random(f"tuning {number}")
    cells = to_cells(dice.choice(openings(ENV)))
    first, second = ([dice.randint(-1, 1) for _ in CHANGES] for _ in range(2))

    def score(black: Sequence[int], white: Sequence[int]) -> float:
        boards = [new_position(cells, weights=to_weights(apply_steps(steps))) for steps in (black, white)]
        return play_to_forced_win(boards, MOST_PLIES - len(cells), nodes, new_search)

    return ChoicesPair(number, nodes, first, second, (score(first, second) + 1 - score(second, first)) / 2)


def apply_steps(steps: Sequence[int]) -> Array:
    """The weights in use, changed by steps of CHANGES: 2 x NAMES."""
    changed = current_weights()
    for step, name in zip(steps, CHANGES, strict=True):
        if name == EVERYTHING:
            changed *= 1 + EVERYTHING_STEP * step
        else:
            changed[:, NAMES.index(name)] += step * np.array(STEPS[name])
    return np.rint(changed)


def to_weights(table: Array) -> Weights:
    """The weights of a position from a table of 2 x NAMES."""
    of_lines, of_board = np.hsplit(table.astype(int), [len(COUNTS)])
    moving, waiting = map(tuple, of_lines.tolist())
    return Weights(moving, waiting, tuple(map(tuple, of_board.T.tolist())))


def estimate_effects(pairs: Sequence[ChoicesPair]) -> tuple[Array, Array]:
    """What a step down and a step up of each change add to the score, and half the 95 % intervals: both CHANGES x 2.

    Raises RunnerError if there are too few pairs.
    """
    first = np.array([pair.first for pair in pairs], dtype=float)
    second = np.array([pair.second for pair in pairs], dtype=float)
    regressors = np.hstack([first - second, first**2 - second**2])
    fitted, covariance = least_squares(pairs, regressors, len(CHANGES))
    n = len(CHANGES)
    steps = np.array([np.hstack([sign * np.eye(n), np.eye(n)]) for sign in (-1, 1)])  # down and up
    return (steps @ fitted).T, 1.96 * np.sqrt(np.einsum("sij,jk,sik->is", steps, covariance, steps))


def effects_table(pairs: Sequence[ChoicesPair]) -> Table:
    """The effects of all steps, to print."""
    table = Table("change", "step", "score, step down", "score, step up", title=f"{len(pairs)} pairs of games")
    for name, effects, half in zip(CHANGES, *estimate_effects(pairs), strict=True):
        size = f"{EVERYTHING_STEP:.0%}" if name == EVERYTHING else " ".join(f"{part:+}" for part in STEPS[name])
        table.add_row(name, size, *map("{:+.1f} ± {:.1f} %".format, 100 * effects, 100 * half))
    return table


if __name__ == "__main__":
    run(main)
