"""Repeats a randomised check of the tests with other seeds.

    python -m workshop.lab.repeat inert --from 1 --to 10000

A property is a function of tests/ with two arguments: the seed of its random numbers, and an empty folder. For each
seed that fails, the command prints a line, with --trace also a traceback. After Ctrl-C the command prints the value of
--from with which to continue.
"""

from __future__ import annotations

import importlib
import sys
import tempfile
import traceback
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from local_runner.language.text import SENTENCE, shortened
from local_runner.system.exit_codes import ExitCode
from workshop.command import run, with_progress

PROPERTIES = {
    "inert": "tests.local_runner.language.test_inert:inert",  # text from agents and files, in every output format
    "calls": "tests.submission.hostile_calls:hostile_calls",  # 100 hostile observations
    "attacks": "tests.local_runner.processes.test_hostile_commands:attack_in_command",
    "kills": "tests.local_runner.matches.tournament.test_kills:kill",
    "clocks": "tests.local_runner.processes.test_clocks:disturb",
    "timed": "tests.local_runner.bench.test_timed_calls:timed",  # timed calls in a game while another process is busy
}
Property = Enum("Property", {name: name for name in PROPERTIES})  # type: ignore[misc]


def main(
    name: Annotated[Property, typer.Argument(metavar="PROPERTY", help=f"One of: {', '.join(PROPERTIES)}.")],
    first: Annotated[int, typer.Option("--from", min=0, help="First number.")] = 1,
    last: Annotated[int, typer.Option("--to", min=0, help="Last number.")] = 100,
    trace: Annotated[bool, typer.Option("--trace", help="Print the whole traceback of a failure.")] = False,
) -> None:
    """Run the check for all seeds; the exit code is 1 if one failed."""
    checked, failed, number = load(name.value), 0, first
    try:
        for number in with_progress(range(first, last + 1), name.value):
            if error := failure(checked, number):
                failed += 1
                print(f"{name.value} {number}: {summary(error)}", flush=True)
                if trace:
                    traceback.print_exception(error)
    except KeyboardInterrupt:
        sys.exit(f"stopped; --from {number} goes on")
    print(f"{name.value}: {failed} of {last + 1 - first} failed")
    sys.exit(ExitCode.FAULT if failed else ExitCode.CLEAN)


def load(name: str) -> Callable[[int, Path], None]:
    """The property of this name."""
    module, _, function = PROPERTIES[name].partition(":")
    checked: Callable[[int, Path], None] = getattr(importlib.import_module(module), function)
    return checked


def failure(checked: Callable[[int, Path], None], number: int) -> BaseException | None:
    """The exception that a property raises for this number."""
    with tempfile.TemporaryDirectory(prefix="", ignore_cleanup_errors=True) as folder:
        try:
            checked(number, Path(folder))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # pytest's failure is a BaseException, not an Exception
            return error
    return None


def summary(error: BaseException) -> str:
    """The place and the message of an error, in one line."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    what = f"{type(error).__name__}: {str(error) or where.line}"
    return f"{Path(where.filename).name}:{where.lineno}: {shortened(what, SENTENCE)}"


if __name__ == "__main__":
    run(main)
