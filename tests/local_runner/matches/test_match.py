"""Matches: pairs, colours, openings, seeds, files, and the summary."""

import dataclasses
import json
import os
import random
import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.command_line.options import GameOptions
from local_runner.game.faults import Fault, FaultKind, Reason
from local_runner.game.records import AgentReport, Call, GameDetails, Result
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.matches import display, run
from local_runner.matches.display import board_text, fault_report, final_table, match_table
from local_runner.matches.games import Games, PlayedGame
from local_runner.matches.openings import deal
from local_runner.matches.plan import Terms, match_plan
from local_runner.matches.reports import AgentSummary, Times, final_board, summarise
from local_runner.matches.run import play_match
from local_runner.matches.schedule import Pairing
from local_runner.matches.screens import MatchScreen
from local_runner.matches.statistics.elo import Tally, tally
from tests.local_runner.matches.small import full_board, text_of
from tests.local_runner.processes.naughty import PATIENT, path_of, written


def plan_for(a, b, games=2, env="tictactoe_1v1", seed=0, openings=None):
    setup = GameSetup(env, seed=seed)
    return match_plan((parse_agent(a), parse_agent(b)), Terms(setup, PATIENT), games, openings)


def played(*arguments, log_dir=None, **settings):
    plan = plan_for(*arguments, **settings)
    return plan, list(play_match(Games(plan), log_dir=log_dir))


@pytest.mark.parametrize("openings, plies, lengths", [
    (None, None, [0, 1]), (None, 0, [0, 0]), (None, 2, [0, 2]), ("random", None, [1, 1]), ("random", 3, [3, 3]),
    ("start", None, [0, 0]),
])  # fmt: skip
def test_the_openings_of_a_match(openings, plies, lengths):
    terms = Terms(GameSetup("tictactoe_1v1"))
    plan = match_plan((parse_agent("greedy"), parse_agent("random")), terms, 3, openings, plies)
    assert [len(plan.opening(pair)) for pair in (1, 2)] == lengths


def test_openings_are_made_when_their_games_begin(monkeypatch):
    """A match of 100,000 games begins at once."""
    made = []
    monkeypatch.setattr(deal, "random_opening", lambda setup, plies, seed: made.append(seed) or ())
    assert plan_for("greedy", "random", games=100_000).games == 100_000
    assert len(made) == 1


def test_an_agent_cannot_tell_its_game_from_its_seed():
    """Without --seed, no formula of small numbers gives an agent's seed."""
    [game, _other] = plan_for("greedy", "random").pair(1, Pairing(0, 1), ())
    guesses = [random.Random(f"game {seed} {number}") for seed in range(20) for number in range(20)]
    assert not {each.getrandbits(31) for each in guesses for _ in range(3)} & {*game.agent_seeds, game.setup.seed}
    seeds = {GameOptions().setup().seed for _ in range(5)}
    assert len(seeds) == 5 and 0 not in seeds


def test_the_sums():
    plan, games = played(path_of("first_free"), path_of("answering:answer=corner"), games=3)
    a, b = summarise(plan, games)
    assert (a.as_black, a.as_white) == (Tally(wins=2), tally([games[1].winner], 2))
    assert a.total.games == b.total.games == 3
    assert a.total.score + b.total.score == 3
    assert (a.faults, b.faults) == (0, sum(game.result.reason != Reason.RULES for game in games))
    assert b.faults >= 2
    calls = sum(len(game.details.calls) for game in games)
    assert sum(times.calls for one in (a, b) for times in (one.on_turn, one.off_turn)) == calls
    for one in (a, b):
        assert 0 < one.on_turn.p50 <= one.on_turn.p99 <= one.on_turn.longest < PATIENT.seconds
        assert 5 < one.peak_mb < 60 and one.warnings == ()


def test_an_agent_against_itself_is_told_apart():
    assert plan_for("greedy", "greedy").names == ("greedy (A)", "greedy (B)")
    assert plan_for("greedy", "random").names == ("greedy", "random")
    three = replace(plan_for("greedy", "random"), agents=tuple(map(parse_agent, ("greedy", "random", "greedy"))))
    assert three.names == ("greedy (A)", "random", "greedy (C)")


@pytest.mark.parametrize(("env", "warned"), [("gobang_1v1", True), ("reversi_8x8_1v1", False)])
def test_a_match_of_no_games_warns_of_syntax_that_is_too_new_for_the_site(env, warned, tmp_path):
    """reversi_8x8_1v1 is a game of the Mo platform, whose Python is newer."""
    a, b = summarise(plan_for(written(tmp_path, "match 0:\n    case _: pass"), "random", env=env), [])
    assert (a.total.games, a.on_turn, a.peak_mb, b.warnings) == (0, Times(), 0.0, ())
    assert ["runs Python 3.7" in text for text in a.warnings] == [True] * warned


