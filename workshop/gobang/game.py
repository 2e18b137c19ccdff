"""Gobang for the scripts of this folder: positions, openings, and searches, compiled where the library works.

The Python engine and the compiled engine return the same values (docs/developers/engine/12-compiled-engine.md). So a
script makes the same files with either engine. Without the library the script takes thirty times as long. A cell is an
int: row * SIZE + column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from local_runner.game.setup import GameSetup
from local_runner.matches.openings.books import Opening
from local_runner.matches.openings.deal import random_opening
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.k_in_a_row.weights import Weights
from submission.native.k_in_a_row import NativePosition
from submission.native.library import available
from submission.native.search import NativeSearch
from submission.search.deepening import Search
from submission.search.evaluator import INFINITE

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


# ---- searches


class LeafPosition(KInARowPosition):
    """A position that counts its evaluations and records those that want_leaves() names, as NativePosition does.

    evaluations: number of evaluations since the last want_leaves()
    """

    def __init__(self, rows: int, cols: int, k: int, parameters: KInARowParameters | None = None) -> None:
        super().__init__(rows, cols, k, parameters)
        self.want_leaves([])

    def want_leaves(self, numbers: Sequence[int]) -> None:
        """Count evaluations from 0 again. `numbers`: the evaluations whose positions are recorded."""
        self.evaluations, self._wanted, self._kept = 0, set(numbers), list[list[int]]()

    def leaves(self) -> list[list[int]]:
        """For each recorded position, the moves from the empty board."""
        return self._kept

    def evaluate(self, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        if self.evaluations in self._wanted:
            self._kept.append([cell for cell, *_ in self.history])
        self.evaluations += 1
        return super().evaluate(alpha, beta)


def new_search() -> Any:
    """A search with an empty table: a NativeSearch where the library works, otherwise a Search."""
    return NativeSearch() if available() else Search()


def searched_position(cells: Iterable[int], parameters: KInARowParameters | None = None) -> Any:
    """The position after moves from the empty board, for new_search(), without stored results of threat searches.

    With the compiled engine, calls with the same parameters return the same object: the next call changes it.
    """
    if not available():
        return _replayed(LeafPosition(SIZE, SIZE, IN_A_ROW, parameters), cells)
    position = _kept(parameters)
    position.set_up(bytes(SIZE * SIZE), 0)
    position.threats.forget()
    return _replayed(position, cells)


def _replayed(position: Any, cells: Iterable[int]) -> Any:
    for cell in cells:
        position.play(cell)
    return position


@lru_cache(maxsize=4)
def _kept(parameters: KInARowParameters | None) -> NativePosition:
    """A compiled position, cached because its line tables are filled on demand and worth keeping."""
    return NativePosition(SIZE, SIZE, IN_A_ROW, parameters)
