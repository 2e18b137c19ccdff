"""Alpha-beta against plain minimax on games small enough to be solved, and each of its selective parts."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from submission.k_in_a_row.parameters import KInARowParameters
from submission.search.clock import Deadline
from submission.search.deepening import Search
from submission.search.evaluator import Margins
from submission.search.parameters import SearchParameters
from submission.search.searchable import PROVED_WIN, WIN
from submission.search.table import EXACT, LOWER, UPPER

from .boards import five_in_a_row
from .search_games import (
    QUIET,
    Corridor,
    Nim,
    Node,
    Opened,
    Searched,
    Web,
    minimax,
    quiet_position,
    random_reversi,
    result,
)


@pytest.mark.parametrize("left", range(2, 16))
def test_a_game_without_hints_is_searched(left: int) -> None:
    thought = Search().think(Nim(left), Deadline(None), 16)
    assert result(thought.value) == (1 if left % 4 else -1)
    assert thought.move == left % 4 or left % 4 == 0
    assert thought.depth <= left  # no deeper than the proof


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
    """The quick value of the mover's last turn is never that of another line."""
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
    (150, UPPER, 50, None), (150, EXACT, 0, None), (-150, LOWER, -50, None),        # no longer outside
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
