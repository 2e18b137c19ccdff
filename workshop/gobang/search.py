"""Searches of gobang positions for the scripts that learn, compiled where there is a compiler.

The compiled engine answers as the Python engine does, node for node (docs/engine/12-compiled-engine.md), so the files
that a script makes are the same with both. Without a compiler they take thirty times as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.search.deepening import Search
from submission.search.evaluator import INFINITE
from workshop.gobang.game import IN_A_ROW, SIZE
from workshop.native.build import find_compiler
from workshop.native.k_in_a_row import NativePosition
from workshop.native.search import NativeSearch


class LeafPosition(KInARowPosition):
    """A position that counts its evaluations and keeps the wanted ones, as NativePosition does.

    evaluations: since want_leaves()
    """

    def __init__(self, rows: int, cols: int, k: int, parameters: KInARowParameters | None = None) -> None:
        super().__init__(rows, cols, k, parameters)
        self.want_leaves([])

    def want_leaves(self, numbers: Sequence[int]) -> None:
        """Count evaluations from 0 again, and keep the moves to those with these numbers."""
        self.evaluations, self._wanted, self._kept = 0, set(numbers), list[list[int]]()

    def leaves(self) -> list[list[int]]:
        """The moves from the empty board to each wanted position that was evaluated."""
        return self._kept

    def evaluate(self, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        if self.evaluations in self._wanted:
            self._kept.append([cell for cell, *_ in self.history])
        self.evaluations += 1
        return super().evaluate(alpha, beta)


def new_search() -> Any:
    """A search with an empty table: a Search, or a NativeSearch."""
    return NativeSearch() if find_compiler() else Search()


def searched_position(cells: Iterable[int], parameters: KInARowParameters | None = None) -> Any:
    """The position after moves from the empty board, for a search of new_search(), without results of threat searches.

    The compiled position is one object for each set of parameters: the next call changes it.
    """
    if not find_compiler():
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
    """A compiled position, cached because its line tables are filled on first need."""
    return NativePosition(SIZE, SIZE, IN_A_ROW, parameters)
