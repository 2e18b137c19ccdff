"""Counts and percentiles of games, as pure functions of plain values; knows no agent and no file."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Tally:
    """Games won, drawn and lost, from one side's point of view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """A point for a win and half a point for a draw.

        >>> Tally(wins=2, draws=1).score
        2.5
        """
        return self.wins + self.draws / 2

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


def tally(winners: Iterable[int], side: int) -> Tally:
    """The games of `side` (1 or 2) by their winners' codes; a game without a winner (0 or 3) is a draw."""
    counts = {"wins": 0, "draws": 0, "losses": 0}
    for winner in winners:
        counts["wins" if winner == side else "losses" if winner in (1, 2) else "draws"] += 1
    return Tally(**counts)


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that at least `percent` % of the values do not exceed (nearest rank); 0 < percent <= 100.

    Raises ValueError for no values. https://en.wikipedia.org/wiki/Percentile#The_nearest-rank_method

    >>> percentile([15, 20, 35, 40, 50], 40)
    20
    """
    if not values:
        raise ValueError("a percentile needs values")
    rank = math.ceil(Fraction(str(percent)) * len(values) / 100)  # exact: 99.9 % of 1000 values are 999
    return sorted(values)[rank - 1]
