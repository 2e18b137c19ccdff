"""Gobang for the scripts of this folder: positions and openings. A cell is an int: row * SIZE + column.

Searches are those of the compiled engine, which returns the values of the Python engine in a thirtieth of the time
(docs/developers/engine/12-compiled-engine.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from local_runner.game.setup import GameSetup
from local_runner.matches.openings.books import Opening
from local_runner.matches.openings.deal import random_opening
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.weights import Weights
from submission.native.k_in_a_row import NativePosition

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


def searched_position(cells: Iterable[int], parameters: KInARowParameters | None = None) -> NativePosition:
    """The position after moves from the empty board, for a NativeSearch, without stored results of threat searches.

    Calls with the same parameters return the same object: the next call changes it.
    """
    position = _kept(parameters)
    position.set_up(bytes(SIZE * SIZE), 0)
    position.threats.forget()
    for cell in cells:
        position.play(cell)
    return position


@lru_cache(maxsize=4)
def _kept(parameters: KInARowParameters | None) -> NativePosition:
    """A compiled position, cached because its line tables are filled on demand and worth keeping."""
    return NativePosition(SIZE, SIZE, IN_A_ROW, parameters)
