"""The ordering scores of a board against those read off its rows, columns and diagonals cell by cell."""

from __future__ import annotations

import random

import pytest

from submission.k_in_a_row.board import KInARowBoard
from submission.k_in_a_row.move_order import OrderWeights
from submission.k_in_a_row.weights import order_weights
from submission.lines import DIRECTIONS


def _arm(stones: bytes, rows: int, cols: int, cell: int, step: tuple[int, int], own: int) -> str:
    """The cells beside a cell in one direction, up to the edge or a stone of the other colour: X for own stones."""
    row, col, cells = cell // cols + step[0], cell % cols + step[1], ""
    while 0 <= row < rows and 0 <= col < cols and stones[row * cols + col] in (0, own):
        cells += ".X"[stones[row * cols + col] > 0]
        row, col = row + step[0], col + step[1]
    return cells


def naive_score(stones: bytes, shape: tuple[int, int, int], weights: OrderWeights, cell: int, player: int) -> int:
    """The sum of the weights of a free cell's surroundings for a player; without weights, of its best windows."""
    rows, cols, k = shape
    total = 0
    for own in (1, 2):
        for down, right in DIRECTIONS:
            before = _arm(stones, rows, cols, cell, (-down, -right), own)[::-1]
            after = _arm(stones, rows, cols, cell, (down, right), own)
            run = before + "*" + after
            if len(run) < k:
                continue
            if weights:
                around = before[-(k - 1) :] + "*" + after[: k - 1]
                total += (weights.get(around) or weights.get(around[::-1], (0, 0)))[own != player]
            else:
                windows = [run[i : i + k] for i in range(len(run) - k + 1)]
                total += 2 * max(window.count("X") for window in windows if "*" in window)
    return total


@pytest.mark.parametrize("shape", [(15, 15, 5), (6, 9, 4), (3, 3, 3)])
@pytest.mark.parametrize("seed", range(4))
def test_scores_are_those_of_the_surroundings(shape: tuple[int, int, int], seed: int) -> None:
    noise = random.Random(seed)
    rows, cols, k = shape
    weights = order_weights(k)
    for free in (2, 5, 12):
        stones = bytes(noise.choices((0, 1, 2), (free, 1, 1), k=rows * cols))
        for side in (0, 1):
            board = KInARowBoard(*shape)
            board.set_up(stones, side)
            assert list(board.scores()) == [
                0 if stone else naive_score(stones, shape, weights, cell, side + 1) for cell, stone in enumerate(stones)
            ]


def test_only_five_in_a_row_has_a_learnt_order() -> None:
    assert [k for k in range(3, 8) if order_weights(k)] == [5]
