"""Self-play games of gobang and the leaves of their searches, reproducible by number; White's book, made of games."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import workshop.gobang.book as book
from submission.k_in_a_row.book import book_form, read
from submission.native.search import NativeSearch
from submission.search.clock import Deadline
from submission.search.deepening import Search
from submission.search.searchable import PROVED_WIN, WIN
from tests.workshop.conftest import LEAF_NODES, small_leaves
from workshop.gobang.book import BookGame, Reply, Stones, Tree
from workshop.gobang.games import OPENING_PLIES, play, position_after, searched_position
from workshop.gobang.leaves import LEAVES, GameLeaves, draw_leaves, is_quiet
from workshop.gobang.positions import IMAGES, count_stones, stones_after

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


MIDDLE: Stones = ((112,), ())
BESIDE, ACROSS = 97, 98  # h7 and i7 in the book form
REPLIES = [[BESIDE, 0, 1], [ACROSS, 0, 1]]


def tree_of(*games: tuple[int, float]) -> Tree:
    """The tree after short games. `games`: White's first stone and White's points; Black plays 112 and 0."""
    tree = Tree()
    for number, (white, points) in enumerate(games, 1):
        tree.add(BookGame(number, 1, [112, white, 0], points, [] if tree.replies else REPLIES, 1))
    return tree


def test_results_count_for_all_images_of_a_reply() -> None:
    tree = tree_of((97, 1.0), (111, 1.0), (113, 0.5), (127, 0.0), (96, 0.0))
    beside, across = tree.replies[MIDDLE]
    assert (beside.games, beside.points) == (4, 2.5)
    assert (across.games, across.points) == (1, 0.0)


@pytest.mark.parametrize(("won", "lost", "best"), [(9, 0, BESIDE), (0, 9, ACROSS)])
def test_the_book_takes_the_reply_with_the_best_score(won: int, lost: int, best: int) -> None:
    tree = tree_of(*[(BESIDE, 1.0)] * won, *[(BESIDE, 0.0)] * lost, (ACROSS, 0.5))
    assert tree.book()[MIDDLE].move == best
    assert not tree_of((BESIDE, 1.0)).book()  # too few games


@pytest.mark.parametrize(("value", "games", "points", "score"), [
    (0, 0, 0.0, 0.5), (0, 6, 6.0, 0.75), (20 - WIN, 6, 6.0, 0.5), (530, 0, 0, 0.731)])  # fmt: skip
def test_the_search_counts_as_much_as_some_games(value: int, games: int, points: float, score: float) -> None:
    assert book.PRIOR == 6
    assert Reply(0, value, 1, games, points).score == pytest.approx(score, abs=0.001)


def test_better_replies_are_played_more_often() -> None:
    rng, good, bad = random.Random(1), Reply(0, 0, 1, 20, 14.0), Reply(1, 0, 1, 20, 6.0)
    better = sum(good.sample(rng) > bad.sample(rng) for _ in range(1000))
    assert 950 < better < 1000


@pytest.mark.slow
def test_a_stopped_command_goes_on_with_the_same_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("REPLY_NODES", 60), ("WHITE_NODES", 30), ("BLACK_NODES", (30,)), ("ROUND", 4)):
        monkeypatch.setattr(book, name, value)
    whole, parts, out = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl", tmp_path / "book.txt"
    book.main(whole, 12, out, 1)
    rows = out.read_text()
    book.main(parts, 6, out, 1)
    book.main(parts, 12, out, 1)
    assert out.read_text() == rows and parts.read_text() == whole.read_text()
    found = read(rows)
    assert MIDDLE in found and all(book_form(stones, IMAGES)[0] == stones for stones in found)
    games = book.game_file.read(whole, BookGame)
    assert {game.added for game in games} == {1, 3, 5}  # a round knows the positions of the rounds before
    assert all(count_stones(stones_after(game.moves[: game.added])) == game.added for game in games)
