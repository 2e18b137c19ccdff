"""Boards, tables and reports as plain text."""

import dataclasses
import io
import os
import re

import pytest
from rich.console import Console

from local_runner.agents.spec import parse_agent
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.records import AgentReport, Call, Result
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.matches import display
from local_runner.matches.display import board_text, fault_report, final_table, match_table
from local_runner.matches.plan import Terms, match_plan
from local_runner.matches.reports import AgentSummary, FinalBoard, SideTotals, Times
from local_runner.matches.screens import MatchScreen
from local_runner.matches.statistics.elo import Tally
from tests.local_runner.processes.naughty import PATIENT, written


def text_of(renderable, width=120):
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(renderable)
    return console.file.getvalue()


def cells_of(text):
    """The rows of a table that was printed; at least two spaces are between two cells."""
    return [re.split(r"\s{2,}", line.rstrip()) for line in text.splitlines()]


def plan_of(*agents, games=2, env="tictactoe_1v1"):
    return match_plan(tuple(map(parse_agent, agents)), Terms(GameSetup(env), PATIENT), games, "start")


def screen_of(plan, **setup):
    """The screen's text while the first game of a match is played."""
    screen = MatchScreen(plan)
    screen.board.began(GameSession(GameSetup(**setup), plan.names))
    return screen


def test_the_last_move_stands_out():
    text = board_text([[1, 2]], last=(0, 1))
    assert [text.plain[span.start] for span in text.spans if "reverse" in str(span.style)] == ["○"]


def test_the_largest_boards_fit_a_terminal():
    plan = plan_of("greedy", "random", env="gobang_1v1")
    for side in range(20, 27):
        lines = text_of(screen_of(plan, env="gobang_1v1", board_size=side), width=80).splitlines()
        rows = [line.strip("│ ").split() for line in lines if "·" in line]
        assert rows == [[str(row), *"·" * side, str(row)] for row in range(1, side + 1)]
        assert len(set(map(len, lines))) == 1


def test_the_end_of_a_game_has_the_board_and_both_sides_totals():
    sides = (SideTotals("a human", 2, 16.0022028, 366.12216), SideTotals("seed001", 1, 0.0019674, 50.834695))
    lines = [line.split() for line in text_of(final_table(FinalBoard(((1, 2), (0, 1)), (0, 1), sides))).splitlines()]
    assert lines[1:3] == [["1", "●", "○", "1"], ["2", "·", "●", "2"]]
    assert lines[4] == ["pieces", "last", "move,", "s", "total,", "s"]
    assert lines[5:] == [["●", "a", "human", "2", "16.002", "366.122"], ["○", "seed001", "1", "0.002", "50.835"]]


@pytest.mark.parametrize(("changed", "rows"), [
    ({}, {"peak RSS, MB": ["30", "-"], "moves replaced": None}),
    ({"peak_mb": 0.0}, {"peak RSS, MB": None, "faults inside": None}),
    ({"replaced": 2, "inner_faults": 1}, {"moves replaced": ["2", "0"], "faults inside": ["1", "0"]}),
    ({"off_turn": Times(1, 0.1, 0.1, 0.1)}, {"off turn, ms: p50 / p99 / max": ["100.0 / 100.0 / 100.0", "-"]}),
])  # fmt: skip
def test_rows_that_say_nothing_are_left_out(changed, rows, monkeypatch):
    some = AgentSummary("a", Tally(1), Tally(), Times(), Times(), 0.1, 30.0, 0, 0, 0, ())
    other = dataclasses.replace(some, name="b", peak_mb=0.0)
    agents = [dataclasses.replace(some, **changed), other]
    monkeypatch.setattr(display, "summarise", lambda plan, games: agents)
    shown = {row[0]: row[1:] for row in cells_of(text_of(match_table(plan_of("greedy", "random"), []), 80))}
    assert {label: shown.get(label) for label in rows} == rows
    assert "on turn, ms: p50 / p99 / max" not in shown and shown["games lost by a fault"] == ["0", "0"]


def test_long_names_stand_beside_the_table(tmp_path):
    names = [f"an_agent_whose_name_tells_all_of_its_settings_{number}" for number in range(2)]
    plan = plan_of(*(written(tmp_path, "", name) for name in names))
    lines = text_of(match_table(plan, []), width=80).splitlines()
    assert lines[1].split() == ["A", "B"]
    assert ["games lost by a fault", "0", "0"] in cells_of("\n".join(lines))
    assert lines[-2:] == [f"A: {names[0]}", f"B: {names[1]}"]
    view = screen_of(plan, env="tictactoe_1v1")
    for short in ("an_agent_w…ettings_0", "an_agent_w…ettings_1"):
        assert text_of(view, width=80).count(short) == 2


@pytest.mark.parametrize("make", [lambda path: None, getattr(os, "mkfifo", lambda path: None)])
def test_an_agent_may_have_removed_what_it_printed(make, tmp_path):
    output = tmp_path / "gone.txt"
    make(output)
    agents = AgentReport("a"), AgentReport("b", output=str(output), printed_bytes=9)
    report = text_of(fault_report(Result(1, fault=Fault(FaultKind.ENDED)), agents), width=300)
    assert report.endswith(f"\nthe file with its output is gone ({output})\n")


def test_the_view_follows_the_game():
    plan = plan_of("greedy", "random", games=4)
    assert text_of(MatchScreen(plan)) == "starting ...\n"
    view = screen_of(plan, env="tictactoe_1v1", opening=((0, 0), (1, 1), (2, 2)))
    view.board.session.calls += [
        Call(4, 0, 0, 1, seconds=0.25, cpu=0.2, turn=False), Call(5, 0, 0, 1, seconds=0.50, cpu=0.2, turn=True),
    ]  # fmt: skip
    view.board.asked(1, False)
    text = text_of(view)
    assert "game 1 of 4   greedy 0 : 0 random" in text
    assert "●  greedy" in text and "0.50" in text and "0.8 s" in text
    assert "○  random" in text and "off turn" in text
    assert " 2 ·  ○  ·  2" in text
