"""A fixture is a scheduled game with both agents, their limits and their random seeds; `play_fixture` plays it.

A fixture holds only plain values, so it can be sent to another process or machine.
"""

import random
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from local_runner.agents.spec import AgentSpec
from local_runner.game.participants import Watcher
from local_runner.game.records import COLOURS, Cell, GameRecord
from local_runner.game.session import play_game
from local_runner.game.setup import GameSetup
from local_runner.processes.child import AgentLimits
from local_runner.processes.engine.contestant import EngineContestant
from local_runner.processes.engine.levels import level
from local_runner.processes.process import AgentProcess

Core = int | None


@dataclass(frozen=True)
class Terms:
    """The terms of all games of a tournament.

    setup: the game without an opening; the seeds of all games are derived from its seed
    limits: the agents' limits of time and memory
    strict: illegal moves lose, and so do faults that an agent caught itself; otherwise both are treated as on the
        platform
    python: the interpreter that runs the agents
    """

    setup: GameSetup
    limits: AgentLimits = field(default_factory=AgentLimits)
    strict: bool = True
    python: str = field(default_factory=lambda: sys.executable)  # so the schema names no path


@dataclass(frozen=True)
class Fixture:
    """One game.

    number: from 1; games 2n - 1 and 2n are pair n
    players: Black's and White's index among the plan's agents
    copies: the paths of the copies of Black's and White's files that are played; None: the files themselves
    agents, agent_seeds: Black's and White's
    """

    number: int
    players: tuple[int, int]
    agents: tuple[AgentSpec, AgentSpec]
    setup: GameSetup
    agent_seeds: tuple[int, int]
    terms: Terms
    copies: tuple[Path | None, Path | None] = (None, None)


def fixture(
    terms: Terms, number: int, agents: Sequence[AgentSpec], opening: tuple[Cell, ...], players: tuple[int, int] = (0, 1)
) -> Fixture:
    """The game with this number. The same terms and number always give the same seeds. `agents`: the plan's agents."""
    seeds = random.Random(f"game {terms.setup.seed} {number}")
    setup = replace(terms.setup, seed=seeds.getrandbits(31), opening=opening)
    black, white = players
    agent_seeds = (seeds.getrandbits(31), seeds.getrandbits(31))
    return Fixture(number, players, (agents[black], agents[white]), setup, agent_seeds, terms)


def play_fixture(
    game: Fixture, folder: Path, cores: tuple[Core, Core] = (None, None), watchers: Iterable[Watcher] = (), *,
    checked: bool = False,
) -> GameRecord:  # fmt: skip
    """Play the game, each agent in its own process on its core. The agents' output goes into files in `folder`.

    `cores`: Black's and White's CPU core; None for any core. Levels of our engine run on any core, without limits.
    `checked`: both agents were loaded before. If an agent has no controller or refuses its options, it loses the game
    if `checked`; else AgentError is raised. Raises as `play_game` does.
    """
    with ExitStack() as stack:
        seats = list[AgentProcess | EngineContestant]()
        for spec, copy, colour, seed, core in zip(
            game.agents, game.copies, COLOURS, game.agent_seeds, cores, strict=True
        ):
            if spec.level:
                seat = EngineContestant(level(spec.level), game.terms.limits.sandbox, seed, spec.name)
                stack.callback(seat.close)
                seats.append(seat)
                continue
            output = _free_name(folder, f"game{game.number:03}_{colour.lower()}.txt")
            process = AgentProcess(spec, output, game.terms.limits, seed=seed, python=game.terms.python, core=core,
                                   checked=checked, copy=copy)  # fmt: skip
            seats.append(stack.enter_context(process))
        levels = [seat for seat in seats if isinstance(seat, EngineContestant)]  # they watch the game that they play
        black, white = seats
        return play_game(game.setup, (black, white), strict=game.terms.strict, watchers=[*watchers, *levels])


def _free_name(folder: Path, name: str) -> Path:
    """A path in `folder` that does not exist: `name`, or `name` with _2, _3 and so on before its ending."""
    path, number = folder / name, 1
    while path.exists():
        number += 1
        path = folder / f"{Path(name).stem}_{number}{path.suffix}"
    return path
