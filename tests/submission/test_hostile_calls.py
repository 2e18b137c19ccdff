"""Random, damaged and lying observations and action spaces do no harm, with and without numpy."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .hostile_calls import hostile_calls

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import re, sys
sys.path.insert(0, ".")
from tests.submission.hostile_calls import hostile_calls, np
for number in range(200, 220):
    hostile_calls(number)
peak = re.search("VmHWM:[^0-9]*([0-9]+)", open("/proc/self/status").read())
print(np is None, peak[1])
"""
pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer of CPU time")


@pytest.mark.slow
@pytest.mark.seeds(1, 2, 3, *range(90, 110))
def test_hostile_calls_do_no_harm(number: int) -> None:
    hostile_calls(number)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="needs /proc: ru_maxrss is also the parent's")
@pytest.mark.parametrize("options", [[], ["-S"]], ids=["with numpy", "without numpy"])
def test_memory_stays_small(options: list[str]) -> None:
    run = subprocess.run([sys.executable, *options, "-c", SCRIPT], cwd=str(ROOT), stdout=subprocess.PIPE, check=True)
    without, kilobytes = run.stdout.split()
    assert without == (b"True" if options else b"False") and int(kilobytes) < 200_000
