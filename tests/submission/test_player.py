"""A player's memory: whose turn it is, what a pass looks like, when a new game has begun."""
from __future__ import annotations

import gc
import time

import pytest

from submission.codec import LINE, REVERSI, Snapshot
from submission.player import Game, Player, quick_cell

from .boards import draw, padded, reversi_start

FAST = {
    LINE: Game(LINE, None, None, 5, "search", None, None, depth=2),
    REVERSI: Game(REVERSI, None, None, None, "search", None, None, depth=2),
}


def _see(player: Player, drawing: str, kind: str, me: int) -> int:
    """Show a drawing to a player; whose turn does he find it is?"""
    drawn = draw(drawing)
    player.answer(Snapshot(kind, drawn.rows, drawn.cols, drawn.stones, me), FAST[kind], time.perf_counter())
    return player.to_move


@pytest.mark.parametrize("me", [1, 2])
@pytest.mark.parametrize("drawing, to_move", [
    ("...../...../...../...../.....", 1), ("X..../...../...../...../.....", 2), ("XO.../...../...../...../.....", 1),
])
def test_line_games_alternate(drawing: str, to_move: int, me: int) -> None:
    assert _see(Player(), drawing, LINE, me) == to_move


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
@pytest.mark.parametrize("drawing, turns", [
    ("..../.OX./.XO./....", [2, 2, 2]),         # he could move: nothing has happened
    ("XXXX/XXXX/XXXO/XXO.", [1, 1, 1]),         # White could not: it is Black's turn, and stays so
])
def test_same_board_again_is_a_pass_of_one_without_a_move(drawing: str, turns: list[int], me: int) -> None:
    player = Player()
    player.snapshot = Snapshot(REVERSI, 4, 4, draw(drawing).stones, me)
    player.to_move = 2
    assert [_see(player, drawing, REVERSI, me) for _ in turns] == turns


@pytest.mark.parametrize("drawings, kinds, kept", [
    (["X..../...../...../...../.....", "XO.../...../...../...../....."], LINE, True),
    (["XO.../...../...../...../.....", "...../...../...../...../....."], LINE, False),
    (["XO.../...../...../...../.....", "OX.../...../...../...../....."], LINE, False),
    (["XO.../...../...../...../.....", "XO..../....../....../....../......"], LINE, False),
    (["..../XXX./.XO./....", "O.../XOX./.XO./...."], REVERSI, True),
    (["..../XXX./.XO./....", "..../.OX./.XO./...."], REVERSI, False),
])
def test_new_game_forgets(drawings, kinds, kept) -> None:
    player = Player()
    _see(player, drawings[0], kinds, 1)
    search = player.search
    _see(player, drawings[1], kinds, 1)
    assert (player.search is search) == kept


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
    player.answer(Snapshot(LINE, 7, 7, drawn.stones, 2), FAST[LINE]._replace(depth=4), time.perf_counter())
    assert player.thought is not None
    assert player.thought.nodes > 10
    assert len(player.search.table.young) > 10


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
    player.answer(Snapshot(LINE, 7, 7, drawn.stones, 1), FAST[LINE], time.perf_counter())
    assert player.to_move == 2
    assert player.thought is not None
    assert player.thought.nodes > 0


def test_no_time_off_turn_means_no_thought() -> None:
    player = Player()
    game = FAST[LINE]._replace(off_turn_seconds=0.0)
    player.answer(Snapshot(LINE, 15, 15, bytes(225), 2), game, time.perf_counter())
    assert player.to_move == 1
    assert player.thought is None


def test_quick_cell() -> None:
    assert quick_cell(Snapshot(LINE, 15, 15, bytes(225), 1)) == 112
    assert quick_cell(Snapshot(LINE, 3, 3, draw("XOX/XOO/OXX").stones, 2)) is None
    assert quick_cell(Snapshot(REVERSI, 8, 8, reversi_start(8), 1)) in (19, 26, 37, 44)
    assert quick_cell(Snapshot(REVERSI, 4, 4, draw("OXX./..../..../....").stones, 1)) is None


@pytest.mark.parametrize("start", [
    Snapshot(LINE, 15, 15, padded(draw("XO")).stones, 1), Snapshot(REVERSI, 8, 8, reversi_start(8), 1),
], ids=[LINE, REVERSI])
def test_a_search_leaves_the_garbage_collector_nothing_to_do(start: Snapshot) -> None:
    gc.unfreeze()
    gc.collect()
    player = Player()
    player.answer(start, FAST[start.kind]._replace(depth=8), time.perf_counter())
    to_look_through = len(gc.get_objects())
    gc.unfreeze()
    assert to_look_through < 1000 < len(player.search.table.young)
    assert gc.collect() == 0
