"""Timed calls: every load and game has its turn, a short game is timed, a slow call is a failure."""
from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from local_runner.bundle import build
from local_runner.processes.interpreters import find_python37
from local_runner.processes.load import Load
from tests.conftest import NO_PYTHON37
from workshop.torture import timed_calls


def test_every_load_has_as_many_games_of_each_kind() -> None:
    counts = Counter(timed_calls.conditions(number) for number in range(1, timed_calls.AMOUNT + 1))
    assert len(counts) == 6 and len(set(counts.values())) == 1


@pytest.mark.skipif(find_python37() is None, reason=NO_PYTHON37)
def test_a_game_is_timed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(timed_calls.GAMES, "tictactoe_1v1", "tic-tac-toe")
    text = build().text
    outcome = timed_calls.timed(1, Load.HOG, "tictactoe_1v1", text, tmp_path)
    assert not outcome.fault
    calls = outcome.samples["CPU hog, s"]
    assert len(calls) == sum(len(values) for name, values in outcome.samples.items() if "turn" in name)
    assert 5 <= len(calls) <= 18 and all(0 < seconds < 0.95 for seconds in calls)


@pytest.mark.skipif(find_python37() is None, reason=NO_PYTHON37)
def test_a_slow_call_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(timed_calls.GAMES, "tictactoe_1v1", "tic-tac-toe")
    call = "    return _controller.answer("
    slow = build().text.replace(call, "    import time; time.sleep(_PAUSES.pop() if _PAUSES else 0)\n" + call)
    slow += "\n_PAUSES = [1]\n"
    outcome = timed_calls.timed(1, Load.ALONE, "tictactoe_1v1", slow, tmp_path)
    assert outcome.fault.startswith("a call of tic-tac-toe, alone, took 1.")
