"""The command `tengen tournament`: many games between several agents, in a file."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from local_runner.commands.shared.options import GameOptions, LimitOptions, ManyGames, one_of
from local_runner.commands.shared.tournament_arguments import (
    Openings,
    Out,
    Recover,
    begin,
    entered_as,
    needed,
    place_for,
    terms_for,
)
from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _

if TYPE_CHECKING:
    from local_runner.commands.shared.tournament_arguments import Place

ORDER = 120  # in the list of commands
Resume = Annotated[Path | None, typer.Option(metavar="FILE", help="Continue this file, with its own options.")]
MACHINES = {"sandbox", "ponder"}  # parameters that are a matter of the machine: --resume may change them for one run
RESUMABLE = {"resume", "rounds", "jobs", "executor", "address", "quiet", "as_json", *MACHINES}  # beside --resume


def _schedules() -> Iterable[str]:
    from local_runner.matches.tournament.schedule import OFFERED

    return OFFERED


def tournament(
    context: typer.Context,
    game: GameOptions,
    limits: LimitOptions,
    many: ManyGames,
    agents: Annotated[list[str] | None, typer.Argument(help="Two or more agents.")] = None,
    out: Out = None,
    resume: Resume = None,
    schedule: Annotated[
        str,
        typer.Option(
            metavar="SCHEDULE",
            callback=one_of(Message("schedule"), _schedules),
            help="round-robin; gauntlet: the first against the others; swiss: neighbours by points.",
        ),
    ] = "round-robin",
    rounds: Annotated[int, typer.Option(min=1, help="Repetitions; a pairing is two games, colours swapped.")] = 1,
    openings: Openings = None,
    recover: Recover = False,
) -> None:
    """Play many games between two or more agents, one on each core; a file keeps every game.

    If it is interrupted, `--resume FILE` plays the remaining games; `--rounds` may then ask for more than before.
    """
    from local_runner.agents.declared_games import seconds_for

    place = place_for(many)
    if resume is not None:
        changed = _changed(context)
        more = rounds if "rounds" in changed else None
        limits_now = {name: vars(limits)[name] for name in MACHINES & changed}
        raise typer.Exit(_resume(resume, place, more, limits_now, many))
    path = needed(out)
    entered = entered_as(agents or [], many)
    terms = terms_for(game, limits.with_time(game.time or seconds_for(entered)))
    raise typer.Exit(
        begin(path, entered, terms, openings, place, many, schedule=schedule, rounds=rounds, recover=recover)
    )


def _resume(path: Path, place: "Place", rounds: int | None, limits: Mapping[str, Any], many: ManyGames) -> int:
    """Go on with a file. `rounds`: how many there shall be, if that is asked; `limits`: those of this run only."""
    from local_runner.matches.screens import show_tournament
    from local_runner.matches.tournament import store

    with store.open_to_run(path) as kept:
        if rounds is not None:
            kept.extend(rounds)
        kept.plan = kept.plan.limited(limits)
        with place(kept.plan.load) as executor:
            return show_tournament(kept, executor, quiet=many.quiet, as_json=many.as_json)


def _changed(context: typer.Context) -> set[str]:
    """The parameters given beside --resume. Raises RunnerError for those that the file decides."""
    given = {}
    for each in context.command.params:
        source = context.get_parameter_source(str(each.name))
        if source is not None and source.name == "COMMANDLINE":
            given[str(each.name)] = each
    fixed = [each.opts[0] if each.param_type_name == "option" else _("the agents")
             for name, each in given.items() if name not in RESUMABLE]  # fmt: skip
    if fixed:
        sentence = _("a tournament goes on as it was begun: leave out {options}, or begin a new one")
        raise RunnerError(sentence.format(options=", ".join(fixed)))
    return set(given)
