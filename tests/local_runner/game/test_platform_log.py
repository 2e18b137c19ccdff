"""The platform's log: its keys, the board that the platform's replay page draws from it, and atomic writing."""

import json
import math
import re
from collections import deque

import numpy
import pytest

from env_adapter import answer
from local_runner.game.platform_log import write_log
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.matches.run_log import play

TOP = {
    "game_name", "n_player", "board_height", "board_width", "init_info", "start_time", "mode", "seed", "map_size",
    "steps", "winner", "winner_information", "n_return", "end_time",
}  # fmt: skip


def first_legal(env):
    """A controller that plays the first of the environment's legal moves."""
    return lambda *call: answer((env.legal_moves() or [(0, 0)])[0], env.board_height, env.board_width)


def logged(env_name, controller=first_legal, **settings):
    """A game's log as it is read back from its JSON, and the environment after it."""
    session = GameSession(GameSetup(env_name, seed=5, **settings))
    log = play(session, [controller(session.env)] * 2)
    return json.loads(json.dumps(log)), session.env


class ReplayPage:
    """Reads the keys of a log that the platform's page reads; a KeyError here is an error on the page."""

    def __init__(self, log):
        self.stones = {}
        if log["game_name"] == "reversi_1v1":
            low, high = log["board_width"] // 2 - 1, log["board_width"] // 2
            self.stones = {(low, high): 1, (high, low): 1, (low, low): 2, (high, high): 2}
        for step in log["steps"]:
            player = int(step["info_before"][-1])
            if log["game_name"] == "reversi_1v1":
                after = step["info_after"]
                for cell in [after["action"], *after["reverse_positions"]]:
                    self.stones[tuple(cell)] = player
            else:
                row, col = step["joint_action"][player - 1]
                self.stones[row.index(1), col.index(1)] = player


def board_of(env):
    return {(r, c): stone for r, row in enumerate(env.stones()) for c, stone in enumerate(row) if stone}


@pytest.mark.parametrize(("env_name", "size"), [("gobang_1v1", 15), ("reversi_1v1", 10), ("reversi_1v1", 8)])
def test_a_log_has_the_platforms_keys_and_the_page_ends_with_the_games_board(env_name, size):
    log, env = logged(env_name, board_size=size)
    is_gobang, steps = env_name == "gobang_1v1", log["steps"]
    assert set(log) == TOP
    assert {key: log[key] for key in ("game_name", "n_player", "board_height", "board_width", "init_info", "mode",
                                      "seed", "map_size", "winner")} == {
        "game_name": env_name, "n_player": 2, "board_height": size, "board_width": size, "init_info": None,
        "mode": "terminal", "seed": 5, "map_size": None, "winner": env.check_win(),
    }  # fmt: skip
    for key in ("start_time", "end_time"):
        assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", log[key])
    keys = {"time", "info_before", "reward", "info_after", *(["joint_action"] if is_gobang else [])}
    assert all(set(step) == keys for step in steps)
    assert [step["info_before"] for step in steps[:3]] == ["当前棋手:1", "当前棋手:2", "当前棋手:1"]
    final = [100 * share for share in log["n_return"]]
    if is_gobang:
        assert log["n_return"] == [1, 0] and steps[1]["info_after"] == {"action": [0, 1]}
        assert log["winner_information"] == [list(cell) for cell in env.winning_line()]
        assert [step["reward"] for step in steps] == [[0, 0]] * (len(steps) - 1) + [final]
    else:
        discs = [sum(stone == colour for row in env.stones() for stone in row) for colour in (1, 2)]
        assert log["winner_information"] == {"1": discs[0], "2": discs[1]}
        assert [step["reward"] for step in steps] == [final] * len(steps)  # all steps share one list, as on the site
    assert ReplayPage(log).stones == board_of(env)


def test_the_page_shows_the_move_that_replaced_an_illegal_one():
    corner = answer((0, 0), 15, 15)
    log, env = logged("gobang_1v1", lambda env: lambda *call: corner)
    assert len(log["steps"]) > 8
    assert ReplayPage(log).stones == board_of(env)
    assert [step["joint_action"].count(corner) for step in log["steps"][1:]] == [1] * (len(log["steps"]) - 1)


def test_a_pass_changes_nothing_on_the_page():
    log, _ = logged("reversi_1v1", board_size=8)
    passes = [step for step in log["steps"] if "pass" in step["info_after"]]
    assert len(passes) == 4
    assert all(step["info_after"]["pass"] is True for step in passes)
    assert all(step["info_after"]["reverse_positions"] == [] for step in passes)
    without = {**log, "steps": [step for step in log["steps"] if step not in passes]}
    assert ReplayPage(without).stones == ReplayPage(log).stones


def test_numpys_numbers_are_written_as_numbers(tmp_path):
    session = GameSession(GameSetup("gobang_1v1", seed=1))
    first = first_legal(session.env)
    log = play(session, [lambda *call: [list(numpy.array(part)) for part in first()]] * 2)
    read = json.loads(write_log({**log, "extra": numpy.float64(0.5), "cells": {(1, 2)}}, tmp_path).read_text("utf-8"))
    assert ReplayPage(read).stones == board_of(session.env)
    assert (read["extra"], read["cells"]) == (0.5, [[1, 2]])


class Endless:
    """Looks like an array: its tolist() never gives a list, however often it is called."""

    def tolist(self):
        return Endless()


ITSELF = [[0, 0, 1], [0, 0]]
ITSELF[1].append(ITSELF)


@pytest.mark.parametrize("row", [
    [math.nan] * 3, [math.inf] * 3, [1j] * 3, {0: 0, (0, 0): 1, 2: 3}, [10**4300, 0, 0], ITSELF[1], deque("abc"),
    b"abc", [Endless()] * 3,
], ids=lambda row: type(row).__name__)  # fmt: skip
def test_an_answer_off_turn_that_json_cannot_hold_is_null(row, tmp_path):
    session = GameSession(GameSetup("tictactoe_1v1"))
    first, given = first_legal(session.env), [row, row]
    log = play(session, [lambda *call: first() if session.to_move == 0 else given,
                         lambda *call: given if session.to_move == 0 else first()])  # fmt: skip
    steps = json.loads(write_log(log, tmp_path).read_text("utf-8"))["steps"]
    assert [step["joint_action"].index(None) for step in steps] == [1, 0, 1, 0, 1, 0, 1]


def test_an_answer_that_the_agent_changes_later_is_written_as_it_was():
    session = GameSession(GameSetup("tictactoe_1v1"))
    first, reused = first_legal(session.env), [[0.5] * 3, [0] * 3]

    def controller(*call):
        reused[1][0] += 1
        return reused if session.to_move else first()

    log = play(session, [controller, first])
    assert [step["joint_action"][0] for step in log["steps"][1::2]] == [[[0.5] * 3, [at, 0, 0]] for at in (2, 4, 6)]


@pytest.mark.parametrize("stem", [None, "game001"])
def test_a_second_log_of_one_name_gets_a_number(stem, tmp_path, monkeypatch):
    monkeypatch.setattr("time.strftime", lambda form: "202611210102")
    paths = [write_log({"game_name": "reversi_1v1"}, tmp_path, stem) for _ in range(3)]
    first = stem or "202611210102_reversi_1v1"
    assert [path.name for path in paths] == [f"{first}.json", f"{first}_2.json", f"{first}_3.json"]
