"""my_controller as the platform calls it, its settings, and the memory of its players: turns, passes and new games."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import time
from dataclasses import replace
from typing import Any

import pytest

import submission
import submission.submission as upload
from submission import controller
from submission.boards import K_IN_A_ROW, REVERSI
from submission.codec import Snapshot
from submission.controller import Controller
from submission.player import Player, Settings
from submission.search import clock

from .boards import call, completes, draw, k_in_a_row_observation, reversi_observation, reversi_start
from .search_games import QUIET, Clock

PLATFORM_SECONDS = 1.0  # the platform's time limit of a call
MARGIN = 0.15  # seconds of the limit that a call must not use
LITTLE = draw("O..../.XX../...../...../....O").stones


pytestmark = pytest.mark.usefixtures("fresh")


@pytest.mark.parametrize("name", [module.name for module in pkgutil.walk_packages(submission.__path__, "submission.")])
def test_the_examples_of_a_module(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("family, rows, cols, k, off_turn", [
    (K_IN_A_ROW, 15, 15, 5, True), (K_IN_A_ROW, 11, 11, 5, True), (K_IN_A_ROW, 3, 3, 3, False),
    (K_IN_A_ROW, 7, 9, 5, True), (REVERSI, 8, 8, None, True), (REVERSI, 10, 10, None, True)])  # fmt: skip
def test_every_game_is_searched_within_the_platforms_time(
    family: str, rows: int, cols: int, k: int | None, off_turn: bool
) -> None:
    snapshot = Snapshot(family, rows, cols, bytes(rows * cols), 1)
    row = next(row for row in (Settings(*row) for row in upload.SETTINGS) if row.fits(snapshot))
    assert (row.in_a_row, row.engine) == (k, "search")
    assert 0.5 < row.seconds <= PLATFORM_SECONDS - MARGIN
    assert (row.off_turn_seconds > 0, row.off_turn_seconds <= row.seconds) == (off_turn, True)


@pytest.mark.parametrize("me", [1, 2])
def test_tic_tac_toe_is_never_lost(me: int) -> None:
    """The opponent tries every move in every position."""
    upload.configure(depth=9)
    boards, seen = [bytes(9)], set()
    while boards:
        stones = boards.pop()
        to_move = 1 + (9 - stones.count(0)) % 2
        assert completes(stones, 3, 3, 3) in ([], [me])
        if stones in seen or not stones.count(0) or completes(stones, 3, 3, 3):
            continue
        seen.add(stones)
        cells = [cell for cell in range(9) if not stones[cell]]
        if to_move == me:
            row, col = call(k_in_a_row_observation(stones, 3, 3, me), 3, 3)
            assert row * 3 + col in cells
            cells = [row * 3 + col]
        boards += [stones[:cell] + bytes([to_move]) + stones[cell + 1 :] for cell in cells]
    assert upload.last_fault() is None


@pytest.mark.parametrize("observation, size, cells", [
    (reversi_observation(reversi_start(8), 8, 1), 8, {19, 26, 37, 44}),
    (reversi_observation(reversi_start(8), 8, 2), 8, {20, 29, 34, 43}),
    (k_in_a_row_observation(draw("XXXX./OOOO./...../...../.....").stones, 5, 5, 2), 5, {9}),
    (k_in_a_row_observation(draw(".XO/OXX/XOO").stones, 3, 3, 1), 3, {0}),
])  # fmt: skip
def test_a_fault_inside_is_counted_and_answered(
    observation: Any, size: int, cells: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is the quick move, or a free cell if the quick move raises, too."""

    def broken(*_: Any) -> None:
        raise RecursionError("too deep")

    assert upload.last_fault() is None
    monkeypatch.setattr(Player, "answer", broken)
    for count in (1, 2):
        row, col = call(observation, size, size)
        assert row * size + col in cells
        assert upload.last_fault().count == count
        assert "too deep" in upload.last_fault().traceback
    monkeypatch.setattr(Settings, "make_engine", broken)
    assert call(observation, size, size) == ([0, 4] if size == 5 else [0, 0])
    assert upload.last_fault().count == 3


