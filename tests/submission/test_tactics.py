"""Tactics in small diagrams: the marked moves are the naive rules' own answer, and the search must find one of them."""

from __future__ import annotations

import pytest

from submission.k_in_a_row.position import KInARowPosition
from submission.lines import BLACK, WHITE
from submission.search import searchable
from submission.search.clock import Deadline
from submission.search.deepening import Search
from submission.search.searchable import PROVED_WIN

from .boards import Drawn, draw
from .naive_line import NaiveBoard, Threatening, brute_vcf
from .tactics import FALSE, LONG_WIN, STOP, WIN

K = 5
NODES = 10000
X, O = 1, 2  # noqa: E741 (as drawn)
SWAP = str.maketrans("XO", "OX")

ALL = {
    **{"win: " + name: tactic for name, tactic in {**WIN, **LONG_WIN}.items()},
    **{"stop: " + name: tactic for name, tactic in STOP.items()},
}


def _naive(drawn: Drawn) -> NaiveBoard:
    return NaiveBoard(drawn.rows, drawn.cols, K, drawn.stones)


@pytest.mark.parametrize("name", [*WIN, *[pytest.param(name, marks=pytest.mark.slow) for name in LONG_WIN]])
def test_marked_moves_are_all_that_win(name: str) -> None:
    tactic = ALL["win: " + name]
    drawn = draw(tactic.drawing)
    board = _naive(drawn)
    assert Threatening(X, tactic.depth, tactic.threats).winning_moves(board) == drawn.marked
    assert not brute_vcf(board, X, tactic.depth if tactic.threats else tactic.depth - 1), "it takes less"
    if tactic.threats:
        assert not Threatening(X, tactic.depth, tactic.threats - 1).wins(board), "it takes less"


@pytest.mark.parametrize("name", STOP)
def test_marked_moves_are_all_that_stop_it(name: str) -> None:
    tactic = STOP[name]
    drawn = draw(tactic.drawing)
    board = _naive(drawn)
    other = Threatening(O, tactic.depth, tactic.threats)
    assert not Threatening(X, tactic.depth, tactic.threats).wins(board)
    assert {cell for cell in board.free() if not other.wins(board.after(X, cell))} == drawn.marked


@pytest.mark.parametrize("threats", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", FALSE)
def test_a_false_win_would_be_one_but_for_the_other_sides_four(name: str, threats: int) -> None:
    tactic = FALSE[name]
    without = draw(tactic.drawing)
    assert without.marked <= Threatening(X, tactic.depth, 1).winning_moves(_naive(without))
    assert not Threatening(X, tactic.depth, threats).wins(_naive(draw(tactic.drawing.upper())))


@pytest.mark.parametrize("colour", [BLACK, WHITE])
@pytest.mark.parametrize("name", ALL)
def test_the_search_plays_a_marked_move(name: str, colour: int) -> None:
    tactic = ALL[name]
    drawn = draw(tactic.drawing.translate(SWAP) if colour == WHITE else tactic.drawing)
    position = KInARowPosition(drawn.rows, drawn.cols, K)
    position.set_up(drawn.stones, colour)
    thought = Search().think(position, Deadline(None, NODES))
    won = name.startswith("win")
    longer = won and tactic.threats and PROVED_WIN < thought.value <= searchable.WIN - 2 * tactic.depth
    assert thought.move in drawn.marked or longer  # test_threats.py plays out the longer ones
    if won:
        outcome = position.outcome()
        assert (thought.value if outcome is None else outcome) > PROVED_WIN


@pytest.mark.parametrize("nodes", [4000, pytest.param(NODES, marks=pytest.mark.slow)])
@pytest.mark.parametrize("colour", [BLACK, WHITE])
@pytest.mark.parametrize("name", FALSE)
def test_a_false_win_is_not_claimed(name: str, colour: int, nodes: int) -> None:
    drawing = FALSE[name].drawing.upper()
    drawn = draw(drawing.translate(SWAP) if colour == WHITE else drawing)
    position = KInARowPosition(drawn.rows, drawn.cols, K)
    position.set_up(drawn.stones, colour)
    assert position.outcome() is None
    thought = Search().think(position, Deadline(None, nodes))
    assert thought.value < PROVED_WIN
