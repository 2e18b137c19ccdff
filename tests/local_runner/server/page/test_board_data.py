"""The data of boards against the referee, after every ply of random games, with passes and lost turns."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from env_adapter.game import BLACK, WHITE
from env_adapter.k_in_a_row import find_line
from local_runner.game.board_data import board_of, moves_now, moves_of
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from tests.local_runner.server.page.games import SETUPS, played


def numbers(env, cells):
    return [row * env.board_width + col for row, col in cells]


def replayed(board, data):
    """The stones after the moves, by what the page does with the data."""
    stones, mover = list(board["stones"]), board["first"]
    for index, cell in enumerate(data["moves"]):
        if cell >= 0:
            for changed in (cell, *(data["turned"][index] if data["turned"] else ())):
                stones[changed] = mover
        mover = BLACK + WHITE - mover
    return [stones[at : at + board["cols"]] for at in range(0, len(stones), board["cols"])]


def data_of_session(setup, cells):
    """The data that a session has without a replay."""
    session = GameSession(setup, cells=cells)
    return moves_now(session.env, session.cells, session.log.turned(), len(setup.opening))


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(name=st.sampled_from(sorted(SETUPS)), seed=st.integers(0, 10**6), lost=st.sampled_from([0.0, 0.1]))
def test_data_is_the_referees(name, seed, lost):
    setup = SETUPS[name]
    board = board_of(setup)
    for env, cells in played(setup, seed, lost=lost if board["turns_discs"] else 0.0):
        if len(cells) % 3 and not env.is_terminal():
            continue  # the naive referee is slow
        data, legal, over = moves_of(setup, cells), env.legal_moves(), env.is_terminal()
        assert replayed(board, data) == env.stones()
        assert data["moves"] == [-1 if cell is None else cell[0] * env.board_width + cell[1] for cell in cells]
        assert data["legal"] == numbers(env, legal)
        assert (data["to_move"], data["winner"]) == (env.chess_player, env.outcome().winner)
        assert data["must_pass"] == (not over and not legal)
        assert data["count"] == tuple(sum(row.count(side) for row in env.stones()) for side in (BLACK, WHITE))
        line = None if board["turns_discs"] else find_line(env.current_state, env.in_a_row)
        assert data["line"] == numbers(env, line or ())
        assert data["opening"] == len(setup.opening)
        assert data_of_session(setup, cells) == data


@pytest.mark.parametrize(("setup", "kind", "stones", "k"), [
    (GameSetup("gobang_1v1"), "crossings", {}, 5),
    (GameSetup("tictactoe_1v1"), "marks", {}, 3),
    (GameSetup("reversi_1v1", board_size=4), "squares", {5: 2, 6: 1, 9: 1, 10: 2}, 0),
    (GameSetup("gomoku_11x11_1v1"), "crossings", {59: 2, 60: 1, 61: 1, 71: 2}, 5),
])  # fmt: skip
def test_starts(setup, kind, stones, k):
    board = board_of(setup)
    assert (board["kind"], board["in_a_row"], board["first"]) == (kind, k, BLACK)
    assert {at: stone for at, stone in enumerate(board["stones"]) if stone} == stones


@pytest.mark.parametrize(("name", "cells"), [
    ("gobang", [(7, 7), (7, 7)]), ("gobang", [(15, 0)]), ("tictactoe", [(0, -1)]), ("reversi", [(0, 0)]),
    ("reversi", [(2, 3), (2, 3)]),
])  # fmt: skip
def test_impossible_moves_are_refused(name, cells):
    with pytest.raises(ValueError, match="cannot play"):
        moves_of(SETUPS[name], cells)


def test_the_environment_that_is_kept_is_not_changed():
    setup = SETUPS["reversi"]
    before = moves_of(setup, [])
    moves_of(setup, [(2, 3), (2, 2)])
    assert moves_of(setup, []) == before and board_of(setup)["stones"] == board_of(GameSetup(setup.env))["stones"]


def test_discs_turned_over():
    setup, cells = SETUPS["reversi"], [(2, 3), None, (5, 4)]
    assert moves_of(setup, cells)["turned"] == [[27], [], [36]]
    assert moves_of(setup, cells) == data_of_session(setup, cells)
    assert moves_of(SETUPS["gobang"], [(7, 7), (7, 8)])["turned"] == []
