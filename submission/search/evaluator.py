"""The interface of an evaluation function, for any game.

An evaluator belongs to one position and gives the position's value. If `incremental` is set, the position calls the
evaluator after every move. To add an evaluator, write a subclass in a new file and enter it in the game's EVALUATORS.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Tuple

INFINITE = 1000001  # greater than every value: the greatest is below searchable.WIN


class Margins(NamedTuple):
    """Margins of futility pruning (above beta) and razoring (below alpha): one item per depth left, from 1 ply.

    A node whose value is outside the window by at least the margin is not searched. Depths without an item are not
    pruned.
    """

    futility: Tuple[int, ...] = ()
    razoring: Tuple[int, ...] = ()


class Evaluator:
    """Values of positions in the view of the side to move.

    unit: a reference value, such as the value of one disc; each evaluator documents its unit
    margins: in the same scale as the values
    incremental: whether the position must call `play` and `undo`; it always calls `reset`
    """

    unit = 1
    margins = Margins()
    incremental = False

    def __init__(self, position: Any) -> None:
        self.position = position

    def reset(self) -> None:
        """Called after the position was set up: recompute everything from the board."""

    def play(self, move: int) -> None:
        """Called after a move was played; position.side is already the opponent."""

    def undo(self) -> None:
        """Called after a move was taken back."""

    def quick(self) -> int:
        """A cheap value, good enough to compare a position with one two plies earlier."""
        return self.value()

    def value(self, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        """The value; outside the window (alpha, beta) a bound on the same side of it is enough."""
        raise NotImplementedError
