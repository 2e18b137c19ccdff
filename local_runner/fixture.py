"""One game as it is set: who plays with which colour, under which limits, with which dice; and its playing.

What a match or a tournament is made of, and the unit that may be sent to another process or machine.
"""

import random
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from local_runner.agents import AgentSpec
from local_runner.play import GameSetup, Watcher, play_game
from local_runner.processes.child import AgentLimits
from local_runner.processes.process import AgentProcess
from local_runner.records import COLOURS, Cell, GameRecord

Core = int | None


@dataclass(frozen=True)
class Terms:
    """What all games of a match have in common. `setup`: its seed deals the seeds of all games; it has no opening."""

    setup: GameSetup
    limits: AgentLimits = field(default_factory=AgentLimits)
    strict: bool = True
    python: str = sys.executable


@dataclass(frozen=True)
class Fixture:
    """One game: its number, from 1, and Black's and White's agents with the seeds of their dice."""

    number: int
    agents: tuple[AgentSpec, AgentSpec]
    setup: GameSetup
    dice: tuple[int, int]
    terms: Terms


def fixture(terms: Terms, number: int, agents: tuple[AgentSpec, AgentSpec], opening: tuple[Cell, ...]) -> Fixture:
    """A game with seeds of its own, the same for the same terms and number."""
    seeds = random.Random(f"game {terms.setup.seed} {number}")
    setup = replace(terms.setup, seed=seeds.getrandbits(31), opening=opening)
    return Fixture(number, agents, setup, (seeds.getrandbits(31), seeds.getrandbits(31)), terms)


def play_fixture(
    game: Fixture, folder: Path, cores: tuple[Core, Core] = (None, None), watcher: Watcher | None = None
) -> GameRecord:
    """Play it, each agent in a process of its own; what they print goes to files in `folder`. Raises as `play_game`."""
    with ExitStack() as stack:
        black, white = (
            stack.enter_context(
                AgentProcess(
                    spec,
                    _free_name(folder, f"game{game.number:03}_{colour.lower()}.txt"),
                    game.terms.limits,
                    seed=seed,
                    python=game.terms.python,
                    core=core,
                )
            )
            for spec, colour, seed, core in zip(game.agents, COLOURS, game.dice, cores, strict=True)
        )
        return play_game(game.setup, (black, white), strict=game.terms.strict, watcher=watcher)


def _free_name(folder: Path, name: str) -> Path:
    """A path in `folder` that no earlier match has written to."""
    path, number = folder / name, 1
    while path.exists():
        number += 1
        path = folder / f"{Path(name).stem}_{number}{path.suffix}"
    return path
