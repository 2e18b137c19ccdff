"""The exit codes of all commands. `tengen -h` and docs/en/reference/commands.md show the table."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum


class ExitCode(IntEnum):
    """The exit code of a command; MEANINGS explains each."""

    CLEAN = 0
    FAULT = 1
    USAGE = 2
    INTERRUPTED = 130


MEANINGS = {
    ExitCode.CLEAN: "everything was done, and nothing is wrong.",
    ExitCode.FAULT: "an agent is at fault: it lost a game by a fault (a tournament with --recover only counts such "
                    "games), took longer than a second in bench latency, or is not ready for upload; or a test of "
                    "doctor failed.",
    ExitCode.USAGE: "the command or a file is wrong; the message says what to change.",
    ExitCode.INTERRUPTED: "stopped by Ctrl-C, by a signal, or because nobody reads its output any more; what was "
                          "finished is kept.",
}  # fmt: skip


def table() -> str:
    """The table as text, with a paragraph for each code."""
    return "Exit codes.\n\n" + "\n\n".join(f"{code}: {meaning}" for code, meaning in MEANINGS.items())


@contextmanager
def interruptible(sentence: str) -> Iterator[None]:
    """At Ctrl-C inside a `with`, print the sentence on stderr and end the command with exit code 130."""
    try:
        yield
    except KeyboardInterrupt:
        import typer  # here, because the import is slow

        typer.echo(f"tengen: {sentence}", err=True)
        raise typer.Exit(ExitCode.INTERRUPTED) from None
