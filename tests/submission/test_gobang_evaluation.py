"""What the evaluation of a line position promises: the same to symmetric positions, and bounds on the right side."""

from __future__ import annotations

import random

import pytest

from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.lines import BLACK, WHITE

from .boards import draw, padded


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("mirrored", [False, True])
def test_symmetric_positions_have_symmetric_values(turns: int, mirrored: bool) -> None:
    noise = random.Random(5)
    for _ in range(10):
        cells = noise.sample(range(225), 24)
        plain, turned = KInARowPosition(15, 15, 5), KInARowPosition(15, 15, 5)
        for cell in cells:
            plain.play(cell)
            turned.play(_turned(cell, turns, mirrored))
        assert turned.value == plain.value
        assert turned.outcome() == plain.outcome()
        assert turned.evaluate() == plain.evaluate()


def test_a_bound_stands_for_a_value_that_hardly_ever_lies_inside_the_window() -> None:
    """In games of good moves. Where the lines alone do not tell, it is the value."""
    noise = random.Random(5)
    asked, bounds, wrong = 0, 0, 0
    for _ in range(40):
        position = KInARowPosition(15, 15, 5)
        position.play(112)
        while position.outcome() is None and len(position.history) < 60:
            position.play(noise.choice(position.moves()[:6]))
            if position.outcome() is not None or not position.quiet():
                continue
            value, low = position.evaluate(), noise.randint(-1500, 1500)
            for high in (low + 1, low + 400):
                found = position.evaluate(low, high)
                asked += 1
                if found != value:
                    bounds += 1
                    assert found <= low or found >= high
                    wrong += not (value <= low if found <= low else value >= high)
    assert asked > 1000
    assert bounds > asked / 3
    assert wrong < asked / 100


# name -> whether the other side (O) threatens an open four, cells where X and O make four and open three, drawing.
FEATURES = {
    "nothing": (0, 0, 0, ". . . . ./. X O . ./. . . . ."),
    "an open three": (1, 0, 0, ". . . . . . ./. . O O O . ./. . . . . . ./. . X . X . ."),
    "one's own": (
        0,
        1,
        0,
        """
        . . . . . . . .
        . . . X . . . .
        . . . X . . . .
        O X X . X . . .
        . . . . . . . .
        . O . . . O O .""",
    ),
    "both": (
        0,
        1,
        1,
        """
        . . . . . . . . . . . .
        . . . X . . . . . O . .
        . . . X . . . . . O . .
        O X X . X . X O O . O .
        . . . . . . . . . . . .
        . . . . . . . . . . . .""",
    ),
}


@pytest.mark.parametrize("name", FEATURES)
def test_features_of_the_board(name: str) -> None:
    threatened, own, other, drawing = FEATURES[name]
    for side, text in ((BLACK, drawing), (WHITE, drawing.translate(str.maketrans("XO", "OX")))):
        position = KInARowPosition(15, 15, 5)
        position.set_up(padded(draw(text)).stones, side)
        mine, theirs = position.evaluator.board_features()
        assert (mine[:3], theirs[:3]) == ((1, threatened, own), (0, 0, other))


def test_without_lazy_evaluation_the_value_is_the_same_in_all_windows() -> None:
    position = KInARowPosition(15, 15, 5, KInARowParameters(lazy_evaluation=False))
    for cell in (112, 97, 98):
        position.play(cell)
    value = position.evaluate()
    assert [position.evaluate(alpha, alpha + 1) for alpha in range(value - 2000, value + 2000, 50)] == [value] * 80


@pytest.mark.parametrize("guessed", [True, False])
def test_a_leaf_that_is_not_proved_takes_an_effort(guessed: bool) -> None:
    position = KInARowPosition(15, 15, 5, KInARowParameters(effort_from_value=guessed))
    for cell in (112, 97, 113, 98, 114, 99):
        assert min(position.evaluator.effort(True), position.evaluator.effort(False)) >= 1
        position.play(cell)


def _turned(cell: int, turns: int, mirrored: bool) -> int:
    row, col = divmod(cell, 15)
    if mirrored:
        col = 14 - col
    for _ in range(turns):
        row, col = col, 14 - row
    return row * 15 + col
