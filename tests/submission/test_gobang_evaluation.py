"""What the evaluation of a line position promises: the same to symmetric positions, and bounds on the right side."""
from __future__ import annotations

import random

import pytest

from submission.k_in_a_row.position import KInARowPosition


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


def _turned(cell: int, turns: int, mirrored: bool) -> int:
    row, col = divmod(cell, 15)
    if mirrored:
        col = 14 - col
    for _ in range(turns):
        row, col = col, 14 - row
    return row * 15 + col
