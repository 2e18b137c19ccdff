"""The games of studies: tournaments in files. After an interruption, a study continues these tournaments."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

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
from local_runner.matches.tournament.run import Observer, open_or_create
from local_runner.matches.tournament.run import run as play
from local_runner.matches.tournament.schedule import Schedule
from local_runner.matches.tournament.store import PlayedGame
from local_runner.processes.child import AgentLimits
from local_runner.system.files import check_folder
from local_runner.system.header import physical_cores
from local_runner.terminal.progress import Meter
from workshop.command import OUTPUT_ADVICE

SECONDS = 1.0  # limit of a call


class Pool(NamedTuple):
    """A game and the agents that play it."""

    terms: Terms
    agents: tuple[AgentSpec, ...]

    def plan(self, schedule: Schedule, rounds: int) -> TournamentPlan:
        """A tournament in which a crash loses the game."""
        return TournamentPlan(self.agents, self.terms, schedule, rounds, book_for(None, self.terms.setup), recover=True)


@dataclass(frozen=True)
class GameStudy:
    """The options of a study of games."""

    agents: Annotated[list[str] | None, typer.Argument(help="Agents, ours first. Default: all that play the game.")] = (
        None
    )
    env: Annotated[list[str] | None, typer.Option("--env", help="A game; may be repeated. Default: all five.")] = None
    rounds: Annotated[int, typer.Option(min=1, help="Pairs of games, colours swapped, for each pairing.")] = 5
    think: Annotated[
        float | None,
        typer.Option(
            min=0.001, max=0.95, help="Seconds per move for agents with the option seconds; ours: 0 off turn."
        ),
    ] = None
    jobs: Annotated[int | None, typer.Option(min=1, help="Games at once. [the number of physical cores]")] = None
    seed: Annotated[int, typer.Option(help="The same seed gives the same openings.")] = 0

    def pools(self) -> list[Pool]:
        """The terms and the agents of every game.

        Raises RunnerError for an unknown agent or fewer than two agents, EnvError for an unknown game.
        """
        return [self._pool(env) for env in dict.fromkeys(self.env or names())]

    def _pool(self, env: str) -> Pool:
        agents = self.agents or players(make(env))
        if len(agents) < 2:
            raise RunnerError(f"{env} needs two agents or more, not {len(agents)}")
        setup = GameSetup(env, "stated", self.seed)
        setup.make()
        return Pool(
            Terms(setup, AgentLimits(SECONDS)), tuple(paced(parse_agent(agent), self.think) for agent in agents)
        )

    def terms_shown(self, **counts: int) -> dict[str, Any]:
        """The terms of the games, for the page."""
        seconds = "their own" if self.think is None else self.think
        return {"rounds": self.rounds, **counts, "seconds a call": SECONDS, "seconds a move": seconds}

    def play_all(self, path: Path, plan: TournamentPlan) -> dict[str, Any]:
        """Play the games that the file does not have yet. Returns the file's header.

        Raises RunnerError if the file holds another tournament, and in the cases of `tournament.run` and `store`.
        """
        check_folder(path.parent, OUTPUT_ADVICE)
        with open_or_create(path, plan) as store:
            done = len(store.games())
            if done < plan.games:
                with (
                    LocalExecutor(self.jobs or physical_cores(), plan.load) as executor,
                    Meter(plan.terms.setup.env, plan.games, done, executor=executor) as meter,
                ):
                    play(store, executor, _Counter(meter))
            return dict(store.header)


def paced(agent: AgentSpec, seconds: float | None) -> AgentSpec:
    """The agent with the option `seconds`, if it has such an option; `tengen` also gets off_turn_seconds=0.

    An option that is already given is kept.
    """
    name = agent.name.partition(":")[0]
    added: dict[str, OptionValue] = {"off_turn_seconds": 0} if name == "tengen" else {}
    if seconds is None or name not in BUILT_INS or "seconds" not in BUILT_INS[name].options:
        return agent
    return replace(agent, options={"seconds": seconds, **added, **agent.options})


class _Counter(Observer):
    """Advances a meter with every game."""

    def __init__(self, meter: Meter) -> None:
        self.meter = meter

    def ended(self, game: PlayedGame) -> None:
        self.meter.step()