@pytest.mark.slow
def test_a_log_and_the_output_of_every_game_are_kept_and_never_overwritten(tmp_path):
    for _ in range(2):
        _, [game] = played(path_of("first_free"), path_of("printer"), games=1, log_dir=tmp_path / "logs")
    assert sorted(path.name for path in (tmp_path / "logs").iterdir()) == [
        "game001.json", "game001_2.json", "game001_black.txt", "game001_black_2.txt", "game001_white.txt",
        "game001_white_2.txt",
    ]  # fmt: skip
    assert Path(game.details.log).name == "game001_2.json"
    log = json.loads(Path(game.details.log).read_text(encoding="utf-8"))
    assert log["game_name"] == "tictactoe_1v1"
    assert (log["result"]["black"], log["result"]["white"]) == ("first_free", "printer")


@pytest.mark.parametrize(
    ("black", "kept"),
    [("raiser", True), ("answering:answer=short", False)],  # the second prints nothing
)
def test_without_a_folder_only_the_output_of_lost_games_is_kept(black, kept, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    played(path_of(black), path_of("first_free"), games=1)
    assert [path.name[:13] for path in tmp_path.iterdir()] == ["tengen-match-"] * kept


def test_an_agent_that_cannot_be_played_ends_a_match_before_the_first_game_only(monkeypatch):
    """In later games such an agent loses. Before the first game, no process has loaded the agent."""
    told = []

    def play(game, *_, checked, **__):
        told.append((game.number, checked))
        return PlayedGame(game.number, *game.players, full_board(1), "", 0, "", "", 0.0)

    monkeypatch.setattr(run, "play", play)
    played("greedy", "random", games=3)
    assert told == [(1, False), (2, True), (3, True)]


def test_a_match_that_is_broken_off_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    with closing(play_match(Games(plan_for(path_of("first_free"), path_of("printer"), games=4)))) as playing:
        assert next(playing).number == 1 and list(tmp_path.iterdir())
    assert list(tmp_path.iterdir()) == []


# ---- what is shown


def cells_of(text):
    """The rows of a table that was printed; at least two spaces are between two cells."""
    return [re.split(r"\s{2,}", line.rstrip()) for line in text.splitlines()]


def screen_of(plan, **setup):
    """The screen's text while the first game of a match is played."""
    screen = MatchScreen(plan)
    screen.board.began(GameSession(GameSetup(**setup), plan.names))
    return screen


def test_the_last_move_stands_out():
    text = board_text([[1, 2]], last=(0, 1))
    assert [text.plain[span.start] for span in text.spans if "reverse" in str(span.style)] == ["○"]


def test_the_largest_boards_fit_a_terminal():
    plan = plan_for("greedy", "random", env="gobang_1v1")
    for side in range(20, 27):
        lines = text_of(screen_of(plan, env="gobang_1v1", board_size=side), width=80).splitlines()
        rows = [line.strip("│ ").split() for line in lines if "·" in line]
        assert rows == [[str(row), *"·" * side, str(row)] for row in range(1, side + 1)]
        assert len(set(map(len, lines))) == 1


def test_the_end_of_a_game_has_the_board_and_both_sides_totals():
    """Black has turned White's disc over, and White passes; only the calls on turn count."""
    calls = [Call(step, player, 0, 0, seconds, 0.0, turn) for step, player, seconds, turn in (
        (1, 0, 366.1, True), (1, 1, 9.0, False), (2, 0, 9.0, False), (2, 1, 0.0019674, True), (3, 0, 16.0022028, True),
    )]  # fmt: skip
    plan = plan_for("greedy", "random", env="reversi_8x8_1v1")
    game = PlayedGame(2, 1, 0, full_board(1), "2,3 2,2 -", 0, "", "", 0.0, GameDetails(tuple(calls), (), 0))
    end = final_board(plan, game)
    assert (end.last, [side.agent for side in end.sides]) == ((2, 2), ["random", "greedy"])
    lines = [line.split() for line in text_of(final_table(end)).splitlines()]
    assert lines[3:6] == [["3", *"··○●····", "3"], ["4", *"···○●···", "4"], ["5", *"···●○···", "5"]]
    assert lines[-3] == ["pieces", "last", "move,", "s", "total,", "s"]
    assert lines[-2:] == [["●", "random", "3", "16.002", "382.102"], ["○", "greedy", "3", "0.002", "0.002"]]


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
    shown = {row[0]: row[1:] for row in cells_of(text_of(match_table(plan_for("greedy", "random"), []), 80))}
    assert {label: shown.get(label) for label in rows} == rows
    assert "on turn, ms: p50 / p99 / max" not in shown and shown["games lost by a fault"] == ["0", "0"]


def test_long_names_stand_beside_the_table(tmp_path):
    names = [f"an_agent_whose_name_tells_all_of_its_settings_{number}" for number in range(2)]
    plan = plan_for(*(written(tmp_path, "", name) for name in names))
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
    plan = plan_for("greedy", "random", games=4)
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
