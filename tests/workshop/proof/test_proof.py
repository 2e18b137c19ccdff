"""The prover: questions with known answers, positions and their images, the store, and what it proves."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from submission.k_in_a_row.book import IN_A_ROW, SIZE, Stones, canonical
from submission.k_in_a_row.proved import CELLS, ProofBook, with_stone
from tests.conftest import NO_COMPILER
from tests.submission.boards import completes
from tests.workshop.proof.small_boards import first_player_wins
from workshop.native.build import find_compiler
from workshop.proof.book_file import book_bytes, write_book
from workshop.proof.journal import ProofJournal, Row
from workshop.proof.positions import IMAGES, form_of, name_of, second_moves, stones_of
from workshop.proof.proposals import Proposals
from workshop.proof.search import OFTEN, UNKNOWN, Attempt, Numbers, ProofSearch
from workshop.proof.summary import MainLine, picture, sizes
from workshop.proof.tree import Tree

SECOND = form_of(stones_of("h8a1"))
compiled = pytest.mark.skipif(find_compiler() is None, reason=NO_COMPILER)


@pytest.mark.parametrize("rows, cols, k, wins", [
    (1, 1, 1, True), (3, 3, 3, False), (4, 3, 3, True), (3, 4, 3, True), (4, 4, 3, True), (2, 5, 3, False),
    (2, 3, 2, True), (1, 2, 2, False), (1, 3, 2, True), pytest.param(3, 4, 4, False, marks=pytest.mark.slow),
])  # fmt: skip
def test_small_boards(rows: int, cols: int, k: int, wins: bool) -> None:
    """Published results: the m,n,k game is won for k <= 2 but on the smallest boards, and for k = 3 from 4x3 on."""
    assert first_player_wins(rows, cols, k) is wins


class Numbered:
    """A game in which position n leads to 2n and 2n + 1, for both sides, down to the leaves from 16 on."""

    efforts = 1

    def __init__(self, won: set[int]) -> None:
        self.won = won
        self.asked: list[int] = []

    def estimate(self, _position: int) -> Numbers:
        return UNKNOWN

    def attempts(self, position: int, _effort: int = 0) -> list[Attempt[int]]:
        self.asked.append(position)
        if position >= 16:
            return [Attempt(0, ())] if position in self.won else []
        return [Attempt(move, (2 * (2 * position + move), 2 * (2 * position + move) + 1)) for move in (0, 1)]


@pytest.mark.parametrize("won, expected", [
    ({16, 17, 20, 21}, True), ({16, 17, 20}, False), (set(range(16, 32)), True), (set(), False),
    ({18, 19, 20, 21}, True), ({24, 25, 30, 31}, True), ({24, 26, 28, 30}, False),
])  # fmt: skip
def test_the_search_settles_a_tree(won: set[int], expected: bool) -> None:
    """Position 1: one move of two must win, after both replies; then again."""
    search = ProofSearch(Numbered(won))
    assert search.prove(1, 100) is expected
    assert (search.winning(1) is not None) is expected


class Shy(Numbered):
    """The same tree, in which the second move of a position is only found when it is asked for again."""

    efforts = 2

    def attempts(self, position: int, effort: int = 0) -> list[Attempt[int]]:
        return list(super().attempts(position))[: effort + 1]


@pytest.mark.parametrize("won", [{16, 17, 20, 21}, {18, 19, 20, 21}, {26, 27, 30, 31}])
def test_a_position_whose_attempts_cannot_win_gets_more(won: set[int]) -> None:
    assert ProofSearch(Shy(won)).prove(1, 100) is True


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
    assert search.winning(0) == Attempt(0, ())


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


def test_the_summary_counts_each_entry_once_by_its_stones(tmp_path: Path) -> None:
    journal = ProofJournal(tmp_path / "journal.txt")
    other = form_of(stones_of("h8c1"))
    journal.add(Row(SECOND, 128, (3, 4)))
    journal.add(Row(other, 128, (3,)))
    tree = Tree(journal)
    for stones in [*tree.open_after(SECOND, 128), *tree.open_after(other, 128)]:
        journal.add(Row(stones, 50, ()))
    tree.forget_open()
    rows = [tree.progress(second) for second in (SECOND, other, SECOND, form_of(stones_of("h8d1")))]
    assert sizes(tree, rows) == {4: 3}
    picture(tmp_path / "board.svg", [tree.progress(second) for second in second_moves()])
    drawn = (tmp_path / "board.svg").read_text("utf-8")
    many = [drawn.count(f">{text}</text>") for text in ("2", "1", "0?")]
    assert many == [4 + 1, 8 + 1, 224 - 12]  # with the numbers at the edge


@pytest.mark.slow
@compiled
def test_the_main_line_is_a_whole_game_that_black_wins() -> None:
    tree = Tree(ProofJournal())
    moves = MainLine(tree).of(SECOND)
    board = bytes(CELLS)
    for ply, cell in enumerate(moves):
        assert not board[cell] and not completes(board, SIZE, SIZE, IN_A_ROW)
        board = with_stone(board, cell, ply % 2)
    assert completes(board, SIZE, SIZE, IN_A_ROW) == [1]
    before = [(tuple(moves[:ply:2]), tuple(moves[1:ply:2])) for ply in range(2, len(moves), 2)]
    entries = sum(tree.winning_move(form_of(stones)) is not None for stones in before)
    assert entries == max_entries(tree, SECOND)


def max_entries(tree: Tree, stones: Stones) -> int:
    """The most entries in a row, by trying all."""
    move = tree.winning_move(stones)
    if move is None:
        return 0
    return 1 + max((max_entries(tree, after) for after in tree.open_after(stones, move)), default=0)


def test_a_damaged_book_is_empty() -> None:
    data = book_bytes({SECOND: 7})
    assert ProofBook(data).look_up(SECOND) == 7
    for damaged in (b"", data[:-1], data[:4], bytes([data[0] ^ 1]) + data[1:], data + b"\0"):
        assert ProofBook(damaged).look_up(SECOND) is None


def test_a_move_is_proposed_for_positions_that_differ_in_one_white_stone() -> None:
    proposals, random_numbers = Proposals(), random.Random(1)
    black, white = stones_of("h8b1g7n13")
    form, image = canonical((black, white), IMAGES)
    proposals.learn(form, image[70])
    for turn in IMAGES:
        other = random_numbers.choice([cell for cell in range(CELLS) if cell not in (*black, *white)])
        similar = tuple(turn[cell] for cell in black), (turn[white[0]], turn[other])
        form, image = canonical(similar, IMAGES)
        assert image[turn[70]] in list(proposals.moves(form))
