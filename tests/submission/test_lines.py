"""The kernel: geometry of lines, and nodes that agree with their contents however they were reached."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from submission.k_in_a_row.line_table import CHANGE, SCORES, Facts, LineTable
from submission.lines import DIRECTIONS, Line, board_lines, cells_of, spread

LENGTH = 6


def test_every_pair_of_neighbours_lies_on_exactly_one_line() -> None:
    rows, cols = 5, 7
    pairs = [frozenset(pair) for line in board_lines(rows, cols, 2) for pair in zip(line.cells, line.cells[1:])]
    expected = {
        frozenset((r * cols + c, (r + down) * cols + c + right))
        for r in range(rows)
        for c in range(cols)
        for down, right in DIRECTIONS
        if r + down < rows and 0 <= c + right < cols
    }
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == expected


@pytest.mark.parametrize("rows, cols, shortest, count", [(15, 15, 5, 72), (11, 11, 5, 48), (3, 3, 3, 8), (8, 8, 1, 46)])
def test_number_of_lines(rows: int, cols: int, shortest: int, count: int) -> None:
    assert len(board_lines(rows, cols, shortest)) == count


def _describe(black: int, white: int, line: Line) -> Facts:
    return spread(black, 7) | spread(white & ~black, 7) << 64, 3 * black - white


@settings(max_examples=40, deadline=None)
@given(st.permutations(list(range(LENGTH))), st.integers(0, LENGTH))
def test_steps_lead_to_the_node_of_the_content_and_add_up(order, blacks) -> None:
    scored: list[tuple[int, int, Line]] = []
    line = Line(0, tuple(range(LENGTH)))
    table = LineTable(_describe, lambda *content: scored.append(content) or 7, line)
    node = table.node(0, 0)
    packed, value = node[-1].packed, node[-1].value
    for i, cell in enumerate(order):
        slot = cell if i < blacks else LENGTH + cell
        step = node[slot] or table.grow(node, slot)
        assert node[slot] == step
        node, packed_change, value_change, scores_change = step
        assert scores_change is None
        packed ^= packed_change
        value += value_change
    black = sum(1 << cell for cell in order[:blacks])
    assert node is table.node(black, (1 << LENGTH) - 1 ^ black)
    assert (packed, value) == (node[-1].packed, node[-1].value)
    assert (node[SCORES], scored) == (None, [])  # nobody has asked
    assert table.scores(node) == node[SCORES] == 7
    assert scored == [(black, (1 << LENGTH) - 1 ^ black, line)]


def test_a_step_knows_the_change_of_the_scores_once_it_is_computed() -> None:
    asked: list[tuple[int, int]] = []

    def score(black: int, white: int, line: Line) -> int:
        asked.append((black, white))
        return 100 * black + white

    table = LineTable(_describe, score, Line(0, tuple(range(LENGTH))))
    node = table.node(0b1, 0b10)
    step = table.grow(node, LENGTH + 2)
    assert (step[CHANGE], asked) == (None, [])
    assert table.change(node, LENGTH + 2) == step[CHANGE] == node[LENGTH + 2][CHANGE] == 0b100
    assert sorted(asked) == [(0b1, 0b10), (0b1, 0b110)]
    assert (table.scores(node), table.scores(step[0])) == (102, 106)
    assert len(asked) == 2


@pytest.mark.parametrize("stride", [1, 7])
def test_bits_are_spread_by_the_stride(stride: int) -> None:
    assert cells_of(spread(0b10110, stride)) == [stride, 2 * stride, 4 * stride]
