"""A player's memory: whose turn it is, passes, and the begin of a new game."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from submission.codec import Snapshot
from submission.player import Player, Settings
from submission.variant import K_IN_A_ROW, REVERSI

from .boards import draw

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
UNKNOWN = "XXX./XXOO/XO../X..."  # the first board of a game that has begun


# The boards shown to a player one after another, and for each the side to move; 0: the player's own.
@pytest.mark.parametrize("me", [1, 2])
@pytest.mark.parametrize("family, drawings, turns", [
    (K_IN_A_ROW, ["...../...../...../...../....."], [1]),
    (K_IN_A_ROW, ["X..../...../...../...../.....", "XO.../...../...../...../....."], [2, 1]),
    (REVERSI, [OPENING, "..../XXX./.XO./....", "O.../XOX./.XO./...."], [1, 2, 1]),
    (REVERSI, [OPENING] * 3, [1, 1, 1]),  # Black can move: nothing has happened
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
