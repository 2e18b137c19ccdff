"""Code that the commands of this folder share: options, progress bars, help, and error messages."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.progress import track

from env_adapter import EnvError
from local_runner.command_line.parser import CommandLine
from local_runner.errors import RunnerError
from local_runner.terminal.output import ExitCode
from submission.native.library import Unavailable

Item = TypeVar("Item")

GameFile = Annotated[Path, typer.Argument(help="File of games to fill. Games that it already holds are kept.")]
Games = Annotated[int, typer.Option(min=1, help="Number of games the file holds at the end. They are numbered from 1.")]
MoveNodes = Annotated[int, typer.Option(min=1, help="Search nodes per move.")]
Jobs = Annotated[int, typer.Option("--jobs", min=1, help="Number of processes that work in parallel.")]
CORES = os.cpu_count() or 1
OUTPUT_ADVICE = "give another --out"


def run(*commands: Callable[..., Any]) -> None:
    """Run the command that the command line asks for. If there are several commands, the command line names one.

    The help text is the docstring of the commands' module. Lines of a paragraph are joined, except indented and
    numbered lines.
    """
    app = CommandLine("workshop")
    for each in commands:
        app.command()(each)
    module = commands[0].__globals__
    command = typer.main.get_command(app)
    in_lines = re.sub(r"(?<!\n)\n(?![\n ]|\d\. )", " ", module["__doc__"])
    command.help = re.sub(r"(?m)^    ", "", in_lines)
    name = module["__spec__"].name.removesuffix(".__main__")
    try:
        command.main(prog_name=f"python -m {name}", help_option_names=["-h", "--help"])
    except (RunnerError, EnvError, Unavailable) as error:
        typer.echo(str(error), err=True)
        raise SystemExit(ExitCode.USAGE) from error


def with_progress(items: Iterable[Item], title: str, total: int | None = None) -> Iterable[Item]:
    """Return the items. Each item taken advances a progress bar, shown if standard error is a terminal."""
    screen = Console(stderr=True)
    return track(items, title, total, console=screen, transient=True, disable=not screen.is_terminal)
