"""The command `tengen tournament`: plays many games between several agents and stores them in a file."""

from pathlib import Path
from typing import Annotated

import typer

from local_runner.command_line.options import (
    MOST_ROUNDS,
    GameOptions,
    LimitOptions,
    ManyGames,
    agent_names,
    given,
    one_of,
    refuse,
)
from local_runner.command_line.tournaments import begin
from local_runner.command_line.tournaments import resume as play_on
from local_runner.language.languages import Message, _
from local_runner.matches.schedule import Schedule

ORDER = 120  # place in the list of commands
PANEL = "many"
EXAMPLES = (
    "tengen tournament tengen:depth=2 greedy random --rounds 10 --out pool.jsonl",
    "tengen tournament --resume pool.jsonl --rounds 20",
)
SCHEDULES = [each.value for each in Schedule if each is not Schedule.MATCH]
OF_THE_MACHINE = {"sandbox", "ponder"}  # parameters that --resume may change for one run
# Parameters that may stand beside --resume.
RESUMABLE = OF_THE_MACHINE | {
    "resume", "rounds", "recover", "python", "jobs", "executor", "address", "quiet", "pgn", "sgf", "json_to",
}  # fmt: skip


def tournament(
    context: typer.Context,
    game: GameOptions,
    limits: LimitOptions,
    many: ManyGames,
    agents: Annotated[list[str] | None, typer.Argument(autocompletion=agent_names, help="Two or more agents.")] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Continue this file, with its own options.")
    ] = None,
    schedule: Annotated[
        str,
        typer.Option(metavar="SCHEDULE", **one_of(Message("schedule"), lambda: SCHEDULES),
                     help="round-robin; gauntlet: the first against the others; swiss: neighbours by points."),
    ] = "round-robin",
    rounds: Annotated[
        int, typer.Option(min=1, max=MOST_ROUNDS, help="Repetitions; a pairing is two games, colours swapped.")
    ] = 1,
) -> None:  # fmt: skip
    """Play many games between two or more agents, one on each core; a file keeps every game.

    After an interruption, `--resume FILE` plays the remaining games; `--rounds` may then ask for more than before, and
    `--recover` counts from then on.
    """
    if resume is None:
        raise typer.Exit(begin(agents or [], game, limits, many, schedule=Schedule(schedule), rounds=rounds))
    beside = given(context)
    refuse(context, beside.keys() - RESUMABLE,
           _("a tournament goes on as it was begun: leave out {options}, or begin a new one"))  # fmt: skip
    now = {name: getattr(limits, name) for name in OF_THE_MACHINE & beside.keys()}
    python = game.python if "python" in beside else None
    raise typer.Exit(play_on(resume, many, rounds=rounds if "rounds" in beside else None, limits=now, python=python))
