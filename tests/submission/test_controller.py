"""my_controller as the platform calls it: whatever comes, two one-hot lists go back, and nothing else happens."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import submission.submission as upload
from submission import controller, engine
from submission.controller import Controller
from submission.player import Player, Settings
from submission.search import clock

from .boards import completes, draw, k_in_a_row_observation, reversi_observation, reversi_start
from .interruption import CountingClock
from .test_codec import Space


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test gets the controller as if it had just been loaded, and a shallow search."""
    monkeypatch.setattr(upload, "_controller", Controller(upload.SETTINGS))
    upload.configure(depth=2)


def call(observation: Any, rows: int = 15, cols: int = 15) -> list[int]:
    """Call the controller as the platform does, check the answer's form, and give [row, col]."""
    answer = upload.my_controller(observation, [Space(rows), Space(cols)], False)
    assert type(answer) is list
    assert len(answer) == 2
    for one_hot, size in zip(answer, (rows, cols)):
        assert type(one_hot) is list
        assert len(one_hot) == size
        assert all(type(item) is int for item in one_hot)
        assert sorted(one_hot) == [0] * (size - 1) + [1]
    return [one_hot.index(1) for one_hot in answer]


@pytest.mark.parametrize("rows, cols, k", [(15, 15, 5), (3, 3, 3), (7, 9, 5)])
def test_k_in_a_row_against_itself_in_one_module(rows: int, cols: int, k: int) -> None:
    stones = bytearray(rows * cols)
    to_move = 1
    while 0 in stones and not completes(bytes(stones), rows, cols, k):
        observations = [k_in_a_row_observation(bytes(stones), rows, cols, player) for player in (1, 2)]
        before = copy.deepcopy(observations)
        answers = [call(observation, rows, cols) for observation in observations]
        assert observations == before
        row, col = answers[to_move - 1]
        assert not stones[row * cols + col]
        stones[row * cols + col] = to_move
        to_move = 3 - to_move
        if sum(map(bool, stones)) > 14:
            break
    assert upload.last_fault() is None


def test_tic_tac_toe_is_never_lost() -> None:
    upload._controller._overrides.clear()
    upload.configure(depth=9)
    for me in (1, 2):
        _every_game(bytearray(9), 1, me)


def _every_game(stones: bytearray, to_move: int, me: int) -> None:
    """Play every game of tic-tac-toe in which one side is the controller."""
    winners = completes(bytes(stones), 3, 3, 3)
    assert winners in ([], [me])
    if winners or 0 not in stones:
        return
    if to_move == me:
        row, col = call(k_in_a_row_observation(bytes(stones), 3, 3, me), 3, 3)
        cells = [row * 3 + col]
    else:
        cells = [cell for cell in range(9) if not stones[cell]]
    for cell in cells:
        assert not stones[cell]
        stones[cell] = to_move
        _every_game(stones, 3 - to_move, me)
        stones[cell] = 0


@settings(max_examples=60, deadline=None)
@given(st.recursive(
    st.none() | st.integers(-3, 20) | st.text(max_size=3) | st.floats(),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(["state_map", "chess_player_idx", "board_width", "board_height", 1, 2]), inner),
    max_leaves=12))  # fmt: skip
def test_junk_is_answered_in_form(junk: Any) -> None:
    call(junk)


@pytest.mark.parametrize("space", [None, [], [Space(3)], 5, [Space(None), Space(2)]])
def test_junk_action_space(space: Any) -> None:
    answer = upload.my_controller(k_in_a_row_observation(bytes(225), 15, 15, 1), space, False)
    assert [len(one_hot) for one_hot in answer] == [15, 15]


