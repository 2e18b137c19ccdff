"""Every command of the workshop shows its help and refuses unknown arguments before it starts to work."""

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

import workshop
from local_runner.errors import RunnerError
from local_runner.terminal.output import ExitCode
from workshop.lab import openings

FOLDER = Path(workshop.__file__).parent
NOT_FOR_USERS = {"lab/bench.py", "budgets.py"}  # for Python 3.7, or for make lint
COMMANDS = sorted(
    ".".join(("workshop", *path.relative_to(FOLDER).with_suffix("").parts)).removesuffix(".__main__")
    for path in FOLDER.rglob("*.py")
    if "node_modules" not in path.parts
    and 'if __name__ == "__main__"' in path.read_text()
    and path.relative_to(FOLDER).as_posix() not in NOT_FOR_USERS
)
pytestmark = pytest.mark.filterwarnings("ignore:.*found in sys.modules")


def called(command: str, monkeypatch: Any, capsys: Any, *arguments: str) -> tuple[int, str, str]:
    """The exit code, stdout and stderr of `python -m COMMAND ARGUMENTS`, in this process."""
    monkeypatch.setattr(sys, "argv", [command, *arguments])
    with pytest.raises(SystemExit) as end:
        runpy.run_module(command, run_name="__main__")
    return (end.value.code, *capsys.readouterr())


def test_a_game_without_books_is_refused_before_any_is_made() -> None:
    with pytest.raises(RunnerError, match=r"^no books are made for chess; give some of gobang_1v1, .*, or none$"):
        openings.main(["tictactoe_1v1", "chess"])


@pytest.mark.parametrize("command", COMMANDS)
def test_help_and_an_unknown_option(command: str, monkeypatch: Any, capsys: Any) -> None:
    code, out, _err = called(command, monkeypatch, capsys, "-h")
    assert code == ExitCode.CLEAN and f"Usage: python -m {command}" in out
    code, out, err = called(command, monkeypatch, capsys, "--bogus")
    assert (code, out) == (ExitCode.USAGE, "") and "--bogus" in err and f"(see python -m {command} -h)" in err
