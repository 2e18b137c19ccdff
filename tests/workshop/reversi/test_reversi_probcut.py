"""The errors of shallow searches, by which ProbCut's margins are set."""

from __future__ import annotations

import pytest

from submission.reversi.evaluation import UNIT
from submission.reversi.weights import STAGES, stage
from submission.search.clock import Deadline
from submission.search.deepening import Search
from workshop.reversi.probcut import EVERY, FEWEST_EMPTY, PAIRS, SHALLOW, every_eighth, measure_errors, reversi_games


def test_every_eighth_position_is_searched() -> None:
    moves = reversi_games(8)[0]
    free = [position.plies_left() for position in every_eighth(8, moves, 1)]
    assert free and free == sorted(free, reverse=True) and free[-1] >= FEWEST_EMPTY
    assert all((60 - left) % EVERY == 1 for left in free)


@pytest.mark.slow
def test_errors_are_differences_of_values_in_discs() -> None:
    errors = measure_errors(8, 1)
    assert {deep for deep, _ in errors} == {deep for deep, _ in PAIRS}
    assert {at for _, at in errors} <= set(range(STAGES))
    assert all(shallow == SHALLOW[deep] < deep for deep, shallow in PAIRS)
    first = next(every_eighth(8, reversi_games(8)[0], 0))
    assert first.parameters.probcut_depths == ()
    search = Search()
    values = [search.think(first, Deadline(None), depth).value for depth in range(1, 4)]
    assert errors[3, stage(8, 64 - first.plies_left())][0] == (values[2] - values[SHALLOW[3] - 1]) / UNIT
