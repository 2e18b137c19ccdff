"""Measures, by playing games, which of an engine's settings are worth changing.

    python -m workshop.lab.settings FILE [--env ENV] [--pairs N] [--nodes N] [--jobs N]

FILE is described in game_file.py; it holds the pairs of one ENV. A pair is two games from one opening with the colours
swapped. For each player, each of SETTINGS keeps its default with probability 1/2; otherwise one of its other values is
drawn, all equally likely. In the linear model, the first player's score is 1/2 + (effects of its values) - (effects of
the second player's values). Least squares estimates all effects from the same games. Separate matches would need as
many games for every single value.

The table shows how much each value adds to the score, in percent of the points, with 95 % intervals. The compiled
engine plays (docs/developers/engine/12-compiled-engine.md). Nodes are fixed, so the effect does not include the speed
of a node. A value that looks good here needs a match of its own.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from local_runner.errors import RunnerError
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.matches.openings.books import Opening, Purpose, book
from submission.engine import PARAMETERS, Engine
from submission.search.parameters import SearchParameters
from submission.variant import K_IN_A_ROW, REVERSI, Variant
from workshop import game_file
from workshop.command import CORES, GameFile, Jobs, MoveNodes, run
from workshop.gobang.learning import Array
from workshop.native.matches import play_out, variant_of
from workshop.native.search import native_engine_for

ENV = "gobang_1v1"
PAIRS = 2000
NODES = 5000  # per move
SCORES = {1: 1.0, 2: 0.0, 3: 0.5}  # winner (1 Black, 2 White, 3 a draw) -> Black's score
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


@dataclass(frozen=True)
class SettingsPair(game_file.NumberedResult):
    """Two finished games from one opening.

    first, second: the values of each player: for each of SETTINGS, 0: the default, i: the i-th other value
    score: of the first player, 0 to 1
    """

    first: list[int]
    second: list[int]
    score: float


def main(
    file: GameFile,
    env: Annotated[str, typer.Option(help="The game.")] = ENV,
    pairs: Annotated[int, typer.Option(min=1, help="Number of pairs of games the file holds at the end.")] = PAIRS,
    nodes: MoveNodes = NODES,
    jobs: Jobs = CORES,
) -> None:
    """Play until the file holds the wanted number of pairs, and print the effect of each value."""
    settings = SETTINGS[variant(env).family]
    game_file.run_command(file, SettingsPair, partial(play, env), pairs, nodes, jobs)
    Console().print(effects_table(game_file.read(file, SettingsPair), settings))


@cache
def openings(env: str) -> list[Opening]:
    """The book for tuning of a game."""
    return book(env, Purpose.TUNE)


@cache
def variant(env: str) -> Variant:
    """The variant of a game. Raises EnvError if there is none of this name."""
    return variant_of(GameSetup(env).make())


def play(env: str, number: int, nodes: int) -> SettingsPair:
    """Play the pair with this number; the number is the seed of its settings and opening."""
    rng = random.Random(f"settings {number}")
    setup = GameSetup(env, rules="stated", opening=rng.choice(openings(env)))
    settings = SETTINGS[variant(env).family]
    first, second = (random_choices(rng, settings) for _ in range(2))

    def score(*players: Sequence[int]) -> float:
        return SCORES[play_out(GameSession(setup), [(engine(env, player), nodes) for player in players]).winner]

    return SettingsPair(number, nodes, first, second, (score(first, second) + 1 - score(second, first)) / 2)


def random_choices(numbers: random.Random, settings: Settings) -> list[int]:
    """Draw each setting: 0, its default, with probability 1/2, else one of its other values, equally likely."""
    return [numbers.choice((0, numbers.randint(1, len(values)))) for values in settings.values()]


def engine(env: str, choices: Sequence[int]) -> Engine:
    """The compiled engine with a player's values."""
    return native_engine_for(variant(env), changed(variant(env).family, choices), use_book=False)


def changed(family: str, choices: Sequence[int]) -> SearchParameters:
    """The parameters of a player. `choices`: as in SettingsPair."""
    return PARAMETERS[family].changed(
        **{
            name: values[choice - 1]
            for choice, (name, values) in zip(choices, SETTINGS[family].items(), strict=True)
            if choice
        }
    )


def estimate_effects(pairs: Sequence[SettingsPair], settings: Settings) -> tuple[Array, Array]:
    """The effects of all other values on the score, and half the widths of their 95 % intervals, in SETTINGS' order.

    Raises RunnerError if there are too few pairs to estimate every effect.
    """
    regressors = np.array(
        [np.subtract(_switches(pair.first, settings), _switches(pair.second, settings)) for pair in pairs], dtype=float
    )
    scores = np.array([pair.score for pair in pairs]) - 0.5
    changes = regressors.shape[1]
    freedom = len(pairs) - changes
    if freedom < 1 or np.linalg.matrix_rank(regressors) < changes:
        raise RunnerError(f"{len(pairs)} pairs are too few to estimate {changes} changes; play more")
    effects, (residue,) = np.linalg.lstsq(regressors, scores, rcond=None)[:2]
    covariance = np.linalg.inv(regressors.T @ regressors) * residue / freedom
    return np.asarray(effects), 1.96 * np.sqrt(np.diag(covariance))


def _switches(choices: Sequence[int], settings: Settings) -> list[int]:
    """For each other value of each setting: 1 if a player has it, else 0."""
    return [
        int(choice == number)
        for choice, values in zip(choices, settings.values(), strict=True)
        for number in range(1, len(values) + 1)
    ]


def effects_table(pairs: Sequence[SettingsPair], settings: Settings) -> Table:
    """The table of all effects."""
    table = Table("parameter", "value", "score", title=f"{len(pairs)} pairs of games")
    changes = [(name, value) for name, values in settings.items() for value in values]
    for (name, value), effect, half in zip(changes, *estimate_effects(pairs, settings), strict=True):
        table.add_row(name, str(value), f"{100 * effect:+.1f} ± {100 * half:.1f} %")
    return table


if __name__ == "__main__":
    run(main)
