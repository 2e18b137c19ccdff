"""Measures in games which of many settings of an engine are worth changing.

    python -m workshop.lab.settings FILE [--env ENV] [--pairs N] [--nodes N] [--jobs N]

FILE is described in game_file.py; it holds the pairs of one ENV. In each pair of games, colours swapped, either player
has each of SETTINGS as it is or, with the same probability, as one of its other values. In the model, the effects of a
player's changes on his score add up; least squares estimates them all from the same games. One match for each change
would take as many games for each of them.

The table shows what each change adds to the score, in percent of the points, with 95 % intervals. The compiled engine
plays (docs/engine/12-compiled-engine.md). At fixed nodes a change that makes a node slower is not punished. What looks
well here wants a match of its own.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache, partial
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from submission.engine import PARAMETERS, Engine
from submission.search.parameters import SearchParameters
from submission.variant import K_IN_A_ROW, REVERSI, Variant
from workshop import game_file
from workshop.command import CORES, GameFile, Jobs, MoveNodes, run
from workshop.gobang.learning import Array
from workshop.lab.choices import PAIRS, ChoicesPair, least_squares, openings
from workshop.native.matches import play_out, variant_of
from workshop.native.search import native_engine_for

ENV = "gobang_1v1"
NODES = 5000  # per move
SCORES = {1: 1.0, 2: 0.0, 3: 0.5}  # Black's, by the winner: Black, White, a draw
Settings = dict[str, tuple[Any, ...]]
SETTINGS: dict[str, Settings] = {  # family of games -> parameter -> other values, for SearchParameters.changed()
    K_IN_A_ROW: {
        "lmr_divisor": (1.1, 1.6),
        "improving_plies": (0, 2),
        "forced_replies": (2, 4),
        "iir_depth": (3, 6),
        "candidates": ("5/6/8/10/12/15/20/26/40", "8/11/14/16/18/22/28/36/40"),
        "vct_nodes": ("0/0/0/2/5/12/37/100/250/600/1500", "0/0/0/10/20/50/150/400/1000/2400/6000"),
        "vct_effort": (12, 30),
        "vcf_nodes": (20, 80),
        "table_entries": (160000,),
    },
    REVERSI: {
        "lmr_divisor": (1.2, 2.2),
        "improving_plies": (1,),
        "killers": (False,),
        "forced_replies": (2,),
        "futility": (False,),
        "probcut_depths": ("0/0/1/2/1/2/3/2/3/4/3/4/5/4/5", "0/0/1/2/3/2/3/4/5/4/5/6/7/6/7"),
        "probcut_margin": (0.35, 0.7),
        "ordered_depth": (2, 4),
        "reply_rank": (15, 50),
        "valued_depth": (3, 5),
        "value_rank": (30, 120),
        "few_discs": (5, 8),
    },
}


def main(
    file: GameFile,
    env: Annotated[str, typer.Option(help="The game.")] = ENV,
    pairs: Annotated[int, typer.Option(min=1, help="Number of pairs of games the file holds at the end.")] = PAIRS,
    nodes: MoveNodes = NODES,
    jobs: Jobs = CORES,
) -> None:
    """Play until the file holds the wanted number of pairs, and print what the changes are worth."""
    settings = SETTINGS[variant(env).family]
    game_file.run_command(file, ChoicesPair, partial(play, env), pairs, nodes, jobs)
    Console().print(effects_table(game_file.read(file, ChoicesPair), settings))


@cache
def variant(env: str) -> Variant:
    """The variant of a game. Raises EnvError if there is none of this name."""
    return variant_of(GameSetup(env).make())


def play(env: str, number: int, nodes: int) -> ChoicesPair:
    """Play the pair of a number. For each of SETTINGS a player chooses 0, or the number of the other value."""
    dice = random.Random(f"settings {number}")
    setup = GameSetup(env, rules="stated", opening=dice.choice(openings(env)))
    settings = SETTINGS[variant(env).family]
    first, second = ([dice.choice((0, dice.randint(1, len(values)))) for values in settings.values()] for _ in range(2))

    def score(*players: Sequence[int]) -> float:
        return SCORES[play_out(GameSession(setup), [(engine(env, player), nodes) for player in players]).winner]

    return ChoicesPair(number, nodes, first, second, (score(first, second) + 1 - score(second, first)) / 2)


def engine(env: str, choices: Sequence[int]) -> Engine:
    """The engine of a player."""
    return native_engine_for(variant(env), changed(variant(env).family, choices), use_book=False)


def changed(family: str, choices: Sequence[int]) -> SearchParameters:
    """The parameters of a player: for each of SETTINGS 0, or the number of the other value."""
    return PARAMETERS[family].changed(
        **{
            name: values[choice - 1]
            for choice, (name, values) in zip(choices, SETTINGS[family].items(), strict=True)
            if choice
        }
    )


def estimate_effects(pairs: Sequence[ChoicesPair], settings: Settings) -> tuple[Array, Array]:
    """What each change adds to the score, and half the 95 % intervals; the changes as in the table.

    Raises RunnerError if there are too few pairs.
    """
    regressors = np.array(
        [np.subtract(_switches(pair.first, settings), _switches(pair.second, settings)) for pair in pairs], dtype=float
    )
    effects, covariance = least_squares(pairs, regressors, regressors.shape[1])
    return effects, 1.96 * np.sqrt(np.diag(covariance))


def _switches(choices: Sequence[int], settings: Settings) -> list[int]:
    """For each change, whether a player has it."""
    return [
        int(choice == number)
        for choice, values in zip(choices, settings.values(), strict=True)
        for number in range(1, len(values) + 1)
    ]


def effects_table(pairs: Sequence[ChoicesPair], settings: Settings) -> Table:
    """The effects of all changes, to print."""
    table = Table("parameter", "value", "score", title=f"{len(pairs)} pairs of games")
    changes = [(name, value) for name, values in settings.items() for value in values]
    for (name, value), effect, half in zip(changes, *estimate_effects(pairs, settings), strict=True):
        table.add_row(name, str(value), f"{100 * effect:+.1f} ± {100 * half:.1f} %")
    return table


if __name__ == "__main__":
    run(main)
