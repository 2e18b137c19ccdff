"""The endgame solver against plain minimax, a slow alpha-beta and the naive rules, and interrupted at every node.

The references know a board as a string of `.XO` and walk over it cell by cell; they share nothing with the solver.
"""

from __future__ import annotations

import random
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from submission.lines import rotations
from submission.reversi import endgame, free_cells
from submission.reversi.board import PASS
from submission.reversi.endgame import Solution, Solver
from submission.reversi.free_cells import FreeCells, flipped_by
from submission.reversi.position import ReversiPosition
from submission.search.clock import Deadline

from .boards import draw
from .interruption import StopsAt

MARKS = ".XO"
OTHER = {"X": "O", "O": "X"}
ALL_TURNS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def size(board: str) -> int:
    return int(len(board) ** 0.5)


@lru_cache(maxsize=None)
def flips(board: str, cell: int, mover: str) -> tuple[int, ...]:
    """The cells whose discs turn when the mover plays a free cell."""
    n = size(board)
    found: list[int] = []
    for down, right in ALL_TURNS:
        row, col = cell // n + down, cell % n + right
        run = []
        while 0 <= row < n and 0 <= col < n and board[row * n + col] == OTHER[mover]:
            run.append(row * n + col)
            row, col = row + down, col + right
        if 0 <= row < n and 0 <= col < n and board[row * n + col] == mover:
            found += run
    return tuple(found)


def moves(board: str, mover: str) -> list[int]:
    return [cell for cell, mark in enumerate(board) if mark == "." and flips(board, cell, mover)]


def after(board: str, cell: int, mover: str) -> str:
    changed = {cell, *flips(board, cell, mover)}
    return "".join(mover if number in changed else mark for number, mark in enumerate(board))


def difference(board: str, mover: str) -> int:
    return board.count(mover) - board.count(OTHER[mover])


@lru_cache(maxsize=None)
def minimax(board: str, mover: str) -> int:
    """The disc difference for the mover by looking at every line to its end."""
    choice = moves(board, mover)
    if choice:
        return max(-minimax(after(board, cell, mover), OTHER[mover]) for cell in choice)
    return -minimax(board, OTHER[mover]) if moves(board, OTHER[mover]) else difference(board, mover)


def alpha_beta(board: str, mover: str, alpha: int = -999, beta: int = 999) -> int:
    """The same with the plainest of pruning."""
    choice = moves(board, mover)
    if not choice:
        if moves(board, OTHER[mover]):
            return -alpha_beta(board, OTHER[mover], -beta, -alpha)
        return difference(board, mover)
    for cell in choice:
        alpha = max(alpha, -alpha_beta(after(board, cell, mover), OTHER[mover], -beta, -alpha))
        if alpha >= beta:
            break
    return alpha


