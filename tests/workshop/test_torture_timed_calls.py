"""Timed calls: every load and game has its turn, a short game is timed, a slow call is a failure."""
from __future__ import annotations

from collections import Counter
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from local_runner.bundle import build
from local_runner.processes.interpreters import find_python37
from local_runner.processes.load import Load
from tests.conftest import NO_PYTHON37
from workshop.torture import calls_alone, calls_hog, calls_memory, timed_calls
from workshop.torture.frame import TrialOutcome


@pytest.mark.parametrize("test", [calls_alone, calls_hog, calls_memory])
def test_every_load_has_as_many_games_of_each_kind(test: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    loads: list[Load] = []
    played: list[str] = []

    def begun(load: Load, core: int | None) -> AbstractContextManager[None]:
        loads.append(load)
        return nullcontext()

    def note(number: int, load: Load, env: str, bundle: str, scratch: Path, core: int | None) -> TrialOutcome:
        played.append(env)
        return TrialOutcome(number)

    monkeypatch.setattr(timed_calls, "running", begun)
    monkeypatch.setattr(timed_calls, "timed", note)
    assert [each.number for each in test.batch(1, test.AMOUNT, tmp_path)] == list(range(1, test.AMOUNT + 1))
    assert [load.name.lower() for load in loads] == [test.NAME.removeprefix("calls-")]
    assert Counter(played) == dict.fromkeys(timed_calls.GAMES, test.AMOUNT // 2)


@pytest.mark.skipif(find_python37() is None, reason=NO_PYTHON37)
def test_games_that_share_a_core_are_timed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timed_calls, "GAMES", {"tictactoe_1v1": "tic-tac-toe"})
    outcomes = timed_calls.batch(Load.HOG, 7, 2, tmp_path)
    assert [(each.number, each.fault) for each in outcomes] == [(7, ""), (8, "")]
    for each in outcomes:
        calls = each.samples["all, s"]
        assert len(calls) == sum(len(values) for name, values in each.samples.items() if "turn" in name)
        assert 5 <= len(calls) <= 18 and all(0 < seconds < 0.95 for seconds in calls)


@pytest.mark.skipif(find_python37() is None, reason=NO_PYTHON37)
def test_a_slow_call_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(timed_calls.GAMES, "tictactoe_1v1", "tic-tac-toe")
    call = "    return _controller.answer("
    slow = build().text.replace(call, "    import time; time.sleep(_PAUSES.pop() if _PAUSES else 0)\n" + call)
    slow += "\n_PAUSES = [1]\n"
    outcome = timed_calls.timed(1, Load.ALONE, "tictactoe_1v1", slow, tmp_path, None)
    assert outcome.fault.startswith("a call of tic-tac-toe took 1.")
