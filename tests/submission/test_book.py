"""The book: one reply to all symmetric images of a position, and no reply to positions that are not in the file."""

from __future__ import annotations

import random

import pytest

from submission.k_in_a_row import book as module
from submission.k_in_a_row.book import IN_A_ROW, SIZE, Stones, book, canonical, images

from .boards import completes

BOOK = book()
CELLS = SIZE * SIZE


def board_of(stones: Stones) -> bytearray:
    board = bytearray(CELLS)
    for colour, cells in enumerate(stones, start=1):
        for cell in cells:
            board[cell] = colour
    return board


def test_images_are_the_turned_and_mirrored_board() -> None:
    rows = [list(range(start, start + SIZE)) for start in range(0, CELLS, SIZE)]
    expected = []
    for _ in range(4):
        expected += [rows, [row[::-1] for row in rows]]
        rows = [list(row) for row in zip(*rows[::-1])]
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
    for stones, reply in sorted(BOOK.replies.items())[::8]:
        after = board_of(stones)
        after[reply.move] = 3
        forms = {bytes(after[image.index(cell)] for cell in range(CELLS)) for image in BOOK.images}
        for image in BOOK.images:
            board = board_of(tuple(tuple(image[cell] for cell in cells) for cells in stones))
            same = BOOK.look_up(bytes(board))
            assert same is not None and same[1:] == reply[1:]
            board[same.move] = 3
            assert bytes(board) in forms


def test_no_reply_beyond_the_book() -> None:
    board = bytearray(CELLS)
    board[0] = 1
    assert BOOK.look_up(bytes(board)) is None
    board[: 2 * BOOK.most_stones + 2] = bytes((1, 2)) * (BOOK.most_stones + 1)
    assert BOOK.look_up(bytes(board)) is None


def test_a_book_may_be_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.pkgutil, "get_data", lambda *_: None)
    assert module.Book().look_up(bytes(CELLS)) is None
