"""The search: alpha-beta against plain minimax on games small enough to be solved, its selective parts, and iterative
deepening with its limits, progress and multi-line analysis.
"""

from __future__ import annotations

import contextlib
import time
from typing import Any

import pytest

from submission.k_in_a_row.parameters import KInARowParameters
from submission.reversi.parameters import ReversiParameters
from submission.reversi.position import ReversiPosition
from submission.search import alphabeta
from submission.search.clock import Deadline
from submission.search.deepening import Search
from submission.search.parameters import SearchParameters
from submission.search.searchable import INFINITE, PROVED_WIN, WIN, Margins, Tactics
from submission.search.table import EXACT, LOWER, UPPER

from .boards import draw, five_in_a_row, padded
from .search_games import QUIET, Corridor, Nim, StopsAt, Web, minimax, quiet_position, random_reversi, result


class Opened(Search):
    """A search of a position, node by node."""

    def __init__(self, position: Any) -> None:
        super().__init__()
        self._prepare(position)
        self._begin_iteration(10)

    def node(self, depth: int, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        """The value of the position as a node at ply 1."""
        return self._search(depth, alpha, beta, 1)

    def probcut(self, depth: int, alpha: int) -> int | None:
        return self._probcut(depth, alpha, 1)


class Node(Tactics):
    """A node with a value, whose margins are 100; it raises Searched if its moves are asked for: it is not pruned."""

    key = 1
    outcome = lambda self: None  # noqa: E731
    evaluate = lambda self, alpha, beta: self.value  # noqa: E731

    def __init__(self, value: int) -> None:
        self.value = value

    def moves(self, depth: int = 0) -> list[int]:
        raise Searched


class Searched(Exception):
    """The moves of a node were asked for."""


@pytest.mark.parametrize("left", range(2, 16))
def test_a_game_without_hints_is_searched(left: int) -> None:
    thought = Search().think(Nim(left), Deadline(None), 16)
    assert result(thought.value) == (1 if left % 4 else -1)
    assert thought.move == left % 4 or left % 4 == 0
    assert thought.depth <= left  # the search stops at the depth that proves the result


@pytest.mark.parametrize("seeds", [range(100), pytest.param(range(100, 500), marks=pytest.mark.slow)])
def test_transpositions_never_change_the_result(seeds: range) -> None:
    for seed in seeds:
        game, search = Web(seed), Search()
        while game.outcome() is None:
            exact, thought = minimax(game), search.think(game, Deadline(None))
            assert result(thought.value) == result(exact)
            if result(exact):
                assert WIN - game.plies_left() <= abs(thought.value) <= abs(exact)  # the win has a possible length
            else:
                assert thought.value == exact
            game.play(thought.move)
            assert -result(minimax(game)) == result(exact)


@pytest.mark.parametrize("depth", [1, 2, 5, 20])
def test_forced_replies_extend_a_line_by_a_limited_number_of_plies(depth: int) -> None:
    game = Corridor()
    assert Search().think(game, Deadline(None), depth).depth == depth
    assert game.longest == depth + SearchParameters().extension_plies


@pytest.mark.parametrize("stored, depth, searched", [
    ((5, UPPER, PROVED_WIN), 2, 5),  # the bound of a deeper search stays
    ((5, UPPER, PROVED_WIN), 6, 6), ((1, UPPER, WIN), 4, 4),
    ((1, UPPER, WIN, -1), 3, 3), ((1, UPPER, WIN, -1), 4, 3),  # without hash move, a deep search is a ply less deep
])  # fmt: skip
def test_the_depth_of_the_entry_in_the_table(stored: tuple, depth: int, searched: int) -> None:
    position = quiet_position()
    search = Opened(position)
    entry = stored if len(stored) == 4 else (*stored, position.moves()[0])
    search.table.put(position.key, entry)
    search.node(depth, -1, 0)
    after = search.table.get(position.key)
    assert after[0] == searched and (after == entry) == (searched == stored[0])


def test_improving_compares_quick_values_of_one_line() -> None:
    """The quick value of two plies before is that of the same line of play, not one left by another line."""
    position, compared = quiet_position(), set()

    class Values(list):
        """By ply: the value, and the moves that led to it."""

        def __setitem__(self, ply: Any, value: int) -> None:
            super().__setitem__(ply, (value, [entry[0] for entry in position.history]))

        def __getitem__(self, ply: Any) -> int:
            value, line = super().__getitem__(ply)
            assert line == [entry[0] for entry in position.history][:ply]
            compared.add(ply)
            return value

    class Watched(Search):
        quick_values = property(lambda self: self.by_ply, lambda self, blank: setattr(self, "by_ply", Values(blank)))

    Watched().think(position, Deadline(None), 7)
    assert max(compared) > 3


# ---- futility pruning and razoring


@pytest.mark.parametrize("margins", [Margins(), Margins((10**6,) * 5, (10**6,) * 5), Margins((10**6,), ())])
def test_margins_that_no_value_exceeds_prune_nothing(margins: Margins) -> None:
    thoughts = []
    for parameters, use in (({"futility": False, "razoring": False}, None), ({}, margins), ({}, None)):
        position = five_in_a_row(QUIET, parameters=KInARowParameters(**parameters))
        position.margins = use or position.margins
        thoughts.append(Search().think(position, Deadline(None), 4))
    assert thoughts[0][:5] == thoughts[1][:5]
    assert thoughts[2].nodes < thoughts[0].nodes


@pytest.mark.parametrize(("value", "bound", "stored", "pruned"), [
    (0, LOWER, 150, 150), (0, EXACT, 150, 150), (150, LOWER, 120, 150),             # above 1 + margin
    (0, UPPER, -150, -150), (0, EXACT, -150, -150), (-150, UPPER, -120, -150),      # below 0 - margin
    (0, UPPER, 150, None), (0, LOWER, -150, None), (0, LOWER, 90, None),
    (150, UPPER, 50, None), (150, EXACT, 0, None), (-150, LOWER, -50, None),        # the stored value is inside
    (0, LOWER, WIN - 9, None), (0, UPPER, 9 - WIN, None), (150, EXACT, 9 - WIN, 150),
])  # fmt: skip
def test_a_bound_of_a_shallower_search_corrects_the_evaluation(
    value: int, bound: int, stored: int, pruned: int | None
) -> None:
    node = Node(value)
    node.margins = Margins((100,), (100,))
    search = Opened(node)
    search.table.put(Node.key, (0, bound, stored, -1))
    with contextlib.nullcontext() if pruned is not None else pytest.raises(Searched):
        assert search.node(1, 0, 1) == pruned


# ---- ProbCut


@pytest.mark.parametrize("seed", range(6))
def test_probcut_cuts_if_the_shallow_search_is_outside_by_the_margin(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    margin = 40
    position = random_reversi(8, 30, seed)
    position.probcut_depths = (0, 0, 0, 1)
    monkeypatch.setattr(position, "probcut_margin", lambda: margin)
    search = Opened(position)
    search.selective = False
    value = search.node(1)
    static, seen = position.evaluate(), set()
    for alpha in range(min(static, value) - 2 * margin, max(static, value) + 2 * margin):
        bound = alpha + 1 if static > alpha else alpha
        outside = value >= bound + margin if static > alpha else value <= bound - margin
        assert search.probcut(3, alpha) == (bound if outside else None)
        seen.add((outside, static > alpha))
    assert seen >= {(True, True), (True, False)} and len(seen) > 2
    assert search.probcut(2, min(static, value) - 2 * margin) is None


GAMES = pytest.mark.parametrize("make", [quiet_position, lambda: random_reversi(8, 40, 1)], ids=["gobang", "reversi"])


def test_a_deadline_whose_time_is_mostly_used_up_still_gives_a_search() -> None:
    """The endgame solver, which runs first, may have used its share of the time without a result."""
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
    """Selective iterations leave inexact values in the table, so on boards over 4x4 the search is made unselective."""
    parameters = ReversiParameters() if selective else ReversiParameters(lmr=False, futility=False, probcut_depths=())
    for seed in range(5):
        source, position = random_reversi(n, free, seed), ReversiPosition(n, parameters)
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
    """Finished lines have the values of a search that is not interrupted; those of the last iteration come first."""
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
