"""The games of studies: tournaments in files, which an interrupted study continues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from env_adapter import make, names
from local_runner.agents.catalogue import BUILT_INS, OptionValue
from local_runner.agents.declared_games import players
from local_runner.agents.spec import AgentSpec, parse_agent
from local_runner.errors import RunnerError
from local_runner.game.setup import GameSetup
from local_runner.matches.fixture import Terms
from local_runner.matches.openings.deal import book_for
from local_runner.matches.tournament.executor import LocalExecutor
from local_runner.matches.tournament.plan import TournamentPlan
from local_runner.matches.tournament.run import Observer, begun
from local_runner.matches.tournament.run import run as play
from local_runner.matches.tournament.schedule import Schedule
from local_runner.matches.tournament.store import PlayedGame, Store
from local_runner.processes.child import AgentLimits
from local_runner.system.files import check_folder
from local_runner.system.header import physical_cores
from local_runner.terminal.progress import Meter
from workshop.command import OUTPUT_ADVICE

TIMED = [name for name, each in BUILT_INS.items() if "seconds" in each.options]
SECONDS = 1.0  # limit of a call

Pool = tuple[Terms, tuple[AgentSpec, ...]]  # a game and the agents that play it


def pools(envs: Sequence[str] | None, agents: Sequence[str] | None, think: float | None, seed: int) -> list[Pool]:
    """The terms and the agents of every game; without names, all games and all agents that play them."""
    return [_pool(env, agents or players(make(env)), think, seed) for env in dict.fromkeys(envs or names())]


def _pool(env: str, agents: Sequence[str], think: float | None, seed: int) -> Pool:
    if len(agents) < 2:
        raise RunnerError(f"{env} needs two agents or more, not {len(agents)}")
    setup = GameSetup(env, "stated", seed)
    setup.make()
    return Terms(setup, AgentLimits(SECONDS)), paced(tuple(map(parse_agent, agents)), think)


def paced(agents: tuple[AgentSpec, ...], seconds: float | None) -> tuple[AgentSpec, ...]:
    """The agents, with the option `seconds` for those in TIMED, and no thinking off turn for ours.

    An option that an agent already has is kept.
    """
    if seconds is None:
        return agents
    options: Mapping[str, Mapping[str, OptionValue]] = {name: {"seconds": seconds} for name in TIMED}
    options = {**options, "tengen": {"seconds": seconds, "off_turn_seconds": 0}}
    return tuple(
        replace(agent, options={**options.get(agent.name.partition(":")[0], {}), **agent.options}) for agent in agents
    )


def plan_of(agents: tuple[AgentSpec, ...], terms: Terms, schedule: Schedule, rounds: int) -> TournamentPlan:
    """A tournament in which a crash loses the game."""
    return TournamentPlan(agents, terms, schedule, rounds, book_for(None, terms.setup), recover=True)


def play_all(path: Path, plan: TournamentPlan, jobs: int | None) -> dict[str, Any]:
    """Play the games that the file does not have yet, `jobs` at once. Returns the file's header.

    Raises RunnerError for a file of another tournament, and as `tournament.run` and `store` do.
    """
    check_folder(path.parent, OUTPUT_ADVICE)
    with begun(path, plan) as kept:
        done = len(kept.games())
        if done < plan.games:
            with (
                LocalExecutor(jobs or physical_cores(), plan.load) as executor,
                Meter(plan.terms.setup.env, plan.games, done, executor=executor) as meter,
            ):
                play(kept, executor, _Counter(meter))
        return dict(kept.header)


class _Counter(Observer):
    """Advances a meter with every game."""

    def __init__(self, meter: Meter) -> None:
        self.meter = meter

    def ended(self, game: PlayedGame) -> None:
        self.meter.step()


def terms_shown(think: float | None, **counts: int) -> dict[str, Any]:
    """The terms of the games, for the page; `think`: seconds per move as in `paced`."""
    return {**counts, "seconds a call": SECONDS, "seconds a move": "their own" if think is None else think}


def own_calls(kept: Store, game: PlayedGame, agent: int) -> list[float]:
    """Seconds of an agent's calls on turn, in order."""
    player = 0 if game.black == agent else 1
    return [call.seconds for call in kept.details(game.number).calls if call.player == player and call.turn]
