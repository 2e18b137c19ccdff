"""Reversi boards and positions: published perft counts, undo, the state of the discs, and the end of the game."""

from __future__ import annotations

import gc
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from submission.cache import GeometryCache
from submission.lines import BLACK, WHITE
from submission.reversi import board as board_module
from submission.reversi.board import PASS
from submission.reversi.cell_lists import cell_lists
from submission.reversi.parameters import ReversiParameters
from submission.reversi.position import DISC, FINAL, ReversiPosition, final_value
from submission.reversi.weights import STAGES

from .boards import draw, drawings

SIZES = [4, 6, 8, 10, 14]
# Counted by the platform's own rules (8x8 as in the literature); a pass counts as a ply.
PERFT = {
    6: [4, 12, 56, 244, 1364, 7604],
    8: [4, 12, 56, 244, 1396, 8200],
    10: [4, 12, 56, 244, 1396, 8200],
}


def _perft(position: ReversiPosition, depth: int) -> int:
    """Lines of `depth` plies; a pass counts as a ply, and the end of a game as one line."""
    if depth == 0 or not position.moves():
        return 1
    lines = 0
    for move in position.moves():
        position.play(move)
        lines += _perft(position, depth - 1)
        position.undo()
    return lines


@pytest.mark.parametrize("n", PERFT)
def test_perft(n: int) -> None:
    start = ReversiPosition.start(n)
    assert [_perft(start, depth + 1) for depth in range(len(PERFT[n]))] == PERFT[n]


@pytest.mark.slow
@pytest.mark.parametrize("n, depth, lines", [(6, 7, 47740), (8, 8, 390216), (10, 7, 55180)])
def test_perft_of_more_plies(n: int, depth: int, lines: int) -> None:
    assert _perft(ReversiPosition.start(n), depth) == lines


def _state(position: ReversiPosition) -> tuple:
    contents = [(node[:STAGES], node[-1]) for node in position.nodes]
    return position.discs, contents, position.along, position.legal, position.evaluate(), position.moves()


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(st.sampled_from(SIZES), st.integers(0, 10**9))
def test_the_state_is_that_of_the_discs_and_undo_restores_it(n: int, seed: int) -> None:
    noise = random.Random(seed)
    position, fresh = ReversiPosition.start(n), ReversiPosition(n)
    states, keys = [], set()
    while position.outcome() is None:
        fresh.set_discs(*position.discs, position.side)
        states.append((position.side, *_state(position)))
        assert (fresh.side, *_state(fresh)) == states[-1]
        keys.add(position.key)
        position.play(noise.choice(position.moves()))
    assert len(keys) == len(states)
    for state in reversed(states):
        position.undo()
        assert (position.side, *_state(position)) == state
    assert not position.history


def test_graphs_that_have_grown_too_large_are_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards made before go on. Nodes that they no longer use are freed without the garbage collector."""
    cache = GeometryCache()
    monkeypatch.setattr(board_module, "geometries", cache)
    noise = random.Random(0)
    position = ReversiPosition.start(8)
    states = []
    gc.disable()
    try:
        for _ in range(20):
            states.append(_state(position))
            position.play(noise.choice(position.moves()))
        here = _state(position)
        lines = _perft(position, 3)
        cache.most_bytes = 10
        lists = sum(isinstance(each, list) for each in gc.get_objects())
        fresh = ReversiPosition(8)
        assert sum(isinstance(each, list) for each in gc.get_objects()) < lists - lines // 2
    finally:
        gc.enable()
    fresh.set_discs(*position.discs, position.side)
    assert _state(fresh) == _state(position) == here
    assert _perft(position, 3) == _perft(fresh, 3) == lines
    for state in reversed(states):
        position.undo()
        assert _state(position) == state


@pytest.mark.parametrize("n", SIZES)
def test_lists_of_a_kind_are_images_of_each_other(n: int) -> None:
    """Turn and mirror the board: each list becomes one of its kind, in the same order or the mirrored one."""
    lists = cell_lists(n)
    kinds = {}
    for kind, _, cells, mirror in lists:
        assert tuple(mirror[i] for i in mirror) == tuple(range(len(cells)))
        kinds[cells] = kinds[tuple(cells[i] for i in mirror)] = kind
    for image in (lambda r, c: (c, n - 1 - r), lambda r, c: (r, n - 1 - c)):
        for kind, _, cells, _ in lists:
            assert kinds[tuple(row * n + col for row, col in (image(*divmod(cell, n)) for cell in cells))] == kind


# X to move: drawing, moves, outcome
ENDS = drawings("""
pass    | wipe-out | cells left | full, even
O X X . | X X X .  | X . . .    | X X X X
. . . . | . . . .  | . . . .    | X X X X
. . . . | . . . .  | . . . .    | O O O O
. . . . | . . . .  | . . O O    | O O O O
""")


@pytest.mark.parametrize("name, moves, outcome", [
    ("pass", [PASS], None), ("wipe-out", [], FINAL + 3 * DISC), ("cells left", [], -FINAL - DISC),
    ("full, even", [], 0),
])  # fmt: skip
def test_passes_and_ends(name: str, moves: list[int], outcome: int | None) -> None:
    position = ReversiPosition.from_stones(draw(ENDS[name]).stones, 4, BLACK)
    before = (position.side, *_state(position))
    assert (position.moves(), position.outcome(), position.forced()) == (moves, outcome, True)
    if moves:
        position.play(PASS)
        assert (position.side, position.discs, position.legal) == (WHITE, before[1], before[4])
        position.undo()
    assert (position.side, *_state(position)) == before


def test_final_values_are_ordered_by_the_disc_difference() -> None:
    values = [final_value(discs) for discs in range(-64, 65)]
    assert values == sorted(set(values))
    assert final_value(0) == 0 and final_value(1) - final_value(0) > 64 * DISC


def test_corner_comes_first() -> None:
    drawn = draw("""
        * O X . . .
        . . . . . .
        . . . X . .
        . . X O . .
        . . . . . .
        . . . . . .""")
    position = ReversiPosition.from_stones(drawn.stones, 6, BLACK)
    assert position.moves()[0] in drawn.marked
    assert len(position.moves()) > 1


@pytest.mark.parametrize("seed", range(4))
def test_from_ordered_depth_on_fewer_replies_come_first_among_squares_of_one_rank(seed: int) -> None:
    noise = random.Random(seed)
    position = ReversiPosition.start(10)
    for _ in range(30):
        position.play(noise.choice(position.moves()))
    before = position.key
    moves = position.moves(ReversiParameters().ordered_depth)
    assert (position.key, sorted(moves)) == (before, sorted(position.moves()))
    replies: dict[int, list[int]] = {}
    for move in moves:
        position.play(move)
        replies.setdefault(position.geometry.rank[move], []).append(len(position.moves()))
        position.undo()
    assert all(counts == sorted(counts) for counts in replies.values())
