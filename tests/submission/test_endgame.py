"""The endgame solver against plain minimax, a slow alpha-beta and the naive rules, and interrupted at every node."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from submission.reversi import endgame, free_cells
from submission.reversi.board import PASS
from submission.reversi.endgame import Solution, Solver
from submission.reversi.free_cells import FreeCells, flipped_by
from submission.reversi.position import ReversiPosition
from submission.search.clock import Deadline

from .boards import draw
from .interruption import StopsAt
from .naive_reversi import after, alpha_beta, difference, flips, minimax, moves, played, scattered, size


def _masks(stones: bytes) -> tuple[int, int]:
    black, white = (sum(1 << cell for cell, stone in enumerate(stones) if stone == player) for player in (1, 2))
    return black, white


def _solve(stones: bytes, player: int, solver: Solver | None = None, deadline: Deadline | None = None) -> Solution:
    solver = solver or Solver(size(stones))
    return solver.solve(*_masks(stones), player - 1, deadline or Deadline(None))


def _check(stones: bytes, player: int, value: int, solver: Solver | None = None) -> None:
    """The solver finds the value, and a move that keeps it."""
    solution = _solve(stones, player, solver)
    assert (solution.lower, solution.upper) == (value, value)
    choice = moves(stones, player)
    assert (solution.move == PASS) == (not choice)
    if choice:
        assert solution.move in choice
        assert -_solve(after(stones, solution.move, player), 3 - player).lower == value


@pytest.mark.parametrize("n, free, number", [
    (4, 8, 4), (6, 7, 2), (8, 6, 3), (10, 6, 2), (10, 4, 4), (8, 3, 8),
    *(pytest.param(*case, marks=pytest.mark.slow) for case in ((6, 8, 8), (8, 8, 4), (10, 8, 2), (26, 4, 1))),
])  # fmt: skip
def test_minimax_in_positions_of_games(n: int, free: int, number: int) -> None:
    for seed in range(number):
        stones, player = played(n, free, seed)
        _check(stones, player, minimax(stones, player))


@pytest.mark.parametrize("black_share", [0, 0.1, 0.3, 0.5, 0.9, 1])
@pytest.mark.parametrize(
    "n, least, most", [(4, 0, 6), (8, 0, 6), *(pytest.param(n, 7, 8, marks=pytest.mark.slow) for n in (4, 6, 8, 10))]
)
def test_minimax_with_scattered_discs(n: int, least: int, most: int, black_share: float) -> None:
    for free in range(least, most + 1):
        for seed in range(4 if free < 6 else 1):
            stones, player = scattered(n, free, black_share, seed)
            _check(stones, player, minimax(stones, player))


@pytest.mark.parametrize("n, free, seed", [
    (6, 10, 1), (10, 9, 4),
    *(pytest.param(n, free, seed, marks=pytest.mark.slow)
      for n, free in ((6, 12), (8, 12), (10, 11), (8, 11)) for seed in (0, 1)),
])  # fmt: skip
def test_alpha_beta(n: int, free: int, seed: int) -> None:
    stones, player = played(n, free, seed)
    _check(stones, player, alpha_beta(stones, player))


@pytest.mark.parametrize("name, drawing, player, value", [
    ("a wipe-out", ". O O X / X X X X / X X X X / X X X X", 1, 16),
    ("a pass, then the last cell", ". X X O / O O O O / O O O O / O O O O", 1, -16),
    ("no move left; free cells count for nobody", ". X X X / X X X X / X X X X / X X X .", 2, -14),
    ("a full board", "X X X X / X X X X / O O O O / O O O O", 2, 0),
    ("a draw", ". O X X / X X X X / O O O O / O O O O", 1, 0),
])  # fmt: skip
def test_known_ends(name: str, drawing: str, player: int, value: int) -> None:
    stones = draw(drawing).stones
    assert minimax(stones, player) == value, name
    _check(stones, player, value)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([4, 6, 8, 10, 26]), st.integers(1, 40), st.sampled_from([0.2, 0.5]), st.integers(0, 10**9))
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


@pytest.mark.parametrize("n, free, seed", [(8, 9, 1), (6, 10, 5)])
def test_interrupted_at_every_node(n: int, free: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounds proved until then are true, and so are those in the tables."""
    monkeypatch.setattr(endgame, "CHECK_EVERY", 0)
    stones, player = played(n, free, seed)
    whole = _solve(stones, player)
    value, interrupted, decided = whole.lower, Solver(n), set()
    for last in range(1, whole.nodes, 1 + whole.nodes // 25):
        for solver in (Solver(n), interrupted):
            solution = _solve(stones, player, solver, StopsAt(last))
            assert solution.lower <= value <= solution.upper
            assert solution.move in moves(stones, player)
            if solution.decided:
                assert (solution.lower > 0, solution.upper < 0) == (value > 0, value < 0)
            decided.add((solution.decided, solution.exact))
    assert {(False, False), (True, False), (True, True)} >= decided >= {(False, False), (True, True)}
    _check(stones, player, value, interrupted)


def test_the_move_of_a_win_that_is_proved_in_time_keeps_the_win() -> None:
    wins = 0
    for seed in range(20):
        stones, player = played(8, 7, seed)
        solution = _solve(stones, player, None, Deadline(None, 20))
        if solution.lower > 0 and not solution.exact:
            wins += 1
            assert -minimax(after(stones, solution.move, player), 3 - player) >= solution.lower
    assert wins > 1


def test_results_are_stored_for_the_next_call() -> None:
    solver = Solver(8)
    stones, player = played(8, 11, 3)
    first, again = _solve(stones, player, solver), _solve(stones, player, solver)
    assert again.nodes == 0 < first.nodes
    assert again[:3] == first[:3]
    reply = after(stones, first.move, player)
    assert _solve(reply, 3 - player, solver).nodes < _solve(reply, 3 - player).nodes


def test_small_tables_change_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(free_cells, "MOST_CONTENTS", 3)
    monkeypatch.setattr(free_cells, "MOST_SETS", 5)
    small = Solver(8, table_entries=4)
    for seed in range(3):
        stones, player = played(8, 8, seed)
        _check(stones, player, _solve(stones, player).lower, small)
        assert max(len(table.young) for table in small.tables) <= 4
        assert max(len(part) for square in small.cells.squares.values() for part in square[0:6:2]) <= 3


@pytest.mark.parametrize("most, stored", [(20, False), (10**6, True)])
def test_too_many_sets_of_free_cells_are_dropped(most: int, stored: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(free_cells, "MOST_SETS", most)
    solver, position = Solver(4), ReversiPosition.start(4)
    position.play(position.moves()[0])
    solver.solve(*position.discs, position.side, Deadline(None, 2000))
    assert len(solver.cells.sets) > 20
    solver.cells.begin(0)
    assert bool(solver.cells.sets) == stored


@pytest.mark.parametrize("lower, upper, exact, decided", [
    (2, 2, True, True), (0, 0, True, True), (2, 64, False, True), (-64, -2, False, True), (0, 64, False, False),
    (-64, 0, False, False), (-2, 2, False, False)])  # fmt: skip
def test_the_bounds_say_whether_a_solution_is_exact_or_decided(
    lower: int, upper: int, exact: bool, decided: bool
) -> None:
    solution = Solution(0, lower, upper, 0, 0.0)
    assert (solution.exact, solution.decided) == (exact, decided)
