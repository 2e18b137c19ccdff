"""The naive proofs that forced wins are checked against refuse lines and strategies that do not win."""

from __future__ import annotations

import pytest

from .boards import draw
from .naive_line import NaiveBoard, brute_vcf, holds, proves

BLACK = 1
FOUR_FOUR = """
    . . . . . .
    O X X . X .
    . . . X . .
    . . . X . .
    . . . X . .
    . . . O . ."""
OPEN_THREE = """
    . . . . . . .
    . . . . . . .
    . . X X X . .
    . . . . . . .
    . . O . O . ."""


def _board(drawing: str) -> NaiveBoard:
    drawn = draw(drawing)
    return NaiveBoard(drawn.rows, drawn.cols, 5, drawn.stones)


@pytest.mark.parametrize("why, line, wins", [
    ("the crossing, a reply, the five", [9, 11, 3], True), ("the other reply", [9, 3, 11], True),
    ("no five at the end", [9, 11], False), ("no move", [], False), ("on a stone", [9, 11, 10], False),
    ("a reply that stops nothing", [9, 0, 3], False), ("more moves after the five", [9, 11, 3, 0, 1], False),
    ("no four", [0, 1, 9, 11, 3], False),
])  # fmt: skip
def test_lines_that_hold(why: str, line: list[int], wins: bool) -> None:
    assert holds(_board(FOUR_FOUR), BLACK, line) == wins, why
    assert not holds(_board(FOUR_FOUR + "\n O O O O . ."), BLACK, line), "White makes a five first"


def test_a_strategy_must_answer_every_reply_in_time() -> None:
    three = _board(OPEN_THREE)
    assert proves(three, BLACK, lambda now: [15], 5)
    assert not proves(three, BLACK, lambda now: [15], 1)
    assert not proves(three, BLACK, lambda now: [], 99)
    two = _board(OPEN_THREE.replace("X X X", "X . X"))
    assert not proves(two, BLACK, lambda now: brute_vcf(now, BLACK, 3) if now.stones[17] else [17], 9)
    assert not proves(_board(FOUR_FOUR + "\n O O O O . ."), BLACK, lambda now: brute_vcf(now, BLACK, 4), 9)
