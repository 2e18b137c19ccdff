"""The threat search on which the proof stands is frozen: its answers in 2,000 positions have one signature.

The proof ends where this search finds a win. A change of the search, of its patterns or of the weights that guide it
may lose a win that the proof needs. If this test fails: take the change back, or prove and check all anew (`make
prove`, `make verify-proof`), then write the new signature here.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import islice

import pytest

from submission.boards import BLACK
from submission.k_in_a_row.book import CELLS, IN_A_ROW, SIZE, VCT_NODES
from submission.k_in_a_row.position import KInARowPosition
from submission.native.k_in_a_row import NativePosition
from submission.native.library import available
from tests.conftest import NO_LIBRARY
from workshop.gobang.five import FiveThreats

ALL, FEW, QUICK = 2000, 150, 8  # positions by the compiled mirror, by Python, and in the quick tests
SIGNATURES = {ALL: "ab9be4a1ef5b574b", FEW: "5b400d210733556b", QUICK: "5191d0173d8ad2ec"}


def boards() -> Iterator[bytes]:
    """Boards of 6 to 12 stones near the middle, as in the proof, the same in every run; nobody makes five at once."""
    draw = random.Random(33)
    middle = range(SIZE // 2 - 2, SIZE // 2 + 3)
    near = [row * SIZE + col for row in middle for col in middle]
    while True:
        board = bytearray(CELLS)
        for number, cell in enumerate(draw.sample(near, 2 * draw.randrange(3, 7))):
            board[cell] = 1 + number % 2
        seen = FiveThreats(bytes(board))
        if not any(seen.fives(colour) or seen.five_of(colour) for colour in (0, 1)):
            yield bytes(board)


def signature(position: KInARowPosition | NativePosition, stones: Iterable[bytes]) -> str:
    """A hash of the winning line, the nodes, and whether the budget sufficed, of every search."""
    answers = sha256()
    for board in stones:
        position.set_up(board, BLACK)
        position.threats.forget()
        answers.update(repr(tuple(position.threats.vct(VCT_NODES))).encode())
    return answers.hexdigest()[:16]


@pytest.mark.slow
@pytest.mark.parametrize("count", [QUICK, pytest.param(FEW, marks=pytest.mark.slow)])
def test_the_search_in_python_is_the_one_of_the_proof(count: int) -> None:
    assert signature(KInARowPosition(SIZE, SIZE, IN_A_ROW), islice(boards(), count)) == SIGNATURES[count]


@pytest.mark.slow
@pytest.mark.skipif(not available(), reason=NO_LIBRARY)
def test_the_compiled_search_is_the_one_of_the_proof() -> None:
    assert signature(NativePosition(SIZE, SIZE, IN_A_ROW), islice(boards(), ALL)) == SIGNATURES[ALL]
