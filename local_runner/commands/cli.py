"""The command line: the names and options of all commands. Each command imports the module that does its work.

A RunnerError or EnvError is printed as one sentence and ends with exit code 2, like a wrong option. Any other exception
is a bug and shows its traceback.
"""

import os
import signal
import sys
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from local_runner.commands import analyse as analysis
from local_runner.commands import bench, game_commands
from local_runner.commands import tournament as commands
from local_runner.commands.command_line import CommandLine, in_language
from local_runner.commands.interruption import interruptible
from local_runner.commands.options import AsJson, Jobs, Quiet, Sandbox, one_of
from local_runner.errors import RunnerError
from local_runner.language import languages
from local_runner.language.languages import COLON, Message, _, shown
from local_runner.language.text import ERROR, print_anyhow, shortened
from local_runner.processes.sandbox import SandboxMode, SandboxWarning
from local_runner.system import exit_codes
from local_runner.system.exit_codes import ExitCode
from local_runner.system.extras import need
from local_runner.terminal import lost_output

app = CommandLine(
    "tengen",
    help="Board-game agents for the Jidi platform: play them, check them, bundle them for upload.\n\n"
         "An agent is NAME_OR_PATH[:key=value,...]: a name that tengen opponents lists, or any submission.py.",
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
    lang: Annotated[
        str | None,
        typer.Option("--lang", metavar="en|zh", help="Language, anywhere in the command; default: that of the locale."),
    ] = None,
) -> None:
    """Before a command, there are only these options."""


app.command()(game_commands.match)
app.command()(game_commands.play)
app.command()(game_commands.run_log)
app.command()(game_commands.replay)
app.command()(analysis.analyse)


@app.command()
def opponents() -> None:
    """List the built-in agents, each with its options and their defaults, and the levels of our engine."""
    from local_runner.agents.spec import BUILT_INS
    from local_runner.analysis.levels import LEVELS

    for name, built_in in BUILT_INS.items():
        typer.echo(f"{name:12}{shown(built_in.about)}")
        if built_in.takes:
            typer.echo(f"{'':12}{name}:{built_in.takes}")
    typer.echo("\n" + _("Levels of our engine, for tengen play and the page; every game:"))
    for each in LEVELS:
        typer.echo(f"{f'level{each.number}':12}{shown(each.name)}{shown(COLON)}{shown(each.about)}")


@app.command()
def games() -> None:
    """List the games: board, rules, whether the site has it, and the agents that play it."""
    from rich.console import Console

    from local_runner.agents.declared_games import show_games

    show_games(Console())


