"""The speed benchmark measures what it says, on both Pythons. Whether the figures are good is not tested."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from env_adapter import make
from local_runner.bench import host
from local_runner.bench import speed as module
from local_runner.bench.speed import SpeedFigures, _nodes_per_second, as_json, bench, positions
from local_runner.commands.cli import app
from local_runner.errors import RunnerError
from local_runner.game.records import Reply
from local_runner.processes import sandbox
from local_runner.processes.interpreters import current, find_python37
from local_runner.processes.sandbox import Kind, SandboxMode
from local_runner.terminal.progress import Meter

SLEEPER = """\
import time
time.sleep(0.2)
def my_controller(observation, action_space, is_act_continuous=False):
    time.sleep(0.01)
    n = action_space[0].n
    free = [(r, c) for r in range(n) for c in range(n) if observation["state_map"][r][c][0] == 0]
    row, col = free[0]
    return [[int(i == row) for i in range(n)], [int(i == col) for i in range(n)]]
"""


# Writes its own figures into the file of the host script, whose path is a variable of that script.
FORGER = """\
import __main__, os
open(__main__.answer, "w").write("{said}")
os._exit(0)
"""


@pytest.fixture(scope="module")
def ours() -> list[SpeedFigures]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "QUICK_IMPORTS", 1)
        patch.setattr(module, "QUICK_EVERY", 50)
        meters: list[Meter] = []
        patch.setattr(module, "Meter", lambda *given, **how: meters.append(Meter(*given, **how)) or meters[0])
        found = bench("tengen:nodes=50", quick=True)
        assert meters[0].pace.done == meters[0].pace.total
        return found


@pytest.fixture
def one_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "pythons", lambda: [current()])
    monkeypatch.setattr(module, "QUICK_IMPORTS", 1)
    monkeypatch.setattr(module, "QUICK_EVERY", 50)


@pytest.mark.slow
def test_ours_is_measured_on_every_python_with_both_engines(ours: list[SpeedFigures]) -> None:
    pythons = [current(), find_python37()]
    assert [each.python for each in ours] == [python.title for python in pythons if python]
    for each in ours:
        assert each.play_undo_us is not None
        assert 0.1 < each.play_undo_us < 1000
        assert 0 < each.import_ms < 5000
        assert each.engines["scorer"].nodes_per_second == 0 < each.engines["search"].nodes_per_second
        assert each.engines["search"].p50 < 400  # ms; without its option it would be 800
        assert each.engines["scorer"].calls == each.engines["search"].calls == 2
    [signature] = {each.signature for each in ours}  # no Python's own
    assert signature is not None and signature > 2 * module.SIGNATURE_DEPTH
    assert json.loads(as_json("tengen", ours))["figures"][0]["python"] == current().title


def test_anybodys_agent_is_measured(tmp_path: Path, one_python: None) -> None:
    path = tmp_path / "submission.py"
    path.write_text(SLEEPER)
    for each in bench(str(path), quick=True):
        assert each.import_ms >= 200
        calls = each.engines[""]
        assert 10 <= calls.p50 <= calls.p99 <= calls.most
        assert 5 < calls.peak_mb < 500
        assert each.play_undo_us is None
    assert [path.name for path in tmp_path.iterdir()] == ["submission.py"]


def test_positions_of_all_lengths_are_to_be_played_on() -> None:
    lengths = [len(moves) for moves in positions()]
    assert lengths == sorted(lengths)
    assert (len(lengths), lengths[0], lengths[49], lengths[99]) == (100, 4, 31, 60)
    assert len({tuple(moves) for moves in positions()}) == 100
    for moves in positions():
        assert len(make(module.ENV, opening=moves).legal_moves()) == 225 - len(moves)


def test_an_option_that_there_is_not(one_python: None) -> None:
    with pytest.raises(RunnerError, match=r"cannot be measured under .*: it has no option speed"):
        bench("tengen:speed=9", quick=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text, sentence",
    [
        ("x = 1\n", "has no function my_controller"),
        ("GAMES = ('reversi',)\n" + SLEEPER, "plays reversi_1v1 .*, not gobang_1v1; agents that do"),
        ("import os\nos._exit(0)\n", "it exited with code 0"),
        ("raise ValueError('x' * 10000 + chr(27))\n", r"ValueError: x+…x+\\x1b$"),
        ("import time\ntime.sleep(9)\n", "no import and first answer within 1 s"),
        (SLEEPER.replace("free[0]", "(7, 7)"), r"after \d+ moves it played h8, which holds a stone"),
        (SLEEPER.replace("free[0]", "(-1, 0)"), "after 4 moves it answered in the wrong form: the row's list must"),
        (
            SLEEPER.replace("    row,", "    if len(free) < 225: raise KeyError(7)\n    row,"),
            "after 4 moves .*KeyError: 7",
        ),
    ],
)
def test_what_cannot_be_measured_is_said(
    text: str, sentence: str, tmp_path: Path, one_python: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "SECONDS", 1 if "within" in sentence else 60)
    path = tmp_path / "submission.py"
    path.write_text(text)
    with pytest.raises(RunnerError, match=sentence):
        bench(str(path), quick=True)


@pytest.mark.parametrize(("kind", "said"), list(zip(Kind, ["[7]", "no JSON", "[7]"], strict=True)))
def test_figures_that_an_agent_wrote_itself_are_noticed(
    kind: Kind, said: str, tmp_path: Path, one_python: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In every sandbox the agent can write into the file of answers, since it runs in the process that measures it.

    Under bubblewrap that is all it sees of the host's /tmp; under Landlock it may not list /tmp, but writes into the
    folder of its process; without a sandbox it can write wherever its user can.
    """
    if kind is not Kind.NONE and sandbox.why_not(kind):
        pytest.skip(sandbox.why_not(kind))
    monkeypatch.setattr(sandbox, "best", lambda: kind)
    path = tmp_path / "submission.py"
    path.write_text(FORGER.format(said=said))
    mode = SandboxMode.OFF if kind is Kind.NONE else SandboxMode.ON
    with pytest.raises(RunnerError, match="was tampered with"):
        bench(str(path), quick=True, mode=mode)


def test_nodes_per_second_count_only_calls_that_searched() -> None:
    def reply(nodes: int, seconds: float) -> Reply:
        return Reply(seconds=seconds, thought={"nodes": nodes, "seconds": seconds})

    silent = Reply(seconds=9.0)
    assert _nodes_per_second([reply(3000, 1.0), reply(0, 5.0), reply(1000, 1.0), silent]) == 2000
    boasting = [Reply(thought={"nodes": nodes, "seconds": 1.0}) for nodes in ("many", -5, 1e300, [1], None)]
    assert _nodes_per_second([*boasting, silent]) == 0


@pytest.mark.slow
def test_the_command_prints_one_column_per_python(ours: list[SpeedFigures], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, bool]] = []
    monkeypatch.setattr(module, "bench", lambda agent, *, quick, **_: asked.append((agent, quick)) or ours)
    result = CliRunner().invoke(app, ["bench", "speed", "scorer", "--quick"], env={"COLUMNS": "80"})
    assert (result.exit_code, asked) == (0, [("scorer", True)]), result.exception
    heads = [part for each in ours for part in each.python.split(", ")]
    for said in ("import, cold", "per call, p99", "peak memory", *heads):
        assert said in result.stdout
