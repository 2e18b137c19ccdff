"""What the search asks of an evaluation, whatever the game and however it is computed.

An evaluator belongs to one position. The position tells it of every move, if it wants to know; the search asks it for
values. A new one (a network, say) is a subclass in a file of its own and an entry in the game's EVALUATORS.
"""
from __future__ import annotations

from typing import Any, NamedTuple, Tuple

INFINITE = 1000001      # beyond every value, see alphabeta.py


class Margins(NamedTuple):
    """How far from the window a value must be to be believed without a search, by the depth left, from 1 ply.

    futility: above beta; razoring: below alpha. Both in the evaluator's values. Beyond the last item nothing is pruned.
    """

    futility: Tuple[int, ...] = ()
    razoring: Tuple[int, ...] = ()


class Evaluator:
    """Values of positions in the view of the side to move.

    unit: a value in which the margins and bounds are thought; each evaluator says what it is worth
    margins: of futility pruning and razoring
    incremental: whether `reset`, `play` and `undo` want to be called
    """

    unit = 1
    margins = Margins()
    incremental = False

    def __init__(self, position: Any) -> None:
        self.position = position

    def reset(self) -> None:
        """The position was set up anew: read it off the board."""

    def play(self, move: int) -> None:
        """The position has just played a move; position.side is the other side already."""

    def undo(self) -> None:
        """The position has just taken a move back."""

    def quick(self) -> int:
        """A cheap value, good enough to compare a position with one two plies earlier."""
        return self.value()

    def value(self, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
        """The value; a bound will do where it is at or below alpha, or at or above beta."""
        raise NotImplementedError
