"""The command `tengen tournament`: plays many games between several agents and stores them in a file.

`begin` plays a new tournament, and the test of `tengen sprt`.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from local_runner.command_line.options import (
    AGENT,
    MOST_ROUNDS,
    EarlyEnds,
    GameOptions,
    LimitOptions,
    ManyGames,
    argument,
    flag,
    given,
    one_of,
    option,
    refuse,
)
from local_runner.errors import AgentError, RunnerError
from local_runner.language.languages import Message, _
from local_runner.language.text import ERROR, shortened
from local_runner.matches.schedule import Schedule

if TYPE_CHECKING:
    from local_runner.agents.spec import AgentSpec
    from local_runner.matches.executor import Executor
    from local_runner.matches.games import Games
    from local_runner.matches.statistics.sprt import Sprt

PLACE = "many", 120  # group of commands, and the place in lists
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
    ends: EarlyEnds,
    agents: Annotated[list[str] | None, argument("Two or more agents.", **AGENT)] = None,
    resume: Annotated[Path | None, option("Continue this file, with its own options.", "FILE")] = None,
    schedule: Annotated[str, option(
        "round-robin; gauntlet: the first against the others; swiss: neighbours by points.", "SCHEDULE",
        **one_of(Message("schedule"), lambda: SCHEDULES),
    )] = "round-robin",
    rounds: Annotated[
        int, option("Repetitions; a pairing is two games, colours swapped.", least=1, most=MOST_ROUNDS)
    ] = 1,
    skip: Annotated[bool, flag("--skip", "Play without the agents that cannot be played.")] = False,
) -> None:  # fmt: skip
    """Play many games between two or more agents, one on each core; a file keeps every game.

    After an interruption, `--resume FILE` plays the remaining games; `--rounds` may then ask for more than before, and
    `--recover` counts from then on.
    """
    if resume is None:
        kind = Schedule(schedule)
        raise typer.Exit(begin(agents or [], game, limits, many, ends, schedule=kind, rounds=rounds, skip=skip))
    beside = given(context)
    refuse(context, beside.keys() - RESUMABLE,
           _("a tournament goes on as it was begun: leave out {options}, or begin a new one"))  # fmt: skip
    from local_runner.matches.games import resume as opened

    executor_for = _prepared(many, resume)
    with opened(resume) as games:
        for sentence in games.damage:
            typer.echo(sentence, err=True)
        for changed in games.changed_files():
            sentence = _("note: {file} has changed since {path} was begun, or is gone; the games go on with the copy "
                         "that was taken then")  # fmt: skip
            typer.echo(sentence.format(file=changed, path=resume), err=True)
        games.extend(rounds if "rounds" in beside else None, recover=many.recover)
        terms = games.plan.terms  # settings of the machine are not stored
        python = game.python if "python" in beside else terms.python
        now = replace(terms.limits, **{name: getattr(limits, name) for name in OF_THE_MACHINE & beside.keys()})
        games.plan = replace(games.plan, terms=replace(terms, limits=now, python=python))
        with executor_for() as executor:
            raise typer.Exit(_played(games, executor, many))


def begin(
    agents: list[str], game: GameOptions, limits: LimitOptions, many: ManyGames, ends: EarlyEnds,
    *, schedule: Schedule, rounds: int, skip: bool = False, sprt: "Sprt | None" = None,
) -> int:  # fmt: skip
    """Make the tournament's file and play; returns the exit code. An agent's own options override `--each`.

    Raises RunnerError for fewer than two agents, without --out, for options that contradict each other, and, unless
    `skip`, if an agent cannot be played. Raises EnvError if the referee refuses the game.
    """
    from local_runner.agents.declared_games import seconds_for
    from local_runner.agents.spec import check_names, named, parse_options
    from local_runner.formats.reading import openings_of
    from local_runner.matches.games import create
    from local_runner.matches.openings.deal import book_for
    from local_runner.matches.plan import Plan, Terms
    from local_runner.matches.run import unplayable
    from local_runner.processes.engine.levels import parse_player
    from local_runner.system.header import header

    executor_for = _prepared(many)
    if many.out is None:
        raise RunnerError(_("the games need a file: give --out FILE, or go on with `tengen tournament --resume FILE`"))
    if len(agents) < 2:
        raise RunnerError(_("a tournament needs two agents or more, not {number}").format(number=len(agents)))
    common, names = parse_options(many.each), many.names.split(",") if many.names is not None else [""] * len(agents)
    check_names(names, len(agents))
    specs: list[AgentSpec] = []
    wrong = list[str]()
    for text, name in zip(agents, names, strict=True):
        try:
            spec = parse_player(text)
            specs += named([spec if spec.level else replace(spec, options={**common, **spec.options})], [name])
        except AgentError as error:
            wrong.append(str(error))
    allowed = limits.with_time(game.time or seconds_for(specs))
    setup = game.setup()
    book = book_for(many.openings, setup, openings_of, shuffled=not many.in_order)
    terms = Terms(setup, allowed, python=game.python, adjudication=ends.adjudication)
    for spec, trouble in list(unplayable(specs, terms)):
        specs.remove(spec)
        wrong.append(str(trouble))
    _tell_unplayable(wrong, len(specs), skip)
    plan = Plan(tuple(specs), terms, schedule, rounds, book, recover=many.recover, sprt=sprt)
    with executor_for() as executor, create(many.out, plan, header()) as games:
        return _played(games, executor, many)


def _tell_unplayable(wrong: list[str], others: int, skip: bool) -> None:
    """Name the agents that cannot be played on stderr. Raises RunnerError unless they are skipped and two are left.

    wrong: why each of these agents cannot be played; others: number of the other agents
    """
    if len(wrong) == 1 and others < 2:
        raise RunnerError(wrong[0])
    for why in wrong:
        typer.echo(f"tengen: {shortened(why, ERROR)}", err=True)
    if not wrong or (skip and others > 1):
        return
    sentence = _("agents that cannot be played: {number}; to play the other {others} without them, add --skip")
    if others < 2:
        sentence = _("agents that cannot be played: {number}; a tournament needs two others")
    raise RunnerError(sentence.format(number=len(wrong), others=others))


def _played(games: "Games", executor: "Executor", many: ManyGames) -> int:
    from local_runner.matches.screens import TournamentScreen

    code = TournamentScreen(games, json_to=many.json_to, quiet=many.quiet, executor=executor).show()
    assert games.path is not None
    write_outputs(games.path, many)
    return code


def write_outputs(file: Path, many: ManyGames) -> None:
    """Write the games of a tournament's file into the files that the options name."""
    from local_runner.formats import read_path
    from local_runner.formats.writing import format_of, write_games

    for path, ending, advice in many.outputs:
        if games := list(read_path(file).games()):
            write_games(games, path, format_of(ending), advice)


def _prepared(many: ManyGames, source: Path | None = None) -> "Callable[[], Executor]":
    """Check that the outputs can be written; return a function that makes the executor. `source`: an existing file."""
    from local_runner.system.files import check_writable
    from local_runner.terminal import output

    output.check(many.json_to, source)
    for path, _ending, advice in many.outputs:
        check_writable(path, advice)
    if many.executor == "ray":
        from local_runner.matches.cluster import connect

        if many.jobs is not None:
            raise RunnerError(_("--jobs is for one machine, since a cluster plays one game per CPU; leave it out"))
        return lambda: connect(many.address)
    if many.address is not None:
        raise RunnerError(_("--address is the address of a Ray cluster and needs --executor ray"))
    from local_runner.matches.executor import LocalExecutor
    from local_runner.system.header import physical_cores

    return lambda: LocalExecutor(many.jobs or physical_cores())
