"""The leaves that the evaluation is learnt from: a fair sample of what searches evaluate, each searched itself."""
from __future__ import annotations

import random
from collections import Counter

import pytest

from submission.alphabeta import Search
from submission.clock import Deadline
from submission.k_in_a_row.position import KInARowPosition
from workshop.gobang_leaves import LEAVES, Leaves, Watched, found, is_quiet, played

NODES = 60


@pytest.fixture(scope="module")
def all_leaves() -> list[Leaves]:
    return [found(number, NODES, game_nodes=50) for number in range(1, 13)]


def test_a_number_is_a_game(all_leaves: list[Leaves]) -> None:
    assert [found(leaves.number, NODES, game_nodes=50) for leaves in all_leaves[:4]] == all_leaves[:4]
    assert sum(len(leaves.leaves) for leaves in all_leaves) > 60


def test_leaves_are_quiet_and_worth_what_a_search_says(all_leaves: list[Leaves]) -> None:
    for leaves in all_leaves:
        for moves, value in zip(leaves.leaves, leaves.values, strict=True):
            assert len(set(moves)) == len(moves)
            leaf = played(moves)
            assert is_quiet(leaf)
            assert Search().think(leaf, Deadline(None, NODES)).value == value


def test_every_evaluation_is_as_likely_to_be_kept() -> None:
    cells, kept, times = range(20), Counter[int](), 600
    for seed in range(times):
        watched = Watched(random.Random(seed))
        for cell in cells:
            watched.play(cell * 11)
            watched.evaluate()
        assert len(watched.kept) == LEAVES
        kept.update(len(moves) for moves in watched.kept)
    expected = times * LEAVES / len(cells)
    assert all(abs(kept[cell + 1] - expected) < 5 * expected ** 0.5 for cell in cells)


def test_a_watched_position_is_searched_as_any_other() -> None:
    watched, position = Watched(random.Random(1)), KInARowPosition(15, 15, 5)
    for cell in (112, 97, 98, 113):
        watched.play(cell)
        position.play(cell)
    thoughts = [Search().think(each, Deadline(None), depth=4)[:5] for each in (watched, position)]
    assert thoughts[0] == thoughts[1]
    assert len(watched.kept) == LEAVES
    assert all(moves[:4] == [112, 97, 98, 113] and len(moves) > 4 for moves in watched.kept)


def test_quiet_is_where_nothing_is_decided_or_must_be_answered() -> None:
    assert is_quiet(played([112, 97, 98]))
    assert not is_quiet(played([112, 0, 113, 2, 114, 4, 115]))      # White must stop a five
    assert not is_quiet(played([112, 0, 113, 2, 114, 4]))           # Black makes an open four
