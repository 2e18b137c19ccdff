"""The data of boards against the referee, after every ply of random games, with passes and lost turns."""

import pytest

from env_adapter.game import BLACK, WHITE
from env_adapter.k_in_a_row import find_line
from local_runner.game.board_data import board_of, moves_now, moves_of
from local_runner.game.session import GameSession
from tests.local_runner.server.page.games import SETUPS, played

KINDS = dict.fromkeys(SETUPS, "crossings") | dict.fromkeys(("stated", "tictactoe"), "marks")
KINDS |= dict.fromkeys(("reversi", "small", "drawn"), "squares")


def numbers(env, cells):
    return [row * env.board_width + col for row, col in cells]


def replayed(board, data):
    """The stones after the moves, computed from the data as the page does."""
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


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 5))])
def test_data_is_the_referees(name, kind, seed):
    """The data of every ply equal the referee's. Games of Reversi have lost turns."""
    setup = SETUPS[name]
    board = board_of(setup)
    assert board["kind"] == kind
    for env, cells in played(setup, seed, lost=0.1 * board["turns_discs"]):
        if len(cells) % 5 and not env.is_terminal():
            continue  # the naive referee is slow
        assert board["in_a_row"] == (0 if board["turns_discs"] else env.in_a_row)
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


@pytest.mark.parametrize(("name", "cells"), [
    ("gobang", [(7, 7), (7, 7)]), ("gobang", [(15, 0)]), ("tictactoe", [(0, -1)]), ("reversi", [(0, 0)]),
    ("reversi", [(2, 3), (2, 3)]),
])  # fmt: skip
def test_impossible_moves_are_refused(name, cells):
    with pytest.raises(ValueError, match="cannot play"):
        moves_of(SETUPS[name], cells)
