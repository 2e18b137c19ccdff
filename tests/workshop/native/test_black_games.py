"""Games of our Black against the compiled engine: determined by their number, and who has won is what the rules say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from submission.k_in_a_row.book import IN_A_ROW, SIZE
from submission.k_in_a_row.proved import CELLS, with_stone
from tests.submission.boards import completes
from workshop.proof.black_games import BlackGame, play, summary

NODES = 300  # too few for the threat searches of the proof, so that Black leaves it


@pytest.fixture(scope="module")
def games() -> list[BlackGame]:
    return [play(number, NODES, times=2, drawn=drawn) for number, drawn in ((1, CELLS), (2, 2), (3, 0))]


def test_a_number_is_a_game(games: list[BlackGame]) -> None:
    assert play(2, NODES, times=2, drawn=2) == games[1]
    assert play(1, NODES, times=2, drawn=0).moves[1:2] == games[2].moves[1:2]  # nothing drawn: always the best
    assert games[0].moves[:1] == [CELLS // 2]


def test_the_winner_is_the_rules(games: list[BlackGame]) -> None:
    for game in games:
        board = bytes(CELLS)
        for ply, cell in enumerate(game.moves):
            assert not board[cell] and not completes(board, SIZE, SIZE, IN_A_ROW)
            board = with_stone(board, cell, ply % 2)
        won = completes(board, SIZE, SIZE, IN_A_ROW)
        assert game.winner == ((1 if len(game.moves) % 2 else -1) if won else 0)
        assert 0 <= game.searched <= len(game.moves) // 2


def test_the_summary_counts(games: list[BlackGame]) -> None:
    won, lost = replace(games[0], winner=1, searched=0), replace(games[0], winner=-1, searched=0)
    told = summary([won, won, lost, replace(lost, searched=3)])
    assert told[0].startswith("Black wins 2, White wins 2, draws 0, of 4;")
    assert told[1] == "inside the proof from start to end: 3, not won 1"
