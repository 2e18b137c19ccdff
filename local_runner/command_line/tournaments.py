"""The work of `tengen tournament` and `tengen sprt`: begins a new tournament, or plays the rest of an existing one."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from local_runner.command_line.options import GameOptions, LimitOptions, ManyGames
from local_runner.errors import RunnerError
from local_runner.language.languages import _

if TYPE_CHECKING:
    from local_runner.matches.cluster import RayExecutor
    from local_runner.matches.executor import LocalExecutor
    from local_runner.matches.schedule import Schedule
    from local_runner.matches.statistics.sprt import Sprt


def begin(
    agents: list[str], game: GameOptions, limits: LimitOptions, many: ManyGames,
    *, schedule: "Schedule", rounds: int, sprt: "Sprt | None" = None,
) -> int:  # fmt: skip
    """Make the tournament's file and play; returns the exit code. An agent's own options override `--each`.

    Raises RunnerError for fewer than two agents, without --out, for options that contradict each other, and if an agent
    cannot be loaded. Raises EnvError if the referee refuses the game.
    """
    from local_runner.agents.declared_games import seconds_for
    from local_runner.agents.spec import named, parse_options
    from local_runner.formats.openings import openings_of
    from local_runner.matches.openings.deal import book_for
    from local_runner.matches.plan import Plan, Terms
    from local_runner.matches.run import open_or_create
    from local_runner.matches.screens import show_tournament
    from local_runner.processes.engine.levels import parse_player
    from local_runner.terminal import json_result

    json_result.check(many.json_to)
    executor_for = _executor(many)
    if many.out is None:
        raise RunnerError(_("the games need a file: give --out FILE, or go on with `tengen tournament --resume FILE`"))
    if len(agents) < 2:
        raise RunnerError(_("a tournament needs two agents or more, not {number}").format(number=len(agents)))
    common = parse_options(many.each)
    specs = tuple(
        spec if spec.level else replace(spec, options={**common, **spec.options}) for spec in map(parse_player, agents)
    )
    if many.names is not None:
        specs = named(specs, many.names.split(","))
    allowed = limits.with_time(game.time or seconds_for(specs))
    setup = game.setup()
    book = book_for(many.openings, setup, openings_of, shuffled=not many.in_order)
    _check_outputs(many)
    terms = Terms(setup, allowed, python=game.python)
    plan = Plan(specs, terms, schedule, rounds, book, recover=many.recover, sprt=sprt)
    with executor_for() as executor, open_or_create(many.out, plan, new=True) as games:
        code = show_tournament(games, executor, quiet=many.quiet, json_to=many.json_to)
    write_outputs(many.out, many)
    return code


def resume(
    file: Path, many: ManyGames, *, rounds: int | None, limits: Mapping[str, Any], python: str | None = None
) -> int:
    """Play the rest of a tournament; returns the exit code.

    `rounds`: the new number of rounds, None for the file's number; this number and `many.recover` are stored. Not
    stored are `limits`, name of a field of `AgentLimits` -> its value in this run, and `python`, the agents'
    interpreter in this run, None for the file's.
    """
    from local_runner.matches.games import resume as resumed
    from local_runner.matches.screens import show_tournament

    executor_for = _executor(many)
    _check_outputs(many)
    with resumed(file) as games:
        for sentence in games.damage:
            typer.echo(sentence, err=True)
        for changed in games.changed_files():
            sentence = _("note: {file} has changed since {path} was begun, or is gone; the games go on with the copy "
                         "that was taken then")  # fmt: skip
            typer.echo(sentence.format(file=changed, path=file), err=True)
        games.extend(rounds, recover=many.recover)
        games.plan = games.plan.limited(limits, python)
        with executor_for() as executor:
            code = show_tournament(games, executor, quiet=many.quiet, json_to=many.json_to)
    write_outputs(file, many)
    return code


def _outputs(many: ManyGames) -> dict[Path, str]:
    """The files for the games, and the ending of each file's format."""
    return {path: ending for path, ending in ((many.pgn, "pgn"), (many.sgf, "sgf")) if path is not None}


def _check_outputs(many: ManyGames) -> None:
    """Raise RunnerError if a file for the games cannot be written at the end."""
    from local_runner.system.files import check_writable

    for path, ending in _outputs(many).items():
        check_writable(path, _("give --{option} another file").format(option=ending))


def write_outputs(file: Path, many: ManyGames) -> None:
    """Write the games of a tournament's file into the files that the options name."""
    from local_runner.formats import read_path
    from local_runner.formats.writing import format_of, write_games

    for path, ending in _outputs(many).items():
        if games := list(read_path(file).games()):
            write_games(games, path, format_of(ending), _("give --{option} another file").format(option=ending))


def _executor(many: ManyGames) -> "Callable[[], LocalExecutor | RayExecutor]":
    """A function that makes the executor.

    Raises RunnerError for --jobs with a Ray cluster, and for --address without one.
    """
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
