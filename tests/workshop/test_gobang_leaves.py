"""The leaves that the evaluation is learnt from: drawn evenly from a search, quiet, and valued by a search."""
from __future__ import annotations

import random
from collections import Counter

from submission.clock import Deadline
from submission.k_in_a_row.position import KInARowPosition
from submission.search import Search
from tests.workshop.conftest import LEAF_NODES, small_leaves
from workshop.gobang import position_after
from workshop.gobang_leaves import LEAVES, GameLeaves, LeafSampler, is_quiet


def test_a_number_is_a_game(all_leaves: list[GameLeaves]) -> None:
    assert [small_leaves(leaves.number) for leaves in all_leaves[:2]] == all_leaves[:2]
    assert sum(len(leaves.leaves) for leaves in all_leaves) > 60


def test_leaves_are_quiet_and_valued_by_a_search(all_leaves: list[GameLeaves]) -> None:
    for leaves in all_leaves:
        for moves, value in zip(leaves.leaves, leaves.values, strict=True):
            assert len(set(moves)) == len(moves)
            leaf = position_after(moves)
            assert is_quiet(leaf)
            assert Search().think(leaf, Deadline(None, LEAF_NODES)).value == value


def test_every_evaluated_position_is_drawn_with_the_same_probability() -> None:
    cells, kept, times = range(20), Counter[int](), 600
    for seed in range(times):
        sampler = LeafSampler(random.Random(seed))
        for cell in cells:
            sampler.play(cell * 11)
            sampler.evaluate()
        assert len(sampler.kept) == LEAVES
        kept.update(len(moves) for moves in sampler.kept)
    expected = times * LEAVES / len(cells)
    assert all(abs(kept[cell + 1] - expected) < 5 * expected ** 0.5 for cell in cells)


def test_the_sampler_does_not_change_the_search() -> None:
    sampler, position = LeafSampler(random.Random(1)), KInARowPosition(15, 15, 5)
    for cell in (112, 97, 98, 113):
        sampler.play(cell)
        position.play(cell)
    thoughts = [Search().think(each, Deadline(None), depth=4)[:5] for each in (sampler, position)]
    assert thoughts[0] == thoughts[1]
    assert len(sampler.kept) == LEAVES
    assert all(moves[:4] == [112, 97, 98, 113] and len(moves) > 4 for moves in sampler.kept)


def test_a_position_with_a_win_or_a_forced_reply_is_not_quiet() -> None:
    assert is_quiet(position_after([112, 97, 98]))
    assert not is_quiet(position_after([112, 0, 113, 2, 114, 4, 115]))      # White must stop a five
    assert not is_quiet(position_after([112, 0, 113, 2, 114, 4]))           # Black makes an open four
