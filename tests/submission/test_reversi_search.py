"""The endgame solver inside the search of Reversi: when the solver is called, and the search that follows if the solver
has no result.
"""

from __future__ import annotations

import pytest

from submission.reversi import search
from submission.reversi.endgame import Solution, Solver
from submission.reversi.parameters import ReversiParameters
from submission.reversi.position import ReversiPosition, final_value
from submission.reversi.search import ReversiSearch
from submission.search.clock import Deadline

from .search_games import random_reversi

EMPTIES, ONLY_EMPTIES = ReversiParameters().solver_empties, ReversiParameters().solver_only_empties


def _late(seed: int, free: int, n: int = 8) -> ReversiPosition:
    """A position of a random game with `free` free cells and at least two moves."""
    return random_reversi(n, free, seed, moves=2)


@pytest.mark.parametrize("n, seed", [(6, 0), (6, 1), (8, 0), (8, 1), (10, 0)])
def test_the_end_is_solved_and_an_analysis_is_exact_for_every_line(n: int, seed: int) -> None:
    position = _late(seed, 9, n)
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
        position = _late(seed, EMPTIES)
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
    ReversiSearch().think(_late(1, left), Deadline(None, 200), depth)
    assert [deadline.nodes for *_, deadline in calls] == nodes


@pytest.mark.parametrize("lower, upper, used", [(-64, -2, 1), (-64, 0, 1), (0, 64, 1500), (-2, 64, 1500)])
def test_without_a_proved_value_or_win_the_search_goes_on_with_the_nodes_that_are_left(
    lower: int, upper: int, used: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = _late(3, ONLY_EMPTIES)
    solution = Solution(position.moves()[0], lower, upper, used, 0.0)
    monkeypatch.setattr(search.Solver, "solve", lambda *args: solution)
    thought = ReversiSearch().think(position, Deadline(None, 2000))
    assert thought.depth > 1 and 100 < thought.nodes <= 2000 - used + 16


def test_an_analysis_that_the_solver_cannot_finish_has_all_lines_within_its_nodes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solve, solutions = Solver.solve, []
    monkeypatch.setattr(search.Solver, "solve", lambda *args: (solutions.append(solve(*args)), solutions[-1])[1])
    position = _late(1, EMPTIES)
    thoughts = ReversiSearch().analyse(position, Deadline(None, 1000), lines=99)
    assert sorted(thought.move for thought in thoughts) == sorted(position.moves())
    assert {thought.source for thought in thoughts} == {"search"}
    assert sum(solution.nodes for solution in solutions) + thoughts[0].nodes < 1050