def played(n: int, free: int, seed: int) -> tuple[str, str]:
    """A position of a random game, the mover with a choice."""
    noise = random.Random(seed)
    while True:
        cells = ["."] * (n * n)
        for row, col, mark in ((-1, -1, "O"), (0, 0, "O"), (-1, 0, "X"), (0, -1, "X")):
            cells[(n // 2 + row) * n + n // 2 + col] = mark
        board, mover = "".join(cells), "X"
        while board.count(".") > free and (moves(board, mover) or moves(board, OTHER[mover])):
            choice = moves(board, mover)
            board = after(board, noise.choice(choice), mover) if choice else board
            mover = OTHER[mover]
        if board.count(".") == free and len(moves(board, mover)) > 1:
            return board, mover


def scattered(n: int, free: int, black_share: float, seed: int) -> tuple[str, str]:
    """Discs at random, so that there are cells nobody can play, passes, and games that are over."""
    noise = random.Random(seed)
    cells = ["X" if noise.random() < black_share else "O" for _ in range(n * n)]
    for cell in noise.sample(range(n * n), free):
        cells[cell] = "."
    return "".join(cells), noise.choice("XO")


def masks(board: str) -> tuple[int, int]:
    black, white = (sum(1 << cell for cell, mark in enumerate(board) if mark == colour) for colour in "XO")
    return black, white


def solve(board: str, mover: str, solver: Solver | None = None, deadline: Deadline | None = None) -> Solution:
    solver = solver or Solver(size(board))
    return solver.solve(*masks(board), "XO".index(mover), deadline or Deadline(None))


def check(board: str, mover: str, value: int, solver: Solver | None = None) -> None:
    """The solver says so, and its move is one that brings the value."""
    found = solve(board, mover, solver)
    assert (found.lower, found.upper) == (value, value)
    choice = moves(board, mover)
    assert (found.move == PASS) == (not choice)
    if choice:
        assert found.move in choice
        assert -solve(after(board, found.move, mover), OTHER[mover]).lower == value


@pytest.mark.parametrize(
    "n, free, number",
    [
        (4, 8, 4),
        (6, 7, 2),
        (8, 6, 4),
        (10, 6, 2),
        (10, 4, 4),
        (8, 3, 8),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in ((6, 8, 8), (8, 8, 4), (10, 8, 2), (8, 7, 8), (26, 4, 1))
        ),
    ],
)
def test_minimax_in_positions_of_games(n: int, free: int, number: int) -> None:
    for seed in range(number):
        board, mover = played(n, free, seed)
        check(board, mover, minimax(board, mover))
    minimax.cache_clear()
    flips.cache_clear()


@pytest.mark.parametrize("black_share", [0, 0.1, 0.3, 0.5, 0.9, 1])
@pytest.mark.parametrize(
    "n, least, most", [(4, 0, 6), (8, 0, 6), *(pytest.param(n, 7, 8, marks=pytest.mark.slow) for n in (4, 6, 8, 10))]
)
def test_minimax_where_discs_lie_at_random(n: int, least: int, most: int, black_share: float) -> None:
    for free in range(least, most + 1):
        for seed in range(4 if free < 6 else 1):
            board, mover = scattered(n, free, black_share, seed)
            check(board, mover, minimax(board, mover))
    minimax.cache_clear()
    flips.cache_clear()


def test_the_positions_at_random_have_passes_and_ends() -> None:
    """What the test above is worth: the mover can and the other side can, one of them, neither."""
    found = set()
    for free in range(1, 7):
        for seed in range(6):
            board, mover = scattered(6, free, 0.1, seed)
            found.add((bool(moves(board, mover)), bool(moves(board, OTHER[mover]))))
    assert found == {(True, True), (True, False), (False, True), (False, False)}


@pytest.mark.parametrize("n, free, seed", [(6, 10, 1), (10, 9, 4)])
def test_alpha_beta(n: int, free: int, seed: int) -> None:
    board, mover = played(n, free, seed)
    check(board, mover, alpha_beta(board, mover))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("n, free", [(6, 12), (8, 12), (10, 11), (8, 11)])
def test_alpha_beta_with_many_free_cells(n: int, free: int, seed: int) -> None:
    board, mover = played(n, free, seed)
    check(board, mover, alpha_beta(board, mover))
    flips.cache_clear()


DRAWN = {
    "a wipe-out": (". O O X / X X X X / X X X X / X X X X", "X", 16),
    "a pass, then the last cell": (". X X O / O O O O / O O O O / O O O O", "X", -16),
    "nobody can move, and free cells count for nobody": (". X X X / X X X X / X X X X / X X X .", "O", -14),
    "full": ("X X X X / X X X X / O O O O / O O O O", "O", 0),
    "a draw": (". O X X / X X X X / O O O O / O O O O", "X", 0),
}


@pytest.mark.parametrize("text, mover, value", DRAWN.values(), ids=DRAWN.keys())
def test_known_ends(text: str, mover: str, value: int) -> None:
    board = "".join(MARKS[stone] for stone in draw(text).stones)
    assert minimax(board, mover) == value
    check(board, mover, value)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([4, 6, 8, 10, 26]), st.integers(1, 40), st.sampled_from([0.2, 0.5]), st.integers(0, 10**9))
