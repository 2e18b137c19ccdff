"""The endgame solver against a slow alpha-beta by the naive rules: whole, interrupted, and with small tables."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from submission.reversi import endgame, free_cells
from submission.reversi.board import PASS
from submission.reversi.endgame import Solution, Solver
from submission.reversi.free_cells import FreeCells, flipped_by
from submission.reversi.position import ReversiPosition
from submission.search.clock import Deadline

from .boards import draw
from .interruption import StopsAt
from .naive_reversi import after, alpha_beta, difference, flips, moves, played, scattered, size

SEEDS = st.integers(0, 10**9)


def _masks(stones: bytes) -> tuple[int, int]:
    black, white = (sum(1 << cell for cell, stone in enumerate(stones) if stone == player) for player in (1, 2))
    return black, white


def _solve(stones: bytes, player: int, solver: Solver | None = None, deadline: Deadline | None = None) -> Solution:
    solver = solver or Solver(size(stones))
    return solver.solve(*_masks(stones), player - 1, deadline or Deadline(None))


def _ends(most: int) -> st.SearchStrategy:
    """Positions with at most this many free cells: of random games, or with scattered discs (and many passes)."""
    sizes, free, share = st.sampled_from([4, 6, 8, 10]), st.integers(2, most), st.sampled_from([0, 0.1, 0.3, 0.5, 0.9])
    return st.builds(played, sizes, free, SEEDS) | st.builds(scattered, sizes, st.integers(0, most), share, SEEDS)


def _ended(drawing: str, player: int) -> tuple[bytes, int]:
    return draw(drawing).stones, player


@pytest.mark.parametrize("examples, most", [(60, 8), pytest.param(100, 11, marks=pytest.mark.slow)])
def test_the_solver_finds_the_value_and_a_move_that_keeps_it(
    examples: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bounds of an interrupted solver hold, and it can go on. A solver with small tables finds the same value."""
    monkeypatch.setattr(endgame, "CHECK_EVERY", 0)

    @settings(max_examples=examples, deadline=None)
    @given(_ends(most), st.floats(0, 1))
    @example(_ended(". O X X / X X X X / X X X X / X X X X", 1), 0.5)  # a wipe-out
    @example(_ended(". X X O / O O O O / O O O O / O O O O", 1), 0.5)  # a pass, then the last cell
    @example(_ended(". X X X / X X X X / X X X X / X X X .", 2), 0.5)  # no move left; free cells count for nobody
    @example(_ended("X X X X / X X X X / O O O O / O O O O", 2), 0.5)  # a full board
    @example(_ended(". O X X / X X X X / X X X X / O O O O", 1), 0.5)
    @example(played(6, 10, 4), 0.5)  # passes with many free cells
    @example(scattered(6, 8, 0.9, 0), 0.5)
    def check(end: tuple[bytes, int], share: float) -> None:
        stones, player = end
        choice, value = moves(stones, player), alpha_beta(stones, player)
        whole, interrupted = _solve(stones, player), Solver(size(stones))
        partial = _solve(stones, player, interrupted, StopsAt(int(share * whole.nodes)))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(free_cells, "MOST_CONTENTS", 3)
            patch.setattr(free_cells, "MOST_SETS", 5)
            small = Solver(size(stones), table_entries=4)
            little = _solve(stones, player, small)
        assert max(len(table.young) for table in small.tables) <= 4
        assert all(len(part) <= 3 for square in small.cells.squares.values() for part in square[0:6:2])
        for solution in (whole, little, _solve(stones, player, interrupted)):
            assert (solution.lower, solution.upper) == (value, value)
            assert solution.exact and solution.decided
        for solution in (whole, partial):
            assert solution.move in (choice or [PASS])
            assert solution.lower <= value <= solution.upper
            assert solution.exact == (solution.lower == solution.upper)
            assert not solution.decided or (solution.lower > 0, solution.upper < 0) == (value > 0, value < 0)
            if choice and (solution.exact or solution.lower > 0):
                assert -alpha_beta(after(stones, solution.move, player), 3 - player) >= solution.lower

    check()


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([4, 6, 8, 10, 26]), st.integers(1, 40), st.sampled_from([0.2, 0.5]), SEEDS)
def test_flips_are_those_of_the_rules(n: int, free: int, black_share: float, seed: int) -> None:
    stones, player = scattered(n, min(free, n * n), black_share, seed)
    cells = FreeCells(n)
    packed = cells.board(*_masks(stones))
    for cell, stone in enumerate(stones):
        if not stone:
            square = cells.square(cell, player - 1)
            change = flipped_by(square, packed)
            assert bool(change) == bool(flips(stones, cell, player))
            if change:
                assert packed + change + square[-2] == cells.board(*_masks(after(stones, cell, player)))
    assert cells.difference(packed, player - 1) == difference(stones, player)


def test_the_result_is_decided_before_it_is_exact_and_stored_for_the_next_call() -> None:
    seen = set()
    for seed in range(20):
        stones, player = played(8, 7, seed)
        partial = _solve(stones, player, None, Deadline(None, 20))
        seen.add((partial.decided, partial.exact, partial.lower > 0))
    assert seen >= {(False, False, False), (True, False, True), (True, False, False), (True, True, True)}
    solver = Solver(8)
    stones, player = played(8, 11, 3)
    first, again = _solve(stones, player, solver), _solve(stones, player, solver)
    assert again.nodes == 0 < first.nodes
    assert again[:3] == first[:3]
    reply = after(stones, first.move, player)
    assert _solve(reply, 3 - player, solver).nodes < _solve(reply, 3 - player).nodes


@pytest.mark.parametrize("most, stored", [(20, False), (10**6, True)])
def test_too_many_sets_of_free_cells_are_dropped(most: int, stored: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(free_cells, "MOST_SETS", most)
    solver, position = Solver(4), ReversiPosition.start(4)
    position.play(position.moves()[0])
    solver.solve(*position.discs, position.side, Deadline(None, 2000))
    assert len(solver.cells.sets) > 20
    solver.cells.begin(0)
    assert bool(solver.cells.sets) == stored
