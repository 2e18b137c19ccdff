"""The commands of the studies with their options. The modules that do the work are imported when they run."""

import shlex
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from local_runner.commands.shared.command_line import CommandLine
from local_runner.commands.shared.interruption import interruptible
from local_runner.commands.shared.options import (
    AsJson,
    GameOptions,
    LimitOptions,
    ManyGames,
    Quiet,
    Rules,
    Seed,
    Time,
    games,
    one_of,
)
from local_runner.commands.shared.tournament_arguments import entered_as, place_for, terms_for
from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _, without_option
from local_runner.language.text import in_line
from local_runner.processes.child import AgentLimits

if TYPE_CHECKING:
    from local_runner.agents.spec import AgentSpec
    from local_runner.matches.fixture import Terms
    from local_runner.study.output import Row, StudyResult

ORDER = 180  # in the list of commands
study = CommandLine("study", help="Experiments: depth-time, pruning, per-move-time, cross-table.")

RESULTS = Path("results")

Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FOLDER", help="Folder of the results; the page is FOLDER.md. [results/NAME]"),
]
Envs = Annotated[
    list[str] | None,
    typer.Option("--env", metavar="GAME", callback=one_of(Message("game"), games),
                 help="A game; may be repeated. Default: all five."),
]  # fmt: skip
Agents = Annotated[
    list[str] | None, typer.Argument(help="Agents, ours first. Default: all that play the game.")
]
Rounds = Annotated[int, typer.Option(min=1, help="Pairs of games, colours swapped, for each pairing.")]
Think = Annotated[
    float | None,
    typer.Option(min=0.001, help="Seconds per move for agents with the option seconds; ours: 0 off turn. [their own]"),
]


@study.callback()
def about() -> None:
    """Experiments with tables and plots. An interrupted study continues if its command is given again."""


