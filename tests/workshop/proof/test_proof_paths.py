"""Games of the proved win through the bundle itself, under Python 3.7 where there is one.

`python -m workshop.proof.paths` plays thousands.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from local_runner.game.records import Reply
from local_runner.upload.bundle import build
from submission.k_in_a_row.book import ProofBook
from workshop.gobang.positions import form_of, stones_of
from workshop.proof.paths import Answers, White, bundled, play, play_all

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
