"""The prover: questions with known answers, positions and their images, the store, and proved positions."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from submission.k_in_a_row.book import CELLS, ProofBook, Stones, canonical
from workshop.gobang.positions import IMAGES, form_of, name_of, second_moves, stones_of
from workshop.proof.gobang import Proposals
from workshop.proof.journal import ProofJournal, Row, Tree, book_bytes, write_book
from workshop.proof.search import OFTEN, UNKNOWN, Attempt, Numbers, ProofSearch

SECOND = form_of(stones_of("h8a1"))


LEAVES, EFFORTS = range(8, 13), st.sampled_from([1, 2])


class Numbered:
    """From position n a move leads to n + 1, n + 2 or n + 3 by one reply, and further by the other one, to the leaves.

    With `efforts` = 2, all moves of a position but the first are found when they are asked for again.
    """

    def __init__(self, won: set[int], efforts: int, ways: list[int]) -> None:
        self.won, self.efforts, self.ways = won, efforts, ways

    def estimate(self, _position: int) -> Numbers:
        return UNKNOWN

    def attempts(self, position: int, effort: int = 0) -> list[Attempt[int]]:
        if position in LEAVES:
            return [Attempt(0, ())] if position in self.won else []
        way = self.ways[position]
        steps = (1 + way % 3, 1 + way // 3)
        every = [Attempt(step, (position + step, position + step + 1 + way % 2)) for step in steps]
        return every[: effort + 1] if self.efforts > 1 else every

    def wins(self, position: int) -> bool:
        every = self.attempts(position, 1)
        return any(all(map(self.wins, attempt.open)) for attempt in every)


@given(st.sets(st.sampled_from(LEAVES)), EFFORTS, st.lists(st.integers(0, 8), min_size=8, max_size=8))
def test_the_search_settles_what_trying_all_lines_settles(won: set[int], efforts: int, ways: list[int]) -> None:
    """Lines of different lengths lead to the same positions."""
    game = Numbered(won, efforts, ways)
    assert ProofSearch(game).prove(0, 10**4) is game.wins(0)


class Endless:
    """From 0 the first attempt never ends; the second, found when asked for again, wins at once."""

    efforts = 2

    def estimate(self, _position: int) -> Numbers:
        return UNKNOWN

    def attempts(self, position: int, effort: int = 0) -> list[Attempt[int]]:
        return [Attempt(1, (position + 1,)), Attempt(0, ())][: effort + 1 if position == 0 else 1]


def test_a_position_that_stays_open_gets_more() -> None:
    search = ProofSearch(Endless())
    assert search.prove(0, OFTEN - 1) is None
    assert search.prove(0, 1) is True


def test_there_are_35_second_moves_the_far_ones_first() -> None:
    assert len(second_moves()) == 35
    assert second_moves()[0] == SECOND
    assert all(form_of(form) == form for form in second_moves())


def test_all_images_of_a_position_have_one_name() -> None:
    black, white = (7, 100, 31), (9, 44, 220)
    for image in IMAGES:
        turned: Stones = tuple(sorted(image[cell] for cell in black)), tuple(sorted(image[cell] for cell in white))
        form = form_of(turned)
        assert form == form_of((black, white))
        assert stones_of(name_of(form)) == form


def test_a_journal_goes_on_after_a_torn_row(tmp_path: Path) -> None:
    file = tmp_path / "journal.txt"
    rows = [Row(SECOND, 3, (5, 6)), Row(SECOND, 4, ()), Row(SECOND, 5, None)]
    journal = ProofJournal(file)
    for row in rows:
        journal.add(row)
    whole = file.read_bytes()
    for cut in range(len(whole)):
        file.write_bytes(whole[:cut])
        again = ProofJournal(file)
        kept = len(again.rows.get(SECOND, {}))
        assert kept == whole[:cut].count(b"\n")
        for row in rows[kept:]:
            again.add(row)
        assert file.read_bytes() == whole
        assert ProofJournal(file).rows == journal.rows


def test_a_position_is_won_if_all_open_replies_are(tmp_path: Path) -> None:
    journal = ProofJournal(tmp_path / "journal.txt")
    journal.add(Row(SECOND, 112 + 16, (3, 4)))
    tree = Tree(journal)
    after = tree.open_after(SECOND, 112 + 16)
    journal.add(Row(after[0], 50, ()))
    journal.add(Row(after[1], 51, None))
    assert tree.winning_move(SECOND) is None
    assert tree.progress(SECOND).won == 1
    assert not tree.progress(SECOND).closed
    journal.add(Row(after[1], 52, ()))
    tree.forget_open()
    assert tree.winning_move(SECOND) == 112 + 16
    assert tree.entries(SECOND) == {SECOND: 112 + 16, after[0]: 50, after[1]: 52}
    assert tree.progress(SECOND).closed
    assert write_book(journal, tmp_path / "book.bin") == 3
    book = ProofBook((tmp_path / "book.bin").read_bytes())
    assert [book.look_up(form) for form in (SECOND, *after)] == [112 + 16, 50, 52]


def test_a_damaged_book_is_empty() -> None:
    data = book_bytes({SECOND: 7})
    assert ProofBook(data).look_up(SECOND) == 7
    for damaged in (b"", data[:-1], data[:4], bytes([data[0] ^ 1]) + data[1:], data + b"\0"):
        assert ProofBook(damaged).look_up(SECOND) is None


def test_a_move_is_proposed_for_positions_that_differ_in_one_white_stone() -> None:
    proposals, rng = Proposals(), random.Random(1)
    black, white = stones_of("h8b1g7n13")
    form, image = canonical((black, white), IMAGES)
    proposals.learn(form, image[70])
    for turn in IMAGES:
        other = rng.choice([cell for cell in range(CELLS) if cell not in (*black, *white)])
        similar = tuple(turn[cell] for cell in black), (turn[white[0]], turn[other])
        form, image = canonical(similar, IMAGES)
        assert image[turn[70]] in list(proposals.moves(form))
