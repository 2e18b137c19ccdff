"""The checker: its rules, the facts about the decision that it uses, and the holes that it must find."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from submission.k_in_a_row.book import IN_A_ROW, SIZE
from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.proved import CELLS, ProofBook, ThreatWin, proof_book, with_stone
from submission.lines import BLACK, WHITE
from tests.submission.boards import completes
from workshop.gobang.five import Five
from workshop.proof.book_file import book_bytes
from workshop.proof.journal import ProofJournal
from workshop.proof.positions import board_of, form_of, stones_of
from workshop.proof.tree import Tree
from workshop.proof.verify import SAME_IMAGE, Checker

FIVE = Five()


def random_board(seed: int) -> bytes:
    """Stones in a cluster, as many of both colours, without five in a row."""
    draw = random.Random(seed)
    board = bytes(CELLS)
    near = [row * SIZE + col for row in range(4, 11) for col in range(4, 11)]
    for number, cell in enumerate(draw.sample(near, 2 * draw.randrange(3, 12))):
        after = with_stone(board, cell, number % 2)
        if not completes(after, SIZE, SIZE, IN_A_ROW):
            board = after
    return board


@pytest.mark.parametrize("seed, step", [(1, 7), *(pytest.param(seed, 1, marks=pytest.mark.slow) for seed in range(3))])
def test_threats_are_those_of_the_rule(seed: int, step: int) -> None:
    """In every cell, or in every cell of so many."""
    board = random_board(seed)
    free = [cell for cell in range(seed, CELLS, step) if not board[cell]]
    for colour in (BLACK, WHITE):
        seen = FIVE.look(board)
        assert not seen.five_of(colour)
        fives = {cell for cell in free if completes(with_stone(board, cell, colour), SIZE, SIZE, IN_A_ROW)}
        assert seen.fives(colour) & set(free) == fives
        for cell in fives:
            assert FIVE.look(with_stone(board, cell, colour)).five_of(colour)
        for cell in sorted(set(free) - fives):
            after = FIVE.look(with_stone(board, cell, colour)).fives(colour)
            assert after - seen.fives(colour) == seen.fours(colour).get(cell, set()) - seen.fives(colour)


@pytest.fixture(scope="module")
def position() -> KInARowPosition:
    return KInARowPosition(SIZE, SIZE, IN_A_ROW)


@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(12, 80), marks=pytest.mark.slow)])
def test_the_decision_makes_a_five_or_two_threats_of_five_at_once(seeds: range, position: KInARowPosition) -> None:
    """The facts that the checker relies on: it asks the decision only after the replies that `defences` names."""
    assert sum(decided(random_board(seed), position) for seed in seeds) > len(seeds) // 4


def decided(board: bytes, position: KInARowPosition) -> bool:
    """Whether Black has a five or two threats at once here; then the decision makes it."""
    seen = FIVE.look(board)
    double = {cell for cell, ends in seen.fours(BLACK).items() if len(ends) > 1}
    position.threats.forget()
    if seen.fives(BLACK):
        assert ThreatWin(SAME_IMAGE, position).reply(board) in seen.fives(BLACK)
        return True
    elif double and not seen.fives(WHITE):
        move = ThreatWin(SAME_IMAGE, position).reply(board)
        assert move is not None
        assert len(FIVE.look(with_stone(board, move, BLACK)).fives(BLACK)) > 1
        return True
    return False


def test_the_book_holds_the_entries_of_the_journal() -> None:
    journal = ProofJournal()
    tree = Tree(journal)
    second = form_of(stones_of("h8m14"))
    entries = tree.entries(second)
    assert len(entries) > 500
    assert all(proof_book().look_up(form) is not None for form in entries)


@pytest.mark.parametrize("numbers", [slice(9, 11), pytest.param(slice(2), marks=pytest.mark.slow)])
def test_entries_without_further_entries_are_closed(numbers: slice) -> None:
    """Entries that end in wins by threats, by the upload's own search; some take seconds."""
    checker = Checker(proof_book(), native=False)
    for form in last_entries(11)[numbers]:
        walked = checker.walk(form)
        assert not walked.holes
        assert not walked.entries
        assert walked.wins > 50


def test_a_planted_hole_is_found() -> None:
    """Another move in an entry, or an entry that is missing."""
    form = last_entries(1)[0]
    board = board_of(form)
    corner = next(cell for cell in range(CELLS) if not board[cell])
    assert Checker(ProofBook(book_bytes({form: corner})), native=False).walk(form).holes
    assert Checker(ProofBook(book_bytes({})), native=False).walk(form).holes == [form]
    taken = board.index(1)
    assert Checker(ProofBook(book_bytes({form: taken})), native=False).walk(form).holes == [form]


def test_a_position_without_a_win_is_a_hole() -> None:
    checker = Checker(proof_book(), native=False)
    assert not checker.won_by_threats(form_of(stones_of("h8a1")))
    assert checker.won_by_threats(form_of(stones_of("h8a1h7a2h6a3")))


def last_entries(wanted: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Entries of the book below h8 m14 that have no entries below them."""
    journal = ProofJournal()
    tree = Tree(journal)
    entries = tree.entries(form_of(stones_of("h8m14")))
    return [form for form, move in sorted(entries.items()) if not journal.rows[form][move]][:wanted]


def test_a_stopped_check_goes_on(tmp_path: Path) -> None:
    from workshop.proof.verify import _row, read_checked

    checker = Checker(proof_book(), native=False)
    form = last_entries(11)[9]
    walked = checker.walk(form)
    row = _row(form, False, walked)
    file = tmp_path / "checked.txt"
    file.write_text(row + row[:-3], "ascii")
    assert read_checked(file, native=False) == {form: walked}
    assert read_checked(file, native=True) == {}
