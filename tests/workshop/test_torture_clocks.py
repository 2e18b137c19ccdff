"""A game whose run is stopped or whose clock is set, and that a loss by time is reported."""
from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from workshop.torture import clocks

LOOPER = Path(__file__).parents[1] / "local_runner" / "agents" / "looper.py"
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="stops processes that it finds in /proc")


@pytest.mark.parametrize("number", [
    0, 1, pytest.param(2, marks=pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here"))])
def test_no_loss_by_time(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks, "STOPPED", (1.2, 1.3))
    outcome, = clocks.batch(number, 1, tmp_path)
    assert not outcome.fault
    assert sum(outcome.counts.values()) > 2


def test_a_loss_by_time_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks, "AGENTS", ("random", str(LOOPER)))
    outcome, = clocks.batch(1, 1, tmp_path)
    assert "only the runner stopped" in outcome.fault and "time" in outcome.fault
