"""The k-in-a-row board: after any moves and undos, masks, value, scores and key are those of the stones alone."""

from __future__ import annotations

import gc
import random
import weakref
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from submission.cache import GeometryCache
from submission.k_in_a_row import geometry as geometry_module
from submission.k_in_a_row.board import LOW, KInARowBoard
from submission.k_in_a_row.geometry import geometry
from submission.k_in_a_row.weights import evaluation_weights
from submission.lines import BLACK, DIRECTIONS, WHITE, board_lines

SIZES = [(15, 15, 5), (11, 11, 5), (3, 3, 3), (6, 9, 4)]


def test_every_pair_of_neighbours_lies_on_exactly_one_line() -> None:
    rows, cols = 5, 7
    pairs = [frozenset(pair) for line in board_lines(rows, cols, 2) for pair in zip(line.cells, line.cells[1:])]
    expected = {
        frozenset((row * cols + col, (row + down) * cols + col + right))
        for row in range(rows)
        for col in range(cols)
        for down, right in DIRECTIONS
        if row + down < rows and 0 <= col + right < cols
    }
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == expected


@pytest.mark.parametrize("rows, cols, shortest, count", [(15, 15, 5, 72), (11, 11, 5, 48), (3, 3, 3, 8), (8, 8, 1, 46)])
def test_number_of_lines(rows: int, cols: int, shortest: int, count: int) -> None:
    assert len(board_lines(rows, cols, shortest)) == count


def _from_stones(cells: list[int], shape: tuple[int, int, int]) -> KInARowBoard:
    """The board after these moves, set up from its stones."""
    stones = bytearray(shape[0] * shape[1])
    for number, cell in enumerate(cells):
        stones[cell] = 1 + number % 2
    board = KInARowBoard(*shape)
    board.set_up(bytes(stones), len(cells) % 2)
    return board


def _state(board: KInARowBoard) -> tuple:
    contents = [node[-1] for node in board.nodes]  # equal contents may have new nodes: the geometry may forget them
    return board.side, board.value, board.totals, board.near(), board.occupied, board.key, contents


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SIZES), st.integers(0, 10**9))
def test_moves_and_undos_lead_to_the_state_of_the_stones(shape, seed) -> None:
    """Scores are asked for now and then, so that they are summed up from different places."""
    noise = random.Random(seed)
    board, cells = KInARowBoard(*shape), list(range(shape[0] * shape[1]))
    noise.shuffle(cells)
    states: list[tuple] = []
    for _ in range(50):
        moves = len(states)
        if moves and (noise.random() < 0.35 or moves == min(len(cells), 30)):
            board.undo()
            assert (*_state(board), [*map(id, board.nodes)], len(board.history)) == states.pop()
        else:
            states.append((*_state(board), [*map(id, board.nodes)], len(board.history)))
            board.play(cells[moves])
        if noise.random() < 0.2:
            fresh = _from_stones(cells[: len(states)], shape)
            assert (board.scores(), _state(board)) == (fresh.scores(), _state(fresh))
        if noise.random() < 0.2:
            _check_derived(board)


def _check_derived(board: KInARowBoard) -> None:
    """The best scores are the largest of each side. A crossing has the same pattern in two directions."""
    best, half, crossing = board.best_scores(), board.geometry.half, 0
    for one, two in combinations(board.totals, 2):
        crossing |= one & two
    sides = crossing & (1 << half) - 1, crossing >> half
    own, other = board.crossings()
    assert (own & (1 << half) - 1, other & (1 << half) - 1) == (sides if board.side == BLACK else sides[::-1])
    own_best = max(LOW, *board.scores())
    board.side = 1 - board.side
    assert best == (own_best, max(LOW, *board.scores()))
    board.side = 1 - board.side


def test_key_depends_on_the_side_to_move() -> None:
    boards = [KInARowBoard(15, 15, 5) for _ in range(2)]
    for board, side in zip(boards, (BLACK, WHITE)):
        board.set_up(b"\1\2" + bytes(223), side)
    assert boards[0].key != boards[1].key


@pytest.mark.parametrize("cell, near", [(0, 7), (112, 17), (7, 11)])
def test_near_reaches_two_cells_in_eight_directions(cell: int, near: int) -> None:
    board = KInARowBoard(15, 15, 5)
    board.play(cell)
    assert bin(board.near()).count("1") == near


def test_tables_that_have_grown_too_large_are_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards on the old nodes go on. The old nodes are freed with the last board, without the garbage collector."""
    cache = GeometryCache()
    monkeypatch.setattr(geometry_module, "geometries", cache)
    before = KInARowBoard(6, 6, 5)
    assert geometry(6, 6, 5, evaluation_weights()) is before.geometry
    for cell in range(9):
        before.play(cell)
    assert before.geometry.contents() > 30
    cache.most_bytes = before.geometry.size() - 1
    after = KInARowBoard(6, 6, 5)
    assert after.geometry is before.geometry
    assert after.geometry.contents() == len(after.geometry.tables)  # the empty lines
    before.play(9)
    for cell in range(10):
        after.play(cell)
    assert _state(after) == _state(before)
    canary: set[int] = set()  # only an old node refers to it
    old = weakref.ref(canary)
    before.history[0][1].append(canary)
    gc.disable()
    try:
        del before, canary
        assert old() is None
    finally:
        gc.enable()
