"""The proof's checker: its rules, the upload's properties that it relies on, faulty books; games of the bundle."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from local_runner.game.records import Reply
from local_runner.upload.bundle import build
from submission.boards import BLACK, WHITE
from submission.k_in_a_row.book import CELLS, IN_A_ROW, SIZE, ProofBook, Stones, ThreatWin, proof_book, with_stone
from submission.k_in_a_row.position import KInARowPosition
from tests.submission.boards import completes
from workshop.gobang.five import FiveThreats
from workshop.gobang.positions import board_of, form_of, stones_of
from workshop.proof.journal import ProofJournal, Tree, book_bytes
from workshop.proof.paths import Answers, White, bundled, play, play_all
from workshop.proof.verify import SAME_IMAGE, Checker, format_row, read_checked


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
    """Every `step`-th cell is tested."""
    board = random_board(seed)
    free = [cell for cell in range(seed, CELLS, step) if not board[cell]]
    for colour in (BLACK, WHITE):
        seen = FiveThreats(board)
        assert not seen.five_of(colour)
        fives = {cell for cell in free if completes(with_stone(board, cell, colour), SIZE, SIZE, IN_A_ROW)}
        assert seen.fives(colour) & set(free) == fives
        for cell in fives:
            assert FiveThreats(with_stone(board, cell, colour)).five_of(colour)
        for cell in sorted(set(free) - fives):
            after = FiveThreats(with_stone(board, cell, colour)).fives(colour)
            assert after - seen.fives(colour) == seen.fours(colour).get(cell, set()) - seen.fives(colour)


@pytest.fixture(scope="module")
def position() -> KInARowPosition:
    return KInARowPosition(SIZE, SIZE, IN_A_ROW)


@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(12, 80), marks=pytest.mark.slow)])
def test_the_decision_makes_a_five_or_two_threats_of_five_at_once(seeds: range, position: KInARowPosition) -> None:
    """The checker relies on this property: it asks for moves only after the replies that `defences` names."""
    assert sum(decided(random_board(seed), position) for seed in seeds) > len(seeds) // 4


def decided(board: bytes, position: KInARowPosition) -> bool:
    """Whether Black can make a five or two threats of five at once; asserts that the upload's move then makes them."""
    seen = FiveThreats(board)
    double = {cell for cell, ends in seen.fours(BLACK).items() if len(ends) > 1}
    position.threats.forget()
    if seen.fives(BLACK):
        assert ThreatWin(SAME_IMAGE, position).reply(board) in seen.fives(BLACK)
        return True
    if double and not seen.fives(WHITE):
        move = ThreatWin(SAME_IMAGE, position).reply(board)
        assert move is not None
        assert len(FiveThreats(with_stone(board, move, BLACK)).fives(BLACK)) > 1
        return True
    return False


@pytest.fixture(scope="module")
def last_entries() -> list[Stones]:
    """The entries of the book below h8 m14 that have no entries below them."""
    journal = ProofJournal()
    entries = Tree(journal).entries(form_of(stones_of("h8m14")))
    assert len(entries) > 500 and all(proof_book().look_up(form) is not None for form in entries)
    return [form for form, move in sorted(entries.items()) if not journal.rows[form][move]]


@pytest.mark.slow
@pytest.mark.parametrize("numbers", [slice(9, 10), pytest.param(slice(11), marks=pytest.mark.slow)])
def test_last_entries_are_closed_and_a_stopped_check_goes_on(
    numbers: slice, last_entries: list[Stones], tmp_path: Path
) -> None:
    """The upload's own search checks the entries. An entry takes up to seconds."""
    checker, file = Checker(proof_book(), native=False), tmp_path / "checked.txt"
    for form in last_entries[numbers]:
        result = checker.check_entry(form)
        assert not result.unproved and not result.entries and result.wins > 50
        row = format_row(form, False, result)
        file.write_text(row + row[:-3], "ascii")
        assert read_checked(file, native=False) == {form: result}
        assert read_checked(file, native=True) == {}


def test_a_planted_hole_is_found(last_entries: list[Stones]) -> None:
    """Faults of a book: a wrong move in an entry, a missing entry, a move on a stone, and a position without a win."""
    form = last_entries[0]
    board = board_of(form)
    assert Checker(ProofBook(book_bytes({form: board.index(0)})), native=False).check_entry(form).unproved
    for book in ({}, {form: board.index(1)}):
        assert Checker(ProofBook(book_bytes(book)), native=False).check_entry(form).unproved == [form]
    checker = Checker(proof_book(), native=False)
    assert not checker.won_by_threats(form_of(stones_of("h8a1")))
    assert checker.won_by_threats(form_of(stones_of("h8a1h7a2h6a3")))


SECOND = form_of(stones_of("h8m14"))  # a closed second move
MOST_SECONDS = 40.0


def answer(cell: int, source: str = "proof") -> Reply:
    return Reply(cell=divmod(cell, 15), thought={"source": source})


@pytest.fixture(scope="module")
def black(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answers]:
    bundle = tmp_path_factory.mktemp("bundle") / "submission.py"
    bundle.write_text(build().text, "utf-8")
    with bundled(bundle) as black:
        yield black


@pytest.mark.parametrize("games", [4, pytest.param(100, marks=pytest.mark.slow)])
def test_black_wins_every_game(games: int, black: Answers) -> None:
    played = play_all(black, [SECOND], games, 1, MOST_SECONDS)
    assert len(played) >= 2
    assert [game.fault for game in played if game.fault] == []


@pytest.mark.parametrize("cell, source", [(0, "search"), (0, "book"), (112, "proof")])
def test_a_move_without_proof_or_on_a_stone_is_a_fault(cell: int, source: str) -> None:
    game = play(lambda _board: answer(cell, source), White(ProofBook(b""), True, random.Random(1)), 113)
    assert game.fault == f"h8i8: {cell} by {source}"


def test_white_who_makes_five_is_a_fault() -> None:
    """Black plays along the edge and does not stop five in a row."""

    class Straight(White):
        def reply(self, board: bytes) -> int:
            return next(cell for cell in range(150, 155) if not board[cell])

    def sleepy(board: bytes) -> Reply:
        return answer(next(cell for cell in (0, 3, 6, 9, 12, 30) if not board[cell]))

    game = play(sleepy, Straight(ProofBook(b""), True, random.Random(1)), 150)
    assert game.fault.endswith("White makes five")
