"""One game, step by step: the calls of both players, legal moves, undo, resuming, and the record."""

import json
from unittest.mock import ANY, Mock, call

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from env_adapter import EnvError
from local_runner.agents.spec import parse_agent
from local_runner.errors import RunnerError, Unplayable
from local_runner.game.codec import ToldResult, as_json, result_from
from local_runner.game.faults import Fault, FaultKind, Reason
from local_runner.game.records import NOBODY, Result
from local_runner.game.session import GameSession, Watcher, play_game
from local_runner.game.setup import GameSetup
from local_runner.processes.process import AgentProcess
from tests.local_runner.formats.making import with_a_pass
from tests.local_runner.processes.naughty import TICTACTOE, agent, play

WON = ((0, 0), (1, 1), (0, 1), (2, 2), (0, 2))  # a game that Black wins in the first row


def called(calls):
    """For each call: the step, the player, whether the player was on turn, and the cell."""
    return [(each.step, each.player, each.turn, (each.row, each.col)) for each in calls]


@pytest.mark.parametrize(("setup", "cells", "error", "sentence"), [
    (GameSetup("tictactoe_1v1", opening=((0, 0), (0, 0))), None, RunnerError, r"a1 is not legal in its place"),
    (GameSetup("gobang_2v2"), None, EnvError, "gobang_2v2"),
    (GameSetup("gobang_1v1", "house"), None, EnvError, "house"),
    (GameSetup("reversi_1v1", board_size=7), None, EnvError, "7x7"),
    *((TICTACTOE, cells, RunnerError, r"cannot be played: .* is not legal in its place")
      for cells in [((0, 0), (0, 0)), ((0, 0), None), (*WON, (2, 0)), ((5, 5),)]),
])  # fmt: skip
def test_what_cannot_be_played(setup, cells, error, sentence):
    with pytest.raises(error, match=sentence):
        GameSession(setup, cells=cells)


def test_the_watcher_hears_everything_in_order(tmp_path):
    watcher = Mock(Watcher)
    record = play("first_free", "raiser", tmp_path, watchers=[watcher])
    heard = [call.began(ANY), call.asked(0, True), call.answered(record.calls[0]), call.asked(1, False),
             call.answered(record.calls[1]), call.ended(record.result)]  # fmt: skip
    assert watcher.mock_calls == heard and record.result.text == "White raised ValueError: no idea"
    assert watcher.began.call_args.args[0].names == ("first_free", "raiser")