@study.command()
def depth_time(
    out: Out = None,
    depth: Annotated[int, typer.Option(min=1, help="The greatest depth in plies; all from 1 are timed.")] = 8,
    games: Annotated[int, typer.Option(min=1, help="Random games that supply the positions.")] = 3,
    positions: Annotated[int, typer.Option(min=1, max=24, help="Positions of each game.")] = 8,
    cores: Annotated[int, typer.Option(min=2, help="Number of processes in the configuration `processes`.")] = 2,
    seed: Seed = 0,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Seconds per move by search depth, for five configurations of seed001, with exponential fits."""
    from local_runner.study import depth_time

    folder = out or RESULTS / "depth-time"
    study = partial(depth_time.study, folder, depth, games, positions, cores, seed, quiet=quiet)
    _run("depth-time", folder, study, as_json)


@study.command()
def pruning(
    out: Out = None,
    env: Envs = None,
    positions: Annotated[int, typer.Option(min=1, help="Positions of each game.")] = 10,
    depth: Annotated[int, typer.Option(min=1, help="The greatest depth, in plies.")] = 6,
    nodes: Annotated[int, typer.Option(min=1, help="Do not go deeper once a search took this many nodes.")] = 5000,
    seed: Seed = 0,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Nodes of minimax, alpha-beta and its refinements on the same positions, with the theoretical bounds."""
    from local_runner.study import pruning

    unknown = set(env or ()) - set(pruning.PLIES)
    if unknown:
        sentence = _("no positions for {games}; give one of {known}")
        raise RunnerError(sentence.format(games=", ".join(sorted(unknown)), known=", ".join(pruning.PLIES)))
    folder, envs = out or RESULTS / "pruning", list(dict.fromkeys(env or pruning.PLIES))
    study = partial(pruning.study, folder, envs, positions, depth, nodes, seed, quiet=quiet)
    _run("pruning", folder, study, as_json)


@study.command()
def per_move_time(
    limits: LimitOptions,
    many: ManyGames,
    agents: Agents = None,
    out: Out = None,
    env: Envs = None,
    rounds: Rounds = 5,
    time: Time = 1.0,
    think: Think = None,
    rules: Rules = "stated",
    seed: Seed = 0,
) -> None:
    """Seconds per call by move number, of the first agent and of each opponent, in games between them."""
    from local_runner.study import per_move_time

    folder, place = out or RESULTS / "per-move-time", place_for(many)
    pools = _pools(env, agents or [], limits.with_time(time), think, many, rules, seed)
    study = partial(per_move_time.study, folder, pools, rounds, place, think, quiet=many.quiet)
    _run("per-move-time", folder, study, many.as_json)


@study.command()
def cross_table(
    limits: LimitOptions,
    many: ManyGames,
    agents: Agents = None,
    out: Out = None,
    env: Envs = None,
    rounds: Rounds = 10,
    more: Annotated[int, typer.Option(min=0, help="Additional pairs of the first agent with each of the others.")] = 0,
    time: Time = 1.0,
    think: Think = None,
    rules: Rules = "stated",
    seed: Seed = 0,
) -> None:
    """Every agent against every other: scores with 95 % intervals, and Elo."""
    from local_runner.study import cross_table

    folder, place = out or RESULTS / "cross-table", place_for(many)
    pools = _pools(env, agents or [], limits.with_time(time), think, many, rules, seed)
    study = partial(cross_table.study, folder, pools, rounds, more, place, think, quiet=many.quiet)
    _run("cross-table", folder, study, many.as_json)


def _pools(
    envs: list[str] | None, agents: list[str], limits: AgentLimits, think: float | None, many: ManyGames, rules: str,
    seed: int,
) -> "list[tuple[Terms, tuple[AgentSpec, ...]]]":  # fmt: skip
    """The terms and the agents of every game. Raises RunnerError if `think` is not below the limit of a call."""
    from env_adapter import names
    from local_runner.study.games import entrants, paced

    if think is not None and think >= limits.seconds:
        sentence = _("--think {think:g} leaves no time in a call of {seconds:g} s; give a larger --time")
        raise RunnerError(sentence.format(think=think, seconds=limits.seconds))

    return [
        (
            terms_for(GameOptions(env, rules=rules, seed=seed), limits),
            paced(entered_as(entrants(env, agents), many), think),
        )
        for env in dict.fromkeys(envs or names())
    ]


def _run(name: str, folder: Path, study: "Callable[[], tuple[StudyResult, Row]]", as_json: bool) -> None:
    """Measure, write and show. Ctrl-C keeps what was measured."""
    from rich.console import Console

    from local_runner.study import output

    output.claim(folder, name)
    stopped = _("the study was interrupted; its results are in {folder}, and the same command goes on")
    with interruptible(stopped.format(folder=in_line(str(folder)))):
        try:
            outcome, head = study()
        except RunnerError:
            output.abandon(folder)
            raise
        output.write(outcome, folder, head, _typed(without_option(sys.argv[1:])[1]))
    if as_json:
        sys.stdout.write(output.as_json(outcome, head) + "\n")
    else:
        Console(highlight=False).print(output.table(folder.name, outcome.summary))
        typer.echo(_where(folder, list(outcome.plots)))


def _typed(arguments: Sequence[str]) -> str:
    """The command as typed, without the options for where results go and what is shown.

    >>> _typed(["study", "pruning", "--quiet", "--out", "here", "--depth", "3"])
    'tengen study pruning --depth 3'
    """
    kept, rest = ["tengen"], iter(arguments)
    for argument in rest:
        if argument == "--out":
            next(rest)
        elif argument not in ("--quiet", "--json") and not argument.startswith("--out="):
            kept.append(argument)
    return shlex.join(kept)


def _where(folder: Path, plots: Sequence[str]) -> str:
    files = ("table.csv", "table.json", *(f"{plot}.png, .svg" for plot in plots))
    sentence = _("written: {page}; in {folder}: {files}")
    return in_line(sentence.format(page=f"{folder.parent / folder.name}.md", folder=folder, files=", ".join(files)))
