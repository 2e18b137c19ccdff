"""The two commands on a fresh machine, held without a fresh machine: what make would do, and when."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from local_runner.study.games import ENTRANTS, TIMED

ROOT = Path(__file__).resolve().parents[2]
HEAD = ["match", "test", "lint", "bundle", "check", "bench"]

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="no make here")


def _make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # this is no sub-make
    return subprocess.run(["make", *arguments], cwd=folder, env=outside, capture_output=True, text=True)


def _copy(folder: Path) -> Path:
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    return folder


def test_make_alone_lists_every_target_with_a_line() -> None:
    listed = dict(re.findall(r"^make (\S+) +(\S.+)$", _make(ROOT).stdout, re.MULTILINE))
    phony = re.search(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert phony and set(listed) == set(phony[1].split())
    assert set(HEAD) <= set(listed)


@pytest.mark.parametrize("target, command", [
    ("match", ".venv/bin/tengen match tengen seed004 --env gobang_1v1 --games 1"),
    ("test", ".venv/bin/python -m pytest --timeout"),
    ("coverage", ".venv/bin/python -m pytest --cov"),
    ("bundle", ".venv/bin/tengen bundle --output dist/submission.py"),
    ("check", ".venv/bin/tengen check dist/submission.py"),
    ("bench", ".venv/bin/tengen bench"),
])
def test_a_target_installs_first_and_only_once(tmp_path: Path, target: str, command: str) -> None:
    folder = _copy(tmp_path)
    fresh = _make(folder, "-n", target).stdout
    assert fresh.index("-m venv .venv") < fresh.index("pip install") < fresh.index(command)
    (folder / ".venv").mkdir()
    (folder / ".venv" / ".ready").touch()
    ready = _make(folder, "-n", target).stdout
    assert "pip" not in ready
    assert ready.rstrip().splitlines()[-1].startswith(command)


def test_faults_lets_everybody_play_all_its_games(tmp_path: Path) -> None:
    """Twenty games of each at a quick pace, and some at its own; what has left its file is not played again."""
    everybody = {(agent, env) for env, agents in ENTRANTS.items() for agent in agents}
    command = re.compile(r"tengen match (\w+)(:\S+)? random --env (\w+) --games (\d+) .*--json (\S+)$", re.MULTILINE)
    folder = _copy(tmp_path)
    found = command.findall(_make(folder, "-n", "faults").stdout)
    quick = [play for play in found if play[3] == "20"]
    assert {(agent, env) for agent, _, env, _, _ in quick} == everybody == {(play[0], play[2]) for play in found}
    assert {agent for agent, options, *_ in quick if options} == set(TIMED)
    assert {options for _, options, _, games, _ in found if games != "20"} == {"", ":variant=annealing"}
    for path in (*(play[4] for play in found[1:]), ".venv/.ready"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).touch()
    assert command.findall(_make(folder, "-n", "faults").stdout) == found[:1]


def test_no_python_that_is_new_enough_is_said(tmp_path: Path) -> None:
    done = _make(_copy(tmp_path), "match", "PYTHON=/bin/false")
    assert done.returncode != 0
    assert "tengen needs Python 3.10 or newer" in done.stderr
    assert not (tmp_path / ".venv").exists()