def test_lenient_games_replace_illegal_moves_and_count_faults_inside(tmp_path):
    record = play("faulty", "answering:answer=corner", tmp_path, strict=False)
    assert record.result.reason is Reason.RULES
    assert [c.replaced for c in record.calls if c.turn] == [c.player == 1 for c in record.calls if c.turn]
    assert (record.agents[0].inner_faults, record.agents[1].inner_faults) == (len(record.calls) // 2, 0)


@pytest.mark.parametrize("rules", ["platform", pytest.param("stated", marks=pytest.mark.slow)])
def test_a_pass_may_be_answered_with_anything(rules, tmp_path):
    """About every second random game on 6x6 has a pass; the agent `random` answers (0, 0) then."""
    passes = 0
    with AgentProcess(parse_agent("random"), tmp_path / "out.txt", seed=1) as both:
        for seed in range(6):
            record = play_game(GameSetup("reversi_1v1", rules, seed, board_size=6), (both, both))
            assert record.result.reason is Reason.RULES, record.result
            passes += sum("pass" in step["info_after"] for step in record.log["steps"])
    assert passes


@pytest.mark.parametrize(("black", "white", "rules", "strict", "winner", "reason", "steps"), [
    ("first_free", "first_free", "platform", True, 1, Reason.RULES, 7),
    ("first_free", "answering:answer=corner", "platform", True, 1, Reason.ILLEGAL_MOVE, 1),
    ("first_free", "answering:answer=corner", "stated", False, 1, Reason.ILLEGAL_MOVE, 1),  # these replace no move
    ("first_free", "answering:answer=ones", "platform", True, 1, Reason.ILLEGAL_MOVE, 1),  # read as a1
    ("first_free", "answering:answer=ones", "stated", True, 1, Reason.BAD_SHAPE, 1),
    ("raiser", "first_free", "platform", True, 2, Reason.CRASH, 0),
])  # fmt: skip
def test_the_record_and_the_log_say_how_a_game_ended(black, white, rules, strict, winner, reason, steps, tmp_path):
    record = play(black, white, tmp_path, GameSetup("tictactoe_1v1", rules), strict=strict)
    result, log = record.result, record.log
    assert (result.winner, result.reason, result.loser) == (winner, reason, 2 - winner if steps < 7 else None)
    assert (log["winner"], log["result"]["reason"], len(log["steps"])) == (winner, reason.value, steps)
    assert log["result"]["black"] == black


def test_a_record_survives_json(tmp_path):
    record = play("first_free", "thinker", tmp_path)
    read = json.loads(json.dumps(as_json(record)))
    ending = {"kind": "line", "line": [[0, 2], [1, 1], [2, 0]], "discs": None, "paid": "by rule"}
    assert read["result"] == {"winner": 1, "ending": ending, "fault": None, "verdict": None}
    assert result_from(read["result"]) == record.result
    assert read["calls"][1]["thought"] == {"depth": 1}
    assert read["log"]["steps"][0]["info_before"] == "当前棋手:1"


def test_a_result_without_a_winner_has_no_loser():
    with pytest.raises(ValueError, match="nobody has lost"):
        result_from(as_json(ToldResult.of(Result(NOBODY, fault=Fault(FaultKind.WROTE)))))


# ---- a session that somebody drives


def played(*cells, setup=TICTACTOE, **how):
    session = GameSession(setup, **how)
    for cell in cells:
        session.play(cell)
    return session


def test_two_humans_need_no_process_and_may_take_plies_back():
    session, watcher = GameSession(TICTACTOE, ("Ann", "Bob")), Mock(Watcher)
    session.watch(watcher)
    for cell in WON[:3]:
        session.play(cell)
    session.undo(2)
    for cell in WON[1:]:
        session.play(cell)
    moves = [each for cell in WON for each in (call.answered(ANY), call.moved(cell))]
    heard = [call.began(session), *moves[:6], call.undone(2), *moves[2:], call.ended(session.result)]
    assert watcher.mock_calls == heard
    assert (session.result.winner, session.result.text) == (1, "3 in a row from a1 to c1")
    record = session.record()
    assert (record.cells, record.agents[1].name, record.log["result"]["black"]) == (WON, "Bob", "Ann")
    assert called(record.calls) == [(ply + 1, ply % 2, True, cell) for ply, cell in enumerate(WON)]
    assert [step["info_after"]["action"] for step in record.log["steps"]] == list(WON)


def test_the_end_of_a_game_may_be_taken_back():
    session = played(*WON)
    session.undo()
    assert session.result is None and session.env.legal_moves()[0] == (0, 2)
    session.resign()
    assert (session.result.winner, session.result.reason, session.result.loser) == (2, Reason.RESIGNATION, None)
    assert session.record().log["winner"] == 2
    with pytest.raises(Unplayable, match="the game is over: Black resigns"):
        session.play((0, 2))
    session.undo()
    session.resign(0)
    assert session.result.text == "Black resigns"


@pytest.mark.parametrize(("cells", "move", "sentence"), [
    ([(1, 1)], (1, 1), r"b2 holds a stone of Black's; legal: a1, .* and 3 more$"),
    ([], (0, 3), r"d1 is off the 3x3 board$"),
    ([], [0, 0], r"\[0, 0\] is no cell; give \(row, col\), two whole numbers"),
    ([], None, "Black has legal moves and may not pass"),
    (WON, (2, 0), "the game is over: 3 in a row"),
])  # fmt: skip
def test_an_illegal_move_gets_a_sentence_and_changes_nothing(cells, move, sentence):
    session = played(*cells)
    with pytest.raises(Unplayable, match=sentence):
        session.play(move)
    assert (session.cells, len(session.calls)) == (list(cells), len(cells))


def test_what_else_a_session_refuses():
    session = played((1, 1), setup=GameSetup("tictactoe_1v1", opening=((0, 0),)))
    for act, sentence in [
        (session.step, "Black has no agent here; give the move to `play`"),
        (lambda: session.undo(2), "cannot take back more plies than were played: 1"),
        (session.lose_turn, "a turn cannot be lost in tictactoe_1v1"),
        (session.record, "the game is not over yet"),
    ]:
        with pytest.raises(RunnerError, match=sentence):
            act()


def test_who_must_pass_cannot_move_or_lose_a_turn():
    cells = with_a_pass().cells
    session = GameSession(GameSetup("reversi_8x8_1v1"), cells=cells[: cells.index(None)])
    row, col = next((r, c) for r, line in enumerate(session.env.stones()) for c, stone in enumerate(line) if not stone)
    with pytest.raises(Unplayable, match="has no legal move and must pass"):
        session.play((row, col))
    with pytest.raises(Unplayable, match="must pass anyway"):
        session.lose_turn()


SMALL = [GameSetup("reversi_1v1", rules, board_size=4) for rules in ("platform", "stated")]


@settings(max_examples=25)
@given(st.sampled_from([*SMALL, GameSetup("tictactoe_1v1", opening=((1, 1),))]), st.lists(st.integers(0, 999)))
def test_moves_lost_turns_and_undone_plies_give_the_game_of_the_cells(setup, choices):
    """After each act, the session is as one that is resumed from JSON."""
    session = GameSession(setup)
    for choice in choices:
        if choice % 5 == 0 and session.plies:
            session.undo(1 + choice % session.plies)
        elif session.result is None and choice % 5 == 1 and session.env.has_pass and session.env.can_move():
            session.lose_turn()
        elif session.result is None:
            moves = session.env.legal_moves()
            session.play(moves[choice % len(moves)] if moves else None)
        kept = json.loads(json.dumps({"setup": as_json(session.setup), "cells": as_json(session.cells)}))
        again = GameSession(GameSetup.from_json(kept["setup"]), cells=kept["cells"])
        assert (again.env.text(), again.result, again.cells) == (session.env.text(), session.result, session.cells)
        assert len(session.calls) == session.plies


def test_an_agent_is_asked_off_turn_where_a_human_moves(tmp_path):
    """After its ply was taken back, the agent sees the board as it was before."""
    with agent("first_free", tmp_path) as process:
        session = GameSession(TICTACTOE, ("Ann", process))
        session.play((1, 1))
        session.step()
        session.undo(2)
        session.play((0, 0))
        session.step()
        assert session.cells == [(0, 0), (0, 1)]
        assert called(session.calls) == [(1, 0, True, (0, 0)), (1, 1, False, (0, 0)), (2, 1, True, (0, 1))]
