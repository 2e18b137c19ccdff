"""The games of studies: tournaments in files, which an interrupted study continues."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_adapter import make
from local_runner.agents.catalogue import BUILT_INS, OptionValue
from local_runner.agents.declared_games import players
from local_runner.agents.spec import AgentSpec
from local_runner.language.languages import _
from local_runner.matches.fixture import Terms
from local_runner.matches.openings.deal import book_for
from local_runner.matches.tournament.plan import TournamentPlan
from local_runner.matches.tournament.run import Observer, begun
from local_runner.matches.tournament.run import run as play
from local_runner.matches.tournament.store import PlayedGame, Store
from local_runner.system.files import check_folder
from local_runner.terminal.progress import Meter

if TYPE_CHECKING:
    from local_runner.commands.shared.tournament_arguments import Place

TIMED = [name for name, each in BUILT_INS.items() if "seconds" in each.options]


def entrants(env: str, named: Sequence[str]) -> list[str]:
    """The named agents, or else all that play the game. Raises EnvError for an unknown game."""
    return list(named) or players(make(env))


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


def plan_of(agents: tuple[AgentSpec, ...], terms: Terms, schedule: str, rounds: int) -> TournamentPlan:
    """A tournament in which a crash loses the game."""
    return TournamentPlan(agents, terms, schedule, rounds, book_for(None, terms.setup), recover=True)


def play_all(path: Path, plan: TournamentPlan, place: "Place", *, quiet: bool) -> dict[str, Any]:
    """Play the games that the file does not have yet. Returns the file's header.

    Raises RunnerError for a file of another tournament, and as `tournament.run` and `store` do.
    """
    check_folder(path.parent, _("give --out another folder"))
    with begun(path, plan) as kept:
        done = len(kept.games())
        if done < plan.games:
            with (
                place(plan.load) as executor,
                Meter(plan.terms.setup.env, plan.games, done, quiet=quiet, executor=executor) as meter,
            ):
                play(kept, executor, _Counter(meter))
        return dict(kept.header)


def terms_shown(terms: Terms, think: float | None, **counts: int) -> dict[str, Any]:
    """The terms of the games, for the page; `think`: seconds per move as in `paced`."""
    pace = "their own" if think is None else think
    return {**counts, "seconds a call": terms.limits.seconds, "seconds a move": pace}


class _Counter(Observer):
    """Advances a meter with every game."""

    def __init__(self, meter: Meter) -> None:
        self.meter = meter

    def ended(self, game: PlayedGame) -> None:
        self.meter.to(self.meter.pace.done + 1)


def own_calls(kept: Store, game: PlayedGame, agent: int) -> list[float]:
    """Seconds of an agent's calls on turn, in order."""
    player = 0 if game.black == agent else 1
    return [call["seconds"] for call in kept.record(game.number)["calls"] if call["player"] == player and call["turn"]]
