"""The command line: the names and options of all commands. Each command imports the module that does its work.

A RunnerError or EnvError is printed as one sentence and ends with exit code 2, like a wrong option. Any other exception
is a bug and shows its traceback.
"""

import signal
import sys
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from local_runner import exit_codes
from local_runner.bench import commands as bench
from local_runner.command_line import CommandLine
from local_runner.errors import RunnerError
from local_runner.exit_codes import ExitCode
from local_runner.interruption import interruptible
from local_runner.options import (
    COLOURS,
    OPENINGS,
    THIS_PYTHON,
    AsJson,
    Board,
    BoardSize,
    Env,
    LogFolder,
    Memory,
    PlatformTime,
    Ponder,
    Python,
    Quiet,
    Rules,
    Sandbox,
    Seed,
    one_of,
)
from local_runner.processes.sandbox import SandboxMode, SandboxWarning
from local_runner.study import commands as study
from local_runner.text import ERROR, print_anyhow, printable, shortened
from local_runner.tournament import commands

app = CommandLine(
    "tengen",
    help="Board-game agents for the Jidi platform: play them, check them, bundle them for upload.",
    epilog=exit_codes.table(),
)


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
    a: Annotated[str, typer.Argument(metavar="A", help="An agent, such as tengen, seed004, ./submission.py:depth=4.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The other agent; the colours are swapped every game.")],
    env: Env = "gobang_1v1",
    games: Annotated[int, typer.Option(min=1, help="Number of games; the two games of a pair share an opening.")] = 2,
    rules: Rules = "platform",
    seed: Seed = 0,
    time: PlatformTime = None,
    memory: Memory = 500.0,
    sandbox: Sandbox = SandboxMode.AUTO,
    ponder: Ponder = False,
    opening_plies: Annotated[int | None, typer.Option(min=0, help="Length of random openings.")] = None,
    openings: Annotated[
        str | None, typer.Option(help=f"{OPENINGS}the game's own start for the first pair, then random ones.")
    ] = None,
    board_size: BoardSize = None,
    board: Board = None,
    python: Python = THIS_PYTHON,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="As on the site: illegal moves are replaced, caught faults do not lose.")
    ] = False,
    no_limits: Annotated[bool, typer.Option("--no-limits", help="No time and memory limits, for debugging.")] = False,
    json: Annotated[
        str | None, typer.Option(metavar="[FILE.json]", help="The result as JSON, on stdout or in a file.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder for every game's log and the agents' output.")
    ] = None,
    details: Annotated[
        bool, typer.Option("--details", help="Show the last board of every game, with both sides' stones and times.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Play games between two agents, each in its own process, under the platform's limits."""
    from local_runner.agents import parse_agent
    from local_runner.fixture import Terms
    from local_runner.game_setup import GameSetup
    from local_runner.games import seconds_for
    from local_runner.match import match_plan, openings_for
    from local_runner.openings.books import read_board
    from local_runner.openings.deal import RANDOM, START
    from local_runner.processes.child import AgentLimits
    from local_runner.screens import show_match

    if lenient and rules != "platform":
        raise RunnerError("--lenient replaces illegal moves as the platform does, so it needs --rules platform")
    if openings not in (None, RANDOM) and opening_plies is not None:
        raise RunnerError(f"--opening-plies is the length of random openings, not of {openings}; leave it out")
    if board is not None and out is not None:
        raise RunnerError("the log format cannot hold another start position: leave out --out, or --board")
    setup = GameSetup(env, rules, seed, board_size=board_size, board=read_board(board) if board else None)
    agents = (parse_agent(a), parse_agent(b))
    limits = AgentLimits(
        time or seconds_for(agents), memory_mb=memory, enforced=not no_limits, sandbox=sandbox, ponder=ponder
    )
    terms = Terms(setup, limits, strict=not lenient, python=python)
    starts = openings_for(setup, games, openings or (START if board else None), opening_plies)
    plan = match_plan(agents, terms, games, starts)
    raise typer.Exit(show_match(plan, log_dir=out, json_to=json, quiet=quiet, details=details))


@app.command()
def play(
    agent: Annotated[str, typer.Argument(help="An agent, such as seed002, tengen:seconds=0.2, ./submission.py.")],
    env: Env = "gobang_1v1",
    colour: Annotated[
        str, typer.Option(metavar="COLOUR", callback=one_of("colour", lambda: COLOURS),
                          help="Your stones, black or white; Black moves first.")
    ] = "black",
    board_size: BoardSize = None,
    board: Board = None,
    openings: Annotated[str, typer.Option(help=f"{OPENINGS}start.")] = "start",
    rules: Rules = "platform",
    seed: Seed = 0,
    time: PlatformTime = None,
    memory: Memory = 500.0,
    sandbox: Sandbox = SandboxMode.AUTO,
    ponder: Ponder = False,
    python: Python = THIS_PYTHON,
    strict: Annotated[bool, typer.Option("--strict", help="At Reversi, a wrong answer loses your turn.")] = False,
) -> None:
    """Play against an agent at the keyboard. Shows value, depth and the like after its moves, if it reports them."""
    from local_runner.agents import parse_agent
    from local_runner.game_setup import GameSetup
    from local_runner.games import refuse_misfits, seconds_for
    from local_runner.human import play_against
    from local_runner.match import openings_for
    from local_runner.openings.books import read_board
    from local_runner.processes.child import AgentLimits

    setup = GameSetup(env, rules, seed, board_size=board_size, board=read_board(board) if board else None)
    setup = replace(setup, opening=openings_for(setup, 1, openings)[0])
    spec = parse_agent(agent)
    refuse_misfits([spec], setup)
    limits = AgentLimits(time or seconds_for([spec]), memory_mb=memory, sandbox=sandbox, ponder=ponder)
    raise typer.Exit(play_against(spec, setup, COLOURS.index(colour), limits, python, strict=strict))


@app.command()
def run_log(
    black: Annotated[str, typer.Option(help="Black's agent, who moves first.")],
    white: Annotated[str, typer.Option(help="White's agent.")],
    env: Env = "gobang_1v1",
    rules: Rules = "platform",
    seed: Seed = 0,
    sandbox: Sandbox = SandboxMode.AUTO,
    out: LogFolder = Path("logs"),
) -> None:
    """Play one game as the platform's run_log.py does, and write the log that the platform's replay page shows."""
    from local_runner import run_log as twin
    from local_runner.agents import parse_agent
    from local_runner.files import check_folder

    agents = (parse_agent(black), parse_agent(white))
    check_folder(out, "choose another --out")
    try:
        game = twin.run_log(env, agents, rules=rules, seed=seed, folder=out, mode=sandbox)
    except twin.RunAborted as error:
        sys.stderr.write(printable(error.traceback))
        typer.echo(f"tengen: {shortened(str(error), ERROR)}", err=True)
        raise typer.Exit(ExitCode.FAULT) from error
    typer.echo(f"{twin.winner_text(game.log)}; log: {game.path}")


@app.command()
def opponents() -> None:
    """List the built-in agents, each with its options and their defaults."""
    from local_runner.agents import BUILT_INS

    for name, built_in in BUILT_INS.items():
        typer.echo(f"{name:12}{built_in.about}")
        if built_in.takes:
            typer.echo(f"{'':12}{name}:{built_in.takes}")


@app.command()
def games() -> None:
    """List the games: board, rules, whether the site has it, and the agents that play it."""
    from rich.console import Console

    from local_runner.games import show_games

    show_games(Console())


@app.command()
def doctor() -> None:
    """Show which sandbox this machine has for agents, and test that it holds."""
    from rich.console import Console

    from local_runner import doctor

    found = doctor.examine()
    doctor.show(found, Console())
    raise typer.Exit(ExitCode.CLEAN if all(each.good for each in found if each.decides) else ExitCode.FAULT)


@app.command()
def bundle(
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The file; default: dist/submission.py, or for Mo dist/ai_player.py."),
    ] = None,
    source: Annotated[Path | None, typer.Option(help="The folder of the package; default: ours.")] = None,
    platform: Annotated[
        str, typer.Option(callback=one_of("platform", lambda: ("jidi", "mo")),
                          help="jidi; or mo, which calls AIPlayer(color).get_move(board).")
    ] = "jidi",
) -> None:
    """Write the one file that is uploaded."""
    from local_runner import bundle

    made = bundle.build(source or bundle.SOURCE, platform)
    out = out or Path("dist") / bundle.MAINS[platform]
    bundle.write(made, out)
    contents = f"{len(made.modules)} modules, {len(made.data)} data files"
    typer.echo(f"{out}: {made.size:,} bytes, {contents}, inside as {made.package}")
    if made.size > bundle.SIZE_WARNING:
        typer.echo(f"warning: this is near our limit of {bundle.SIZE_LIMIT:,} bytes", err=True)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A submission.py, or the folder with it and its data.")],
    env: Annotated[
        list[str] | None,
        typer.Option(help="A game that it must play, or `all`; may be repeated. Default: the site's, or its GAMES."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Under 30 s: a slow agent plays a few moves.")] = False,
    jobs: Annotated[int | None, typer.Option(min=1, help="Games at once; default: one on each physical core.")] = None,
    sandbox: Sandbox = SandboxMode.AUTO,
    as_json: AsJson = False,
) -> None:
    """Check a submission as the site will run it, before you upload it.

    It is ready if it passes in every game that was asked for. A file for one of the site's games: name that with --env.
    """
    from rich.console import Console

    from local_runner.check import check as check_upload
    from local_runner.check import report
    from local_runner.check.progress import shown

    stopped = "the check was interrupted; it keeps nothing, so the same command begins again"
    with interruptible(stopped), shown(Console(stderr=True)) as progress:
        found = check_upload(file, env, quick=quick, jobs=jobs, progress=progress, mode=sandbox)
    if as_json:
        typer.echo(report.as_json(found))
    else:
        report.show(found, Console())
    raise typer.Exit(ExitCode.CLEAN if found.good else ExitCode.FAULT)


app.command()(commands.tournament)
app.command()(commands.sprt)
app.command()(commands.rerun)
app.command()(commands.report)
app.command()(commands.salvage)
app.add_typer(bench.app)
app.add_typer(study.app)


def main() -> None:
    """The console command `tengen`."""
    print_anyhow(sys.stdout)
    print_anyhow(sys.stderr)
    warnings.formatwarning = _warning
    for name in ("SIGTERM", "SIGHUP"):  # treat as Ctrl-C: finished games are kept, agents' processes end
        mark = getattr(signal, name, None)  # Windows has no SIGHUP
        if mark is not None and signal.getsignal(mark) == signal.SIG_DFL:
            signal.signal(mark, signal.default_int_handler)
    try:
        code = app(prog_name="tengen", standalone_mode=False)
    except Exception as error:
        if not _is_for_user(error):
            raise
        typer.echo(f"tengen: {shortened(str(error), ERROR)}", err=True)
        code = ExitCode.USAGE
    sys.exit(code)


def _warning(message: Warning | str, category: type[Warning], *place: object, **line: object) -> str:
    """A warning as one sentence; `place` is of interest only in warnings of libraries."""
    return f"tengen: {message}\n" if category is SandboxWarning else f"{place[0]}:{place[1]}: {message}\n"


def _is_for_user(error: Exception) -> bool:
    """Whether the message is meant for the user: a RunnerError, or an EnvError about an unknown game or rules."""
    from env_adapter import EnvError  # here, because the import is slow

    return isinstance(error, (RunnerError, EnvError))
