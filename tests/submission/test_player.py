"""A player's memory: whose turn it is, what a pass looks like, when a new game has begun."""

from __future__ import annotations

import time

import pytest

from submission.codec import Snapshot
from submission.engine import engine_for
from submission.player import Player, Settings
from submission.variant import K_IN_A_ROW, REVERSI, Variant

from .boards import draw, reversi_start

FAST = {
    K_IN_A_ROW: Settings(K_IN_A_ROW, None, None, 5, "search", None, None, depth=2),
    REVERSI: Settings(REVERSI, None, None, None, "search", None, None, depth=2),
}


def _see(player: Player, drawing: str, kind: str, me: int) -> int:
    """Show a drawing to a player; whose turn does he find it is?"""
    drawn = draw(drawing)
    player.answer(Snapshot(kind, drawn.rows, drawn.cols, drawn.stones, me), FAST[kind], time.perf_counter())
    return player.to_move


@pytest.mark.parametrize("me", [1, 2])
@pytest.mark.parametrize(
    "drawing, to_move",
    [
        ("...../...../...../...../.....", 1),
        ("X..../...../...../...../.....", 2),
        ("XO.../...../...../...../.....", 1),
    ],
)
def test_k_in_a_row_alternates(drawing: str, to_move: int, me: int) -> None:
    assert _see(Player(), drawing, K_IN_A_ROW, me) == to_move


# Boards of one Reversi game as they are shown, with whose turn it is. White has no move after Black's second.
REVERSI_GAME = [
    ("..../.OX./.XO./....", 1),
    ("..../XXX./.XO./....", 2),
    ("O.../XOX./.XO./....", 1),
]


@pytest.mark.parametrize("me", [1, 2])
def test_reversi_turn_follows_the_new_disc(me: int) -> None:
    player = Player()
    assert [_see(player, drawing, REVERSI, me) for drawing, _ in REVERSI_GAME] == [turn for _, turn in REVERSI_GAME]


@pytest.mark.parametrize("me", [1, 2])
@pytest.mark.parametrize(
    "drawing, turns",
    [
        ("..../.OX./.XO./....", [2, 2, 2]),  # he could move: nothing has happened
        ("XXXX/XXXX/XXXO/XXO.", [1, 1, 1]),  # White could not: it is Black's turn, and stays so
    ],
)
def test_same_board_again_is_a_pass_of_one_without_a_move(drawing: str, turns: list[int], me: int) -> None:
    player = Player()
    player.snapshot = Snapshot(REVERSI, 4, 4, draw(drawing).stones, me)
    player.to_move = 2
    assert [_see(player, drawing, REVERSI, me) for _ in turns] == turns


@pytest.mark.parametrize("me", [1, 2])
@pytest.mark.parametrize(
    "drawings",
    [
        ["XXX./XXOO/XO../X..."],  # the first board of a game that has begun
        ["..../.OX./.XO./....", "OOO./XXX./.XO./...."],  # calls are missing
        ["XXX./XXOO/XO../X...", "XXXO/XXOO/XOO./X..."],
    ],
)
def test_where_the_turn_is_unknown_it_is_taken_to_be_the_players(drawings: list[str], me: int) -> None:
    player = Player()
    assert [_see(player, drawing, REVERSI, me) for drawing in drawings][-1] == me


@pytest.mark.parametrize(
    "family, drawing, me, cells",
    [
        (REVERSI, "..../.OX./.XO./....", 2, {2, 7, 8, 13}),
        (K_IN_A_ROW, "XXXX./OOOO./...../...../.....", 2, {9}),
        (K_IN_A_ROW, "XXXX./OOOO./X..../...../.....", 1, {4}),
    ],
)
def test_off_turn_too_the_answer_is_a_move_of_the_player(family: str, drawing: str, me: int, cells: set[int]) -> None:
    drawn, player = draw(drawing), Player()
    row, col = player.answer(
        Snapshot(family, drawn.rows, drawn.cols, drawn.stones, me), FAST[family], time.perf_counter()
    )
    assert player.to_move == 3 - me
    assert row * drawn.cols + col in cells


@pytest.mark.parametrize(
    "drawings, kinds, kept",
    [
        (["X..../...../...../...../.....", "XO.../...../...../...../....."], K_IN_A_ROW, True),
        (["XO.../...../...../...../.....", "...../...../...../...../....."], K_IN_A_ROW, False),
        (["XO.../...../...../...../.....", "OX.../...../...../...../....."], K_IN_A_ROW, False),
        (["XO.../...../...../...../.....", "XO..../....../....../....../......"], K_IN_A_ROW, False),
        (["..../XXX./.XO./....", "O.../XOX./.XO./...."], REVERSI, True),
        (["..../XXX./.XO./....", "..../.OX./.XO./...."], REVERSI, False),
    ],
)
def test_new_game_forgets(drawings, kinds, kept) -> None:
    player = Player()
    _see(player, drawings[0], kinds, 1)
    search = player.engine.search
    _see(player, drawings[1], kinds, 1)
    assert (player.engine.search is search) == kept


@pytest.mark.parametrize("me", [1, 2])
def test_off_turn_thinking_is_of_the_other_sides_position(me: int) -> None:
    drawn = draw("""
        . . . . . . .
        . . . . . . .
        . . O X . . .
        . . X O . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .""")
    player = Player()
    player.answer(Snapshot(K_IN_A_ROW, 7, 7, drawn.stones, 2), FAST[K_IN_A_ROW]._replace(depth=4), time.perf_counter())
    assert player.thought is not None
    assert player.thought.nodes > 10
    assert len(player.engine.search.table.young) > 10


def test_off_turn_thinking_skips_forced_replies() -> None:
    """Black threatens five, so White's reply is certain, and Black's next move is what is thought about."""
    drawn = draw("""
        . . . . . . .
        O X X X X . .
        . . . . . . .
        . . O O . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .""")
    player = Player()
    player.answer(Snapshot(K_IN_A_ROW, 7, 7, drawn.stones, 1), FAST[K_IN_A_ROW], time.perf_counter())
    assert player.to_move == 2
    assert player.thought is not None
    assert player.thought.nodes > 0


def test_no_time_off_turn_means_no_thought() -> None:
    player = Player()
    game = FAST[K_IN_A_ROW]._replace(off_turn_seconds=0.0)
    player.answer(Snapshot(K_IN_A_ROW, 15, 15, bytes(225), 2), game, time.perf_counter())
    assert player.to_move == 1
    assert player.thought is None


@pytest.mark.parametrize(
    "family, rows, k, stones, side, moves",
    [
        (K_IN_A_ROW, 15, 5, bytes(225), 0, {112}),
        (K_IN_A_ROW, 3, 3, draw("XOX/XOO/OXX").stones, 1, {None}),
        (K_IN_A_ROW, 5, 5, draw("XXXX./OOOO./...../...../.....").stones, 0, {4}),
        (K_IN_A_ROW, 5, 5, draw("XXXX./OOOO./...../...../.....").stones, 1, {9}),
        (REVERSI, 8, None, reversi_start(8), 0, {19, 26, 37, 44}),
        (REVERSI, 4, None, draw("OXX./..../..../....").stones, 0, {None}),
        (REVERSI, 4, None, draw("OXX./..../..../....").stones, 1, {3}),
    ],
)
def test_quick_move(family, rows, k, stones, side, moves) -> None:
    engine = engine_for(Variant(family, rows, rows, k))
    for shown in (0, 1):
        engine.set_up(stones, shown)
        assert engine.quick_move(side) in moves
