"""The positions that studies think about: after random openings, the same for the same seed on every machine."""

from collections.abc import Sequence

from env_adapter import Cell, answer
from local_runner.game_setup import GameSetup
from local_runner.openings.deal import random_opening

Stones = list[list[int]]


def lines(env: str, number: int, plies: int, seed: int) -> list[Sequence[Cell]]:
    """Random beginnings of games, `plies` long, without a pass; nobody can win at once after them."""
    return [random_opening(GameSetup(env), plies, f"{seed} {line}") for line in range(number)]


def position_after(env: str, moves: Sequence[Cell]) -> tuple[Stones, int]:
    """The board `stones[row][col]` after these moves, and the player to move: 1 Black, 2 White."""
    game = GameSetup(env).make()
    for cell in moves:
        game.step([answer(cell, game.board_height, game.board_width)] * 2)
    return game.stones(), game.chess_player
