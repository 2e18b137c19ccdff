"""The interface of an evaluation, for any game and any way to compute it.

An evaluator belongs to one position and gives its value. If `incremental` is set, the position calls it after every
move. To add one (a network, say), write a subclass in a new file and enter it in the game's EVALUATORS.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Tuple

INFINITE = 1000001  # beyond every value, see alphabeta.py


class Margins(NamedTuple):
    """Margins of futility pruning (above beta) and razoring (below alpha): one item per depth left, from 1 ply.

    A node whose value is outside the window by the margin is not searched. Greater depths are not pruned.
    """

    futility: Tuple[int, ...] = ()
    razoring: Tuple[int, ...] = ()


class Evaluator:
    """Values of positions in the view of the side to move.

    unit: a reference value, such as that of one disc; each evaluator says what it means
    margins: in the same scale as the values
    incremental: whether the position must call `play` and `undo`; it always calls `reset`
    """

    unit = 1
    margins = Margins()
    incremental = False

    def __init__(self, position: Any) -> None:
        self.position = position

    def reset(self) -> None:
        """The position was set up anew: recompute everything from the board."""

    def play(self, move: int) -> None:
        """The position has just played a move; position.side is the opponent already."""

    def undo(self) -> None:
        """The position has just taken a move back."""

    def quick(self) -> int:
        """A cheap value, good enough to compare a position with one two plies earlier."""
        return self.value()

    def value(self, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        """The value; outside the window (alpha, beta) a bound on the same side of it is enough."""
        raise NotImplementedError
