"""The proved win inside the engine: prepared moves, then a win by threats. Outside the proof, the engine searches."""

from __future__ import annotations

import pkgutil
import zlib

import pytest

from submission.engine import engine_for
from submission.k_in_a_row import proved
from submission.k_in_a_row.book import IN_A_ROW, SIZE, canonical, images
from submission.k_in_a_row.proved import CELLS, CHECKSUM, ProofBook, key_of, proof_book, with_stone
from submission.lines import BLACK, WHITE
from submission.search.clock import Limits
from submission.search.searchable import WIN
from submission.variant import K_IN_A_ROW, Variant

from .boards import completes

BLACK_STONES, WHITE_STONES, PREPARED = (112, 97), (0, 30), 82  # two in a column; the move makes an open three
IMAGES = images(SIZE)


def book_of(image: list[int]) -> ProofBook:
    """A book of one entry, whose stones and move are mapped by `image`, a symmetry of the board."""
    stones = tuple(tuple(sorted(image[cell] for cell in cells)) for cells in (BLACK_STONES, WHITE_STONES))
    form, way = canonical(stones, IMAGES)
    data = key_of(form).to_bytes(7, "big") + bytes((way[image[PREPARED]],))
    return ProofBook(zlib.crc32(data).to_bytes(CHECKSUM, "big") + data)


def board(image: list[int]) -> bytes:
    stones = bytes(CELLS)
    for colour, cells in ((BLACK, BLACK_STONES), (WHITE, WHITE_STONES)):
        for cell in cells:
            stones = with_stone(stones, image[cell], colour)
    return stones


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(proved, "proof_book", lambda: book_of(IMAGES[0]))
    return engine_for(Variant(K_IN_A_ROW, SIZE, SIZE, IN_A_ROW))


@pytest.mark.parametrize("image", IMAGES)
def test_a_prepared_move_then_a_win_whatever_is_replied(engine, image: list[int]) -> None:
    """The board may be turned. A second call, or a search off turn, does not change the answer."""
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
            now = with_stone(now, thought.move, BLACK)
            if completes(now, SIZE, SIZE, IN_A_ROW):
                break
            engine.think_ahead(now, WHITE, Limits(depth=1))
            reply = next(cell for cell in range(reply, reply + CELLS) if not now[cell % CELLS]) % CELLS
            now = with_stone(now, reply, WHITE)
        assert thought.value == WIN - 1
        engine.new_game()


@pytest.mark.parametrize("limits, proved", [
    (Limits(), True), (Limits(nodes=50), False),  # a weak level has few nodes: it does not win by a long threat search
    (Limits(seconds=1e-6), None),  # perhaps the first check of the clock comes too late
])  # fmt: skip
def test_a_win_by_threats_is_played_only_with_nodes_and_time_for_its_search(
    engine, limits: Limits, proved: bool | None
) -> None:
    stones = board(IMAGES[0])
    first = engine.think(stones, BLACK, limits._replace(seconds=None))
    assert (first.move, first.source) == (PREPARED, "proof")
    stones = with_stone(with_stone(stones, first.move, BLACK), 224, WHITE)
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
    proof_book.cache_clear()
    try:
        assert not proof_book().entries
        assert proof_book().look_up(((112,), (0,))) is None
    finally:
        proof_book.cache_clear()
