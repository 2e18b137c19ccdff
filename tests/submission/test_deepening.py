"""Iterative deepening: limits, progress that can stop it, and multi-line analysis."""

from __future__ import annotations

import time
from typing import Any

import pytest

from submission.reversi.parameters import ReversiParameters
from submission.reversi.position import ReversiPosition
from submission.search import alphabeta
from submission.search.clock import Deadline
from submission.search.deepening import Search

from .boards import draw, five_in_a_row, padded
from .interruption import StopsAt
from .search_games import minimax, quiet_position, random_reversi

GAMES = pytest.mark.parametrize("make", [quiet_position, lambda: random_reversi(8, 40, 1)], ids=["gobang", "reversi"])


def test_a_deadline_whose_time_is_mostly_used_up_still_gives_a_search() -> None:
    """The endgame solver may have used its share of the time without a result."""
    position = random_reversi(8, 24, 1)
    assert Search().think(position, Deadline(60.0, started=time.perf_counter() - 50), 3).depth == 3


def test_progress_is_called_after_every_iteration_and_can_stop() -> None:
    seen: list[tuple[int, int]] = []

    def progress(thoughts: list[Any]) -> bool:
        seen.append((thoughts[0].depth, thoughts[0].pv[0]))
        return len(seen) == 3

    thought = Search().think(quiet_position(), Deadline(None), 6, progress)
    assert [depth for depth, _ in seen] == [1, 2, 3]
    assert (thought.depth, thought.move) == seen[-1]
    assert thought == Search().think(quiet_position(), Deadline(None), 3)._replace(seconds=thought.seconds)


@GAMES
@pytest.mark.parametrize("lines", [1, 3, 5])
def test_the_lines_of_an_analysis_are_different_sorted_and_playable(make: Any, lines: int) -> None:
    position = make()
    key, legal = position.key, position.moves()
    thoughts = Search().analyse(position, Deadline(None), 3, lines)
    assert position.key == key
    assert len({thought.move for thought in thoughts}) == len(thoughts) == min(lines, len(legal))
    assert [thought.value for thought in thoughts] == sorted((thought.value for thought in thoughts), reverse=True)
    assert len(thoughts[0].pv) > 1
    assert thoughts[0].move == Search().think(make(), Deadline(None), 3).move
    for thought in thoughts:
        position = make()
        assert thought.pv[0] == thought.move
        for move in thought.pv:
            assert move in position.moves()
            position.play(move)


@pytest.mark.parametrize("n, free, selective", [(4, 7, True), (6, 6, False), (8, 6, False)])
def test_every_line_to_the_end_has_the_value_of_minimax(n: int, free: int, selective: bool) -> None:
    """On larger boards, the table may have inexact values of earlier, selective iterations."""
    parameters = ReversiParameters() if selective else ReversiParameters(lmr=False, futility=False, probcut_depths=())
    for seed in range(5):
        source, position = random_reversi(n, free, seed, moves=2), ReversiPosition(n, parameters)
        position.set_discs(*source.discs, source.side)
        thoughts, best = Search().analyse(position, Deadline(None), None, 9), minimax(position)
        assert thoughts[0].value == Search().think(position, Deadline(None)).value == best
        for thought in thoughts:
            position.play(thought.move)
            assert thought.value == -minimax(position)
            position.undo()


@GAMES
@pytest.mark.parametrize("lines", [1, 3])
def test_interrupted_at_any_node(make: Any, lines: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines searched so far are those of a whole search; lines of the running iteration come first."""
    whole: dict[int, dict[int, int]] = {0: dict.fromkeys(range(225), 0)}
    for depth in range(1, 5):
        thoughts = Search().analyse(make(), Deadline(None), depth, lines)
        whole[depth] = {thought.move: thought.value for thought in thoughts}
    monkeypatch.setattr(alphabeta, "CHECK_MASK", 0)
    search = Search()
    for last in (*range(1, 20), *range(20, 300, 70)):
        position = make()
        for of, limit in ((Search(), StopsAt(last)), (search, StopsAt(last + 1))):
            thoughts = of.analyse(position, limit, 4, lines)
            assert len({thought.move for thought in thoughts} & {*position.moves()}) == lines
            assert (position.key, position.history) == (make().key, [])
            depths = [thought.depth for thought in thoughts]
            assert depths == sorted(depths, reverse=True) and depths[0] <= min(limit.last - 1, 4)
            assert all(thought.nodes <= last + 1 for thought in thoughts)
            assert (
                of is search
                or lines == 1
                or all(thought.value == whole[thought.depth].get(thought.move, thought.value) for thought in thoughts)
            )


def test_an_analysis_of_a_single_move_that_wins_by_threats_has_one_line() -> None:
    """X must stop a five, and its stop makes an open four."""
    drawn = padded(draw(". . . . . . X . / . . . . . . X . / . . . . . . X . / . X O O O O * ."))
    position = five_in_a_row(drawn)
    assert set(position.moves()) == drawn.marked
    thoughts = Search().analyse(position, Deadline(None), 2, 3)
    assert [(thought.move, thought.source) for thought in thoughts] == [(*drawn.marked, "threats")]
