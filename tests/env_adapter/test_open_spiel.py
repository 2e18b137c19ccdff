"""Random games in lockstep with open_spiel: equal legal moves and ends after every move, equal winners."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from env_adapter import Cell, make
from tests.env_adapter.games import play

pyspiel: Any = pytest.importorskip("pyspiel")

GAMES = pytest.mark.parametrize("n_games", [20, pytest.param(150, marks=pytest.mark.slow)])


@GAMES
def test_reversi_is_othello(n_games: int) -> None:
    game = pyspiel.load_game("othello")
    code = _row_major(8)
    n_pass = 0
    for seed in range(n_games):
        rng, env, state = random.Random(seed), make("reversi_8x8_1v1", "stated", seed=seed), game.new_initial_state()
        while not state.is_terminal():
            legal = env.legal_moves()
            assert env.chess_player == state.current_player() + 1
            assert sorted(map(code, legal)) == ([] if state.legal_actions() == [64] else state.legal_actions())
            cell = rng.choice(legal) if legal else None
            state.apply_action(code(cell) if cell else 64)
            play(env, [cell])
            n_pass += cell is None
            if not state.is_terminal():
                assert not env.is_over()
        while not env.is_over():  # open_spiel ends the game at once where we have two passes
            assert env.legal_moves() == []
            play(env, [None])
        assert _returns(env.outcome().winner) == state.returns()
    assert n_pass > 0


LINE_GAMES = [
    ("tic_tac_toe", "tictactoe_1v1", {}),
    ("mnk(m=5,n=4,k=3)", "gobang_1v1", {"board_height": 4, "board_width": 5, "in_a_row": 3}),
    ("gomoku(size=6,connect=4)", "gobang_1v1", {"board_size": 6, "in_a_row": 4}),
    ("gomoku(size=15,connect=5)", "gobang_1v1", {}),
]


@GAMES
@pytest.mark.parametrize(("theirs", "ours", "overrides"), LINE_GAMES, ids=[row[0] for row in LINE_GAMES])
def test_lines_are_theirs(theirs: str, ours: str, overrides: dict[str, int], n_games: int) -> None:
    if theirs.partition("(")[0] not in pyspiel.registered_names():
        pytest.skip(f"the open_spiel that is installed has no {theirs}")
    game = pyspiel.load_game(theirs)
    winners = set()
    for seed in range(n_games if game.num_distinct_actions() < 100 else n_games // 5):
        rng, env, state = random.Random(seed), make(ours, "stated", seed=seed, **overrides), game.new_initial_state()
        code = _row_major(env.board_width)
        while not state.is_terminal():
            assert env.chess_player == state.current_player() + 1
            assert list(map(code, env.legal_moves())) == state.legal_actions()
            cell = rng.choice(env.legal_moves())
            state.apply_action(code(cell))
            play(env, [cell])
            assert env.is_over() == state.is_terminal()
        assert _returns(env.outcome().winner) == state.returns()
        winners.add(env.outcome().winner)
    assert {1, 2} <= winners


def _row_major(width: int) -> Callable[[Cell], int]:
    return lambda cell: cell[0] * width + cell[1]


def _returns(winner: int) -> list[float]:
    return {1: [1.0, -1.0], 2: [-1.0, 1.0], 3: [0.0, 0.0]}[winner]
