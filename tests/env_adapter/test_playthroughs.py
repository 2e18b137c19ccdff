"""Golden playthroughs: replaying the moves that a file lists gives the file again, with every state and answer.

After a change of the rules, `python -m tests.env_adapter.test_playthroughs` writes the files again; read the
difference.
"""

import re
from pathlib import Path
from typing import Any

import pytest

from env_adapter import Cell, EnvError, Game, answer, make, names

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


if __name__ == "__main__":
    for each in GAMES:
        (FOLDER / f"{each}.txt").write_text(replayed(each), "utf-8")
