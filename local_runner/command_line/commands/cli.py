"""`tengen` itself, the group of all commands. Each other module of this folder is a command; no list names them.

A command's module defines a function of its own name, whose docstring is the help text; `bench` is a group instead.
PLACE is the command's group and its place in lists. A RunnerError or EnvError is printed as one sentence, with exit
code 2, as for a wrong option. Any other exception is a bug, and its traceback is shown.
"""

import errno
import signal
import sys
import warnings
from contextlib import suppress
from io import TextIOWrapper
from typing import Annotated, Any

import typer

from local_runner.command_line.help_page import in_language
from local_runner.command_line.options import option
from local_runner.command_line.parser import CommandFolder, CommandLine, TengenGroup
from local_runner.errors import RunnerError
from local_runner.language import languages
from local_runner.language.languages import _, unknown
from local_runner.language.text import ERROR, print_anyhow, shortened
from local_runner.processes.sandbox import SandboxWarning
from local_runner.terminal import output
from local_runner.terminal.output import ExitCode

EXAMPLES = ("tengen match tengen seed004 --games 2", "tengen check ./submission.py --quick")


class _Tengen(TengenGroup):
    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = CommandFolder(__package__, without="cli")  # type: ignore[assignment]
        self.examples = EXAMPLES


app = CommandLine(
    "tengen",
    cls=_Tengen,
    help="Board-game agents for the Jidi platform: play them, check them, bundle them for upload.\n\n"
    "An agent is NAME_OR_PATH[:key=value,...]: a name that tengen opponents lists, or any submission.py.",
    epilog=output.table(),
    add_completion=True,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"tengen {version('tengen')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, option("Show the version and exit.", name="--version", callback=_print_version, is_eager=True)
    ] = False,
    lang: Annotated[
        str | None, option("Language, anywhere in the command; default: that of the locale.", "en|zh", "--lang")
    ] = None,
) -> None:
    """The options that `tengen` takes before the name of a command."""


def main() -> None:
    """Run `tengen`, the console command, and exit."""
    output.watch()
    print_anyhow(sys.stdout)
    print_anyhow(sys.stderr)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # input that is not UTF-8 is then a wrong input, not an exception
    # Only warnings of libraries show their file and line.
    warnings.formatwarning = lambda message, category, filename, lineno, line=None: (
        f"tengen: {message}\n" if category is SandboxWarning else f"{filename}:{lineno}: {message}\n")  # fmt: skip
    for name in ("SIGTERM", "SIGHUP"):  # these signals act as Ctrl-C: finished games are kept, agents' processes end
        mark = getattr(signal, name, None)  # Windows has no SIGHUP
        if mark is not None and signal.getsignal(mark) == signal.SIG_DFL:
            signal.signal(mark, signal.default_int_handler)
    try:
        code = _run()
        output.flush()
    except output.OutputLost as lost:
        code = ExitCode.USAGE if lost.why else ExitCode.INTERRUPTED
        if lost.why:
            with suppress(output.OutputLost):  # stderr may be a file on the same full disk
                _explain(_("the output cannot be written: {why}").format(why=lost.why))
    sys.exit(code)


def _explain(sentence: str) -> None:
    typer.echo(f"tengen: {shortened(sentence, ERROR)}", err=True)


def _run() -> int | None:
    """Run the command line; returns the exit code. The only OSError that is a user's mistake is a too long name."""
    try:
        language, arguments = languages.without_option(sys.argv[1:])
        if not languages.choose(language):
            raise RunnerError(unknown(_("language"), str(language), languages.LANGUAGES))
        command = in_language(typer.main.get_command(app))
        code: int | None = command.main(arguments, prog_name="tengen", standalone_mode=False)
    except Exception as error:
        from env_adapter import EnvError  # here, because these imports are slow
        from local_runner.game.wording import error_text
        from local_runner.system.files import reason

        if isinstance(error, (RunnerError, EnvError)):
            _explain(error_text(error))
        elif isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
            _explain(f"{shortened(str(error.filename))}: {reason(error)}")
        else:
            raise
        return ExitCode.USAGE
    return code
