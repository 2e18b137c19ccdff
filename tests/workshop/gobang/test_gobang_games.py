"""Self-play games of gobang and the leaves of their searches: reproducible by number, fields as documented."""

from __future__ import annotations

import random

import pytest

from submission.native.search import NativeSearch
from submission.search.clock import Deadline
from submission.search.deepening import Search
from submission.search.searchable import PROVED_WIN
from tests.workshop.conftest import LEAF_NODES, small_leaves
from workshop.gobang.games import OPENING_PLIES, play, position_after, searched_position
from workshop.gobang.leaves import LEAVES, GameLeaves, draw_leaves, is_quiet

NODES = 20


@pytest.mark.slow
def test_the_fields_of_a_game_fit_together() -> None:
    games = [play(number, NODES) for number in range(1, 5)]
    assert play(1, NODES) == games[0] and len({tuple(game.moves) for game in games}) == len(games)
    for game in games:
        assert len(set(game.moves)) == len(game.moves)
        assert OPENING_PLIES[0] <= game.opening <= OPENING_PLIES[1]
        won = bool(game.values) and abs(game.values[-1] or 0) > PROVED_WIN
        assert len(game.values) == len(game.moves) - game.opening + won
        assert all(value is None or abs(value) <= PROVED_WIN for value in game.values[: len(game.values) - won])
    assert any(game.values and abs(game.values[-1] or 0) > PROVED_WIN for game in games)


@pytest.mark.slow
def test_leaves_are_quiet_and_valued_by_a_search(all_leaves: list[GameLeaves]) -> None:
    assert small_leaves(all_leaves[0].number) == all_leaves[0]
    assert sum(len(leaves.leaves) for leaves in all_leaves) > 20
    for leaves in all_leaves:
        for moves, value in zip(leaves.leaves, leaves.values, strict=True):
            leaf = position_after(moves)
            assert len(set(moves)) == len(moves) and is_quiet(leaf)
            assert Search().think(leaf, Deadline(None, LEAF_NODES)).value == value


def test_leaves_are_evaluated_by_the_search_and_drawn_without_a_preference() -> None:
    moves, nodes = [112, 97, 98, 113], 100
    position = searched_position(moves)
    position.want_leaves(range(1000))
    NativeSearch().think(position, Deadline(None, nodes))
    evaluated = position.leaves()
    assert LEAVES < len(evaluated) == position.evaluations < 1000
    assert all(leaf[:4] == moves and len(leaf) > 4 for leaf in evaluated)
    early, times = 0, 20
    for seed in range(times):
        drawn = draw_leaves(moves, nodes, random.Random(seed))
        assert len(drawn) == LEAVES and all(leaf in evaluated for leaf in drawn)
        early += sum(leaf in evaluated[: len(evaluated) // 2] for leaf in drawn)
    share = sum(leaf in evaluated[: len(evaluated) // 2] for leaf in evaluated) / len(evaluated)  # some come twice
    assert early / (LEAVES * times) == pytest.approx(share, abs=0.1)


def test_a_position_with_a_win_or_a_forced_reply_is_not_quiet() -> None:
    assert is_quiet(position_after([112, 97, 98]))
    assert not is_quiet(position_after([112, 0, 113, 2, 114, 4, 115]))  # White must stop a five
    assert not is_quiet(position_after([112, 0, 113, 2, 114, 4]))  # Black makes an open four