@pytest.mark.parametrize("options, complaint", [
    ({"level": 3}, "unknown option level; there are: engine"),
    ({"engine": "alphago"}, "engine is 'alphago'; allowed: 'search' or 'scorer'"),
    ({"depth": "abc"}, "depth is 'abc'; allowed: None or a whole number from 1"),
    ({"nodes": -1}, "nodes is -1; allowed: None or a whole number from 1"),
    ({"depth": True}, "depth is True"),
    ({"seconds": float("nan")}, "seconds is nan; allowed: None or a number from 0"),
    ({"off_turn_seconds": -0.1}, "off_turn_seconds is -0.1"),
    ({"book": "no"}, "book is 'no'; allowed: True or False"),
    ({"lmr_divisor": 99.0}, "lmr_divisor is 99.0; allowed: a float from 0.5 to 5.0"),
    ({"candidates": "6/x"}, "candidates is '6/x'; give whole numbers, such as 6/8/11"),
    ({"candidates": (6, 0)}, r"candidates is \(6, 0\); allowed: a tuple of whole numbers from 1"),
    ({"killers": 1}, "killers is 1; allowed: True or False"),
    ({"probcut_depths": "0/61"}, "probcut_depths is .*allowed: a tuple of whole numbers from 0 to 60"),
    ({"evaluator": "oracle"}, "evaluator is 'oracle'; allowed: 'lines' or 'network' .*; .* allowed: 'cell_lists'"),
])  # fmt: skip
def test_wrong_options_are_named(options: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        upload.configure(**options)


@pytest.mark.parametrize("options, observation, size, report", [
    ({}, k_in_a_row_observation(draw(".XO/OXX/XOO").stones, 3, 3, 1), 3, ("search", 0, [[0, 0]])),
    ({}, reversi_observation(draw("OXX./..../..../....").stones, 4, 1), 4, ("search", 0, [])),  # X must pass
    ({}, k_in_a_row_observation(LITTLE, 5, 5, 1), 5, ("search", 2, None)),
    ({"engine": "scorer"}, k_in_a_row_observation(LITTLE, 5, 5, 1), 5, ("scorer", 0, None)),
])  # fmt: skip
def test_last_thought(options: Any, observation: Any, size: int, report: tuple[str, int, Any]) -> None:
    assert upload.last_thought() is None
    upload.configure(**options)
    cell = call(observation, size, size)
    thought = upload.last_thought()
    assert (thought["engine"], thought["depth"]) == report[:2]
    assert thought["pv"] == report[2] or (report[2] is None and thought["pv"][0] == cell)
    assert (thought["nodes"] > 2) == (thought["depth"] > 0)


@pytest.mark.parametrize("options, from_book", [
    ({"seconds": 0.01}, True), ({"depth": 1}, False), ({"nodes": 20}, False), ({"depth": 1, "book": True}, True),
    ({"seconds": 0.1, "book": False}, False),
])  # fmt: skip
def test_limits_of_the_search_turn_the_book_off_by_default(options: Any, from_book: bool) -> None:
    upload.controller = Controller(upload.SETTINGS)
    upload.configure(**options)
    call(k_in_a_row_observation(bytes(112) + b"\1" + bytes(112), 15, 15, 2))
    assert (upload.last_thought()["nodes"] == 0) == from_book


def test_a_call_ends_within_its_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    counting = Clock(0.001)
    for module in (clock, controller):
        monkeypatch.setattr(module, "time", counting)
    upload.controller = Controller(upload.SETTINGS)
    upload.configure(seconds=0.05, off_turn_seconds=0.05)
    for player in (1, 2):
        call(k_in_a_row_observation(bytes([1, 2] * 3) + bytes(219), 15, 15, player))
        assert 0 < upload.last_thought()["seconds"] < 0.06


def test_parameters_are_options_too() -> None:
    nodes = []
    for options in ({}, {"candidates": 4, "root_candidates": 4}, {"candidates": "4/5"}):
        upload.configure(depth=4, **options)
        call(k_in_a_row_observation(QUIET.stones, 15, 15, 1))
        nodes.append(upload.last_thought()["nodes"])
    assert 0 < nodes[1] < nodes[0] and len({*nodes}) == 3
    upload.configure(probcut_margin=2, evaluator="cell_lists")  # options that only Reversi's engine has
    upload.configure(evaluator="lines")
    call(reversi_observation(reversi_start(8), 8, 1), 8, 8)
    assert upload.last_fault() is None


ROW = ("k_in_a_row", 15, 15, 5, "search", 0.8, 0.8)


@pytest.mark.parametrize(("row", "sentence"), [
    ((*ROW[:4], "serach", 0.8, 0.8), "('k_in_a_row', 15, 15): engine is 'serach'; allowed: 'search' or 'scorer'"),
    (("gobang", *ROW[1:]), "('gobang', 15, 15): family is 'gobang'; allowed: 'k_in_a_row' or 'reversi'"),
    (ROW[:5], "it has 5 values; allowed: family, rows, cols, in_a_row, engine, seconds, off_turn_seconds"),
    ("k_in_a_row", "('k_in_a_row'): it has 1 values; allowed: family, rows"),
    ((*ROW[:5], "0.8", 0.8), "seconds is '0.8'; allowed: None or a number from 0"),
    ((*ROW[:5], 0.8, -1), "off_turn_seconds is -1; allowed: None or a number from 0"),
    ((*ROW[:5], float("inf"), 0), "seconds is inf; allowed"),
    (("k_in_a_row", 15.0, *ROW[2:]), "rows is 15.0; allowed: None or a whole number from 1 to 100"),
    (("k_in_a_row", 15, "15", *ROW[3:]), "cols is '15'; allowed"),
    (("k_in_a_row", 15, 15, None, *ROW[4:]), "in_a_row is None; allowed: a number in k_in_a_row, None in reversi"),
    (("reversi", None, None, 5, *ROW[4:]), "in_a_row is 5; allowed"),
])  # fmt: skip
def test_a_wrong_row_of_the_settings_is_named_with_the_allowed_values(row: tuple[Any, ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape("SETTINGS, row 2 (")) as wrong:
        Controller([ROW, row])
    assert sentence in str(wrong.value)


def test_a_board_without_a_row_in_the_settings_is_a_fault_that_is_told() -> None:
    controller = Controller([("k_in_a_row", 3, 3, 3, "scorer", 0, 0)])
    board = {"state_map": [[[0]] * 4] * 4, "chess_player_idx": 1}
    assert controller.answer(board, None) == [[1, 0, 0, 0]] * 2
    assert controller.fault is not None
    assert "SETTINGS has no row for k_in_a_row on 4x4; a row with None" in controller.fault.traceback


FAST = {
    K_IN_A_ROW: Settings(K_IN_A_ROW, None, None, 5, "search", None, None, depth=2),
    REVERSI: Settings(REVERSI, None, None, None, "search", None, None, depth=2),
}


def _answer(player: Player, drawing: str, family: str, me: int) -> int:
    """Show a drawing to a player, and return the cell of the answer."""
    drawn = draw(drawing)
    snapshot = Snapshot(family, drawn.rows, drawn.cols, drawn.stones, me)
    row, col = player.answer(snapshot, FAST[family], time.perf_counter())
    return row * drawn.cols + col


OPENING, PASSED = "..../.OX./.XO./....", "XXXX/XXXX/XXXO/XXO."
UNKNOWN = "XXX./XXOO/XO../X..."  # the first board that the player is shown is in the middle of a game


# The boards shown to a player one after another, and for each the side to move; 0: the player's own.
@pytest.mark.parametrize("me", [1, 2])
@pytest.mark.parametrize("family, drawings, turns", [
    (K_IN_A_ROW, ["...../...../...../...../....."], [1]),
    (K_IN_A_ROW, ["X..../...../...../...../.....", "XO.../...../...../...../....."], [2, 1]),
    (REVERSI, [OPENING, "..../XXX./.XO./....", "O.../XOX./.XO./...."], [1, 2, 1]),
    (REVERSI, [OPENING] * 3, [1, 1, 1]),  # Black can move, so an unchanged board means no move
    (REVERSI, ["XXXX/XXXX/XX.O/XXO.", *[PASSED] * 3], [0, 2, 1, 1]),  # White cannot move
    (REVERSI, [UNKNOWN], [0]), (REVERSI, [UNKNOWN, "XXXO/XXOO/XOO./X..."], [0, 0]),
    (REVERSI, [OPENING, "OOO./XXX./.XO./...."], [1, 0]),  # calls are missing
])  # fmt: skip
def test_the_side_to_move_follows_from_the_boards(family: str, drawings: list[str], turns: list[int], me: int) -> None:
    player = Player()
    for drawing, turn in zip(drawings, turns):
        _answer(player, drawing, family, me)
        assert player.to_move == (turn or me)


@pytest.mark.parametrize("family, drawing, me, cells", [
    (REVERSI, "..../.OX./.XO./....", 2, {2, 7, 8, 13}),
    (K_IN_A_ROW, "XXXX./OOOO./...../...../.....", 2, {9}),
    (K_IN_A_ROW, "XXXX./OOOO./X..../...../.....", 1, {4}),
])  # fmt: skip
def test_the_answer_off_turn_is_a_move_of_the_player_too(family: str, drawing: str, me: int, cells: set[int]) -> None:
    player = Player()
    assert _answer(player, drawing, family, me) in cells
    assert player.to_move == 3 - me


@pytest.mark.parametrize("before, now, family, goes_on", [
    ("X..../...../...../...../.....", "XO.../...../...../...../.....", K_IN_A_ROW, True),
    ("XO.../...../...../...../.....", "...../...../...../...../.....", K_IN_A_ROW, False),
    ("XO.../...../...../...../.....", "OX.../...../...../...../.....", K_IN_A_ROW, False),
    ("XO.../...../...../...../.....", "XO..../....../....../....../......", K_IN_A_ROW, False),
    ("..../XXX./.XO./....", "O.../XOX./.XO./....", REVERSI, True),
    ("..../XXX./.XO./....", "..../.OX./.XO./....", REVERSI, False),
])  # fmt: skip
def test_a_new_game_drops_the_tables(before: str, now: str, family: str, goes_on: bool) -> None:
    player = Player()
    _answer(player, before, family, 1)
    search = player.engine.search
    _answer(player, now, family, 1)
    assert (player.engine.search is search) == goes_on


@pytest.mark.parametrize("seconds", [None, 0.0])
def test_thinking_off_turn_fills_the_tables_unless_there_is_no_time(seconds: float | None) -> None:
    player, game = Player(), replace(FAST[K_IN_A_ROW], off_turn_seconds=seconds)
    stones = draw(". . . . . . . / " * 2 + ". . O X . . . / . . X O . . . " + "/ . . . . . . . " * 3).stones
    player.answer(Snapshot(K_IN_A_ROW, 7, 7, stones, 2), game, time.perf_counter())
    assert player.to_move == 1
    assert (player.thought is None) == (seconds == 0.0)
    assert (len(player.engine.search.table.young) > 10) == (player.thought is not None and player.thought.nodes > 10)
    assert bool(player.engine.search.table.young) == (seconds is None)
