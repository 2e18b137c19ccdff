"""How a command ends: its exit code, its result as JSON on stdout or in a file, and output that cannot be written.

`--json` prints only the JSON; with a file, the command also shows its tables. If the output's reader has gone
(`tengen games | head -1`) or a disk is full, the first write that fails raises OutputLost, and the command ends.
"""

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import Any

from local_runner.language.languages import _
from local_runner.language.text import in_json
from local_runner.system.files import check_writable, write_whole

# ---- exit codes: `tengen -h` and docs/en/reference/commands.md show the table


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


# ---- JSON

STDOUT = "-"  # the value of --json without a file


def check(target: str | None, source: Path | None = None) -> None:
    """Raise RunnerError if `put` could not write to the file. `source`: a file that the command reads."""
    if target not in (None, STDOUT):
        check_writable(Path(str(target)), _advice(), source)


def put(target: str, record: object, indent: int | None = None) -> None:
    """Print a record as JSON, or write it into the file `target`. Raises RunnerError if writing fails."""
    from local_runner.game.codec import as_json  # here, because the import is slow

    text = in_json(as_json(record), indent) + "\n"
    if target == STDOUT:
        sys.stdout.write(text)
    else:
        write_whole(Path(target), text, _advice())


def tell(target: str | None, record: Callable[[], object], show: Callable[[], None]) -> None:
    """Show the result as tables, as JSON, or both if there is a file for the JSON. `target`: the value of --json."""
    try:
        if target is not None:
            put(target, record(), indent=1)  # written before the tables: printing these may fail
    finally:
        if target != STDOUT:
            show()


def _advice() -> str:
    return _("give --json another file")


# ---- lost output


class OutputLost(BaseException):
    """The output of the command cannot be written. `why`: the system's message, "" if the reader has gone.

    No subclass of Exception, so that `except Exception` does not catch it.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def watch() -> None:
    """Let stdout and stderr raise OutputLost instead of OSError, unless they are terminals."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and stream is getattr(sys, f"__{name}__") and not stream.isatty():
            stream.flush()
            output = io.BufferedWriter(_Output(stream.fileno(), "wb", closefd=False))
            text = io.TextIOWrapper(output, stream.encoding, stream.errors, line_buffering=stream.line_buffering)
            setattr(sys, name, text)


def flush() -> None:
    """Write the buffered output of stdout and stderr. Raises OutputLost if that fails."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


class _Output(io.FileIO):
    """The file of a stream. After a failed write, it becomes /dev/null, since clean-up and Python may still write."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            with open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), self.fileno())
            raise OutputLost("" if isinstance(error, BrokenPipeError) else error.strerror or str(error)) from None
