"""The naive rules and proofs that forced wins are checked against: what they accept, and that they refuse the rest."""

from __future__ import annotations

import pytest

from .boards import completes, draw
from .naive_line import NaiveBoard, Threatening, brute_vcf, holds, proves, refutation

X, O = 1, 2  # noqa: E741 (as drawn)


def _board(drawing: str, k: int = 5) -> NaiveBoard:
    drawn = draw(drawing)
    return NaiveBoard(drawn.rows, drawn.cols, k, drawn.stones)


@pytest.mark.parametrize(
    "drawing, fives, fours",
    [
        ("XXXX.", {4}, set()),
        (".XXXX.", {0, 5}, set()),
        ("XXX.XX", {3}, set()),
        ("OXXX..", set(), {4, 5}),
        (".XXX..", set(), {0, 4, 5}),
        ("X.X.X.X", set(), {1, 3, 5}),
        ("OXXX.O", set(), set()),
        ("..X./.X../X.../....", set(), set()),
    ],
)
def test_fives_and_fours(drawing: str, fives: set[int], fours: set[int]) -> None:
    board = _board(drawing)
    assert board.fives(X) == fives
    assert board.fours(X) == fours
    assert board.fives(O) == board.fours(O) == set()


@pytest.mark.parametrize("drawing, k, winners", [
    ("XXXXX.", 5, {X}), ("XXXXXX", 5, {X}), ("XXXXOX", 5, set()), ("X.O/.XO/..X", 3, {X}), ("X.O/XO./O..", 3, {O}),
    ("XXX/OOO/...", 3, {X, O}),
])  # fmt: skip
def test_winners(drawing: str, k: int, winners: set[int]) -> None:
    board = _board(drawing, k)
    assert board.winners() == winners == set(completes(board.stones, board.rows, board.cols, k))


FOUR_FOUR = """
    . . . . . .
    O X X . X .
    . . . X . .
    . . . X . .
    . . . X . .
    . . . O . ."""
LINE = [9, 11, 3]  # the crossing, a reply, the five


# name -> line, whether it wins
LINES = {
    "four and four": (LINE, True),
    "the other reply": ([9, 3, 11], True),
    "no five at the end": (LINE[:2], False),
    "nothing": ([], False),
    "on a stone": ([9, 11, 10], False),
    "a reply that stops nothing": ([9, 0, 3], False),
    "more after the five": ([9, 11, 3, 0, 1], False),
    "no four": ([0, 1, 9, 11, 3], False),
}


@pytest.mark.parametrize("name", LINES)
def test_lines_that_hold(name: str) -> None:
    line, wins = LINES[name]
    assert holds(_board(FOUR_FOUR), X, line) == wins


def test_a_five_of_the_other_sides_comes_first() -> None:
    board = _board(FOUR_FOUR + "\n    O O O O . .")
    assert not holds(board, X, LINE)
    assert brute_vcf(board, X, 4) == []
    assert not Threatening(X, 3, 1).wins(board)
    assert refutation(board, X, lambda now: LINE[:1], 9) == [9, 40]


@pytest.mark.parametrize("depth, found", [(1, False), (2, True), (3, True)])
def test_fours_within_a_depth(depth: int, found: bool) -> None:
    board = _board(FOUR_FOUR)
    line = brute_vcf(board, X, depth)
    assert bool(line) == found
    assert holds(board, X, line) == found
    assert brute_vcf(board, O, depth) == []


OPEN_THREE = """
    . . . . . . .
    . . . . . . .
    . . X * X . .
    . . . . . . .
    . . O . O . ."""


def test_an_open_three_to_be_made_is_no_win_and_one_that_stands_is() -> None:
    board = _board(OPEN_THREE)
    assert not Threatening(X, 3, 1).wins(board)
    three = board.after(X, 17)
    assert Threatening(X, 2, 0).winning_moves(three) == {15, 19}
    assert not proves(board, X, lambda now: [17] if not now.stones[17] else brute_vcf(now, X, 3), 9)
    assert proves(three, X, lambda now: brute_vcf(now, X, 2), 5)
    assert proves(three, X, lambda now: [15], 5)
    assert not proves(three, X, lambda now: [15], 1)
    assert not proves(three, X, lambda now: [], 99)


def test_a_full_board_is_no_win() -> None:
    assert refutation(_board("XO./OXO/OXO", 4), X, lambda now: [2], 9) == [2]