def test_what_turns_is_what_the_rules_say(n: int, free: int, black_share: float, seed: int) -> None:
    board, mover = scattered(n, min(free, n * n), black_share, seed)
    cells, side = FreeCells(n), "XO".index(mover)
    packed = cells.board(*masks(board))
    for cell, mark in enumerate(board):
        if mark == ".":
            square = cells.square(cell, side)
            change = flipped_by(square, packed)
            assert bool(change) == bool(flips(board, cell, mover))
            if change:
                assert packed + change + square[-2] == cells.board(*masks(after(board, cell, mover)))
    assert cells.difference(packed, side) == difference(board, mover)


@pytest.mark.parametrize("n, free", [(8, 9), (10, 9)])
def test_turned_and_mirrored_positions_are_worth_the_same(n: int, free: int) -> None:
    board, mover = played(n, free, 0)
    mirrored = "".join(board[start : start + n][::-1] for start in range(0, n * n, n))
    swapped = board.translate(str.maketrans("XO", "OX"))
    values = {
        solve("".join(image[cell] for cell in turn), mover).lower
        for image in (board, mirrored)
        for turn in rotations(n)
    }
    assert values == {solve(swapped, OTHER[mover]).lower} == {solve(board, mover).lower}


@pytest.mark.parametrize("n, free, seed", [(8, 9, 1), (10, 9, 2), (6, 10, 5)])
def test_interrupted_at_every_node(n: int, free: int, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was proved until then is true, and the tables still answer right."""
    monkeypatch.setattr(endgame, "CHECK_EVERY", 0)
    board, mover = played(n, free, seed)
    whole = solve(board, mover)
    value = whole.lower
    kept = Solver(n)
    decided = set()
    for last in range(1, whole.nodes, 1 + whole.nodes // 25):
        for solver in (Solver(n), kept):
            found = solve(board, mover, solver, StopsAt(last))
            assert found.lower <= value <= found.upper
            assert found.move in moves(board, mover)
            if found.decided:
                assert (found.lower > 0, found.upper < 0) == (value > 0, value < 0)
            decided.add((found.decided, found.exact))
    assert {(False, False), (True, False), (True, True)} >= decided >= {(False, False), (True, True)}
    check(board, mover, value, kept)


def test_a_win_found_before_the_time_is_up_counts() -> None:
    """The move of a solution that is decided, but not exact, keeps what is proved."""
    found = 0
    for seed in range(20):
        board, mover = played(8, 7, seed)
        solution = solve(board, mover, None, Deadline(None, 20))
        if solution.decided and not solution.exact and solution.lower > 0:
            found += 1
            assert -minimax(after(board, solution.move, mover), OTHER[mover]) >= solution.lower
    assert found > 1


def test_what_was_found_is_remembered() -> None:
    solver = Solver(8)
    board, mover = played(8, 11, 3)
    first, again = solve(board, mover, solver), solve(board, mover, solver)
    assert again.nodes == 0 < first.nodes
    assert again[:3] == first[:3]
    reply = after(board, first.move, mover)
    assert solve(reply, OTHER[mover], solver).nodes < solve(reply, OTHER[mover]).nodes


def test_little_memory_changes_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(free_cells, "MOST_CONTENTS", 3)
    monkeypatch.setattr(free_cells, "MOST_SETS", 5)
    small = Solver(8, table_entries=4)
    for seed in range(4):
        board, mover = played(8, 8, seed)
        check(board, mover, solve(board, mover).lower, small)
        assert max(len(table.young) for table in small.tables) <= 4
        assert max(len(part) for square in small.cells.squares.values() for part in square[0:6:2]) <= 3


@pytest.mark.parametrize("most, kept", [(20, False), (10**6, True)])
def test_sets_of_free_cells_are_dropped_if_there_are_too_many(
    most: int,
    kept: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(free_cells, "MOST_SETS", most)
    solver, position = Solver(4), ReversiPosition.start(4)
    position.play(position.moves()[0])
    solver.solve(*position.discs, position.side, Deadline(None, 2000))
    assert len(solver.cells.sets) > 20
    solver.cells.begin(0)
    assert bool(solver.cells.sets) == kept
