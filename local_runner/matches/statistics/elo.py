"""Counts of games and of pairs of games; score, Elo, normalised Elo and LOS from them, with 95 % intervals.

An observation is a game (Tally) or a pair of games (Pentanomial). Its score is its points divided by its games, 0 to 1.
The interval of Elo is computed from the interval of the score, so it excludes 0 exactly if the latter excludes 1/2:

    observations -> equivalent number of decisive games -> Wilson interval of the score -> Elo, normalised Elo

All figures are defined for all counts: for no games, and for only wins or only losses, where Elo is infinite.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)  # half the width of a two-sided 95 % interval, in standard deviations
NORMALISED_SCALE = 800 / math.log(10)  # normalised Elo per unit of (score - 1/2) / standard deviation of a game's score


# ---- counts


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
        """The points: 1 for a win and 1/2 for a draw."""
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

    @property
    def games(self) -> int:
        return 2 * sum(self.counts)

    @property
    def score(self) -> float:
        """The points: 1 for a win and 1/2 for a draw."""
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


# ---- figures


@dataclass(frozen=True)
class Estimate:
    """A figure and its 95 % interval: `low` <= `value` <= `high`. The ends may be infinite."""

    value: float
    low: float
    high: float


def elo_from_score(score: float) -> float:
    """The Elo difference at which this score, 0 to 1, is expected in the logistic model; infinite for 0 and 1.

    https://www.chessprogramming.org/Match_Statistics
    """
    if score in (0, 1):
        return math.inf if score else -math.inf
    return 400 * math.log10(score / (1 - score))


def score_from_elo(elo: float) -> float:
    """The expected score (0 to 1) at an Elo difference, which may be infinite."""
    weaker = 10 ** (-abs(elo) / 400)  # the exponent is at most 0, so there is no overflow
    return (1 if elo >= 0 else weaker) / (1 + weaker)


def mean_and_variance(weights: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of a score. `weights`: of the equidistant scores from 0 to 1, such as 0, 1/2 and 1."""
    total, steps = sum(weights), len(weights) - 1
    mean = sum(i * weight for i, weight in enumerate(weights)) / steps / total
    return mean, sum((i / steps - mean) ** 2 * weight for i, weight in enumerate(weights)) / total


def dispersion(games: Games) -> float:
    """The variance of an observation's score, divided by the variance of a decisive game with the same mean; 0 to 1.

    Draws and colour-swapped pairs lower the dispersion. The estimate adds Z**2 observations, half won and half lost
    (Agresti and Coull, "Approximate is better than exact", 1998). Without these observations, a few equal results would
    give a variance of 0. With many games, the added observations hardly change the estimate.
    """
    weights = [float(count) for count in games.counts]
    weights[0] += Z**2 / 2
    weights[-1] += Z**2 / 2
    mean, variance = mean_and_variance(weights)
    return variance / (mean * (1 - mean))


def decisive_games(games: Games) -> float:
    """The number of independent decisive games with the same information: observations / `dispersion`."""
    return sum(games.counts) / dispersion(games)


def score(games: Games) -> Estimate:
    """Points divided by games, with its interval; 1/2 within 0 and 1 for no games.

    The interval is Wilson's score interval (1927; Brown, Cai and DasGupta, "Interval estimation for a binomial
    proportion", 2001), with `decisive_games` as the number of games.
    """
    mean, decisive = _mean(games), decisive_games(games)
    return Estimate(mean, _wilson_low(decisive, mean), 1 - _wilson_low(decisive, 1 - mean))


def elo(games: Games) -> Estimate:
    """The logistic Elo difference: `elo_from_score` of the score and of the ends of its interval."""
    points = score(games)
    return Estimate(*map(elo_from_score, (points.value, points.low, points.high)))


def normalised_elo(games: Games) -> Estimate:
    """(score - 1/2) divided by the standard deviation of a game's score, on the Elo scale.

    Normalised Elo determines the number of games needed to detect a difference, for any share of draws. Definition:
    Michel Van den Bergh, "Normalized Elo" and "Comments on normalized Elo". A game's variance is twice the variance of
    a pair's score. If all observations are equal, the figure is infinite, or 0 for a score of 1/2. The interval is
    computed from the score's interval, with this variance at an end s: `dispersion` * s * (1 - s).
    """
    points, share = score(games), dispersion(games)
    variance = mean_and_variance(games.counts)[1] if games.games else 0.0
    value = _normalised(games, points.value, variance)
    low, high = (_normalised(games, end, share * end * (1 - end)) for end in (points.low, points.high))
    return Estimate(value, min(low, value), max(high, value))


def los(games: Games) -> float:
    """The likelihood of superiority (LOS): the probability, 0 to 1, that the side is stronger; 1/2 for no games.

    LOS = Phi((score - 1/2) * 2 * sqrt(n)), where n is `decisive_games` and Phi the normal distribution function. The
    formula comes from https://www.chessprogramming.org/Match_Statistics, extended to draws and pairs. The LOS is above
    0.975 exactly if the score's whole interval is above 1/2.
    """
    return NormalDist().cdf((_mean(games) - 0.5) * 2 * math.sqrt(decisive_games(games)))


def _mean(games: Games) -> float:
    return games.score / games.games if games.games else 0.5


def _wilson_low(decisive: float, mean: float) -> float:
    """The smaller root s of decisive * (mean - s)**2 = Z**2 * s * (1 - s), by the larger: exactly 0 for a mean of 0."""
    half_sum = decisive * mean + Z**2 / 2
    larger = half_sum + Z * math.sqrt(decisive * mean * (1 - mean) + Z**2 / 4)
    return decisive * mean**2 / larger


def _normalised(games: Games, mean: float, variance: float) -> float:
    """Normalised Elo of a mean score. `variance`: of an observation; 0 gives infinity, or 0 for a mean of 1/2."""
    if variance <= 0:
        return math.copysign(math.inf, mean - 0.5) if mean != 0.5 else 0.0
    return NORMALISED_SCALE * (mean - 0.5) / math.sqrt(variance * (2 if isinstance(games, Pentanomial) else 1))
