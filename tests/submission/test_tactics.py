"""Tactics in drawings: the naive rules confirm the marked moves, and the search must find one of them."""

from __future__ import annotations

import pytest

from submission.search.clock import Deadline
from submission.search.deepening import Search
from submission.search.searchable import PROVED_WIN, WIN

from . import tactics
from .boards import Drawn, both_colours, draw
from .naive_line import NaiveBoard, Threatening, brute_vcf
from .tactics import FALSE, LONG_WIN, STOP

NODES = 10000
X, O = 1, 2  # noqa: E741 (as drawn)
WINS = {**tactics.WIN, **LONG_WIN}


def _naive(drawn: Drawn) -> NaiveBoard:
    return NaiveBoard(drawn.rows, drawn.cols, 5, drawn.stones)


@pytest.mark.slow
@pytest.mark.parametrize("name", WINS)
def test_marked_moves_are_all_that_win(name: str) -> None:
    depth, threats, drawing = WINS[name]
    drawn = draw(drawing)
    board = _naive(drawn)
    assert Threatening(X, depth, threats).winning_moves(board) == drawn.marked
    assert not brute_vcf(board, X, depth if threats else depth - 1), "it takes less"
    if threats:
        assert not Threatening(X, depth, threats - 1).wins(board), "it takes less"


@pytest.mark.slow
@pytest.mark.parametrize("name", STOP)
def test_marked_moves_are_all_that_stop_it(name: str) -> None:
    depth, threats, drawing = STOP[name]
    drawn = draw(drawing)
    board = _naive(drawn)
    opponent = Threatening(O, depth, threats)
    assert not Threatening(X, depth, threats).wins(board)
    assert {cell for cell in board.free() if not opponent.wins(board.after(X, cell))} == drawn.marked


@pytest.mark.slow
@pytest.mark.parametrize("name", FALSE)
def test_a_false_win_fails_only_because_of_the_opponents_four(name: str) -> None:
    depth, threats, drawing = FALSE[name]
    without = draw(drawing)
    assert without.marked <= Threatening(X, depth, 1).winning_moves(_naive(without))
    assert not Threatening(X, depth, threats).wins(_naive(draw(drawing.upper())))


@pytest.mark.parametrize("name", WINS)
def test_the_search_plays_a_win(name: str) -> None:
    depth, threats, drawing = WINS[name]
    for drawn, position in both_colours(drawing):
        thought = Search().think(position, Deadline(None, NODES))
        if position.outcome() is None:
            assert (thought.source, thought.value) == ("threats", WIN - len(thought.pv))
        assert (position.outcome() or thought.value) > PROVED_WIN
        longer = threats and thought.value <= WIN - 2 * depth
        assert thought.move in drawn.marked or longer  # test_threats.py plays out the longer ones


@pytest.mark.parametrize("name", STOP)
def test_the_search_stops_a_win(name: str) -> None:
    for drawn, position in both_colours(STOP[name].drawing):
        assert Search().think(position, Deadline(None, NODES)).move in drawn.marked


@pytest.mark.parametrize("nodes", [4000, pytest.param(NODES, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", FALSE)
def test_a_false_win_is_not_claimed(name: str, nodes: int) -> None:
    for _, position in both_colours(FALSE[name].drawing.upper()):
        assert position.outcome() is None
        assert Search().think(position, Deadline(None, nodes)).value < PROVED_WIN
