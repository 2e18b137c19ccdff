"""Golden playthroughs: files with the text of whole games, every state and answer, which tests replay and compare.

A `PlaythroughRecipe` names a game and its rules. `play` chooses the moves of a recipe. `text` plays the moves and
returns all state that the environment exposes, as text. After a change of the rules, make the files again with

    python -m env_adapter.playthrough --regenerate DIR
"""

import argparse
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from env_adapter.actions import Cell, answer
from env_adapter.errors import EnvError
from env_adapter.game import Game
from env_adapter.registry import make

ILLEGAL_SHARE = 0.03  # share of chosen answers that name an illegal cell
MOVES = "moves: "


@dataclass(frozen=True)
class PlaythroughRecipe:
    """The recipe of one golden file: the game `make(name, rules, seed=seed, **overrides)` and its moves.

    title: the name of the file without its ending
    moves: None for random moves
    """

    title: str
    name: str
    rules: str
    seed: int
    overrides: dict[str, Any] = field(default_factory=dict)
    moves: tuple[Cell, ...] | None = None

    def env(self) -> Game:
        """A new environment of this recipe."""
        return make(self.name, self.rules, seed=self.seed, **self.overrides)


# A draw: Black fills the last free cell, and nobody has three in a row.
CAT = ((1, 1), (0, 0), (0, 2), (2, 0), (1, 0), (1, 2), (0, 1), (2, 1), (2, 2))

RECIPES = (
    PlaythroughRecipe("gobang", "gobang_1v1", "platform", 3),
    PlaythroughRecipe("gobang_opening_stated", "gobang_1v1", "stated", 5, {"opening": ((7, 7), (6, 6), (8, 8))}),
    PlaythroughRecipe("gobang_5x5_step_limit", "gobang_1v1", "platform", 2, {"board_size": 5, "max_step": 8}),
    PlaythroughRecipe("gomoku_11x11", "gomoku_11x11_1v1", "platform", 1),
    PlaythroughRecipe("tictactoe_full_board_platform", "tictactoe_1v1", "platform", 0, moves=CAT),
    PlaythroughRecipe("tictactoe_full_board_stated", "tictactoe_1v1", "stated", 0, moves=CAT),
    PlaythroughRecipe("tictactoe_win", "tictactoe_1v1", "platform", 0, moves=((1, 1), (0, 1), (0, 0), (2, 1), (2, 2))),
    PlaythroughRecipe("reversi_10x10", "reversi_1v1", "platform", 1),
    PlaythroughRecipe("reversi_8x8", "reversi_8x8_1v1", "platform", 3),
    PlaythroughRecipe("reversi_4x4_platform", "reversi_1v1", "platform", 63, {"board_size": 4}),
    PlaythroughRecipe("reversi_4x4_stated", "reversi_1v1", "stated", 97, {"board_size": 4}),
)


def play(recipe: PlaythroughRecipe) -> list[Cell]:
    """The moves of a recipe, or random moves drawn with its seed.

    ILLEGAL_SHARE of the random moves are illegal. Most legal moves are next to the same player's previous move.
    """
    if recipe.moves is not None:
        return list(recipe.moves)
    env, rng = recipe.env(), random.Random(recipe.seed)
    moves: list[Cell] = []
    while not env.is_over():
        cell = _pick(env, moves[-2:-1], rng)
        moves.append(cell)
        try:
            _step(env, cell)
        except EnvError:
            continue  # the environment refused the move; `text` shows the message
    return moves


def text(recipe: PlaythroughRecipe, moves: Sequence[Cell]) -> str:
    """Play `moves` and return the game as text, one paragraph for each step."""
    env = recipe.env()
    settings = ", ".join(f"{key}={value}" for key, value in recipe.overrides.items())
    head = f"{recipe.name}, rules {recipe.rules}, seed {recipe.seed}" + (f", {settings}" if settings else "")
    lines = [head, MOVES + " ".join(f"{row},{col}" for row, col in moves), "", *_state(env)]
    for cell in moves:
        lines += ["", f"{env.chess_player} plays {cell}"]
        try:
            lines += _step(env, cell)
        except EnvError as error:
            lines.append(f"{type(error).__name__}: {error}")
        lines += _state(env)
    outcome = env.outcome()
    shown = f"Outcome(winner={outcome.winner}, reason={outcome.reason!r})"
    lines += ["", f"check_win {env.check_win()}, n_return {env.n_return}, won {env.won}, {shown}"]
    return "\n".join(lines) + "\n"


def moves_of(golden: str) -> list[Cell]:
    """The moves that the second line of a golden file lists."""
    line = next(line for line in golden.splitlines() if line.startswith(MOVES))
    return [(int(row), int(col)) for row, col in re.findall(r"(\d+),(\d+)", line)]


def regenerate(folder: Path) -> Iterator[Path]:
    """Write the golden file of every recipe into `folder`, and yield the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for recipe in RECIPES:
        path = folder / f"{recipe.title}.txt"
        path.write_text(text(recipe, play(recipe)), encoding="utf-8")
        yield path


def _pick(env: Game, near: Sequence[Cell], rng: random.Random) -> Cell:
    legal = env.legal_moves()
    if not legal or rng.random() < ILLEGAL_SHARE:
        cells = [(row, col) for row in range(env.board_height) for col in range(env.board_width)]
        return rng.choice([cell for cell in cells if cell not in legal] or legal)
    # Moves next to the player's previous move make lines, so games of gobang end before the board is full.
    close = [cell for cell in legal if any(_distance(cell, last) == 1 for last in near)]
    return rng.choice(close or legal)


def _distance(one: Cell, two: Cell) -> int:
    return max(abs(one[0] - two[0]), abs(one[1] - two[1]))


def _step(env: Game, cell: Cell) -> list[str]:
    given = answer(cell, env.board_height, env.board_width)
    step = env.step([given, given])
    kinds = ", ".join(type(observation).__name__ for observation in step.all_observes[:2])
    return [
        f"{step.info_before} -> {step.info_after or 'pass'}",
        f"observations {kinds}; reward {step.reward}, done {step.done}, n_return {env.n_return}",
    ]


def _state(env: Game) -> list[str]:
    legal = env.legal_moves()
    few = " ".join(f"{row},{col}" for row, col in legal) if len(legal) <= 20 else f"{len(legal)} cells"
    return [env.text(), f"step_cnt {env.step_cnt}, legal: {few or 'none'}"]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write the golden playthroughs again.")
    parser.add_argument("--regenerate", metavar="DIR", type=Path, required=True)
    for written in regenerate(parser.parse_args().regenerate):
        print(written)
