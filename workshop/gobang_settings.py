"""Measures in games which of many settings of the gobang engine are worth changing.

    python -m workshop.gobang_settings FILE [--pairs N] [--nodes N] [--processes N]

FILE is described in game_file.py. In each pair of games, colours swapped, either player has each of SETTINGS as it is
or, with the same probability, as one of its other values. In the model, the effects of a player's changes on his score
add up; least squares estimates them all from the same games. One match for each change would take as many games for
each of them.

The table shows what each change adds to the score, in percent of the points, with 95 % intervals. At fixed nodes a
change that makes a node slower is not punished. What looks well here wants a match of its own.
"""
from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from submission.k_in_a_row.parameters import KInARowParameters
from workshop import game_file
from workshop.command import CORES, GameFile, MoveNodes, Processes, exit_on_error
from workshop.gobang_pairs import PAIRS, ChoicesPair, least_squares, openings, play_pair
from workshop.gobang_search import new_position
from workshop.learning import Array

NODES = 5000                # per move
SETTINGS: dict[str, tuple[Any, ...]] = {    # parameter -> other values, for KInARowParameters.changed()
    "lmr_divisor": (1.1, 1.6),
    "lmr_threat_divisor": (1, 3),
    "improving_plies": (0, 2),
    "forced_replies": (2, 4),
    "candidates": ("5/6/8/10/12/15/20/26/40", "8/11/14/16/18/22/28/36/40"),
    "vct_nodes": ("0/0/0/2/5/12/37/100/250/600/1500", "0/0/0/10/20/50/150/400/1000/2400/6000"),
    "vct_effort": (20, 60),
    "vcf_nodes": (20, 80),
    "table_entries": (160000,),
}
CHANGES = [(name, value) for name, values in SETTINGS.items() for value in values]


def main(
    file: GameFile,
    pairs: Annotated[int, typer.Option(min=1, help="Number of pairs of games the file holds at the end.")] = PAIRS,
    nodes: MoveNodes = NODES,
    processes: Processes = CORES,
) -> None:
    """Play until the file holds the wanted number of pairs, and print what the changes are worth."""
    game_file.run_command(file, ChoicesPair, play, pairs, nodes, processes)
    with exit_on_error():
        Console().print(effects_table(game_file.read(file, ChoicesPair)))


def play(number: int, nodes: int) -> ChoicesPair:
    """Play the pair of a number. For each of SETTINGS a player chooses 0, or the number of the other value."""
    dice = random.Random(f"settings {number}")
    opening = dice.choice(openings())
    first, second = ([dice.choice((0, dice.randint(1, len(values)))) for values in SETTINGS.values()] for _ in range(2))
    return play_pair(number, nodes, opening, (first, second),
                     lambda cells, choices: new_position(cells, changed(choices)))


def changed(choices: Sequence[int]) -> KInARowParameters:
    """The parameters of a player: for each of SETTINGS 0, or the number of the other value."""
    return KInARowParameters().changed(**{
        name: values[choice - 1] for choice, (name, values) in zip(choices, SETTINGS.items(), strict=True) if choice})


def estimate_effects(pairs: Sequence[ChoicesPair]) -> tuple[Array, Array]:
    """What each of CHANGES adds to the score, and half the 95 % intervals.

    Raises RunnerError if there are too few pairs.
    """
    regressors = np.array([np.subtract(_switches(pair.first), _switches(pair.second)) for pair in pairs], dtype=float)
    effects, covariance = least_squares(pairs, regressors, len(CHANGES))
    return effects, 1.96 * np.sqrt(np.diag(covariance))


def _switches(choices: Sequence[int]) -> list[int]:
    """For each of CHANGES, whether a player has it."""
    return [int(choice == number) for choice, values in zip(choices, SETTINGS.values(), strict=True)
            for number in range(1, len(values) + 1)]


def effects_table(pairs: Sequence[ChoicesPair]) -> Table:
    """The effects of all changes, to print."""
    table = Table("parameter", "value", "score", title=f"{len(pairs)} pairs of games")
    for (name, value), effect, half in zip(CHANGES, *estimate_effects(pairs), strict=True):
        table.add_row(name, str(value), f"{100 * effect:+.1f} ± {100 * half:.1f} %")
    return table


if __name__ == "__main__":
    typer.run(main)
