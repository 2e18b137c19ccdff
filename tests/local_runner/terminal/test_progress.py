"""Progress: the estimated time left, lines of text without a terminal, the games being played."""

import re

import pytest
from rich.console import Console

from local_runner.matches.executor import LocalExecutor
from local_runner.terminal import progress
from local_runner.terminal.progress import Lines, Pace, Playing, games_now

GAME = ("--env", "tictactoe_1v1")


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until a test sets it."""
    now = [100.0]
    monkeypatch.setattr(progress, "perf_counter", lambda: now[0])
    return now


@pytest.mark.parametrize(
    ("total", "before", "steps", "now", "rest"),
    [
        (10, 0, [], 160, ""),                           # nothing is known yet
        (10, 0, [(1, 110)], 110, ", 2 min left"),       # 9 games of 10 s
        (10, 0, [(1, 110)], 140, ", 1 min left"),        # 30 s later
        (10, 0, [(1, 110)], 900, ", 0 s left"),
        (10, 8, [(9, 130)], 130, ", 30 s left"),        # only what was done here counts
        (10, 0, [(4, 104), (10, 110)], 110, ""),
        (1000, 0, [(2, 120)], 120, ", 2 h 46 min left"),
    ],
)  # fmt: skip
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
    ("tournament", "greedy", "random", *GAME, "--rounds", 2, "--out", "t.jsonl"),
    ("sprt", "greedy", "random", *GAME, "--rounds", 2, "--elo1", 150, "--out", "t.jsonl"),
], ids=lambda command: command[0])  # fmt: skip
def test_commands_show_progress_on_stderr_unless_quiet(command, tengen, monkeypatch):
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    code, _, err = tengen(*command)
    counts = [int(done) for done in re.findall(r"(\d+) of (?:\d+|at most \d+ games.*LLR [-\d.]+$)", err, re.MULTILINE)]
    assert code == 0 and len(counts) > 1 and counts[-1] >= 2, err
    assert tengen(*command[:-1], "quiet.jsonl", "--quiet")[2] == ""