class _Hostile:
    """An observation that raises whatever it is asked."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __len__(self) -> int:
        raise RuntimeError("len")


def test_nothing_that_an_observation_raises_gets_out() -> None:
    call(_Hostile())
    call({"state_map": _Hostile(), "chess_player_idx": 1})
    call({1: _Hostile(), 2: set(), "chess_player_idx": 1, "board_width": 8, "board_height": 8})
    assert upload.last_fault() is None


def test_nothing_is_printed(capfd: pytest.CaptureFixture) -> None:
    call(k_in_a_row_observation(bytes(225), 15, 15, 1))
    call(reversi_observation(reversi_start(8), 8, 1), 8, 8)
    call("junk")
    assert capfd.readouterr() == ("", "")


def test_fault_inside_is_counted_and_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RecursionError("too deep")

    assert upload.last_fault() is None
    monkeypatch.setattr(Player, "answer", broken)
    stones = draw("X../.O./...").stones
    for count in (1, 2, 3):
        row, col = call(k_in_a_row_observation(stones, 3, 3, 1), 3, 3)
        assert not stones[row * 3 + col]
        assert upload.last_fault().count == count
        assert "too deep" in upload.last_fault().traceback
    monkeypatch.setattr(Settings, "make_engine", broken)
    row, col = call(k_in_a_row_observation(stones, 3, 3, 1), 3, 3)
    assert not stones[row * 3 + col]


@pytest.mark.parametrize(
    "observation, size, cells",
    [
        (reversi_observation(reversi_start(8), 8, 1), 8, {19, 26, 37, 44}),
        (reversi_observation(reversi_start(8), 8, 2), 8, {20, 29, 34, 43}),
        (k_in_a_row_observation(draw("XXXX./OOOO./...../...../.....").stones, 5, 5, 2), 5, {9}),
        (k_in_a_row_observation(draw(".XO/OXX/XOO").stones, 3, 3, 1), 3, {0}),
    ],
)
def test_after_a_fault_the_answer_is_a_good_move_of_the_player(
    observation: Any,
    size: int,
    cells: set[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Player, "answer", lambda *_: 1 // 0)
    row, col = call(observation, size, size)
    assert row * size + col in cells
    assert upload.last_fault().count == 1


@pytest.mark.parametrize(
    "observation, size, pv",
    [
        (k_in_a_row_observation(draw(".XO/OXX/XOO").stones, 3, 3, 1), 3, [[0, 0]]),
        (reversi_observation(draw("OXX./..../..../....").stones, 4, 1), 4, []),  # a pass is no cell
    ],
)
def test_the_line_that_is_reported_holds_cells(observation: Any, size: int, pv: list[list[int]]) -> None:
    call(observation, size, size)
    assert upload.last_thought()["pv"] == pv


def _reversi_moves(stones: bytes, n: int, player: int) -> list[int]:
    """Legal cells by the naive rule."""
    return [cell for cell in range(n * n) if not stones[cell] and _turned(stones, n, cell, player)]


def _turned(stones: bytes, n: int, cell: int, player: int) -> list[int]:
    turned = []
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            run, row, col = [], cell // n + down, cell % n + right
            while 0 <= row < n and 0 <= col < n and stones[row * n + col] == 3 - player:
                run.append(row * n + col)
                row, col = row + down, col + right
            if run and 0 <= row < n and 0 <= col < n and stones[row * n + col] == player:
                turned += run
    return turned


@pytest.mark.parametrize("ours", [(1,), (2,), (1, 2)])
@pytest.mark.parametrize("n, games", [(4, 6), (6, 2), pytest.param(10, 4, marks=pytest.mark.slow)])
def test_reversi_with_a_row_after_each_pass(n: int, games: int, ours: Any) -> None:
    """Whole games as the platform shows them, until there has been a pass; the other side plays at random."""
    noise = random.Random(n)
    rows_seen = 0
    for game in range(12):
        if game >= games and rows_seen:
            break
        stones, to_move, passes = bytearray(reversi_start(n)), 1, 0
        while passes < 2:
            answers = {}
            for player in ours:
                if passes:
                    shown = [[stones[(player - 1) * n + col]] for col in range(n)]
                    rows_seen += 1
                else:
                    shown = reversi_observation(bytes(stones), n, player)
                row, col = call(shown, n, n)
                answers[player] = row * n + col
                assert upload._controller.players[player].to_move == to_move
            legal = _reversi_moves(bytes(stones), n, to_move)
            if not legal:
                passes, to_move = passes + 1, 3 - to_move
                continue
            passes = 0
            cell = noise.choice(legal)
            if to_move in answers and noise.random() < 0.8:  # else games of two of ours were all the same
                cell = answers[to_move]
            assert answers.get(to_move, cell) in legal
            for turned in [cell, *_turned(bytes(stones), n, cell, to_move)]:
                stones[turned] = to_move
            to_move = 3 - to_move
            if 0 not in stones or not stones.count(1) or not stones.count(2):
                break
    assert rows_seen > 0
    assert upload.last_fault() is None


def test_row_with_nothing_remembered() -> None:
    assert call([[0]] * 10, 10, 10) == [0, 0]
    assert upload.last_fault() is None


@pytest.mark.parametrize(
    "options, complaint",
    [
        ({"level": 3}, "unknown option level; there are: engine"),
        ({"engine": "alphago"}, "engine is 'alphago'; there are: search, scorer"),
        ({"depth": "abc"}, "depth is 'abc'; wanted: a whole number of at least 1, or None"),
        ({"nodes": -1}, "nodes is -1; wanted: a whole number"),
        ({"depth": True}, "depth is True"),
        ({"seconds": float("nan")}, "seconds is nan; wanted: a number of at least 0"),
        ({"off_turn_seconds": -0.1}, "off_turn_seconds is -0.1"),
        ({"book": "no"}, "book is 'no'; wanted: True or False"),
        ({"lmr_divisor": 99.0}, "lmr_divisor is 99.0; give a float from 0.5 to 5.0"),
        ({"candidates": "6/x"}, "candidates is '6/x'; give whole numbers, such as 6/8/11"),
        ({"killers": 1}, "killers is 1; give True or False"),
        ({"evaluator": "oracle"}, "evaluator is 'oracle'; there are: "),
    ],
)
def test_wrong_options_are_named(options: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        upload.configure(**options)


def test_scorer_engine_and_last_thought() -> None:
    board = draw("O..../.XX../...../...../....O").stones
    assert upload.last_thought() is None
    call(k_in_a_row_observation(board, 5, 5, 1), 5, 5)
    thought = upload.last_thought()
    assert (thought["engine"], thought["depth"]) == ("search", 2)
    assert thought["nodes"] > 2
    upload.configure(engine="scorer")
    call(k_in_a_row_observation(board, 5, 5, 1), 5, 5)
    assert upload.last_thought()["engine"] == "scorer"


@pytest.mark.parametrize("options, asked", [
    ({"seconds": 0.01}, True), ({"depth": 1}, False), ({"nodes": 20}, False), ({"depth": 1, "book": True}, True),
    ({"seconds": 1, "book": False}, False),
])  # fmt: skip
def test_limits_leave_the_book_out_unless_it_is_asked_for(options: Any, asked: bool) -> None:
    upload._controller._overrides.clear()
    upload.configure(**options)
    board = bytearray(225)
    board[112] = 1
    call(k_in_a_row_observation(bytes(board), 15, 15, 2))
    assert (upload.last_thought()["nodes"] == 0) == asked


def test_seconds_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    counting = CountingClock(0.001)
    for module in (clock, controller, engine):
        monkeypatch.setattr(module, "time", counting)
    upload._controller._overrides.clear()
    upload.configure(seconds=0.05, off_turn_seconds=0.05)
    for player in (1, 2):
        call(k_in_a_row_observation(bytes([1, 2] * 3) + bytes(219), 15, 15, player))
        assert 0 < upload.last_thought()["seconds"] < 0.06


def test_parameters_are_options_too() -> None:
    board = draw("""
        . . . . . . .
        . . O . X . .
        . . . X . . .
        . . O X O . .
        . . . O X . .
        . . . . . . .""").stones
    nodes = []
    for options in ({}, {"candidates": 4, "root_candidates": 4}, {"candidates": "4/5"}):
        upload.configure(depth=6, **options)
        call(k_in_a_row_observation(board, 6, 7, 1), 6, 7)
        nodes.append(upload.last_thought()["nodes"])
    assert 0 < nodes[1] < nodes[2] < nodes[0]
    upload.configure(probcut_margin=2, evaluator="cell_lists")  # of Reversi's engine alone
    upload.configure(evaluator="lines")
    call(reversi_observation(reversi_start(8), 8, 1), 8, 8)
    assert upload.last_fault() is None
