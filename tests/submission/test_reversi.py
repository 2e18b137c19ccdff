"""Reversi: weights, values of finished games, the endgame solver against a slow alpha-beta by the naive rules, and the
search that calls the solver.
"""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from submission.boards import BLACK
from submission.reversi import endgame, free_cells, search, weights
from submission.reversi.board import PASS, ReversiBoard
from submission.reversi.endgame import Solution, Solver
from submission.reversi.evaluation import C_SQUARE, CORNER, EDGE, MOBILITY, X_SQUARE, CellListEvaluator
from submission.reversi.parameters import ReversiParameters
from submission.reversi.position import DISC, ReversiPosition, final_value
from submission.reversi.search import ReversiSearch
from submission.reversi.weights import STAGES, cell_lists, stage
from submission.search.clock import Deadline

from .boards import draw
from .naive_reversi import after, alpha_beta, moves, played, scattered, size
from .search_games import StopsAt, random_reversi


def test_final_values_are_ordered_by_the_disc_difference() -> None:
    values = [final_value(discs) for discs in range(-64, 65)]
    assert values == sorted(set(values))
    assert final_value(0) == 0 and final_value(1) - final_value(0) > 64 * DISC


LEARNT = [8, 10]


@pytest.mark.parametrize("n", [4, 6, 8, 10, 26])
def test_a_game_goes_through_all_stages(n: int) -> None:
    by_discs = [stage(n, discs) for discs in range(4, n * n + 1)]
    assert by_discs == sorted(by_discs)
    assert set(by_discs) == set(range(min(STAGES, 13))) if n > 4 else by_discs[0] == 0
    lengths = [by_discs.count(number) for number in set(by_discs)]
    assert max(lengths) - min(lengths) <= 1
    assert stage(n, 0) == 0


@pytest.mark.parametrize("n", [4, 6, 8, 10, 12, 26])
def test_the_learnt_sizes_have_weights_of_all_kinds_and_the_others_weights_set_by_hand(n: int) -> None:
    learnt = weights.read(n)
    assert (learnt is not None) == (n in LEARNT) == ({*CellListEvaluator.model(n).mobility} != {MOBILITY})
    for kind, cells in {each.kind: each.cells for each in cell_lists(n)}.items() if learnt else ():
        keys = list(learnt.keys[kind])
        assert keys == sorted(set(keys)) and keys
        assert len(learnt.rows[kind]) == len(keys) * STAGES
        assert len(learnt.cells[kind]) == len(cells) * STAGES
    assert not learnt or len(learnt.turn) == len(learnt.mobility) == n * n + 1


@pytest.mark.parametrize("black, white, value", [  # cells of black and white discs on 6x6
    ([0], [], CORNER), ([5], [], CORNER), ([35], [], CORNER), ([1], [], C_SQUARE), ([6], [], C_SQUARE),
    ([34], [], C_SQUARE), ([7], [], X_SQUARE), ([28], [], X_SQUARE), ([2], [], EDGE), ([18], [], EDGE), ([8], [], 0),
    ([14], [], 0), ([1, 6, 7], [], 2 * C_SQUARE + X_SQUARE), ([0, 1, 6, 7], [], CORNER), ([2, 3, 12], [], 3 * EDGE),
    ([0], [1, 7], CORNER), ([1], [6], 0), ([7], [1], X_SQUARE - C_SQUARE), ([2, 3], [12], EDGE), ([0, 5], [30], CORNER),
])  # fmt: skip
def test_values_by_hand(black: list[int], white: list[int], value: int) -> None:
    board = ReversiBoard(6)
    masks = [sum(1 << cell for cell in cells) for cells in (black, white)]
    for discs, expected in ((masks, value), (masks[::-1], -value)):
        board.set_discs(*discs, BLACK)
        assert {sum(node[stage] for node in board.nodes) for stage in range(STAGES)} == {expected}


SEEDS = st.integers(0, 10**9)


def _masks(stones: bytes) -> tuple[int, int]:
    black, white = (sum(1 << cell for cell, stone in enumerate(stones) if stone == player) for player in (1, 2))
    return black, white


def _solve(stones: bytes, player: int, solver: Solver | None = None, deadline: Deadline | None = None) -> Solution:
    solver = solver or Solver(size(stones))
    return solver.solve(*_masks(stones), player - 1, deadline or Deadline(None))


