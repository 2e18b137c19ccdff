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
from local_runner.processes.interpreters import find_python37

LAUNCHER = "echo 'command not found' >&2; exit 127"
BARE, WITH_NUMPY = "echo 3.7.5; echo", "echo 3.7.9; echo 1.19.5"


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any Python 3.7: two empty folders on the PATH, nothing elsewhere."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'first'}:{tmp_path / 'second'}")
    monkeypatch.setattr(interpreters, "VERSION_MANAGER", tmp_path / "none")
    monkeypatch.setattr(interpreters, "ENVIRONMENT", tmp_path / "environment")
    monkeypatch.setattr(interpreters, "path_of", functools.cache(interpreters.path_of.__wrapped__))
    return tmp_path


def _put(folder: Path, script: str, name: str = "python3.7", mode: int = 0o755) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(mode)
    return str(folder / name)


# Two programs named python3.7 in folders of the PATH; the Python 3.7 that is found; why the first cannot run agents.
@pytest.mark.parametrize(("first", "second", "title", "sentence"), [
    (BARE, "", "Python 3.7.5, no numpy", ""),
    (BARE, WITH_NUMPY, "Python 3.7.9, numpy 1.19.5", ""),
    (WITH_NUMPY, BARE, "Python 3.7.9, numpy 1.19.5", ""),
    (LAUNCHER, "", None, r" cannot be run \(command not found\)"),
    (LAUNCHER, WITH_NUMPY, "Python 3.7.9, numpy 1.19.5", r" cannot be run \(command not found\)"),
    ("true", "", None, r" cannot be run \(it is no Python\)"),
    (r"printf '\377'", "", None, r" cannot be run \(it is no Python\)"),
    ("echo something else", "", None, r" cannot be run \(it is no Python\)"),
    ("echo 3.12.1; echo 2.0", "", None, ""),
    ("echo 3.6.15; echo", "", None, " is Python 3.6.15, which is too old for agents"),
    ("echo 2.7.18; echo '()'", "", None, " is Python 2.7.18, which is too old for agents"),
])  # fmt: skip
def test_only_what_runs_is_believed(folders: Path, first: str, second: str, title: str | None, sentence: str) -> None:
    path = _put(folders / "first", first)
    if second:
        _put(folders / "second", second)
    found = find_python37()
    assert (found.title if found else None) == title
    for given, why in ((path, sentence), ("python3.7", "" if title else sentence)):
        if not why:
            interpreters.check(given)
            continue
        with pytest.raises(RunnerError, match=re.escape(given) + why + "; give the path .*`tengen doctor` shows"):
            interpreters.check(given)


def test_what_is_no_program(folders: Path) -> None:
    path = _put(folders / "first", BARE, mode=0o644)
    for given, why in (("python3.7", "was not found"), (path, "is no program"), (str(folders), "is no program")):
        with pytest.raises(RunnerError, match=why):
            interpreters.check(given)


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


def test_a_folder_that_may_not_be_looked_into_has_none(folders: Path, monkeypatch) -> None:
    """A name that is too long gives the same error as a folder that may not be read, also for root."""
    monkeypatch.setenv("PATH", str(folders / ("x" * 300)))
    hidden = Mock(glob=Mock(side_effect=PermissionError(13, "Permission denied")))
    monkeypatch.setattr(interpreters, "VERSION_MANAGER", hidden)
    assert find_python37() is None
