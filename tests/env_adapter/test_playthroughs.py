"""Whole games: golden playthroughs, and random games in lockstep with open_spiel.

Replaying the moves that a file of a playthrough lists gives the file again, with every state and answer. After a change
of the rules, `python -m tests.env_adapter.test_playthroughs` writes the files again; read the difference.
"""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from env_adapter import Cell, EnvError, Game, answer, make, names
from tests.env_adapter.games import play

FOLDER = Path(__file__).parent / "playthroughs"
MOVES = "moves: "
# Title of the file -> the game, the rules, the seed, and the overrides. The file has the moves.
GAMES: dict[str, tuple[str, str, int, dict[str, Any]]] = {
    "gobang": ("gobang_1v1", "platform", 3, {}),
    "gobang_opening_stated": ("gobang_1v1", "stated", 5, {"opening": ((7, 7), (6, 6), (8, 8))}),
    "gobang_5x5_step_limit": ("gobang_1v1", "platform", 2, {"board_size": 5, "max_step": 8}),
    "gomoku_11x11": ("gomoku_11x11_1v1", "platform", 1, {}),
    "tictactoe_full_board_platform": ("tictactoe_1v1", "platform", 0, {}),
    "tictactoe_full_board_stated": ("tictactoe_1v1", "stated", 0, {}),
    "tictactoe_win": ("tictactoe_1v1", "platform", 0, {}),
    "reversi_10x10": ("reversi_1v1", "platform", 1, {}),
    "reversi_8x8": ("reversi_8x8_1v1", "platform", 3, {}),
    "reversi_4x4_platform": ("reversi_1v1", "platform", 63, {"board_size": 4}),
    "reversi_4x4_stated": ("reversi_1v1", "stated", 97, {"board_size": 4}),
}


def replayed(title: str) -> str:
    """The text of a game: its settings, then a paragraph for each move that its file lists."""
    name, rules, seed, overrides = GAMES[title]
    listed = re.findall(r"(\d+),(\d+)", (FOLDER / f"{title}.txt").read_text("utf-8").splitlines()[1])
    moves = [(int(row), int(col)) for row, col in listed]
    env = make(name, rules, seed=seed, **overrides)
    settings = "".join(f", {key}={value}" for key, value in overrides.items())
    lines = [f"{name}, rules {rules}, seed {seed}{settings}"]
    lines += [MOVES + " ".join(f"{row},{col}" for row, col in moves), "", *state(env)]
    for cell in moves:
        lines += ["", f"{env.chess_player} plays {cell}", *stepped(env, cell), *state(env)]
    outcome = env.outcome()
    shown = f"Outcome(winner={outcome.winner}, reason={outcome.reason!r})"
    lines += ["", f"check_win {env.check_win()}, n_return {env.n_return}, won {env.won}, {shown}"]
    return "\n".join(lines) + "\n"


def stepped(env: Game, cell: Cell) -> list[str]:
    given = answer(cell, env.board_height, env.board_width)
    try:
        step = env.step([given, given])
    except EnvError as error:
        return [f"{type(error).__name__}: {error}"]
    kinds = ", ".join(type(observation).__name__ for observation in step.all_observes[:2])
    return [
        f"{step.info_before} -> {step.info_after or 'pass'}",
        f"observations {kinds}; reward {step.reward}, done {step.done}, n_return {env.n_return}",
    ]


def state(env: Game) -> list[str]:
    legal = env.legal_moves()
    few = " ".join(f"{row},{col}" for row, col in legal) if len(legal) <= 20 else f"{len(legal)} cells"
    return [env.text(), f"step_cnt {env.step_cnt}, legal: {few or 'none'}"]


@pytest.mark.parametrize("title", GAMES)
def test_replayed(title: str) -> None:
    assert replayed(title) == (FOLDER / f"{title}.txt").read_text("utf-8")


def test_every_game_has_one_and_no_file_is_left_over() -> None:
    assert {name for name, *_ in GAMES.values()} == set(names())
    assert {path.stem for path in FOLDER.iterdir()} == {*GAMES}


# ---- open_spiel


@pytest.fixture
def pyspiel() -> Any:
    """The module, if it is installed."""
    return pytest.importorskip("pyspiel")


RETURNS = {1: [1.0, -1.0], 2: [-1.0, 1.0], 3: [0.0, 0.0]}
AMOUNTS = pytest.mark.parametrize("n_games", [20, pytest.param(150, marks=pytest.mark.slow)])


@AMOUNTS
def test_reversi_is_othello(pyspiel: Any, n_games: int) -> None:
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
        while not env.is_over():  # if neither side can move, open_spiel ends the game; here two passes end it
            assert env.legal_moves() == []
            play(env, [None])
        assert RETURNS[env.outcome().winner] == state.returns()
    assert n_pass > 0


LINE_GAMES = [
    ("tic_tac_toe", "tictactoe_1v1", {}),
    ("mnk(m=5,n=4,k=3)", "gobang_1v1", {"board_height": 4, "board_width": 5, "in_a_row": 3}),
    ("gomoku(size=6,connect=4)", "gobang_1v1", {"board_size": 6, "in_a_row": 4}),
    ("gomoku(size=15,connect=5)", "gobang_1v1", {}),
]


@AMOUNTS
@pytest.mark.parametrize(("theirs", "ours", "overrides"), LINE_GAMES, ids=[row[0] for row in LINE_GAMES])
def test_lines_are_theirs(pyspiel: Any, theirs: str, ours: str, overrides: dict[str, int], n_games: int) -> None:
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
        assert RETURNS[env.outcome().winner] == state.returns()
        winners.add(env.outcome().winner)
    assert {1, 2} <= winners


def _row_major(width: int) -> Callable[[Cell], int]:
    return lambda cell: cell[0] * width + cell[1]


if __name__ == "__main__":
    for each in GAMES:
        (FOLDER / f"{each}.txt").write_text(replayed(each), "utf-8")
