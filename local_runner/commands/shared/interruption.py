"""Ends a command at Ctrl-C with one sentence and exit code 130."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from local_runner.system.exit_codes import ExitCode


@contextmanager
def interruptible(sentence: str) -> Iterator[None]:
    """At Ctrl-C inside a `with`, print the sentence on stderr and end the command with exit code 130."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"tengen: {sentence}", err=True)
        raise typer.Exit(ExitCode.INTERRUPTED) from None
