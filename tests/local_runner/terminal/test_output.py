"""Progress, and a command whose output cannot be written: it ends at once, and finished games are stored.

Exit code 130 if its reader is gone, 2 and a sentence if a disk is full.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from local_runner.matches.executor import LocalExecutor
from local_runner.terminal import progress
from local_runner.terminal.progress import Lines, Pace, Playing, games_now
from tests.local_runner.processes.naughty import ON_LINUX

GAME = Path(__file__).parents[1] / "formats" / "data" / "site_gobang.json"
TOURNAMENT = ("tournament", "greedy", "random", "--env", "tictactoe_1v1", "--rounds", "1", "--out", "t.jsonl")
MATCH = ("match", "greedy", "random", "--env", "tictactoe_1v1")


def run(arguments, folder, **streams):
    """Run tengen with its streams: the exit code, and what came through those that are open.

    A stream is "closed" (a pipe without a reader), "open" (a pipe that is read), or a file.
    """
    if not ON_LINUX:
        pytest.skip("other systems have other pipes")
    reader, writer = os.pipe()
    os.close(reader)
    given = {name: {"closed": writer, "open": subprocess.PIPE}.get(how, how) for name, how in streams.items()}
    try:
        command = [sys.executable, "-m", "local_runner", *map(str, arguments)]
        done = subprocess.run(command, cwd=folder, text=True, timeout=200, check=False, **given)
    finally:
        os.close(writer)
    return done.returncode, done.stdout, done.stderr


COMMANDS = [("games",), *(pytest.param(each, marks=pytest.mark.slow) for each in [
    ("-h",), MATCH, ("replay", GAME), ("doctor",), (*MATCH, "--json"), TOURNAMENT,
    ("analyse", "h8h9", "--seconds", "0.02", "--json"),
])]  # fmt: skip


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda each: each[0])
def test_nobody_reads_the_output_or_its_disk_is_full(arguments, tmp_path):
    (tmp_path / "full").mkdir()
    code, _, err = run(arguments, tmp_path, stdout="closed", stderr="open")
    assert code == 130 and "Traceback" not in err and "Error" not in err and "pipe" not in err.lower()
    with open("/dev/full", "w") as full:
        code, _, err = run(arguments, tmp_path / "full", stdout=full, stderr="open")
    assert (code, err.splitlines()[-1]) == (2, "tengen: the output cannot be written: No space left on device")
    assert "Traceback" not in err


def test_nothing_of_a_mistake_can_be_written(tmp_path):
    with open("/dev/full", "w") as full:
        assert run(["nothing"], tmp_path, stdout=full, stderr=full)[0] == 2
    assert run(["nothing"], tmp_path, stdout="closed", stderr="closed")[0] == 130
    code, out, _ = run(["match", "-h"], tmp_path, stdout="open", stderr="closed")
    assert code == 0 and "Usage: tengen match" in out


@pytest.mark.slow
def test_output_goes_into_a_file_whole_and_in_its_order(tmp_path):
    with open(tmp_path / "out.txt", "w+") as file:
        assert run([*MATCH, "--details"], tmp_path, stdout=file, stderr=file)[0] == 0
        file.seek(0)
        lines = file.read().splitlines()
    assert [line[:6] for line in lines if line.startswith("game ")] == ["game 1", "game 2"]
    assert "won / drawn" in "".join(lines)


@pytest.mark.slow
def test_what_is_finished_is_kept(tmp_path):
    assert run([*MATCH, "--json", "all.json"], tmp_path, stdout="closed", stderr="closed")[0] == 130
    assert json.loads((tmp_path / "all.json").read_text())["games"]


# ---- progress


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until a test sets it."""
    now = [100.0]
    monkeypatch.setattr(progress, "perf_counter", lambda: now[0])
    return now


@pytest.mark.parametrize(("total", "before", "steps", "now", "rest"), [
        (10, 0, [], 160, ""),                           # nothing is known yet
        (10, 0, [(1, 110)], 110, ", 2 min left"),       # 9 games of 10 s
        (10, 0, [(1, 110)], 140, ", 1 min left"),        # 30 s later
        (10, 0, [(1, 110)], 900, ", 0 s left"),
        (10, 8, [(9, 130)], 130, ", 30 s left"),        # only items done in this run count
        (10, 0, [(4, 104), (10, 110)], 110, ""),
        (1000, 0, [(2, 120)], 120, ", 2 h 46 min left"),
])  # fmt: skip
def test_the_rest_is_as_fast_as_what_was_done(total, before, steps, now, rest, clock):
    pace = Pace(total, before)
    for done, clock[0] in steps:
        pace.to(done)
    clock[0] = now
    assert pace.rest == rest


def test_a_test_may_need_fewer_games_than_it_may_play(clock):
    pace = Pace(1000)
    clock[0] += 10
    pace.to(1)
    pace.total = 3
    assert pace.rest == ", 20 s left"


def test_a_pipe_gets_a_line_now_and_then(clock, capsys):
    lines = Lines(Console(stderr=True))
    for done in range(1, 101):
        clock[0] += 1
        lines.say(str(done))
    assert capsys.readouterr() == ("", "1\n31\n61\n91\n")


def test_the_games_that_are_played_now_are_named(clock):
    five = {number: Playing("a", f"b\n{number}", 100 - number) for number in range(1, 6)}
    (line,) = games_now(five)
    assert line.plain == r"now: 5 a - b\n5 5 s, 4 a - b\n4 4 s, 3 a - b\n3 3 s, 2 a - b\n2 2 s, and 1 more"
    with LocalExecutor(1) as executor:
        assert not executor.playing and not list(games_now(executor.playing))


@pytest.mark.slow
@pytest.mark.parametrize("command", [
    ("tournament", "greedy", "random", "--env", "tictactoe_1v1", "--rounds", 2, "--out", "t.jsonl"),
    ("sprt", "greedy", "random", "--env", "tictactoe_1v1", "--rounds", 2, "--elo1", 150, "--out", "t.jsonl"),
], ids=lambda command: command[0])  # fmt: skip
def test_commands_show_progress_on_stderr_unless_quiet(command, tengen, monkeypatch):
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    code, _, err = tengen(*command)
    counts = [int(done) for done in re.findall(r"(\d+) of (?:\d+|at most \d+ games.*LLR [-\d.]+$)", err, re.MULTILINE)]
    assert code == 0 and len(counts) > 1 and counts[-1] >= 2, err
    assert tengen(*command[:-1], "quiet.jsonl", "--quiet")[2] == ""
