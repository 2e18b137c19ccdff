"""The opening book and the proved win: one reply to all images of a position; outside the books, a search."""

from __future__ import annotations

import pkgutil
import zlib

import pytest

from submission.boards import BLACK, K_IN_A_ROW, WHITE, Variant
from submission.engine import engine_for
from submission.k_in_a_row import book as module
from submission.k_in_a_row.book import FREE, IN_A_ROW, SIZE, Stones, book, book_form, canonical, images, stones_on
from submission.search.clock import Limits
from submission.search.searchable import WIN

from .boards import completes

BOOK, CELLS = book(), SIZE * SIZE
IMAGES = images(SIZE)
BLACK_STONES, WHITE_STONES, PREPARED = (112, 97), (0, 30), 82  # the entry's stones; its move makes an open three


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
        assert book_form(stones, IMAGES)[0] == stones
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
    assert book_form((near, ()), IMAGES)[0] == canonical((near, ()), IMAGES)[0]
    assert book_form((free, ()), IMAGES)[0] == ((CELLS // 2,), ())


@pytest.mark.parametrize("number", range(8))
def test_every_image_of_a_position_has_its_book_form_and_gets_the_image_of_its_reply(number: int) -> None:
    for stones, reply in sorted(BOOK.replies.items())[number::24]:
        image = IMAGES[number]
        for down, right in shifts(stones)[::3] or [(0, 0)]:
            shift = down * SIZE + right
            board = board_of(tuple(tuple(image[cell + shift] for cell in cells) for cells in stones))
            assert book_form(stones_on(bytes(board)), IMAGES)[0] == stones
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


# ---- the proved win


def board(image: list[int]) -> bytes:
    return bytes(board_of(tuple(tuple(image[cell] for cell in cells) for cells in (BLACK_STONES, WHITE_STONES))))


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch):
    """An engine whose book of the proved win has one entry."""
    form, way = canonical((BLACK_STONES, WHITE_STONES), IMAGES)
    data = module.key_of(form).to_bytes(7, "big") + bytes((way[PREPARED],))
    book_of_one = module.ProofBook(zlib.crc32(data).to_bytes(module.CHECKSUM, "big") + data)
    monkeypatch.setattr(module, "proof_book", lambda: book_of_one)
    return engine_for(Variant(K_IN_A_ROW, SIZE, SIZE, IN_A_ROW))


@pytest.mark.parametrize("image", IMAGES)
def test_a_prepared_move_then_a_win_whatever_is_replied(engine, image: list[int]) -> None:
    """The board may be turned or mirrored. A second call, or a search off turn, does not change the answer."""
    stones = board(image)
    for reply in (224, 7):
        now = stones
        first = engine.think(now, BLACK, Limits())
        assert (first.move, first.source, first.depth) == (image[PREPARED], "proof", 0)
        assert first.value == WIN - stones.count(0)
        while True:
            thought = engine.think(now, BLACK, Limits())
            assert (thought.source, now[thought.move]) == ("proof", 0)
            assert engine.think(now, BLACK, Limits()).move == thought.move
            now = module.with_stone(now, thought.move, BLACK)
            if completes(now, SIZE, SIZE, IN_A_ROW):
                break
            engine.think_ahead(now, WHITE, Limits(depth=1))
            reply = next(cell for cell in range(reply, reply + CELLS) if not now[cell % CELLS]) % CELLS
            now = module.with_stone(now, reply, WHITE)
        assert thought.value == WIN - 1
        engine.new_game()


@pytest.mark.parametrize("limits, proved", [
    (Limits(), True), (Limits(nodes=50), False),  # with few nodes, as at a weak level, no threat search of the proof
    (Limits(seconds=1e-6), None),  # perhaps the first check of the clock comes too late
])  # fmt: skip
def test_a_win_by_threats_is_played_only_with_nodes_and_time_for_its_search(
    engine, limits: Limits, proved: bool | None
) -> None:
    stones = board(IMAGES[0])
    first = engine.think(stones, BLACK, limits._replace(seconds=None))
    assert (first.move, first.source) == (PREPARED, "proof")
    stones = module.with_stone(module.with_stone(stones, first.move, BLACK), 224, WHITE)
    thought = engine.think(stones, BLACK, limits)
    assert proved in (None, thought.source == "proof") and thought.source != "book" and not stones[thought.move]


@pytest.mark.parametrize("content", [
    FileNotFoundError(), OSError(), ValueError(), None, b"", b"\0", bytes(12), bytes(range(250)),
])  # fmt: skip
def test_a_missing_or_damaged_file_is_an_empty_book(monkeypatch: pytest.MonkeyPatch, content) -> None:
    def get_data(package: str, resource: str):
        if isinstance(content, Exception):
            raise content
        return content

    monkeypatch.setattr(pkgutil, "get_data", get_data)
    module.proof_book.cache_clear()
    try:
        assert not module.proof_book().entries
        assert module.proof_book().look_up(((112,), (0,))) is None
    finally:
        module.proof_book.cache_clear()
