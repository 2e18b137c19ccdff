"""The benchmarks measure the named quantities, on both Pythons. Whether the figures are good is not tested."""

import io
import json

import pytest
from rich.cells import cell_len
from rich.console import Console

from env_adapter import EnvError, make
from local_runner import bench
from local_runner.bench import BenchReport, CallFigures, Figures
from local_runner.errors import RunnerError
from local_runner.game.codec import as_json
from local_runner.processes.interpreters import current, find_python37

SLEEPER = """\
import time
time.sleep(0.2)
calls = []
def my_controller(observation, action_space, is_act_continuous=False):
    calls.append(1)
    time.sleep({first} if len(calls) == 1 else 0.01)
    n = action_space[0].n
    free = [(r, c) for r in range(n) for c in range(n) if observation["state_map"][r][c][0] == 0]
    row, col = free[0]
    return [[int(i == row) for i in range(n)], [int(i == col) for i in range(n)]]
"""
PLAIN = SLEEPER.format(first=0.01)
GAME = ("--env", "tictactoe_1v1", "--against", "greedy", "--quiet")


@pytest.fixture
def quick(monkeypatch):
    """The benchmark with one start of the agent and two positions."""
    monkeypatch.setattr(bench, "QUICK_STARTS", 1)
    monkeypatch.setattr(bench, "QUICK_EVERY", 50)


@pytest.fixture
def one_python(monkeypatch):
    monkeypatch.setattr(bench, "pythons", lambda: [current()])


def agent(folder, text):
    path = folder / "submission.py"
    path.write_text(text)
    return str(path)


# ---- fixed positions


@pytest.mark.slow
def test_ours_is_measured_on_every_python_with_both_engines(quick):
    report = bench.speed("tengen:nodes=50", quick=True, quiet=True)
    assert [each.python for each in report.figures] == [each.title for each in (current(), find_python37()) if each]
    for each in report.figures:
        assert 0 < each.import_ms < 5000 and each.first_ms is not None
        scorer, search = each.parts["scorer"], each.parts["search"]
        assert scorer.nodes_per_second == 0 < search.nodes_per_second
        assert search.p50 < 400  # ms; without its option it would be 800
        assert scorer.calls == search.calls == 2
    [signature] = {each.signature for each in report.figures}  # the same under every Python
    assert signature is not None and signature > 2 * bench.SIGNATURE_DEPTH
    assert json.loads(json.dumps(as_json(report)))["figures"][0]["python"] == current().title


def test_anybodys_agent_is_measured(tmp_path, quick, one_python):
    [each] = bench.speed(agent(tmp_path, PLAIN), quick=True, quiet=True).figures
    calls = each.parts[""]
    assert each.import_ms > 0 and 0 < calls.p50 <= calls.p99 <= calls.most and 5 < calls.peak_mb < 500
    assert each.signature is None and [path.name for path in tmp_path.iterdir()] == ["submission.py"]


def test_positions_of_all_lengths_are_to_be_played_on():
    lengths = [len(moves) for moves in bench.positions()]
    assert lengths == sorted(lengths)
    assert (len(lengths), lengths[0], lengths[49], lengths[99]) == (100, 4, 31, 60)
    assert len({tuple(moves) for moves in bench.positions()}) == 100
    for moves in bench.positions():
        assert len(make(bench.ENV, opening=moves).legal_moves()) == 225 - len(moves)


UNMEASURABLE = [
    ("GAMES = ('reversi',)\n" + PLAIN, "plays reversi_1v1 .*, not gobang_1v1; agents that do"),
    ("raise ValueError('x' * 10000 + chr(27))\n", "ValueError: x+"),
    (PLAIN.replace("free[0]", "(7, 7)"), r"after \d+ moves it played \(7, 7\): h8 holds a stone"),
    (PLAIN.replace("free[0]", "(-1, 0)"), "after 0 moves it answered in the wrong form: the row's list must"),
    (PLAIN.replace("    row,", "    if len(free) < 225: raise KeyError(7)\n    row,"), "after 4 moves .*KeyError: 7"),
]


@pytest.mark.parametrize(("text", "sentence"), UNMEASURABLE)
def test_what_cannot_be_measured_is_said(text, sentence, tmp_path, quick, one_python):
    with pytest.raises(RunnerError, match=sentence):
        bench.speed(agent(tmp_path, text), quick=True, quiet=True)


def test_nodes_per_second_count_only_calls_that_searched():
    searched = [{"nodes": nodes, "seconds": seconds} for nodes, seconds in ((3000, 1.0), (0, 5.0), (1000, 1.0))]
    assert bench.nodes_per_second([*searched, None]) == 2000
    boasting = [{"nodes": nodes, "seconds": 1.0} for nodes in ("many", -5, 1e300, [1], None)]
    assert bench.nodes_per_second([*boasting, None]) == 0


# ---- whole games


@pytest.mark.slow
@pytest.mark.parametrize(("text", "wanted", "code", "fault"), [
    (PLAIN, ("--calls", "4"), 0, ""),
    (PLAIN, ("--duration", "0.5"), 0, ""),
    (SLEEPER.format(first=1.05), ("--calls", "2"), 1, ""),  # a call that is too slow is measured and reported
    (PLAIN.replace("row, col =", "raise KeyError(7); row, col ="), ("--calls", "1"), 1, "KeyError"),
])  # fmt: skip
def test_all_calls_of_games_are_measured(text, wanted, code, fault, tmp_path, one_python, tengen):
    ended, out, _err = tengen("bench", "latency", agent(tmp_path, text), *wanted, *GAME, "--json")
    [figures] = json.loads(out)["figures"]
    parts, faults = figures["parts"], "".join(figures["faults"])
    assert (ended, list(parts), fault in faults, bool(faults)) == (code, ["on turn", "off turn"], True, bool(fault))
    calls = sum(part["calls"] for part in parts.values())
    assert int(wanted[1]) <= calls < 15 if wanted[0] == "--calls" else calls > 0
    assert parts["on turn"]["peak_mb"] > 5 and figures["import_ms"] > 0


@pytest.mark.parametrize(("options", "sentence"), [
    ({"env": "chess"}, "chess"),
    ({"env": "reversi_1v1", "against": "scorer"}, "scorer plays"),
])  # fmt: skip
def test_what_cannot_play_is_said(options, sentence):
    with pytest.raises((EnvError, RunnerError), match=sentence):
        bench.latency("random", **options)


# ---- the table


@pytest.mark.parametrize("width", [80, 300])
def test_the_table_is_readable_at_any_width(width):
    """Every row of figures is complete, on one line. An unknown figure has no row."""
    peaks = {"on turn": 12.0, "off turn": 0.0}
    parts = {part: CallFigures(9, 0.85, 1.2, 59900.0, 0.0, peak) for part, peak in peaks.items()}
    pythons = ("Python 3.7.16, no numpy", "Python 3.11.7, numpy 1.26.4")
    figures = [Figures(python, 11.0, parts, faults=["crashed [bold]"], core_share=0.14) for python in pythons]
    console = Console(file=io.StringIO(), width=width, color_system=None)
    bench.show(BenchReport("an_agent" * 2000 + "[bold]", "gobang_1v1", figures), console)
    shown = console.file.getvalue()
    lines = shown.splitlines()
    assert max(map(cell_len, lines[:20])) <= width and "[bold], gobang_1v1" in lines[0]
    assert shown.count("59900.00 ms") == 4 and shown.count("12 MB") == 2
    assert "nodes" not in shown and "off turn peak" not in shown and "games lost by a fault" in shown
    assert shown.count("crashed [bold]") == shown.count("agents got 14% of a core") == 2
