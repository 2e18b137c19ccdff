"""The plain search finds the minimax value, counts the played stones, and restores the board."""

from __future__ import annotations

import random

import pytest

from submission.k_in_a_row.board import KInARowBoard
from submission.k_in_a_row.patterns import CLASSES
from submission.lines import cells_of
from tests.submission.naive_line import NaiveBoard
from workshop.lab.bench.plain_search import WIN, PlainSearch

SIZE, K = 5, 4


def _board(seed: int) -> KInARowBoard:
    dice, board = random.Random(seed), KInARowBoard(SIZE, SIZE, K)
    for cell in dice.sample(range(SIZE * SIZE), 6 + dice.randrange(4)):
        board.play(cell)
    return board


def _minimax(board: KInARowBoard, depth: int) -> int:
    stones = bytearray(SIZE * SIZE)
    for number, (cell, *_) in enumerate(board.history):
        stones[cell] = 1 + number % 2
    if NaiveBoard(SIZE, SIZE, K, stones).fives(1 + board.side):
        return WIN
    if not depth:
        return board.lines_value()
    values = []
    for cell in cells_of(board.near() & ~board.occupied):
        board.play(cell)
        values.append(-_minimax(board, depth - 1))
        board.undo()
    return max(values)


def _played(board: KInARowBoard, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    cells: list[int] = []
    play = KInARowBoard.play
    monkeypatch.setattr(board, "play", lambda cell: (cells.append(cell), play(board, cell)))
    return cells


@pytest.mark.parametrize("seed", range(3))
def test_it_finds_what_minimax_finds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    board = _board(seed)
    wanted = _minimax(board, 2)
    played = _played(board, monkeypatch)
    search = PlainSearch(board, CLASSES, cells_of)
    assert search.search(2, -WIN, WIN) == wanted
    assert search.stones == len(played)


def test_it_stops_in_time_and_leaves_the_board_as_it_was() -> None:
    board = _board(0)
    before = board.key, board.totals, board.value, board.occupied, board.history[:]
    search = PlainSearch(board, CLASSES, cells_of)
    assert search.deepen(0.05) > 0
    assert (board.key, board.totals, board.value, board.occupied, board.history) == before
    assert search.stones > search.nodes > 0
