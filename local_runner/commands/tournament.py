"""The command `tengen tournament`: plays many games between several agents and stores them in a file."""

from pathlib import Path
from typing import Annotated

import typer

from local_runner.commands.shared.options import GameOptions, LimitOptions, ManyGames, one_of
from local_runner.commands.shared.tournament_arguments import begin
from local_runner.commands.shared.tournament_arguments import resume as play_on
from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _
from local_runner.matches.tournament.schedule import Schedule

ORDER = 120  # place in the list of commands
SCHEDULES = [each.value for each in Schedule if each is not Schedule.MATCH]
OF_THE_MACHINE = {"sandbox", "ponder"}  # parameters that --resume may change for one run
RESUMABLE = {"resume", "rounds", "jobs", "executor", "address", "quiet", "as_json", *OF_THE_MACHINE}


def tournament(
    context: typer.Context,
    game: GameOptions,
    limits: LimitOptions,
    many: ManyGames,
    agents: Annotated[list[str] | None, typer.Argument(help="Two or more agents.")] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Continue this file, with its own options.")
    ] = None,
    schedule: Annotated[
        str,
        typer.Option(metavar="SCHEDULE", callback=one_of(Message("schedule"), lambda: SCHEDULES),
                     help="round-robin; gauntlet: the first against the others; swiss: neighbours by points."),
    ] = "round-robin",
    rounds: Annotated[int, typer.Option(min=1, help="Repetitions; a pairing is two games, colours swapped.")] = 1,
) -> None:  # fmt: skip
    """Play many games between two or more agents, one on each core; a file keeps every game.

    After an interruption, `--resume FILE` plays the remaining games; `--rounds` may then ask for more than before.
    """
    if resume is None:
        raise typer.Exit(begin(agents or [], game, limits, many, schedule=Schedule(schedule), rounds=rounds))
    given = _given_beside_resume(context)
    now = {name: getattr(limits, name) for name in OF_THE_MACHINE & given}
    raise typer.Exit(play_on(resume, many, rounds=rounds if "rounds" in given else None, limits=now))


def _given_beside_resume(context: typer.Context) -> set[str]:
    """The names of the parameters given on the command line beside --resume.

    Raises RunnerError for a parameter that only a new tournament may have, because the file contains its value.
    """
    given = {}
    for each in context.command.params:
        source = context.get_parameter_source(str(each.name))
        if source is not None and source.name == "COMMANDLINE":
            given[str(each.name)] = each.opts[0] if each.param_type_name == "option" else _("the agents")
    fixed = [given[name] for name in given if name not in RESUMABLE]
    if fixed:
        sentence = _("a tournament goes on as it was begun: leave out {options}, or begin a new one")
        raise RunnerError(sentence.format(options=", ".join(fixed)))
    return set(given)
