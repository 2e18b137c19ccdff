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


def _turns(player: Player, drawings: list[str], family: str, me: int) -> list[int]:
    """Show drawings to a player, and return the side to move that it infers for each."""
    turns = []
    for drawing in drawings:
        _answer(player, drawing, family, me)
        turns.append(player.to_move)
    return turns


@pytest.mark.parametrize("me", [1, 2])
@pytest.mark.parametrize("row, to_move", [(".....", 1), ("X....", 2), ("XO...", 1)])
def test_k_in_a_row_alternates(row: str, to_move: int, me: int) -> None:
    assert _turns(Player(), [row + "/...../...../...../....."], K_IN_A_ROW, me) == [to_move]


@pytest.mark.parametrize("me", [1, 2])
def test_reversi_turn_follows_the_new_disc(me: int) -> None:
    game = ["..../.OX./.XO./....", "..../XXX./.XO./....", "O.../XOX./.XO./...."]
    assert _turns(Player(), game, REVERSI, me) == [1, 2, 1]


@pytest.mark.parametrize("me", [1, 2])
@pytest.mark.parametrize("drawing, to_move", [
    ("..../.OX./.XO./....", 2),  # White can move: nothing has happened
    ("XXXX/XXXX/XXXO/XXO.", 1),  # White cannot: it is Black's turn, also at the calls after this one
])  # fmt: skip
def test_the_same_board_again_is_a_pass_if_the_side_to_move_has_no_move(drawing: str, to_move: int, me: int) -> None:
    player = Player()
    player.snapshot = Snapshot(REVERSI, 4, 4, draw(drawing).stones, me)
    player.to_move = 2
    assert _turns(player, [drawing] * 3, REVERSI, me) == [to_move] * 3


@pytest.mark.parametrize("me", [1, 2])
@pytest.mark.parametrize("drawings", [
    ["XXX./XXOO/XO../X..."],  # the first board of a game that has begun
    ["..../.OX./.XO./....", "OOO./XXX./.XO./...."],  # calls are missing
    ["XXX./XXOO/XO../X...", "XXXO/XXOO/XOO./X..."],
])  # fmt: skip
def test_an_unknown_turn_is_taken_to_be_the_players(drawings: list[str], me: int) -> None:
    assert _turns(Player(), drawings, REVERSI, me)[-1] == me


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


def test_thinking_off_turn_fills_the_tables() -> None:
    player = Player()
    _answer(
        player, ". . . . . . . / . . . . . . . / . . O X . . . / . . X O . . . " + "/ . . . . . . . " * 3, K_IN_A_ROW, 2
    )
    assert player.thought is not None
    assert player.thought.nodes > 10
    assert len(player.engine.search.table.young) > 10


def test_no_time_off_turn_means_no_thought() -> None:
    player = Player()
    game = replace(FAST[K_IN_A_ROW], off_turn_seconds=0.0)
    player.answer(Snapshot(K_IN_A_ROW, 15, 15, bytes(225), 2), game, time.perf_counter())
    assert player.to_move == 1
    assert player.thought is None
