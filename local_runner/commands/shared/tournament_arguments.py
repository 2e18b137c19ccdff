"""What the options of commands that play many games mean: the place, the agents, the terms."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from local_runner.commands.shared.options import OPENINGS, GameOptions, ManyGames
from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.processes.child import AgentLimits

if TYPE_CHECKING:
    from local_runner.agents.spec import AgentSpec
    from local_runner.matches.fixture import Terms
    from local_runner.matches.statistics.sprt import Sprt
    from local_runner.matches.tournament.executor import LocalExecutor
    from local_runner.matches.tournament.ray_executor import RayExecutor
    from local_runner.processes.load import Load

    Place = Callable[[Load], LocalExecutor | RayExecutor]

Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="The new file that keeps every game.")]
Openings = Annotated[str | None, typer.Option(help=f"{OPENINGS}test if the game has such a book, else random.")]
Recover = Annotated[bool, typer.Option("--recover", help="A crash loses a game, but does not end the tournament.")]


def place_for(many: ManyGames) -> "Place":
    """The place where games are played, as a function that makes the executor for a load."""
    if many.executor == "ray":
        from local_runner.matches.tournament.ray_executor import connect

        if many.jobs is not None:
            raise RunnerError(_("--jobs is for one machine, since a cluster plays one game per CPU; leave it out"))
        return lambda load: connect(many.address, load)
    if many.address is not None:
        raise RunnerError(_("--address is the address of a Ray cluster and needs --executor ray"))
    from local_runner.matches.tournament.executor import LocalExecutor
    from local_runner.system.header import physical_cores

    return lambda load: LocalExecutor(many.jobs or physical_cores(), load)


def entered_as(texts: list[str], many: ManyGames) -> "tuple[AgentSpec, ...]":
    """The agents, each with the options of `--each`; an agent's own options override these."""
    from dataclasses import replace

    from local_runner.agents.spec import parse_agent, parse_options

    if len(texts) < 2:
        raise RunnerError(_("a tournament needs two agents or more, not {number}").format(number=len(texts)))
    options = parse_options(many.each)
    specs = map(parse_agent, texts)
    return tuple(replace(spec, options={**options, **spec.options}) for spec in specs)


def terms_for(game: GameOptions, limits: AgentLimits) -> "Terms":
    """The terms of a tournament. Raises EnvError if the referee refuses the game, RunnerError for infinite limits."""
    from local_runner.matches.fixture import Terms

    if not math.isfinite(limits.seconds + limits.memory_mb):
        raise RunnerError(_("--time and --memory cannot be infinite; give numbers"))
    setup = game.setup()
    setup.make()
    return Terms(setup, limits, python=game.python)


def begin(
    path: Path, agents: "tuple[AgentSpec, ...]", terms: "Terms", openings: str | None, place: "Place", many: ManyGames,
    *, schedule: str, rounds: int, recover: bool, sprt: "Sprt | None" = None,
) -> int:  # fmt: skip
    """Make the file and play; returns the exit code."""
    from local_runner.matches.openings.deal import book_for
    from local_runner.matches.screens import show_tournament
    from local_runner.matches.tournament.plan import TournamentPlan
    from local_runner.matches.tournament.run import begun

    plan = TournamentPlan(agents, terms, schedule, rounds, book_for(openings, terms.setup), recover=recover, sprt=sprt)
    with place(plan.load) as executor, begun(path, plan, new=True) as kept:
        return show_tournament(kept, executor, quiet=many.quiet, as_json=many.as_json)


def needed(out: Path | None) -> Path:
    """The file of the games. Raises RunnerError without one."""
    if out is None:
        raise RunnerError(_("the games need a file: give --out FILE, or go on with `tengen tournament --resume FILE`"))
    return out
