"""Whole games by clicks against a weak agent, on each board. The referee says what the board must show."""

from __future__ import annotations

import pytest

from local_runner.game.coordinates import name
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from tests.browser.app import App, stones_of
from tests.browser.fixtures import OpenPage
from workshop.page.serving import Serving

HUMAN, RANDOM = "human", "agent-random"


def longest(session: GameSession, cell: tuple[int, int], side: int) -> int:
    """How many stones of the side are in the fullest row through this cell that can still become k in a row."""
    board, k = session.env.stones(), session.env.setup.in_a_row
    rows, cols = len(board), len(board[0])
    best = 0
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for first in range(1 - k, 1):
            line = [(cell[0] + at * down, cell[1] + at * right) for at in range(first, first + k)]
            if all(0 <= row < rows and 0 <= col < cols and board[row][col] != 3 - side for row, col in line):
                best = max(best, 1 + sum(board[row][col] == side for row, col in line))
    return best


def choice(session: GameSession) -> tuple[int, int]:
    """A move that wins soon against a random player."""
    env, legal, side = session.env, session.env.legal_moves(), session.to_move + 1
    if not env.setup.in_a_row:
        return legal[-1]
    return max(legal, key=lambda cell: (longest(session, cell, side), -abs(cell[0] - env.board_height // 2)
                                        - abs(cell[1] - env.board_width // 2)))  # fmt: skip


@pytest.mark.parametrize(("env", "human"), [
    ("tictactoe_1v1", 1),
    *(pytest.param(*more, marks=pytest.mark.slow) for more in (
        ("gobang_1v1", 2), ("gomoku_11x11_1v1", 1), ("reversi_8x8_1v1", 1),
    )),
])  # fmt: skip
def test_a_whole_game_by_clicks(env: str, human: int, open_page: OpenPage, serving: Serving) -> None:
    app = App(open_page(serving.address))
    app.choose(env, *([HUMAN, RANDOM] if human == 1 else [RANDOM, HUMAN]))
    app.begin()
    session, plies = GameSession(GameSetup(env)), 0
    while app.my_turn(plies):
        moves, cols = app.moves(), session.env.board_width
        session = GameSession(GameSetup(env), cells=[None if cell < 0 else divmod(cell, cols) for cell in moves])
        app.expect_stones(stones_of(session))
        if session.must_pass:
            app.page.click("#pass")
        else:
            app.click(name(choice(session)))
        plies = len(moves) + 1
    moves = app.moves()
    session = GameSession(GameSetup(env), cells=[None if cell < 0 else divmod(cell, cols) for cell in moves])
    assert session.result is not None and app.winner == session.result.winner
    app.expect_stones(stones_of(session))
    if env != "tictactoe_1v1" and session.env.setup.in_a_row:
        assert app.winner == human
    if not session.env.setup.in_a_row:
        stones = list(stones_of(session).values())
        app.expect_text("#result", f"{stones.count(1)} : {stones.count(2)}")
