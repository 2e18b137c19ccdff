"""The board: whatever is played and taken back, masks, value and key are those of the stones alone."""

from __future__ import annotations

import copy
import gc
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
from submission.lines import BLACK, WHITE

SIZES = [(15, 15, 5), (11, 11, 5), (3, 3, 3), (6, 9, 4)]


@st.composite
def _dealt(draw, least: int = 0) -> tuple[tuple[int, int, int], list[int]]:
    """A size and rule, and different cells of that board, 30 at most."""
    shape = draw(st.sampled_from(SIZES))
    return shape, draw(st.permutations(list(range(shape[0] * shape[1]))))[: draw(st.integers(least, 30))]


def _state(board: KInARowBoard) -> tuple:
    return (
        board.side,
        board.value,
        board.totals,
        board.scores(),
        board.near(),
        board.occupied,
        board.key,
        [node[-1] for node in board.nodes],
    )


def _played(cells: list[int], shape: tuple[int, int, int]) -> KInARowBoard:
    board = KInARowBoard(*shape)
    for cell in cells:
        board.play(cell)
    return board


def _from_stones(cells: list[int], shape: tuple[int, int, int]) -> KInARowBoard:
    stones = bytearray(shape[0] * shape[1])
    for i, cell in enumerate(cells):
        stones[cell] = 1 + i % 2
    board = KInARowBoard(*shape)
    board.set_up(bytes(stones), len(cells) % 2)
    return board


@settings(max_examples=25, deadline=None)
@given(_dealt(least=1))
def test_undo_restores_everything(dealt) -> None:
    shape, cells = dealt
    board = KInARowBoard(*shape)

    def everything() -> tuple:
        return (*_state(board), [id(node) for node in board.nodes], len(board.history))

    states = []
    for cell in cells:
        states.append(copy.deepcopy(everything()))
        board.play(cell)
    for state in reversed(states):
        board.undo()
        assert everything() == state


@settings(max_examples=25, deadline=None)
@given(_dealt())
def test_played_board_equals_board_set_up(dealt) -> None:
    """By what their nodes hold: between the two, the geometry may forget its nodes and make them anew."""
    shape, cells = dealt
    assert _state(_played(cells, shape)) == _state(_from_stones(cells, shape))


@settings(max_examples=25, deadline=None)
@given(_dealt(), st.data())
def test_best_scores_are_the_largest_of_either_side(dealt, data) -> None:
    shape, cells = dealt
    board = KInARowBoard(*shape)
    for cell in cells:
        board.play(cell)
        board.best_scores()
    for _ in range(data.draw(st.integers(0, len(cells)))):
        board.undo()
    own, other = board.best_scores()
    assert own == max(LOW, *board.scores())
    board.side = 1 - board.side
    assert other == max(LOW, *board.scores())


@settings(max_examples=25, deadline=None)
@given(_dealt(least=8))
def test_crossings_are_where_two_directions_have_the_same_pattern(dealt) -> None:
    shape, cells = dealt
    board = _played(cells, shape)
    half = board.geometry.half
    crossing = 0
    for one, two in combinations(board.totals, 2):
        crossing |= one & two
    sides = crossing & (1 << half) - 1, crossing >> half
    own, other = board.crossings()
    assert (own & (1 << half) - 1, other & (1 << half) - 1) == (sides if board.side == BLACK else sides[::-1])


def test_key_tells_whose_turn_it_is() -> None:
    boards = [KInARowBoard(15, 15, 5) for _ in range(2)]
    for board, side in zip(boards, (BLACK, WHITE)):
        board.set_up(b"\1\2" + bytes(223), side)
    assert boards[0].key != boards[1].key


@pytest.mark.parametrize("cell, near", [(0, 7), (112, 17), (7, 11)])
def test_near_reaches_two_cells_in_eight_directions(cell: int, near: int) -> None:
    board = KInARowBoard(15, 15, 5)
    board.play(cell)
    assert bin(board.near()).count("1") == near


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(SIZES), st.data())
def test_scores_are_those_of_the_stones_whenever_they_are_asked_for(shape, data) -> None:
    """Stones come and go at random; now and then scores are asked for, so they are summed from all sorts of places."""
    board, cells = KInARowBoard(*shape), shape[0] * shape[1]
    played: list[int] = []
    for step in data.draw(st.lists(st.integers(-2, cells - 1), max_size=40)):
        if step == -1:
            assert board.scores() == _from_stones(played, shape).scores()
        elif step == -2 and played:
            board.undo()
            played.pop()
        elif step not in played and step >= 0:
            board.play(step)
            played.append(step)


def test_tables_that_have_grown_too_large_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the old ones go at once with the last board on them, although the garbage collector is held still."""
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
    before.play(9)  # goes on with what it stands on
    for cell in range(10):
        after.play(cell)
    assert (after.key, after.totals, after.value) == (before.key, before.totals, before.value)
    assert all(one[-1] == two[-1] for one, two in zip(after.nodes, before.nodes))
    canary: set[int] = set()  # held by an old node alone
    old = weakref.ref(canary)
    before.history[0][1].append(canary)
    gc.disable()
    try:
        del before, canary
        assert old() is None
    finally:
        gc.enable()
