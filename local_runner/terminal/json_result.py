"""The result of a command as JSON: `--json` prints the JSON on stdout, `--json FILE.json` writes the JSON into a file.

With a file, the command shows its tables as without `--json`. On stdout, the command prints only the JSON.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from local_runner.language.languages import _
from local_runner.system.files import check_writable, write_whole

STDOUT = "-"  # the value of --json without a file


def check(target: str | None, source: Path | None = None) -> None:
    """Raise RunnerError if `put` could not write to the file. `source`: a file that the command reads."""
    if target not in (None, STDOUT):
        check_writable(Path(str(target)), _advice(), source)


def put(target: str, text: str) -> None:
    """Print the JSON text, or write it into the file `target`. Raises RunnerError if writing fails."""
    if target == STDOUT:
        sys.stdout.write(text + "\n")
    else:
        write_whole(Path(target), text + "\n", _advice())


def tell(target: str | None, text: Callable[[], str], show: Callable[[], None]) -> None:
    """Show the result as tables, as JSON, or both if there is a file for the JSON. `target`: the value of --json."""
    try:
        if target is not None:
            put(target, text())  # written before the tables, whose reader may have gone
    finally:
        if target != STDOUT:
            show()


def _advice() -> str:
    return _("give --json another file")
