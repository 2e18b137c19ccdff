"""The command line: what each command is called and takes. What it does stands in a module that it imports when run.

An error of our own is one sentence on stderr and exit code 2, like a wrong option; anything else is our fault and
shows its traceback.
"""

import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from local_runner.bench import commands as bench
from local_runner.errors import RunnerError
from local_runner.options import (
    OPENINGS,
    THIS_PYTHON,
    AsJson,
    Board,
    BoardSize,
    Colour,
    Env,
    Memory,
    Python,
    Quiet,
    Rules,
    Seed,
)
from local_runner.study import commands as study
from local_runner.text import print_anyhow, printable
from local_runner.tournament import commands

app = typer.Typer(
    name="tengen",
    help="Board-game agents for the Jidi platform: play them, check them, bundle them for upload.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

USAGE_ERROR = 2

def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"tengen {version('tengen')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Agents are NAME_OR_PATH[:key=value,...]: a name that `tengen opponents` lists, or any submission.py."""


@app.command()
def match(
    a: Annotated[str, typer.Argument(metavar="A", help="An agent, e.g. tengen, seed004, ./submission.py:depth=4.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The other agent; the colours are swapped every game.")],
    env: Env = "gobang_1v1",
    games: Annotated[int, typer.Option(min=1, help="How many; two by two from the same opening.")] = 2,
    rules: Rules = "platform",
    seed: Seed = 0,
    time: Annotated[float, typer.Option(min=0.001, help="Seconds per call.")] = 1.0,
    memory: Memory = 500.0,
    opening_plies: Annotated[int | None, typer.Option(min=0, help="Length of random openings.")] = None,
    openings: Annotated[
        str | None, typer.Option(help=f"{OPENINGS}the game's own for the first pair, random ones for the others.")
    ] = None,
    board_size: BoardSize = None,
    board: Board = None,
    python: Python = THIS_PYTHON,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Replace illegal moves and only count faults inside, like the platform.")
    ] = False,
    no_limits: Annotated[bool, typer.Option("--no-limits", help="No time and memory limits, for debugging.")] = False,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="Write the whole result; - for stdout.")] = None,
    log_dir: Annotated[Path | None, typer.Option(help="Keep a log of each game and all that agents print.")] = None,
    details: Annotated[
        bool, typer.Option("--details", help="Show every game's last board, and of both sides the pieces and times.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Play games between two agents, each in a process of its own, under the platform's limits.

    Exit code 0: all games were decided by the rules. 1: an agent lost one by a fault. 2: something is wrong above.
    """
    from local_runner.agents import parse_agent
    from local_runner.fixture import Terms
    from local_runner.match import MatchPlan, openings_for
    from local_runner.match_screen import run
    from local_runner.openings.books import read_board
    from local_runner.openings.deal import RANDOM, START
    from local_runner.play import GameSetup
    from local_runner.processes.child import AgentLimits

    if lenient and rules != "platform":
        raise RunnerError("--lenient replaces illegal moves as the platform does, so it needs --rules platform")
    if openings not in (None, RANDOM) and opening_plies is not None:
        raise RunnerError(f"--opening-plies is the length of random openings, not of {openings}; leave it out")
    if board is not None and log_dir is not None:
        raise RunnerError("a log tells a game from the game's own start: leave out --log-dir, or --board")
    setup = GameSetup(env, rules, seed, board_size=board_size, board=read_board(board) if board else None)
    plan = MatchPlan(
        agents=(parse_agent(a), parse_agent(b)),
        terms=Terms(
            setup,
            AgentLimits(seconds=time, memory_mb=memory, enforced=not no_limits),
            strict=not lenient,
            python=python,
        ),
        games=games,
        openings=openings_for(setup, games, openings or (START if board else None), opening_plies),
        log_dir=log_dir,
    )
    raise typer.Exit(run(plan, json_to=json, quiet=quiet, details=details))


@app.command()
def play(
    agent: Annotated[str, typer.Argument(help="An agent, e.g. seed002, tengen:seconds=0.2, ./submission.py.")],
    env: Env = "gobang_1v1",
    colour: Annotated[Colour, typer.Option(help="Your stones; Black moves first.")] = Colour.BLACK,
    board_size: BoardSize = None,
    board: Board = None,
    openings: Annotated[str, typer.Option(help=f"{OPENINGS}start.")] = "start",
    rules: Rules = "platform",
    seed: Seed = 0,
    time: Annotated[float, typer.Option(min=0.001, help="Seconds per call of the agent.")] = 1.0,
    memory: Memory = 500.0,
    python: Python = THIS_PYTHON,
    strict: Annotated[bool, typer.Option("--strict", help="At Reversi, what is no move loses the turn.")] = False,
) -> None:
    """Play against an agent here, at the keyboard; it tells what it thinks of the game where it can.

    Exit code 0: the game was decided, or you left it. 1: the agent lost it by a fault. 2: something is wrong above.
    """
    from local_runner.agents import parse_agent
    from local_runner.human import play_against
    from local_runner.match import openings_for
    from local_runner.openings.books import read_board
    from local_runner.play import GameSetup
    from local_runner.processes.child import AgentLimits

    setup = GameSetup(env, rules, seed, board_size=board_size, board=read_board(board) if board else None)
    setup = replace(setup, opening=openings_for(setup, 1, openings)[0])
    limits = AgentLimits(seconds=time, memory_mb=memory)
    raise typer.Exit(play_against(parse_agent(agent), setup, list(Colour).index(colour), limits, python, strict=strict))


@app.command()
def run_log(
    black: Annotated[str, typer.Option(help="Black's agent, who moves first.")],
    white: Annotated[str, typer.Option(help="White's agent.")],
    env: Env = "gobang_1v1",
    rules: Rules = "platform",
    seed: Seed = 0,
    log_dir: Annotated[Path, typer.Option(help="Where the log goes.")] = Path("logs"),
) -> None:
    """Play one game as the platform's run_log.py does, and write its log for the platform's replay page."""
    from local_runner import run_log as twin
    from local_runner.agents import parse_agent
    from local_runner.files import check_folder

    agents = (parse_agent(black), parse_agent(white))
    check_folder(log_dir, "choose another --log-dir")
    try:
        game = twin.run_log(env, agents, rules=rules, seed=seed, folder=log_dir)
    except twin.RunAborted as error:
        twin.print_cause(error)
        typer.echo(f"tengen: {printable(str(error))}", err=True)
        raise typer.Exit(1) from error
    typer.echo(f"{twin.winner_text(game.log)}; log: {game.path}")


@app.command()
def opponents() -> None:
    """List the agents that have a name, and the options of each as they are if not given."""
    from local_runner.agents import BUILT_INS

    for name, built_in in BUILT_INS.items():
        typer.echo(f"{name:12}{built_in.about}")
        if built_in.takes:
            typer.echo(f"{'':12}{name}:{built_in.takes}")


@app.command()
def bundle(
    output: Annotated[
        Path | None, typer.Option(help="The file to write; dist/submission.py, for Mo dist/ai_player.py.")
    ] = None,
    source: Annotated[Path | None, typer.Option(help="The folder of the package; ours if not given.")] = None,
    platform: Annotated[
        str, typer.Option(help="jidi; or mo, whose Reversi asks an AIPlayer(color).get_move(board).")
    ] = "jidi",
) -> None:
    """Make the one file that is uploaded."""
    from local_runner import bundle

    made = bundle.build(source or bundle.SOURCE, platform)
    output = output or Path("dist") / bundle.MAINS[platform]
    bundle.write(made, output)
    contents = f"{len(made.modules)} modules, {len(made.data)} data files"
    typer.echo(f"{output}: {made.size:,} bytes, {contents}, inside as {made.package}")
    if made.size > bundle.SIZE_WARNING:
        typer.echo(f"warning: that is near our limit of {bundle.SIZE_LIMIT:,} bytes", err=True)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A submission.py, or the folder with it and its data.")],
    env: Annotated[
        list[str] | None,
        typer.Option(help="A game it must play, or `all`; may be repeated. Default: the site's, where it answers."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A few steps of each game instead of whole games.")] = False,
    as_json: AsJson = False,
) -> None:
    """Look at a submission as the site will, before you upload it.

    Exit code 0: ready to upload. 1: something is to be mended, or cannot be judged here. 2: there is nothing to check.
    """
    from rich.console import Console

    from local_runner.check import check as check_upload
    from local_runner.check import report

    with Console(stderr=True).status("playing a few steps" if quick else "playing whole games: minutes"):
        found = check_upload(file, env, quick=quick)
    if as_json:
        typer.echo(report.as_json(found))
    else:
        report.show(found, Console())
    raise typer.Exit(0 if found.good else 1)


app.command()(commands.tournament)
app.command()(commands.sprt)
app.command()(commands.rerun)
app.command()(commands.report)
app.add_typer(bench.app)
app.add_typer(study.app)


def main() -> None:
    """The console command `tengen`."""
    print_anyhow(sys.stdout)
    print_anyhow(sys.stderr)
    for name in ("SIGTERM", "SIGHUP"):  # end as Ctrl-C does: nothing is lost, nobody left behind
        mark = getattr(signal, name, None)  # Windows has but one of them
        if mark is not None and signal.getsignal(mark) == signal.SIG_DFL:
            signal.signal(mark, signal.default_int_handler)
    try:
        app()
    except Exception as error:
        if not _is_users(error):
            raise
        typer.echo(f"tengen: {printable(str(error))}", err=True)
        sys.exit(USAGE_ERROR)


def _is_users(error: Exception) -> bool:
    """Whether the sentence is meant for the user: ours, or the referee's about a game or rules that there are not."""
    from env_adapter import EnvError  # here, as it takes long to import

    return isinstance(error, (RunnerError, EnvError))
