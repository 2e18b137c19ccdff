"""The upload's tests under the platform's Python 3.7 and numpy 1.19.5, in an environment made for them.

By default without the longest ones, which compare the engines with brute force: what they find does not depend on the
Python. `make slow` runs all.
"""
from __future__ import annotations

import fcntl
import os
import re
import subprocess
from pathlib import Path

import pytest

from local_runner.processes.interpreters import NoPython37, make_python37
from tests.conftest import NO_PYTHON37

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests" / "submission").glob("test_*.py"))
SHARDS = 4                      # parts of the suite, so that several cores share it
BRUTE_FORCE = (
    "claimed_outcomes or claimed_wins or small_k_in_a_row or interrupted_at_every_node or all_contents or minimax "
    "or what_is_kept or all_that_win or false_win or random_contents or perft"
)


def _run(files: list[str], *options: str) -> None:
    with open(ROOT / "pyproject.toml") as lock:         # two workers must not make the environment at once
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            python = make_python37()
        except NoPython37 as error:
            pytest.skip(f"{NO_PYTHON37}: {error}")
    assert (python.version[:4], python.numpy) == ("3.7.", "1.19.5")
    done = subprocess.run(
        [str(python.path), "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, *files],
        cwd=ROOT, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True, text=True,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed and int(passed[1]) > 5 * len(files), "few tests ran:\n" + done.stdout[-1000:]


@pytest.mark.parametrize("shard", range(SHARDS))
def test_submission_under_python37(shard: int) -> None:
    _run(FILES[shard::SHARDS], "-k", f"not ({BRUTE_FORCE})")


def test_every_name_of_the_brute_force_is_one_of_a_test() -> None:
    text = "".join((ROOT / file).read_text("utf-8") for file in FILES)
    assert all(re.search(rf"def test_\w*{name}", text) for name in BRUTE_FORCE.split(" or "))


@pytest.mark.slow
def test_all_of_submission_under_python37() -> None:
    _run(FILES)
