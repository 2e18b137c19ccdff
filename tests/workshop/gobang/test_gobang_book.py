"""White's book: results count for all images of a position, good replies are played more often, stops cost no game."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import workshop.gobang.book as book
from submission.k_in_a_row.book import book_form, read
from submission.search.searchable import WIN
from workshop.gobang.book import BookGame, Reply, Stones, Tree
from workshop.gobang.positions import IMAGES, count_stones, stones_after

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


@pytest.mark.parametrize(
    ("value", "games", "points", "score"),
    [(0, 0, 0.0, 0.5), (0, 6, 6.0, 0.75), (20 - WIN, 6, 6.0, 0.5), (530, 0, 0, 0.731)],
)
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
