"""The book: one reply to all images and shifts of a position, and no reply to positions that are not in the file."""

from __future__ import annotations

import pytest

from submission.k_in_a_row import book as module
from submission.k_in_a_row.book import FREE, IN_A_ROW, SIZE, Stones, book, book_form, canonical, images, stones_on

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


def test_the_file_holds_open_positions_in_book_form_and_legal_replies() -> None:
    assert len(BOOK.replies) > 100
    for stones, reply in BOOK.replies.items():
        board = board_of(stones)
        assert book_form(stones, BOOK.images)[0] == stones
        assert len(stones[0]) - len(stones[1]) in (0, 1)
        assert not board[reply.move]
        assert not completes(bytes(board), SIZE, SIZE, IN_A_ROW)


def shifts(stones: Stones) -> list[tuple[int, int]]:
    """The shifts, in rows and columns, after which the stones still keep FREE from all edges; none if they do not."""
    places = [divmod(cell, SIZE) for cells in stones for cell in cells]
    return [
        (down, right) for down in range(-SIZE, SIZE) for right in range(-SIZE, SIZE)
        if all(FREE <= row + step < SIZE - FREE for place in places for row, step in zip(place, (down, right)))
        and all(FREE <= number < SIZE - FREE for place in places for number in place)
    ]  # fmt: skip


def test_stones_near_an_edge_are_not_shifted() -> None:
    near, free = ((FREE - 1) * SIZE + 7,), (FREE * SIZE + 7,)
    assert book_form((near, ()), BOOK.images)[0] == canonical((near, ()), BOOK.images)[0]
    assert book_form((free, ()), BOOK.images)[0] == ((CELLS // 2,), ())


@pytest.mark.parametrize("number", range(8))
def test_every_image_of_a_position_has_its_book_form_and_gets_the_image_of_its_reply(number: int) -> None:
    for stones, reply in sorted(BOOK.replies.items())[number::24]:
        image = BOOK.images[number]
        for down, right in shifts(stones)[::3] or [(0, 0)]:
            shift = down * SIZE + right
            board = board_of(tuple(tuple(image[cell + shift] for cell in cells) for cells in stones))
            assert book_form(stones_on(bytes(board)), BOOK.images)[0] == stones
            same = BOOK.look_up(bytes(board))
            assert same is not None and same[1:] == reply[1:]
            assert distances(same.move, stones_on(bytes(board))) == distances(reply.move, stones)


def distances(cell: int, stones: Stones) -> list[list[int]]:
    """The squares of the distances of a cell to Black's stones and to White's: images and shifts keep them."""
    row, col = divmod(cell, SIZE)
    return [sorted((row - other // SIZE) ** 2 + (col - other % SIZE) ** 2 for other in cells) for cells in stones]


def test_no_reply_beyond_the_book_which_may_be_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    board = bytearray(CELLS)
    board[0] = 1
    assert BOOK.look_up(bytes(board)) is None
    board[: 2 * BOOK.most_stones + 2] = bytes((1, 2)) * (BOOK.most_stones + 1)
    assert BOOK.look_up(bytes(board)) is None
    monkeypatch.setattr(module.pkgutil, "get_data", lambda *_: None)
    assert module.Book().look_up(bytes(CELLS)) is None
