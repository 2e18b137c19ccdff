"""The games that studies are made of: tournaments like any other, in files that an interrupted study goes on with."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_runner.agents import AgentSpec, OptionValue
from local_runner.errors import RunnerError
from local_runner.files import check_folder
from local_runner.fixture import Terms
from local_runner.header import header
from local_runner.openings.deal import book_for
from local_runner.study.measuring import bar
from local_runner.tournament import store
from local_runner.tournament.plan import TournamentPlan, to_json
from local_runner.tournament.run import Observer, check_agents
from local_runner.tournament.run import run as play
from local_runner.tournament.store import PlayedGame, Store

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from local_runner.tournament.commands import Place

ENTRANTS = {  # ours first, then who plays the game, the strongest by their reports first
    "gobang_1v1": ("tengen", "scorer", "seed004", "montecarlo", "greedy", "random"),
    "gomoku_11x11_1v1": ("tengen", "scorer", "seed002", "seed004", "montecarlo", "greedy", "random"),
    "tictactoe_1v1": ("tengen", "scorer", "seed003", "montecarlo", "greedy", "random"),
    "reversi_8x8_1v1": ("tengen", "seed001", "seed000", "alphabeta", "minimax", "montecarlo", "greedy", "random"),
    "reversi_1v1": ("tengen", "seed001", "seed000", "alphabeta", "minimax", "montecarlo", "greedy", "random"),
}

TIMED = ("tengen", "seed000", "seed001", "seed002", "alphabeta", "minimax", "montecarlo")  # who take seconds=


def entrants(env: str, named: Sequence[str]) -> list[str]:
    """The agents that were named, or else those that play the game. Raises RunnerError for a game without any."""
    if named:
        return list(named)
    if env not in ENTRANTS:
        raise RunnerError(f"nobody is known to play {env}; name agents, or a game of: {', '.join(ENTRANTS)}")
    return list(ENTRANTS[env])


def paced(agents: tuple[AgentSpec, ...], seconds: float | None) -> tuple[AgentSpec, ...]:
    """The agents, those of TIMED with so many seconds a move, ours with none off turn; their own options win."""
    if seconds is None:
        return agents
    options: Mapping[str, Mapping[str, OptionValue]] = {name: {"seconds": seconds} for name in TIMED}
    options = {**options, "tengen": {"seconds": seconds, "off_turn_seconds": 0}}
    return tuple(
        replace(agent, options={**options.get(agent.name.partition(":")[0], {}), **agent.options}) for agent in agents
    )


def plan_of(agents: tuple[AgentSpec, ...], terms: Terms, schedule: str, rounds: int) -> TournamentPlan:
    """A tournament in which a crash is a lost game."""
    return TournamentPlan(agents, terms, schedule, rounds, book_for(None, terms.setup), recover=True)


def play_all(path: Path, plan: TournamentPlan, place: "Place", *, quiet: bool) -> dict[str, Any]:
    """Play what the file has not yet of the tournament; its header.

    Raises RunnerError for a file of another tournament, and as `tournament.run` and `store` do.
    """
    if not path.exists():
        check_agents(plan)
        check_folder(path.parent, "give --out another folder")
        with store.create(path, plan, header()):
            pass
    with store.open_to_run(path) as kept:
        if to_json(kept.plan) != to_json(plan):
            raise RunnerError(f"{path} holds games of other options; give --out another folder")
        with bar(quiet) as progress:
            task = progress.add_task(plan.terms.setup.env, total=plan.games, completed=len(kept.games()))
            if len(kept.games()) < plan.games:
                with place(plan.load) as executor:
                    play(kept, executor, _Bar(progress, task))
        return dict(kept.header)


def terms_shown(terms: Terms, think: float | None, **counts: int) -> dict[str, Any]:
    """What a page says of how the games were played; `think`: as `paced` takes it."""
    pace = "their own" if think is None else think
    return {**counts, "seconds a call": terms.limits.seconds, "seconds a move": pace}


class _Bar(Observer):
    """Moves a progress bar on by every game."""

    def __init__(self, progress: "Progress", task: "TaskID") -> None:
        self.progress, self.task = progress, task

    def ended(self, game: PlayedGame) -> None:
        self.progress.advance(self.task)


def own_calls(kept: Store, game: PlayedGame, agent: int) -> list[float]:
    """Seconds of an agent's calls on turn, in order."""
    player = 0 if game.black == agent else 1
    return [call["seconds"] for call in kept.record(game.number)["calls"] if call["player"] == player and call["turn"]]
