"""What the commands of this folder share: options, progress bars, and how an error is shown."""
from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import track

from local_runner.errors import RunnerError

Item = TypeVar("Item")

GameFile = Annotated[Path, typer.Argument(help="File of games to fill. Games that it already holds are kept.")]
Games = Annotated[int, typer.Option(min=1, help="Number of games the file holds at the end. They are numbered from 1.")]
MoveNodes = Annotated[int, typer.Option(min=1, help="Search nodes per move.")]
Processes = Annotated[int, typer.Option(min=1, help="Number of processes that work in parallel.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the result, but write no weights.")]
CORES = os.cpu_count() or 1
OUTPUT_ADVICE = "give another --output"


@contextlib.contextmanager
def exit_on_error() -> Iterator[None]:
    """Turn a RunnerError into the end of the program, with its message."""
    try:
        yield
    except RunnerError as error:
        raise SystemExit(str(error)) from error


def with_progress(items: Iterable[Item], title: str, total: int | None = None) -> Iterable[Item]:
    """The items; taking them moves a progress bar on standard error, if that is a terminal."""
    screen = Console(stderr=True)
    return track(items, title, total, console=screen, transient=True, disable=not screen.is_terminal)
