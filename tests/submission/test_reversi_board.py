"""The Reversi board: counts of paths, and that what is kept up to date is what a look at the discs would give."""

from __future__ import annotations

import gc
import random
from typing import Any, Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from submission.cache import GeometryCache
from submission.lines import BLACK, WHITE, cells_of
from submission.reversi import board as board_module
from submission.reversi.board import PASS, ReversiBoard, flips
from submission.reversi.cell_lists import cell_lists
from submission.reversi.weights import STAGES

from .boards import reversi_start

SIZES = [4, 6, 8, 10, 14]
# As counted by the platform's own rules (8x8 as in the literature), a pass counted as a ply.
PERFT = {
    6: [4, 12, 56, 244, 1364, 7604],
    8: [4, 12, 56, 244, 1396, 8200],
    10: [4, 12, 56, 244, 1396, 8200],
}


def start(n: int) -> ReversiBoard:
    stones = reversi_start(n)
    board = ReversiBoard(n)
    black, white = (sum(1 << cell for cell, stone in enumerate(stones) if stone == colour) for colour in (1, 2))
    board.set_discs(black, white, BLACK)
    return board


def moves(board: ReversiBoard) -> list[int]:
    """Legal cells; PASS where there is none but the other side has one; nothing at the end."""
    cells = cells_of(board.legal_cells(board.side))
    return cells or [PASS] * bool(board.legal_cells(1 - board.side))


def perft(board: ReversiBoard, depth: int, moves: Callable[[Any], list[int]] = moves) -> int:
    """Paths of `depth` plies, a pass counted as a ply and the end of a game as one path."""
    choice = moves(board)
    if depth == 0 or not choice:
        return 1
    paths = 0
    for move in choice:
        board.play(move)
        paths += perft(board, depth - 1, moves)
        board.undo()
    return paths


@pytest.mark.parametrize("n", PERFT)
def test_perft(n: int) -> None:
    board = start(n)
    assert [perft(board, depth + 1) for depth in range(len(PERFT[n]))] == PERFT[n]


@pytest.mark.slow
@pytest.mark.parametrize("n, depth, paths", [(6, 7, 47740), (8, 8, 390216), (10, 7, 55180)])
def test_perft_of_more_plies(n: int, depth: int, paths: int) -> None:
    assert perft(start(n), depth) == paths


def _state(board: ReversiBoard) -> tuple:
    return board.side, board.discs, [(node[:STAGES], node[-1]) for node in board.nodes], board.along, board.legal


@settings(max_examples=5, deadline=None)
@given(st.sampled_from(SIZES), st.integers(0, 10**9))
def test_what_is_kept_is_what_the_discs_say_and_undo_restores_it(n: int, seed: int) -> None:
    noise = random.Random(seed)
    board, fresh = start(n), ReversiBoard(n)
    states = []
    while moves(board):
        fresh.set_discs(*board.discs, board.side)
        assert _state(board) == _state(fresh)
        states.append(_state(board))
        board.play(noise.choice(moves(board)))
    for state in reversed(states):
        board.undo()
        assert _state(board) == state
    assert not board.history


def test_graphs_that_have_grown_too_large_are_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards that were there before go on, and nodes they no longer have go, although the garbage collector is held."""
    cache = GeometryCache()
    monkeypatch.setattr(board_module, "geometries", cache)
    noise = random.Random(0)
    board = start(8)
    states = []
    gc.disable()
    try:
        for _ in range(20):
            states.append(_state(board))
            board.play(noise.choice(moves(board)))
        here = _state(board)
        paths = perft(board, 3)
        cache.most_bytes = 10
        lists = sum(isinstance(kept, list) for kept in gc.get_objects())
        fresh = ReversiBoard(8)
        assert sum(isinstance(kept, list) for kept in gc.get_objects()) < lists - paths // 2
    finally:
        gc.enable()
    fresh.set_discs(*board.discs, board.side)
    assert _state(fresh) == _state(board) == here
    assert perft(board, 3) == perft(fresh, 3) == paths
    for state in reversed(states):
        board.undo()
        assert _state(board) == state


@pytest.mark.parametrize("own, other, cell, flipped", [
    (0b10000, 0b01110, 0, 0b01110), (0b1, 0b01110, 4, 0b01110), (0b10001, 0b01010, 2, 0b01010),
    (0b10001, 0b01000, 2, 0b01000), (0, 0b01110, 0, 0), (0b1, 0, 1, 0), (0b100, 0b10010, 0, 0b10),
])  # fmt: skip
def test_flips(own: int, other: int, cell: int, flipped: int) -> None:
    assert flips(own, other, cell, 5) == flipped


@pytest.mark.parametrize("n", SIZES)
def test_lists_of_a_kind_are_images_of_each_other(n: int) -> None:
    """Turn and mirror the board: each list falls on one of its kind, in the same order or the mirrored one."""
    lists = cell_lists(n)
    known = {}
    for kind, _, cells, mirror in lists:
        assert tuple(mirror[i] for i in mirror) == tuple(range(len(cells)))
        known[cells] = known[tuple(cells[i] for i in mirror)] = kind
    for image in (lambda r, c: (c, n - 1 - r), lambda r, c: (r, n - 1 - c)):
        for kind, _, cells, _ in lists:
            seen = tuple(row * n + col for row, col in (image(*divmod(cell, n)) for cell in cells))
            assert known[seen] == kind


@pytest.mark.parametrize("n, lines", [(4, 14), (6, 26), (8, 38), (10, 50)])
def test_all_lines_on_which_discs_can_turn_come_first(n: int, lines: int) -> None:
    directions = [each.direction for each in cell_lists(n)]
    assert None not in directions[:lines]
    assert set(directions[lines:]) == {None}


@pytest.mark.parametrize("side", [BLACK, WHITE])
def test_a_pass_changes_nothing_but_the_side(side: int) -> None:
    board = start(8)
    board.set_discs(*board.discs, side)
    before = _state(board)
    board.play(PASS)
    assert _state(board) == (1 - side, *before[1:])
    board.undo()
    assert _state(board) == before
