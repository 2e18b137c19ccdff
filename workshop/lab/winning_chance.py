"""Fits the scales that turn the engine's values into chances to win (local_runner/processes/engine/engine_info.py).

    python -m workshop.lab.winning_chance FOLDER [--games N] [--nodes N] [--jobs N]

FOLDER gets a file of self-play games for each game, see game_file.py. The chance to win is 1 / (1 + exp(-value /
scale)). The table of calibration is a cross-validation: each fifth of the games is predicted by scales fitted to the
other four. docs/en/reference/analysis.md has the result.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise, product
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from scipy.optimize import minimize_scalar

from env_adapter import kind_of
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.matches.openings.books import Opening, Purpose, book
from local_runner.processes.engine.engine_info import STAGES, stage
from submission.boards import K_IN_A_ROW
from submission.engine import engine_for
from submission.reversi.position import FINAL
from submission.search.clock import Deadline
from submission.search.searchable import PROVED_WIN
from workshop import game_file
from workshop.command import Games, Jobs, MoveNodes, run
from workshop.gobang.learning import HELD_OUT, Array
from workshop.lab.openings import stones_of, variant_of

GAMES_OF = ("gobang_1v1", "gomoku_11x11_1v1", "reversi_8x8_1v1", "reversi_1v1")
GAMES, NODES = 120, 800
MOST_RANDOM, RANDOM_AMONG = 8, 6  # most random plies after the opening; such a move is one of the first 6 in order
FEWEST = 30  # least number of positions for a scale
BINS = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)


@dataclass(frozen=True)
class ValuedGame(game_file.NumberedResult):
    """A finished game: the number of stones and the value for Black of each position, and Black's points."""

    stones: list[int]
    values: list[int]
    points: float


def main(
    folder: Annotated[Path, typer.Argument(help="Folder for the files of games.")],
    games: Games = GAMES,
    nodes: MoveNodes = NODES,
    jobs: Jobs = 1,
) -> None:
    """Play the missing games, fit the scales, and print them with their calibration."""
    for env in GAMES_OF:
        file = folder / f"{env}.jsonl"
        report(env, game_file.fill(file, ValuedGame, partial(play, env), games, nodes, jobs))


def play(env: str, number: int, nodes: int) -> ValuedGame:
    """Play the game with this number; the number is the seed of its opening."""
    rng = random.Random(f"winning chance {env} {number}")
    setup = GameSetup(env, opening=rng.choice(_openings(env)))
    game = GameSession(setup)
    variant, stones = variant_of(game.env), stones_of(game.env)
    engine = engine_for(variant, use_book=False)
    position, decided = engine.position(stones, game.to_move), PROVED_WIN if variant.family == K_IN_A_ROW else FINAL
    for _ in range(rng.randint(0, MOST_RANDOM)):
        if position.outcome() is None:
            position.play(rng.choice(position.moves()[:RANDOM_AMONG]))
    counts: list[int] = []
    values: list[int] = []
    points = 0.5
    while (outcome := position.outcome()) is None:
        moves = position.moves()
        if len(moves) == 1:
            position.play(moves[0])
            continue
        thought = engine.search.think(position, Deadline(None, nodes))
        if abs(thought.value) >= decided:
            outcome = thought.value
            break
        counts.append(len(stones) - position.plies_left())
        values.append(-thought.value if position.side else thought.value)
        position.play(thought.move)
    if outcome:
        points = float((outcome > 0) == (position.side == 0))
    return ValuedGame(number, nodes, counts, values, points)


@cache
def _openings(env: str) -> list[Opening]:
    return [opening for purpose in Purpose for opening in book(env, purpose)]


def report(env: str, games: Sequence[ValuedGame]) -> None:
    """Print the scales of a game and, for each bin of predicted chances, Black's share of the points."""
    reversi = kind_of(env).rules.turns_discs
    cells = 0 if not reversi else 64 if "8x8" in env else 100
    rows = [
        (number % HELD_OUT, stage(cells, stones) if reversi else 0, value, game.points)
        for number, game in enumerate(games)
        for stones, value in zip(game.stones, game.values, strict=True)
    ]
    parts, stages, values, points = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    kinds = range(STAGES if reversi else 1)
    scales = [fitted(values[stages == each], points[stages == each]) for each in kinds]
    print(f"{env}: {len(games)} games, {len(rows)} positions, scales {', '.join(map('{:.0f}'.format, scales))}")
    chances = np.full(len(rows), 0.5)
    for part, each in product(range(HELD_OUT), kinds):
        known, asked = (parts != part) & (stages == each), (parts == part) & (stages == each)
        scale = fitted(values[known], points[known])
        if not np.isnan(scale):
            chances[asked] = 1 / (1 + np.exp(-values[asked] / scale))
    print(f"  log loss {_loss(chances, points):.3f}, of a constant {np.log(2):.3f}")
    for low, high in pairwise(BINS):
        there = (chances >= low) & (chances < high)
        if there.any():
            means = f"{chances[there].mean():.1%} | {points[there].mean():.1%}"
            print(f"  | {low:.0%} to {high:.0%} | {there.sum()} | {means} |")


def fitted(values: Array, points: Array) -> float:
    """The scale that minimises the log loss; NaN if there are fewer than FEWEST positions."""
    if len(values) < FEWEST:
        return float("nan")

    def loss(log: float) -> float:
        return _loss(1 / (1 + np.exp(-values / np.exp(log))), points)

    return float(np.exp(minimize_scalar(loss, bounds=(2.0, 9.0), method="bounded").x))


def _loss(chances: Array, points: Array) -> float:
    """The mean log loss; a draw is half a win and half a loss."""
    safe = np.clip(chances, 1e-9, 1 - 1e-9)
    return float(-np.mean(points * np.log(safe) + (1 - points) * np.log(1 - safe)))


if __name__ == "__main__":
    run(main)
