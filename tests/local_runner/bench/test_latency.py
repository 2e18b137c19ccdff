"""The latency benchmark times every call of the agent under every load and keeps the games for the next run."""

import importlib
import io
import json
import time

import pytest
from rich.cells import cell_len
from rich.console import Console
from typer.testing import CliRunner

from local_runner.bench import latency
from local_runner.bench.latency import parts, summary
from local_runner.bench.plot import save
from local_runner.bench.timed_calls import Condition, TimedCall
from local_runner.commands.cli import app
from local_runner.errors import RunnerError
from local_runner.processes import busy
from local_runner.processes.interpreters import current
from local_runner.processes.load import Load
from tests.local_runner.processes.naughty import path_of

CALLS = [TimedCall(n, n % 2 == 1, s, s / 2) for n, s in [(1, 0.85), (2, 0.1), (5, 0.2), (10, 0.95), (31, 1.2)]]


def test_percentiles_and_shares():
    found = summary(CALLS)
    assert (found["calls"], found["p50"], found["p99.9"], found["max"]) == (5, 0.85, 1.2, 1.2)
    assert (found["over_0.8"], found["over_0.9"], found["over_1"]) == (0.6, 0.4, 0.2)
    assert found["cpu_share"] == pytest.approx(0.5)
    assert summary([]) == {}


def test_parts():
    assert {name: len(calls) for name, calls in parts(CALLS)} == {
        "all": 5, "on turn": 3, "off turn": 2, "first of a game": 1, "2nd to 10th": 3, "11th to 30th": 0, "later": 1,
    }  # fmt: skip


@pytest.fixture
def one_python(monkeypatch):
    monkeypatch.setattr(latency, "pythons", lambda: [current()])


