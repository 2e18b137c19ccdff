"""The upload under the platform's own Python 3.7 and numpy 1.19.5: its whole suite, in an environment made for it."""
from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from local_runner.processes.interpreters import NoPython37, make_python37
from tests.conftest import NO_PYTHON37

ROOT = Path(__file__).resolve().parents[2]


def test_submission_under_python37() -> None:
    try:
        python = make_python37()
    except NoPython37 as error:
        pytest.skip(f"{NO_PYTHON37}: {error}")
    assert (python.version[:4], python.numpy) == ("3.7.", "1.19.5")
    done = subprocess.run(
        [str(python.path), "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/submission"],
        cwd=ROOT, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True, text=True,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed and int(passed[1]) > 100, "few tests ran:\n" + done.stdout[-1000:]
