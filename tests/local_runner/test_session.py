"""One game under the referee: who is asked what, what ends it, and what its record says."""

import json

import pytest

from env_adapter import EnvError
from local_runner.agents import parse_agent
from local_runner.errors import RunnerError
from local_runner.game_setup import GameSetup
from local_runner.processes.process import AgentProcess
from local_runner.records import Reason, as_json
from local_runner.session import Watcher, play_game
from tests.local_runner.naughty import TICTACTOE, agent, play

ORDER = """\
1 Black on    0 0
1 White off   0 0
2 Black off   0 1
2 White on    0 1
3 Black on    0 2
3 White off   0 2
4 Black off   1 0
4 White on    1 0
5 Black on    1 1
5 White off   1 1
6 Black off   1 2
6 White on    1 2
7 Black on    2 0
7 White off   2 0"""


WON = ((0, 0), (1, 1), (0, 1), (2, 2), (0, 2))  # by Black, in the first row


class Notes(Watcher):
    """What a display is told."""

    def __init__(self):
        self.lines = []

    def begins(self, env, players):
        self.lines.append(("begins", env.text().splitlines()[0], players[0].spec.name))

    def asks(self, player, turn):
        self.lines.append(("asks", player, turn))

    def answered(self, call):
        self.lines.append(("answered", call.player, call.turn))

    def moved(self, cell):
        self.lines.append(("moved", cell))


def text_of(calls):
    names = ("Black", "White")
    lines = (f"{c.step} {names[c.player]} {'on ' if c.turn else 'off'}   {c.row} {c.col}" for c in calls)
    return "\n".join(lines)


def test_both_are_asked_at_every_step_black_first(tmp_path):
    record = play("first_free", "first_free", tmp_path)
    assert text_of(record.calls) == ORDER
    assert [(move.row, move.col) for move in record.moves] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0)]
    assert (record.result.winner, record.result.reason, record.loser) == (1, Reason.RULES, None)
    assert record.result.detail == "3 in a row from (0, 2) to (2, 0)"


def test_an_opening_is_played_before_anybody_is_asked(tmp_path):
    setup = GameSetup("tictactoe_1v1", opening=((1, 1), (0, 0), (2, 2)))
    record = play("first_free", "first_free", tmp_path, setup)
    assert record.opening == setup.opening
    assert (record.calls[0].step, record.calls[1].turn) == (4, True)
    assert [step["info_after"]["action"] for step in record.log["steps"][:4]] == [(1, 1), (0, 0), (2, 2), (0, 1)]


@pytest.mark.parametrize(
    ("setup", "error", "sentence"),
    [
        (GameSetup("tictactoe_1v1", opening=((0, 0), (0, 0))), RunnerError, r"\(0, 0\) is not legal in its place"),
        (GameSetup("tictactoe_1v1", opening=(*WON, (2, 0))), RunnerError, r"\(2, 0\) is not legal in its place"),
        (GameSetup("gobang_2v2"), EnvError, "gobang_2v2"),
        (GameSetup("gobang_1v1", rules="house"), EnvError, "house"),
        (GameSetup("reversi_1v1", board_size=7), EnvError, "7x7"),
    ],
)
def test_what_cannot_be_played(setup, error, sentence, tmp_path):
    with pytest.raises(error, match=sentence):
        play("first_free", "first_free", tmp_path, setup)


def test_the_watcher_hears_everything_in_order(tmp_path):
    notes = Notes()
    play("first_free", "raiser", tmp_path, watcher=notes)
    assert notes.lines == [
        ("begins", "...", "first_free"),
        ("asks", 0, True), ("answered", 0, True),
        ("asks", 1, False), ("answered", 1, False),
    ]  # fmt: skip


def test_lenient_games_replace_illegal_moves_and_count_faults_inside(tmp_path):
    record = play("faulty", "answering:answer=corner", tmp_path, strict=False)
    assert record.result.reason is Reason.RULES
    assert [call.replaced for call in record.moves] == [call.player == 1 for call in record.moves]
    assert (record.agents[0].inner_faults, record.agents[1].inner_faults) == (len(record.calls) // 2, 0)


def test_the_stated_rules_replace_nothing(tmp_path):
    setup = GameSetup("tictactoe_1v1", rules="stated")
    record = play("first_free", "answering:answer=corner", tmp_path, setup, strict=False)
    assert (record.result.reason, record.loser) == (Reason.ILLEGAL_MOVE, 1)


@pytest.mark.parametrize("rules", ["platform", "stated"])
def test_a_pass_may_be_answered_with_anything(rules, tmp_path):
    """Random games on 6x6 have passes in every second game or so; the built-in answers (0, 0) then."""
    passes = 0
    for seed in range(6):
        players = [AgentProcess(parse_agent(name), tmp_path / "out.txt", seed=seed) for name in ("random", "random")]
        with players[0], players[1]:
            record = play_game(GameSetup("reversi_1v1", rules, seed, board_size=6), (players[0], players[1]))
        assert record.result.reason is Reason.RULES, record.result
        passes += sum("pass" in step["info_after"] for step in record.log["steps"])
    assert passes


def test_one_process_may_play_both_colours(tmp_path):
    with agent("first_free", tmp_path) as both:
        record = play_game(TICTACTOE, (both, both))
    assert text_of(record.calls) == ORDER


@pytest.mark.parametrize(
    ("black", "white", "winner", "reason", "steps"),
    [
        ("first_free", "first_free", 1, "by the rules", 7),
        ("first_free", "answering:answer=corner", 1, "illegal move", 1),
        ("raiser", "first_free", 2, "crash", 0),
    ],
)
def test_the_log_says_how_it_ended(black, white, winner, reason, steps, tmp_path):
    record = play(black, white, tmp_path)
    assert record.log["winner"] == winner
    assert record.log["result"]["reason"] == reason
    assert record.log["result"]["black"] == black
    assert len(record.log["steps"]) == steps


def test_a_record_survives_json(tmp_path):
    record = play("first_free", "thinker", tmp_path)
    read = json.loads(json.dumps(as_json(record)))
    assert read["result"] == {"winner": 1, "reason": "by the rules", "detail": record.result.detail, "fault": None}
    assert read["calls"][1]["thought"] == {"depth": 1}
    assert read["log"]["steps"][0]["info_before"] == "当前棋手:1"
