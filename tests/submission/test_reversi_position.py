"""Reversi positions: the published counts of paths, undo, and what the end is worth."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from submission.lines import BLACK, WHITE
from submission.reversi.board import PASS
from submission.reversi.parameters import ReversiParameters
from submission.reversi.position import DISC, FINAL, ReversiPosition

from .boards import draw
from .test_reversi_board import PERFT, perft


@pytest.mark.parametrize("n", PERFT)
def test_perft(n: int) -> None:
    start = ReversiPosition.start(n)
    assert [perft(start, depth + 1, ReversiPosition.moves) for depth in range(len(PERFT[n]))] == PERFT[n]


@settings(max_examples=10, deadline=None)
@given(st.sampled_from([4, 6, 8, 10, 14]), st.integers(0, 10**9))
def test_undo_restores_everything(n: int, seed: int) -> None:
    noise = random.Random(seed)
    position = ReversiPosition.start(n)
    states = []
    while position.outcome() is None:
        states.append((position.discs, position.side, position.evaluate(), position.key, position.moves()))
        position.play(noise.choice(position.moves()))
    assert len({state[3] for state in states}) == len(states)
    for state in reversed(states):
        position.undo()
        assert (position.discs, position.side, position.evaluate(), position.key, position.moves()) == state
    assert not position.history


# name -> drawing, X to move, moves with the legal cells marked * (none: pass or over), outcome.
ENDS = {
    "pass": (
        """
        O X X .
        . . . .
        . . . .
        . . . .""",
        [PASS],
        None,
    ),
    "over by wipe-out": (
        """
        X X X .
        . . . .
        . . . .
        . . . .""",
        [],
        FINAL + 3 * DISC,
    ),
    "over with cells left": (
        """
        X . . .
        . . . .
        . . . .
        . . O O""",
        [],
        -FINAL - DISC,
    ),
    "full board, even": (
        """
        X X X X
        X X X X
        O O O O
        O O O O""",
        [],
        0,
    ),
}


@pytest.mark.parametrize("name", ENDS)
def test_passes_and_ends(name: str) -> None:
    drawing, moves, outcome = ENDS[name]
    position = ReversiPosition.from_stones(draw(drawing).stones, 4, BLACK)
    assert position.moves() == moves
    assert position.outcome() == outcome
    assert position.forced() == (not position.legal_cells(position.side))


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


@pytest.mark.parametrize("seed", range(10))
def test_the_deep_order_puts_few_replies_first_on_squares_alike(seed: int) -> None:
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


def test_different_positions_have_different_keys() -> None:
    """Colours, sides, and a board moved by a cell, too."""
    position, keys = ReversiPosition(8), set()
    for shift in range(3):
        for black, white in ((0b1011 << shift, 0b100 << shift), (0b100 << shift, 0b1011 << shift)):
            for side in (BLACK, WHITE):
                position.set_discs(black, white, side)
                keys.add(position.key)
    assert len(keys) == 12


@pytest.mark.parametrize("n", [6, 8, 10])
@pytest.mark.parametrize("seed", range(10))
def test_mirrored_positions_have_equal_values(n: int, seed: int) -> None:
    noise = random.Random(seed)
    stones = bytes(noise.choice((0, 0, 1, 2)) for _ in range(n * n))
    mirrored = bytes(stones[row * n + n - 1 - col] for row in range(n) for col in range(n))
    transposed = bytes(stones[col * n + row] for row in range(n) for col in range(n))
    values = {ReversiPosition.from_stones(board, n, BLACK).evaluate() for board in (stones, mirrored, transposed)}
    swapped = bytes((0, 2, 1)[stone] for stone in stones)
    values.add(ReversiPosition.from_stones(swapped, n, WHITE).evaluate())
    assert len(values) == 1
