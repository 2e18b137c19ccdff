"""Games that measure White's replies: they begin as asked, end with a five, and the points are counted by reply."""

from __future__ import annotations

import pytest

from submission.k_in_a_row.book import IN_A_ROW, SIZE
from submission.k_in_a_row.proved import CELLS
from tests.submission.boards import completes
from workshop.gobang.white_replies import WhiteGame, candidates, play, summary
from workshop.proof.positions import MIDDLE, cells_in


def test_a_game_begins_as_asked_and_ends_with_a_five() -> None:
    before, replies = cells_in("h8"), cells_in("g7h7")
    game = play(3, 400, 4, 2, before, replies)
    assert game == play(3, 400, 4, 2, before, replies)
    assert game.moves[:2] == [*before, game.reply] and game.reply == replies[1]
    assert len(set(game.moves)) == len(game.moves)
    board = bytearray(CELLS)
    for ply, move in enumerate(game.moves):
        assert not completes(bytes(board), SIZE, SIZE, IN_A_ROW)
        board[move] = 1 + ply % 2
    assert completes(bytes(board), SIZE, SIZE, IN_A_ROW)
    assert game.points == (len(game.moves) % 2 == 0)


@pytest.mark.slow
def test_after_h8_all_replies_are_measured_later_the_best() -> None:
    assert len(candidates([MIDDLE], 8)) == 35
    before = cells_in("h8g7h9")
    found = candidates(before, 3)
    assert len(set(found)) == 3 and not set(found) & set(before)


def test_the_points_are_counted_by_reply_the_best_first() -> None:
    games = [
        WhiteGame(number, 400, 4, 0, reply, [0] * length, points)
        for number, (reply, length, points) in enumerate([(96, 21, 0), (97, 30, 1), (96, 30, 1), (97, 40, 1)])
    ]
    assert summary(games) == [
        "h7   100.0% ± 0.0% of 2, lost after - stones",
        "g7    50.0% ± 35.4% of 2, lost after 21 stones",
    ]