@app.command()
def doctor() -> None:
    """Show which sandbox this machine has for agents, and test that it holds."""
    from rich.console import Console

    from local_runner.processes import doctor

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
        str, typer.Option(callback=one_of(Message("platform"), lambda: ("jidi", "mo")),
                          help="jidi; or mo, which calls AIPlayer(color).get_move(board).")
    ] = "jidi",
) -> None:
    """Write the one file that is uploaded."""
    from local_runner.upload import bundle

    made = bundle.build(source or bundle.SOURCE, platform)
    out = out or Path("dist") / bundle.MAINS[platform]
    bundle.write(made, out)
    sentence = _("{file}: {size:,} bytes, modules: {modules}, data files: {data}, inside as {package}")
    typer.echo(sentence.format(
        file=out, size=made.size, modules=len(made.modules), data=len(made.data), package=made.package
    ))  # fmt: skip
    if made.size > bundle.SIZE_WARNING:
        sentence = _("warning: this is near our limit of {limit:,} bytes")
        typer.echo(sentence.format(limit=bundle.SIZE_LIMIT), err=True)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A submission.py, or the folder with it and its data.")],
    env: Annotated[
        list[str] | None,
        typer.Option(help="A game that it must play, or `all`; may be repeated. Default: the site's, or its GAMES."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Under 30 s: a slow agent plays a few moves.")] = False,
    jobs: Jobs = None,
    sandbox: Sandbox = SandboxMode.AUTO,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Check a submission as the site will run it, before you upload it.

    It is ready if it passes in every game that was asked for. A file for one of the site's games: name that with --env.
    """
    from rich.console import Console

    from local_runner.upload.check import check as check_upload
    from local_runner.upload.check import report
    from local_runner.upload.check.progress import showing

    stopped = _("the check was interrupted; it keeps nothing, so the same command begins again")
    with interruptible(stopped), showing(Console(stderr=True, quiet=quiet)) as progress:
        found = check_upload(file, env, quick=quick, jobs=jobs, progress=progress, mode=sandbox)
    if as_json:
        typer.echo(report.as_json(found))
    else:
        report.show(found, Console())
    raise typer.Exit(ExitCode.CLEAN if found.good else ExitCode.FAULT)


@app.command()
def serve(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Files of tournaments or tests to watch, also while they run."),
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port; 0: that of the last time, or a free one.")
    ] = 0,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only print the address; open no browser.")] = False,
    store: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where games are kept; default: in the folder for your data.")
    ] = None,
    sandbox: Sandbox = SandboxMode.AUTO,
) -> None:
    """Open the page in the browser: play, replay, analyse and watch. Only this machine can reach it.

    It needs tengen[serve]; `make serve` installs that.
    """
    need("serve")
    from local_runner.server import serve as server
    from local_runner.server.store import default_path

    raise typer.Exit(server.serve(files or [], port, not no_open, store or default_path(), sandbox))


app.command()(commands.tournament)
app.command()(commands.sprt)
app.command()(commands.rerun)
app.command()(commands.report)
app.command()(commands.salvage)
app.add_typer(bench.app)


def main() -> None:
    """The console command `tengen`."""
    lost_output.watch()
    print_anyhow(sys.stdout)
    print_anyhow(sys.stderr)
    warnings.formatwarning = _warning
    for name in ("SIGTERM", "SIGHUP"):  # treat as Ctrl-C: finished games are kept, agents' processes end
        mark = getattr(signal, name, None)  # Windows has no SIGHUP
        if mark is not None and signal.getsignal(mark) == signal.SIG_DFL:
            signal.signal(mark, signal.default_int_handler)
    try:
        code = _run()
        lost_output.flush()
    except lost_output.OutputLost as lost:
        code = ExitCode.USAGE if lost.why else ExitCode.INTERRUPTED
        if lost.why:
            with suppress(lost_output.OutputLost):  # stderr may be on the same disk
                _explain(_("the output cannot be written: {why}").format(why=lost.why))
    sys.exit(code)


def _explain(sentence: str) -> None:
    """Say on stderr why the command ends."""
    typer.echo(f"tengen: {shortened(sentence, ERROR)}", err=True)


def _run() -> int | None:
    """Do what the command line says; returns the exit code."""
    try:
        languages.use(languages.of_locale(os.environ))
        language, arguments = languages.without_option(sys.argv[1:])
        languages.choose(language)
        command = in_language(typer.main.get_command(app))
        code: int | None = command.main(arguments, prog_name="tengen", standalone_mode=False)
    except Exception as error:
        if not _is_for_user(error):
            raise
        _explain(str(error) if isinstance(error, RunnerError) else languages.retold(str(error)))
        return ExitCode.USAGE
    return code


def _warning(message: Warning | str, category: type[Warning], *place: object, **line: object) -> str:
    """A warning as one sentence; `place` is of interest only in warnings of libraries."""
    return f"tengen: {message}\n" if category is SandboxWarning else f"{place[0]}:{place[1]}: {message}\n"


def _is_for_user(error: Exception) -> bool:
    """Whether the message is meant for the user: a RunnerError, or an EnvError about an unknown game or rules."""
    from env_adapter import EnvError  # here, because the import is slow

    return isinstance(error, (RunnerError, EnvError))
