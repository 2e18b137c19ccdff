"""The root of the search: progress that can stop it, and the best few moves with their lines."""

from __future__ import annotations

from typing import Any

import pytest

from submission.k_in_a_row.position import KInARowPosition
from submission.lines import BLACK
from submission.search import alphabeta
from submission.search.clock import Deadline
from submission.search.deepening import Search, Thought

from .boards import draw, padded
from .interruption import StopsAt
from .test_alphabeta import _minimax, _playable, _quiet_position, _random_reversi


def test_progress_is_told_of_every_iteration_and_can_stop() -> None:
    told: list[tuple[int, int]] = []

    def progress(thoughts: list[Any]) -> bool:
        told.append((thoughts[0].depth, thoughts[0].pv[0]))
        return len(told) == 3

    thought = Search().think(_quiet_position(), Deadline(None), 6, progress)
    assert [depth for depth, _ in told] == [1, 2, 3]
    assert (thought.depth, thought.move) == told[-1]
    assert thought == Search().think(_quiet_position(), Deadline(None), 3)._replace(seconds=thought.seconds)


@pytest.mark.parametrize("make", [_quiet_position, lambda: _random_reversi(8, 40, 1)], ids=["gobang", "reversi"])
@pytest.mark.parametrize("lines", [1, 3, 5])
def test_the_lines_of_an_analysis_are_different_and_sorted(make: Any, lines: int) -> None:
    position = make()
    key, legal = position.key, position.moves()
    thoughts = Search().analyse(position, Deadline(None), 3, lines)
    assert position.key == key
    assert len({thought.move for thought in thoughts}) == len(thoughts) == min(lines, len(legal))
    assert [thought.value for thought in thoughts] == sorted((thought.value for thought in thoughts), reverse=True)
    assert all(thought.pv[0] == thought.move and _playable(make(), thought.pv) for thought in thoughts)
    assert thoughts[0].move == Search().think(make(), Deadline(None), 3).move


def test_every_line_has_the_value_of_its_move() -> None:
    """To the end of a small game, by plain minimax."""
    for seed in range(10):
        position = _random_reversi(4, 7, seed)
        for thought in Search().analyse(position, Deadline(None), None, 9):
            position.play(thought.move)
            assert thought.value == -_minimax(position)
            position.undo()


def _three_lines(depth: int) -> list[Thought]:
    return Search().analyse(_quiet_position(), Deadline(None), depth, 3)


def test_an_analysis_that_is_cut_short_keeps_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = {depth: {thought.move: thought.value for thought in _three_lines(depth)} for depth in range(1, 5)}
    whole[0] = {}
    monkeypatch.setattr(alphabeta, "CHECK_MASK", 0)
    for last in range(1, 300, 19):
        position = _quiet_position()
        thoughts = Search().analyse(position, StopsAt(last), 4, 3)
        assert len({thought.move for thought in thoughts}) == 3
        assert not position.history
        depths = [thought.depth for thought in thoughts]
        assert depths == sorted(depths, reverse=True)  # what was searched deeper comes first
        assert all(thought.value == whole[thought.depth].get(thought.move, thought.value) for thought in thoughts)


def test_expected_line_can_be_played() -> None:
    thought = Search().think(_quiet_position(), Deadline(None), 5)
    assert thought.pv[0] == thought.move
    assert len(thought.pv) > 1
    assert _playable(_quiet_position(), thought.pv)


def test_no_moves_is_an_error() -> None:
    position = KInARowPosition(3, 3, 3)
    position.set_up(draw("XOX/XOO/OXX").stones, BLACK)
    with pytest.raises(ValueError, match="no moves"):
        Search().think(position, Deadline(None))


def test_an_analysis_of_a_single_move_that_wins_by_threats_has_one_line() -> None:
    """X must stop a five, and makes an open four by it."""
    drawn = padded(
        draw("""
        . . . . . . X .
        . . . . . . X .
        . . . . . . X .
        . X O O O O * .""")
    )
    position = KInARowPosition(15, 15, 5)
    position.set_up(drawn.stones, BLACK)
    assert set(position.moves()) == drawn.marked
    thoughts = Search().analyse(position, Deadline(None), 2, 3)
    assert [(thought.move, thought.source) for thought in thoughts] == [(*drawn.marked, "threats")]
