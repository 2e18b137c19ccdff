"""Some hundred hostile calls, and that the torture test finds faults that are built in."""
from __future__ import annotations

from pathlib import Path

import pytest

from local_runner.bundle import build
from local_runner.processes.interpreters import find_python37
from tests.conftest import NO_PYTHON37
from workshop.torture import observations

NEEDS_PYTHON37 = pytest.mark.skipif(find_python37() is None, reason=NO_PYTHON37)
CALL = "return _controller.answer(observation, action_space)"


@NEEDS_PYTHON37
@pytest.mark.parametrize("first", [1, observations.BATCH + 1], ids=["with numpy", "without numpy"])
def test_hostile_calls_do_no_harm(first: int, tmp_path: Path) -> None:
    outcomes = observations.batch(first, 300, tmp_path)
    assert [outcome.number for outcome in outcomes] == list(range(first, first + 300))
    assert not [outcome for outcome in outcomes if outcome.fault]
    counts = outcomes[0].counts
    assert sum(counts[kind] for kind in ("random object", "damaged", "valid", "row")) == 300
    assert ("with numpy" in counts) == (first == 1)


@NEEDS_PYTHON37
def test_a_call_is_repeated_alone(tmp_path: Path) -> None:
    outcome, = observations.batch(150, 1, tmp_path)
    assert outcome.number == 150 and sum(outcome.counts[kind] for kind in outcome.counts if "numpy" in kind) == 1


@NEEDS_PYTHON37
@pytest.mark.parametrize("instead, fault", [
    ("return [[1], [1]]", "wanted"),
    ("return None", "not a list of two"),
    ("return [[True] + [False] * 14, [1] + [0] * 14]", "plain list of ints"),
    ("return [[1] * 15, [1] + [0] * 14]", "not one-hot"),
    ("observation['state_map'][0]; " + CALL, "raised"),
    ("type(observation) is list and observation.append(1); " + CALL, "wrote"),
    ("import gc; gc.disable(); " + CALL, "garbage collector"),
    ("_KEPT or _KEPT.append(sum(range(100_000_000))); " + CALL, "of CPU"),
    ("_KEPT.append(bytearray(3_000_000)); " + CALL, "MB resident"),
    ("try:\n        return _controller.answer(observation, action_space)\n    except BaseException:\n"
     "        return [[1] + [0] * 14] * 2", "swallowed"),
])
def test_faults_are_found(instead: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = build().text
    assert text.count(CALL) == 1
    monkeypatch.setattr(observations, "_bundle", lambda: text.replace(CALL, instead) + "\n_KEPT = []\n")
    outcomes = observations.batch(1, 200, tmp_path)
    assert any(fault in outcome.fault for outcome in outcomes), {outcome.fault for outcome in outcomes}