def run(*arguments):
    result = CliRunner().invoke(app, ["bench", "latency", *map(str, arguments)], env={"COLUMNS": "150"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


GAME = ("--env", "tictactoe_1v1", "--against", "greedy", "--quiet")


@pytest.mark.slow
def test_calls_are_counted_kept_and_added_to(tmp_path, one_python, little_memory):
    def conditions(calls, *loads):
        chosen = [part for load in loads for part in ("--load", load)]
        done = run("random", *GAME, "--calls", calls, *chosen, "--out", tmp_path, "--json")
        assert done.exit_code == 0, done.output
        told = json.loads(done.stdout)
        assert (told["agent"], told["header"]["python"]) == ("random", current().version)
        return told["conditions"]

    [alone] = conditions(1, "alone")
    found = conditions(4, *(load.value for load in Load))
    assert found[0] == alone  # no game was added
    assert [(each["load"], each["python"]) for each in found] == [(load.value, current().title) for load in Load]
    for each in found:
        counts = {name: part.get("calls", 0) for name, part in each["parts"].items()}
        assert 4 <= counts["all"] < 12
        assert counts["all"] == counts["on turn"] + counts["off turn"]
        assert 0 < each["loading"]["p50"] <= each["loading"]["max"] < 5 and 5 < each["peak_mb"] < 60
    assert conditions(12, "alone")[0]["parts"]["all"]["calls"] >= 12


@pytest.mark.slow
def test_by_default_the_agent_is_alone_and_the_time_is_short(tmp_path, one_python, monkeypatch):
    monkeypatch.setattr(latency, "SECONDS", 0.5)
    began = time.perf_counter()
    monkeypatch.chdir(tmp_path)
    done = run("random", "--env", "reversi_1v1", "--quiet", "--json")
    assert time.perf_counter() - began < 20
    assert not list(tmp_path.iterdir())  # without --out the games are not kept
    [condition] = json.loads(done.stdout)["conditions"]
    assert condition["load"] == "alone" and condition["parts"]["all"]["calls"] > 0


@pytest.mark.slow
def test_at_the_end_of_the_time_the_calls_of_an_unfinished_game_count(tmp_path, one_python):
    done = run(path_of("slow"), *GAME, "--duration", 0.3, "--out", tmp_path, "--json")
    [condition] = json.loads(done.stdout)["conditions"]
    assert condition["parts"]["all"]["calls"] > 0


@pytest.mark.parametrize(
    ("load", "sentence"),
    [
        (Load.ALONE, ""),
        (Load.HOG, "the load hog computes on the agent's core until the games are over"),
        (Load.MEMORY, "the load memory fills 8,000 MB, 80% of the free memory, until the games are over"),
    ],
)
def test_a_load_says_what_it_takes(load, sentence, monkeypatch):
    monkeypatch.setattr(busy, "available", lambda: 10**10)
    assert load.announcement == sentence


@pytest.mark.slow
def test_a_call_that_is_too_slow_is_measured_and_told(tmp_path, one_python, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a short path fits into one line of the output
    (tmp_path / "sleeper.py").write_text(
        "import time\n"
        "calls = []\n"
        "def my_controller(observation, action_space, is_act_continuous=False):\n"
        "    board = observation['state_map']\n"
        "    calls.append(1)\n"
        "    time.sleep(1.05 * (len(calls) == 1))\n"
        "    free = [(r, c) for r in range(3) for c in range(3) if not board[r][c][0]]\n"
        "    row, col = free[0]\n"
        "    return [[int(i == row) for i in range(3)], [int(i == col) for i in range(3)]]\n"
    )
    result = run("sleeper.py", *GAME, "--calls", 2, "--load", "alone", "--out", "games")
    assert result.exit_code == 1 and "sleeper.py, tictactoe_1v1" in result.stdout


@pytest.mark.slow
def test_ours_is_measured_as_a_bundle(tmp_path, one_python, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("tengen:seconds=0.01", *GAME, "--calls", 4, "--load", "alone", "--out", "here", "--json")
    assert result.exit_code == 0
    [bundle] = [path for path in (tmp_path / "here").iterdir() if path.is_dir()]
    assert [path.name for path in bundle.iterdir()] == ["submission.py"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("random", "--load", "noise"), "choose one of: alone, hog, memory"),
        (("random", "--env", "chess"), "chess"),
        ((path_of("bad_import"),), "cannot be loaded"),
        (("random", "--plot", "x.bmp"), "cannot be written as x.bmp; give --plot an .svg, .png or .pdf"),
        (("random", "--plot", "nowhere/x.svg"), "there is no folder nowhere; give --plot another file"),
        (("random", "--plot", "/proc/x.svg"), "give --plot another file"),
        (("random", "--out", "/proc/x"), "give --out another folder"),
    ],
)
def test_what_cannot_be_measured_is_said(arguments, sentence, tmp_path, one_python):
    out = () if "--out" in arguments else ("--out", str(tmp_path / "games"))
    result = CliRunner().invoke(app, ["bench", "latency", *out, *arguments])
    assert sentence in str(result.exception)
    assert not list(tmp_path.rglob("*.db"))


@pytest.mark.parametrize("width", [80, 300])
def test_the_tables_are_readable_at_any_width(width):
    """Nothing is cut or broken: every row of figures is there, whole."""
    conditions = [Condition(python, load, [*CALLS, TimedCall(1, True, 59.9, 1)], [0.1], 1200.0)
                  for python in ("Python 3.7.16, no numpy", "Python 3.11.7, numpy 1.26.4")
                  for load in Load]  # fmt: skip
    console = Console(file=io.StringIO(), width=width, color_system=None)
    latency.show("an_agent" * 2000 + "[bold]", "gobang_1v1", conditions, console)
    lines = console.file.getvalue().splitlines()
    assert max(map(cell_len, lines)) <= width
    shown = "\n".join(lines)
    assert shown.startswith("an_agentan") and "[bold], gobang_1v1, times in ms" in lines[0]
    rows = [line.split() for line in lines]
    longest = sum(row.count("59900.0") for row in rows if row[:1] == ["max"])
    assert longest == len(conditions) * (1 + len(("all", "on turn", "first of a game")))
    assert sum(row.count("66.67%") for row in rows) == 2 * len(conditions)
    heads = [word for row in rows for word in row]
    assert heads.count("3.11.7") >= 3 and {"alone", "hog", "memory", "turn", "later"} <= set(heads)


def test_memory_that_could_not_be_measured_is_no_row():
    shown = [Condition("Python 3.7", Load.ALONE, CALLS, [0.1], peak) for peak in (0.0, 20.0)]
    for conditions, there in ((shown[:1], False), (shown, True)):
        console = Console(file=io.StringIO(), width=80)
        latency.show("a", "b", conditions, console)
        assert ("peak MB" in console.file.getvalue()) is there


@pytest.mark.parametrize("command", ["speed", "latency"])
def test_an_interruption_is_one_sentence(command, tengen, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    module = importlib.import_module(f"local_runner.bench.{command}")
    monkeypatch.setattr(module, "run" if command == "latency" else "bench", interrupted)
    code, out, err = tengen("bench", command)
    assert (code, out) == (130, "")
    [sentence] = [line for line in err.splitlines() if line.startswith("tengen: ")]
    assert "was interrupted" in sentence and "the same command" in sentence


def test_the_plot(tmp_path):
    conditions = [Condition("Python 3.7, no numpy", load, CALLS, [0.1], 20) for load in Load]
    save([*conditions, Condition("Python 3.11", Load.ALONE, [], [], 0)], tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").stat().st_size > 5000
    with pytest.raises(RunnerError, match="give --plot"):
        save(conditions, tmp_path / "plot.doc")
