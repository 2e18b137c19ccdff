"""Counts of games and of pairs of games, and percentiles, as pure functions of plain values.

The modules `elo`, `sprt` and `ratings` compute their figures from these counts.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Tally:
    """Numbers of games won, drawn and lost, from one side's view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The points: 1 for a win and 1/2 for a draw.

        >>> Tally(wins=2, draws=1).score
        2.5
        """
        return self.wins + self.draws / 2

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of games that scored 0, 1/2 and 1."""
        return self.losses, self.draws, self.wins

    @property
    def swapped(self) -> "Tally":
        """The same games from the opponent's view."""
        return Tally(self.losses, self.draws, self.wins)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)


@dataclass(frozen=True)
class Pentanomial:
    """Numbers of pairs of games by points, from one side's view. A pair's games share an opening, with colours swapped.

    `counts`: the number of pairs that scored 0, 1/2, 1, 3/2 and 2 points: LL, LD, DD or WL, WD, WW. A pair is one
    observation, because its two games are not independent. In an opening that favours one colour, the two games tend to
    have opposite results. https://www.chessprogramming.org/Match_Statistics
    """

    counts: tuple[int, ...] = (0, 0, 0, 0, 0)

    def __post_init__(self) -> None:
        if len(self.counts) != 5:
            raise ValueError(f"a pentanomial needs five counts, not {len(self.counts)}")

    @property
    def games(self) -> int:
        return 2 * sum(self.counts)

    @property
    def score(self) -> float:
        """The points: 1 for a win and 1/2 for a draw.

        >>> Pentanomial((0, 0, 1, 0, 2)).score
        5.0
        """
        return sum(halves * count for halves, count in enumerate(self.counts)) / 2

    @property
    def swapped(self) -> "Pentanomial":
        """The same pairs from the opponent's view."""
        return Pentanomial(self.counts[::-1])

    def __add__(self, other: "Pentanomial") -> "Pentanomial":
        return Pentanomial(tuple(map(sum, zip(self.counts, other.counts, strict=True))))


Games = Tally | Pentanomial


def tally(winners: Iterable[int], side: int) -> Tally:
    """The tally of `side` (1 or 2) from the winners of games. A winner of 0 or 3 means a draw."""
    counts = {"wins": 0, "draws": 0, "losses": 0}
    for winner in winners:
        counts["wins" if winner == side else "losses" if winner in (1, 2) else "draws"] += 1
    return Tally(**counts)


def of_pair(first: Tally, second: Tally) -> Pentanomial:
    """One pair, from the tallies of its two games, both from the same agent's view."""
    counts = [0] * 5
    counts[round(2 * (first + second).score)] = 1
    return Pentanomial(tuple(counts))


def percentile(values: Sequence[float], percent: float) -> float:
    """The percentile by nearest rank: the smallest value that is at least as large as `percent` % of the values.

    0 < percent <= 100. Raises ValueError for an empty sequence.
    https://en.wikipedia.org/wiki/Percentile#The_nearest-rank_method

    >>> percentile([15, 20, 35, 40, 50], 40)
    20
    """
    if not values:
        raise ValueError("a percentile needs at least one value")
    rank = math.ceil(Fraction(str(percent)) * len(values) / 100)  # exact: 99.9 % of 1000 values are 999
    return sorted(values)[rank - 1]
