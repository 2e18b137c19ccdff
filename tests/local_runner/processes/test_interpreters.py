"""The choice of the platform's Python among broken launchers, other versions, and Pythons without numpy."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from unittest.mock import Mock

import pytest

from local_runner.command_line.options import located
from local_runner.errors import RunnerError
from local_runner.processes import interpreters
from local_runner.processes.interpreters import current, find_python37


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any Python 3.7: two empty folders on the PATH, nothing elsewhere."""
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'first'}:{tmp_path / 'second'}")
    monkeypatch.setattr(interpreters, "VERSION_MANAGER", tmp_path / "none")
    monkeypatch.setattr(interpreters, "ENVIRONMENT", tmp_path / "environment")
    monkeypatch.setattr(interpreters, "path_of", functools.cache(interpreters.path_of.__wrapped__))
    return tmp_path


def _put(folder: Path, script: str, name: str = "python3.7") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


LAUNCHER = "echo 'command not found' >&2; exit 127"
NEWER, BARE, WITH_NUMPY = "echo 3.12.1; echo 2.0", "echo 3.7.5; echo", "echo 3.7.9; echo 1.19.5"


@pytest.mark.parametrize(("first", "second", "title"), [
    (LAUNCHER, "", None), (NEWER, "", None), ("echo something else", "", None), (BARE, "", "Python 3.7.5, no numpy"),
    (LAUNCHER, WITH_NUMPY, "Python 3.7.9, numpy 1.19.5"), (BARE, WITH_NUMPY, "Python 3.7.9, numpy 1.19.5"),
])  # fmt: skip
def test_only_what_runs_is_believed(folders: Path, first: str, second: str, title: str | None) -> None:
    _put(folders / "first", first)
    if second:
        _put(folders / "second", second)
    found = find_python37()
    assert (found.title if found else None) == title


ADVICE = "; give the path of a Python 3.7 or newer .`tengen doctor` shows"


@pytest.mark.parametrize(
    ("script", "mode", "sentence"),
    [
        (BARE, 0o755, ""),
        (WITH_NUMPY, 0o755, ""),
        (LAUNCHER, 0o755, rf" cannot be run \(command not found\){ADVICE}"),
        ("true", 0o755, rf" cannot be run \(it is no Python\){ADVICE}"),
        (r"printf '\377'", 0o755, rf" cannot be run \(it is no Python\){ADVICE}"),
        ("echo 3.6.15; echo", 0o755, f" is Python 3.6.15, which is too old for agents{ADVICE}"),
        ("echo 2.7.18; echo '()'", 0o755, f" is Python 2.7.18, which is too old for agents{ADVICE}"),
        (BARE, 0o644, f" is no program that can be run{ADVICE}"),
    ],
)
@pytest.mark.parametrize("by_name", [True, False])
def test_what_can_run_agents(folders: Path, script: str, mode: int, sentence: str, by_name: bool) -> None:
    _put(folders / "first", script)
    (folders / "first" / "python3.7").chmod(mode)
    given = "python3.7" if by_name else str(folders / "first" / "python3.7")
    if by_name and mode == 0o644:
        sentence = f" was not found{ADVICE}"
    if not sentence:
        interpreters.check(given)
        return
    with pytest.raises(RunnerError, match=re.escape(given) + sentence):
        interpreters.check(given)


def test_a_folder_is_no_interpreter(folders: Path) -> None:
    with pytest.raises(RunnerError, match="is no program that can be run"):
        interpreters.check(str(folders))


@pytest.mark.parametrize("on_path", [None, LAUNCHER])
@pytest.mark.parametrize("given", ["python3.7", "3.7", "3.7.9", "python3.11", "3.11"])
def test_a_version_is_found_where_doctor_finds_it(folders: Path, on_path: str | None, given: str) -> None:
    """A version manager's launcher on the PATH does not run; the Python itself lies elsewhere."""
    if on_path:
        _put(folders / "first", on_path)
    for version in ("3.7.9", "3.11.4", "3.1.5"):
        folder = interpreters.VERSION_MANAGER / "versions" / version / "bin"
        _put(folder, f"echo {version}; echo 1.19.5", "python")
    python = located(given)
    assert python == f"python{given.removeprefix('python')}"
    interpreters.check(python)
    assert f"versions/{'3.7.9' if '3.7' in given else '3.11.4'}/bin" in interpreters.path_of(python)


@pytest.mark.parametrize("where", ["path", "version manager"])
def test_a_folder_that_may_not_be_looked_into_has_none(folders: Path, where: str, monkeypatch) -> None:
    """A name that is too long fails as such a folder does, for root as well."""
    if where == "path":
        monkeypatch.setenv("PATH", str(folders / ("x" * 300)))
    else:
        hidden = Mock(glob=Mock(side_effect=PermissionError(13, "Permission denied")))
        monkeypatch.setattr(interpreters, "VERSION_MANAGER", hidden)
    assert find_python37() is None


def test_the_current_python_is_itself() -> None:
    assert current().title.startswith("Python 3.")
    assert current().numpy
