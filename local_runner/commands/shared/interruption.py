"""How commands that keep nothing of their own end at Ctrl-C: one sentence and exit code 130."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from local_runner.system.exit_codes import ExitCode


@contextmanager
def interruptible(sentence: str) -> Iterator[None]:
    """At Ctrl-C, say on stderr what was interrupted and how to go on, and end the command."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"tengen: {sentence}", err=True)
        raise typer.Exit(ExitCode.INTERRUPTED) from None
