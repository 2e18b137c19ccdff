"""The error of shallow searches, by which ProbCut's margins are set."""
from __future__ import annotations

from submission.alphabeta import Search
from submission.clock import Deadline
from submission.reversi.evaluation import UNIT
from submission.reversi.weights import STAGES, stage
from workshop.reversi_probcut import EVERY, FEWEST_FREE, PAIRS, SHALLOW, games, measured, positions


def test_every_so_many_positions_are_searched() -> None:
    moves = games(8)[0]
    free = [position.plies_left() for position in positions(8, moves, 1)]
    assert free and free == sorted(free, reverse=True) and free[-1] >= FEWEST_FREE
    assert all((60 - left) % EVERY == 1 for left in free)


def test_errors_are_differences_of_values_in_discs() -> None:
    errors = measured(8, 1)
    assert {deep for deep, _ in errors} == {deep for deep, _ in PAIRS}
    assert {at for _, at in errors} <= set(range(STAGES))
    assert all(shallow == SHALLOW[deep] < deep for deep, shallow in PAIRS)
    first = next(positions(8, games(8)[0], 0))
    assert first.parameters.probcut_depths == ()
    search = Search()
    values = [search.think(first, Deadline(None), depth).value for depth in range(1, 4)]
    assert errors[3, stage(8, 64 - first.plies_left())][0] == (values[2] - values[SHALLOW[3] - 1]) / UNIT
