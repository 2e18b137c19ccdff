"""The pattern scorer against the values that the student agent of report 004 printed for 120 positions."""

from __future__ import annotations

import json
import os

import pytest

from submission.k_in_a_row import scorer

from .boards import draw

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "rule_golden.json")
with open(GOLDEN, encoding="utf-8") as file:
    CASES = json.load(file)["cases"]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_golden_values(number: int) -> None:
    case = CASES[number]
    drawn = draw("\n".join(case["board"]))
    values = scorer.cell_values(drawn.stones, 15, 15, case["player"])
    positive = [[cell // 15, cell % 15, value] for cell, value in enumerate(values) if value > 0]
    assert positive == case["values"]
    assert list(divmod(scorer.best_cell(drawn.stones, 15, 15, case["player"]), 15)) == case["move"]


@pytest.mark.parametrize("rows, cols, middle", [(15, 15, 112), (11, 11, 60), (3, 3, 4), (6, 8, 28)])
def test_middle_when_nothing_has_value(rows: int, cols: int, middle: int) -> None:
    empty = bytes(rows * cols)
    assert scorer.best_cell(empty, rows, cols, 1) == middle
    taken = bytearray(empty)
    taken[middle] = 1
    answer = scorer.best_cell(bytes(taken), rows, cols, 2)
    assert answer != middle
    assert not taken[answer]
