"""The positions of studies, after random openings. The same seed gives the same positions on every machine."""

from __future__ import annotations

from collections.abc import Sequence

from env_adapter import Cell, answer
from local_runner.game.setup import GameSetup
from local_runner.matches.openings.deal import random_opening

Stones = list[list[int]]


def random_openings(env: str, number: int, plies: int, seed: int) -> list[Sequence[Cell]]:
    """Random openings of `plies` moves without a pass, after which nobody can win at once."""
    return [random_opening(GameSetup(env), plies, f"{seed} {index}") for index in range(number)]


def position_after(env: str, moves: Sequence[Cell]) -> tuple[Stones, int]:
    """The board `stones[row][col]` after these moves, and the side to move: 1 Black, 2 White."""
    game = GameSetup(env).make()
    for cell in moves:
        game.step([answer(cell, game.board_height, game.board_width)] * 2)
    return game.stones(), game.chess_player
