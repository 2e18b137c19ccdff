"""`tengen check` on a machine whose Pythons lack packages of the site or have other versions."""

import json
import sys
from pathlib import Path

import pytest

from local_runner.processes.interpreters import Interpreter
from local_runner.upload.check import check, trial
from local_runner.upload.check.report import Verdict, as_json
from tests.local_runner.upload.uploads import GAME, GOOD, failed_in, good_but, row_of, upload

pytestmark = pytest.mark.usefixtures("without_vermin")


@pytest.fixture
def bare(tmp_path):
    """A Python without any package."""
    path = tmp_path / "bare" / "python3.7"
    path.parent.mkdir()
    path.write_text(f'#!/bin/sh\nexec "{Path(sys.executable).resolve()}" -S "$@"\n')
    path.chmod(0o755)
    return Interpreter(path, "3.7.5", "")


@pytest.mark.usefixtures("without_games")
def test_it_runs_where_the_packages_are(tmp_path, monkeypatch, bare):
    monkeypatch.setattr(trial, "find_python37", lambda: bare)
    report = check(upload(tmp_path, good_but("import numpy")), GAME, quick=True)
    assert report.good
    assert not report.python.startswith("Python 3.7.5")
    row = row_of(report, "python")
    assert (row.verdict, "3.7 here lacks numpy" in row.found) == (Verdict.NOTED, True)
    assert "make python37" in row.mend


@pytest.mark.usefixtures("without_games")
def test_a_bare_python37_is_taken_where_it_lacks_nothing(tmp_path, monkeypatch, bare):
    monkeypatch.setattr(trial, "find_python37", lambda: bare)
    report = check(upload(tmp_path, GOOD), GAME, quick=True)
    assert (report.good, report.python) == (True, "Python 3.7.5, no numpy")
    assert "python" not in [row.name for row in report.rows]


@pytest.mark.parametrize(
    "text",
    [
        "import numpy\n" + GOOD,
        good_but("__import__('numpy')"),  # seen only when it runs
        pytest.param(good_but("raise AttributeError(\"module 'PIL' has no attribute 'OLD'\")"), marks=pytest.mark.slow),
    ],
)
def test_without_the_packages_it_is_not_judged(tmp_path, monkeypatch, bare, text):
    monkeypatch.setattr(trial, "find_python37", lambda: bare)
    monkeypatch.setattr(trial, "current", lambda: bare)
    report = check(upload(tmp_path, text), GAME, quick=True)
    assert (report.good, failed_in(report)) == (None, [])
    row = row_of(report, "python")
    assert (row.verdict, "without the site's" in row.found) == (Verdict.OPEN, True)
    assert json.loads(as_json(report))["upload"] is None


def test_what_needs_no_running_is_judged_all_the_same(tmp_path, monkeypatch, bare, vermin):
    monkeypatch.setattr(trial, "find_python37", lambda: None)
    monkeypatch.setattr(trial, "current", lambda: bare)
    report = check(upload(tmp_path, "import math, numpy\n" + good_but("math.prod([1])")), GAME, quick=True)
    assert (report.good, failed_in(report)) == (False, ["library"])


@pytest.mark.slow
def test_a_mistake_under_the_sites_own_numpy_is_one(tmp_path, monkeypatch, bare):
    monkeypatch.setattr(trial, "find_python37", lambda: Interpreter(Path(sys.executable), "3.7.5", "1.19.5"))
    report = check(upload(tmp_path, good_but("import numpy; numpy.arrray")), GAME, quick=True)
    assert failed_in(report)[0] == "tictactoe_1v1, against random"
