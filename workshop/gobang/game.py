"""Gobang for the scripts of this folder: constants and conversions. A cell is an int: row * SIZE + column."""

from __future__ import annotations

from collections.abc import Iterable

from local_runner.game.setup import GameSetup
from local_runner.matches.openings.books import Opening
from local_runner.matches.openings.deal import random_opening
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.weights import Weights

ENV, SIZE, IN_A_ROW = "gobang_1v1", 15, 5
SETUP = GameSetup(ENV)


def position_after(
    cells: Iterable[int], parameters: KInARowParameters | None = None, weights: Weights | None = None
) -> KInARowPosition:
    """The position after moves from the empty board."""
    position = KInARowPosition(SIZE, SIZE, IN_A_ROW, parameters, weights)
    for cell in cells:
        position.play(cell)
    return position


def random_cells(seed: str, plies: int | None = None) -> list[int]:
    """The moves of a random opening; `plies` None: the runner's default number for gobang."""
    return to_cells(random_opening(SETUP, plies, seed))


def to_cells(opening: Opening) -> list[int]:
    """The moves of an opening as cells; the inverse of to_opening()."""
    return [row * SIZE + col for row, col in opening]


def to_opening(cells: Iterable[int]) -> Opening:
    """The moves as the runner represents them: (row, column)."""
    return tuple(divmod(cell, SIZE) for cell in cells)
