"""The book: one reply to all images of a position, and none that the file does not hold."""

from __future__ import annotations

import random
import time

import pytest

from submission.codec import Snapshot
from submission.k_in_a_row import book as module
from submission.k_in_a_row.book import IN_A_ROW, SIZE, Stones, book, canonical, images
from submission.player import Player, Settings
from submission.variant import K_IN_A_ROW

from .boards import completes

BOOK = book()
CELLS = SIZE * SIZE
GAME = Settings(K_IN_A_ROW, SIZE, SIZE, IN_A_ROW, "search", None, None, nodes=10)


def board_of(stones: Stones) -> bytearray:
    board = bytearray(CELLS)
    for colour, cells in enumerate(stones, start=1):
        for cell in cells:
            board[cell] = colour
    return board


def turned(rows: list[list[int]]) -> list[list[int]]:
    return [list(row) for row in zip(*rows[::-1])]


def test_images_are_the_turned_and_mirrored_board() -> None:
    rows = [list(range(start, start + SIZE)) for start in range(0, CELLS, SIZE)]
    expected = []
    for _ in range(4):
        expected += [rows, [row[::-1] for row in rows]]
        rows = turned(rows)
    assert sorted(images(SIZE)) == sorted([cell for row in image for cell in row] for image in expected)


@pytest.mark.parametrize("count", [1, 2, 5, 40])
def test_all_images_have_one_canonical_form(count: int) -> None:
    cells = random.Random(count).sample(range(CELLS), count)
    black, white = cells[::2], cells[1::2]
    forms = set()
    for image in images(SIZE):
        seen = tuple(sorted(image[cell] for cell in black)), tuple(sorted(image[cell] for cell in white))
        form, way = canonical(seen, images(SIZE))
        assert form == tuple(tuple(sorted(way[cell] for cell in cells)) for cells in seen)
        forms.add(form)
    assert len(forms) == 1


def test_the_file_holds_open_positions_in_canonical_form_and_legal_replies() -> None:
    assert len(BOOK.replies) > 100
    for stones, reply in BOOK.replies.items():
        board = board_of(stones)
        assert canonical(stones, BOOK.images)[0] == stones
        assert len(stones[0]) - len(stones[1]) in (0, 1)
        assert not board[reply.move]
        assert not completes(bytes(board), SIZE, SIZE, IN_A_ROW)


def test_every_image_of_a_position_gets_the_image_of_a_reply() -> None:
    for stones, reply in sorted(BOOK.replies.items())[::4]:
        after = board_of(stones)
        after[reply.move] = 3
        forms = {bytes(after[image.index(cell)] for cell in range(CELLS)) for image in BOOK.images}
        for image in BOOK.images:
            board = board_of(tuple(tuple(image[cell] for cell in cells) for cells in stones))
            found = BOOK.look_up(bytes(board))
            assert found is not None
            assert found[1:] == reply[1:]
            board[found.move] = 3
            assert bytes(board) in forms


def test_a_game_begins_in_the_middle_and_at_once() -> None:
    player = Player()
    answer = player.answer(Snapshot(K_IN_A_ROW, SIZE, SIZE, bytes(CELLS), 1), GAME, time.perf_counter())
    assert answer == (7, 7)
    assert player.thought is not None
    assert player.thought.nodes == 0


def first_answer(stones: Stones, game: Settings) -> Player:
    player = Player()
    board = bytes(board_of(stones))
    player.answer(
        Snapshot(K_IN_A_ROW, game.rows, game.cols, board, 1 + len(stones[0]) - len(stones[1])),
        game,
        time.perf_counter(),
    )
    assert player.thought is not None
    return player


def test_the_book_is_asked_on_turn_and_unless_it_is_left_out() -> None:
    stones = max(BOOK.replies, key=lambda stones: len(stones[0]))
    assert first_answer(stones, GAME).thought.nodes == 0
    assert first_answer(stones, GAME._replace(book=False)).thought.nodes > 0


def test_no_reply_beyond_the_book() -> None:
    board = bytearray(CELLS)
    board[0] = 1
    assert BOOK.look_up(bytes(board)) is None
    board[: 2 * BOOK.most_stones + 2] = bytes((1, 2)) * (BOOK.most_stones + 1)
    assert BOOK.look_up(bytes(board)) is None


def test_a_book_may_be_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.pkgutil, "get_data", lambda *_: None)
    assert module.Book().look_up(bytes(CELLS)) is None
