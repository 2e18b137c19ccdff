"""The upload's tests under the platform's Python 3.7 and numpy 1.19.5, in an environment made for them.

The quick part imports every module, lets each engine move, and reads each kind of observation. `make slow` runs all of
tests/submission that `make test` runs.
"""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys

import pytest

from tests.conftest import NO_PYTHON37, ROOT

FILES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests" / "submission").glob("test_*.py"))
QUICK = [f"tests/submission/test_{name}.py" for name in ("codec", "controller", "engine", "process_state")]


def _run(files: list[str]) -> None:
    with open(ROOT / "pyproject.toml") as lock:  # two workers must not make the environment at once
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = subprocess.run([ROOT / "workshop/python37.sh", sys.executable], capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"{NO_PYTHON37}: {made.stderr}")
    assert re.fullmatch(r"Python 3\.7\.\d+, numpy 1\.19\.5\n", made.stdout)
    command = [".venv37/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *files]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed and int(passed[1]) > 5 * len(files), "few tests ran:\n" + done.stdout[-1000:]


def test_the_controller_and_every_module_under_python37() -> None:
    _run([*QUICK, "-k", "not never_lost"])  # without whole games


@pytest.mark.slow
@pytest.mark.parametrize("shard", range(3))  # several cores share the suite
def test_submission_under_python37(shard: int) -> None:
    _run(FILES[shard::3])
