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


def think(engine, stones: bytes, limits: Limits):
    return engine.think(stones, BLACK, limits)


@pytest.mark.parametrize("image", IMAGES)
def test_a_prepared_move_then_a_win_whatever_is_replied(engine, image: list[int]) -> None:
    """Also on turned boards. A second call, and a thought about White's reply, do not change the answer."""
    stones = board(image)
    for reply in (224, 7):
        now = stones
        first = think(engine, now, Limits())
        assert (first.move, first.source, first.depth) == (image[PREPARED], "proof", 0)
        assert first.value == WIN - stones.count(0)
        while True:
            thought = think(engine, now, Limits())
            assert (thought.source, now[thought.move]) == ("proof", 0)
            assert think(engine, now, Limits()).move == thought.move
            now = with_stone(now, thought.move, BLACK)
            if completes(now, SIZE, SIZE, IN_A_ROW):
                break
            engine.think_ahead(now, WHITE, Limits(depth=1))
            reply = next(cell for cell in range(reply, reply + CELLS) if not now[cell % CELLS]) % CELLS
            now = with_stone(now, reply, WHITE)
        assert thought.value == WIN - 1
        engine.new_game()


def test_with_few_nodes_only_prepared_moves_are_played(engine) -> None:
    """A weak level has few nodes, so it does not win by a long threat search."""
    stones = board(IMAGES[0])
    first = think(engine, stones, Limits(nodes=50))
    assert (first.move, first.source) == (PREPARED, "proof")
    stones = with_stone(with_stone(stones, first.move, BLACK), 224, WHITE)
    assert think(engine, stones, Limits(nodes=50)).source not in ("book", "proof")


def test_without_time_the_engine_plays_without_the_proof(engine) -> None:
    stones = board(IMAGES[0])
    stones = with_stone(with_stone(stones, think(engine, stones, Limits()).move, BLACK), 224, WHITE)
    thought = think(engine, stones, Limits(seconds=1e-6))
    assert not stones[thought.move]


@pytest.mark.parametrize(
    "content", [FileNotFoundError(), OSError(), ValueError(), None, b"", b"\0", bytes(12), bytes(range(250))]
)
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