def _ends(most: int) -> st.SearchStrategy:
    """Positions with at most this many free cells: of random games, or with scattered discs (and many passes)."""
    sizes, free, share = [4, 6, 8, 10], st.integers(0, most), st.sampled_from([0, 0.1, 0.3, 0.5, 0.9])
    games = st.builds(played, st.sampled_from(sizes), st.integers(2, most), SEEDS)
    return games | st.builds(scattered, st.sampled_from([*sizes, 26]), free, share, SEEDS)


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


def test_the_result_is_decided_before_it_is_exact_and_stored_for_the_next_call() -> None:
    seen = set()
    for seed in range(20):
        stones, player = played(8, 7, seed)
        partial = _solve(stones, player, None, Deadline(None, 20))
        seen.add((partial.exact, partial.lower > 0, partial.upper < 0))
    assert seen >= {(False, False, False), (False, True, False), (False, False, True), (True, True, False)}
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


EMPTIES, ONLY_EMPTIES = ReversiParameters().solver_empties, ReversiParameters().solver_only_empties


@pytest.mark.parametrize("n, seed", [(6, 0), (6, 1), (8, 0), (8, 1), (10, 0)])
def test_the_end_is_solved_and_an_analysis_is_exact_for_every_line(n: int, seed: int) -> None:
    position = random_reversi(n, 9, seed)
    key, best = position.key, ReversiSearch().think(position, Deadline(None))
    thoughts = ReversiSearch().analyse(position, Deadline(None), lines=99)
    assert sorted(thought.move for thought in thoughts) == sorted(position.moves())
    assert {thought.source for thought in (best, *thoughts)} == {"solver"}
    assert thoughts[0].value == best.value and position.key == key
    assert [thought.value for thought in thoughts] == sorted((thought.value for thought in thoughts), reverse=True)
    for thought in (best, *thoughts):
        position.play(thought.move)
        exact = Solver(n).solve(*position.discs, position.side, Deadline(None))
        position.undo()
        assert thought.value == -final_value(exact.lower) == -final_value(exact.upper)


@pytest.mark.parametrize("nodes", [1, 20, 100, 300, 1000])
def test_the_search_answers_if_the_solver_has_no_time(nodes: int) -> None:
    for seed in range(3):
        position = random_reversi(8, EMPTIES, seed)
        state, history = (position.discs, position.side), list(position.history)
        thought = ReversiSearch().think(position, Deadline(None, nodes))
        assert thought.move in position.moves()
        assert thought.nodes <= nodes
        assert ((position.discs, position.side), position.history) == (state, history)


@pytest.mark.parametrize("left, depth, nodes", [
    (EMPTIES + 1, None, []), (EMPTIES, None, [150]), (ONLY_EMPTIES + 1, None, [150]), (ONLY_EMPTIES, None, [200]),
    (EMPTIES, 2, []),
])  # fmt: skip
def test_the_solver_is_asked_near_the_end_unless_the_depth_is_limited(
    left: int, depth: int | None, nodes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    solve = Solver.solve
    monkeypatch.setattr(search.Solver, "solve", lambda *args: (calls.append(args), solve(*args))[1])
    ReversiSearch().think(random_reversi(8, left, 1), Deadline(None, 200), depth)
    assert [deadline.nodes for *_, deadline in calls] == nodes


@pytest.mark.parametrize("lower, upper, used", [(-64, -2, 1), (-64, 0, 1), (0, 64, 1500), (-2, 64, 1500)])
def test_without_a_proved_value_or_win_the_search_goes_on_with_the_nodes_that_are_left(
    lower: int, upper: int, used: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = random_reversi(8, ONLY_EMPTIES, 3)
    solution = Solution(position.moves()[0], lower, upper, used, 0.0)
    monkeypatch.setattr(search.Solver, "solve", lambda *args: solution)
    thought = ReversiSearch().think(position, Deadline(None, 2000))
    assert thought.depth > 1 and 100 < thought.nodes <= 2000 - used + 16


def test_an_analysis_that_the_solver_cannot_finish_has_all_lines_within_its_nodes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solve, solutions = Solver.solve, []
    monkeypatch.setattr(search.Solver, "solve", lambda *args: (solutions.append(solve(*args)), solutions[-1])[1])
    position = random_reversi(8, EMPTIES, 1)
    thoughts = ReversiSearch().analyse(position, Deadline(None, 1000), lines=99)
    assert sorted(thought.move for thought in thoughts) == sorted(position.moves())
    assert {thought.source for thought in thoughts} == {"search"}
    assert sum(solution.nodes for solution in solutions) + thoughts[0].nodes < 1050
