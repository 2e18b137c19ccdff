"""Score, Elo, normalised Elo and LOS from counts of games, with 95 % intervals.

An observation is a game (Tally) or a pair of games (Pentanomial). Its score is points divided by games, 0 to 1. The
intervals of Elo and normalised Elo are computed from the score's interval, so all agree about who is ahead:

    observations -> equivalent number of decisive games -> Wilson interval of the score -> Elo, normalised Elo

All figures are defined for all counts, including none at all and only wins or only losses; then some are infinite.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from local_runner.matches.statistics.counts import Games, Pentanomial

Z = NormalDist().inv_cdf(0.975)  # standard deviations of a two-sided 95 % interval
NORMALISED_SCALE = 800 / math.log(10)  # normalised Elo per unit of (score - 1/2) / standard deviation of a game's score


@dataclass(frozen=True)
class Estimate:
    """A figure and its 95 % interval: `low` <= `value` <= `high`. The ends may be infinite."""

    value: float
    low: float
    high: float


def elo_from_score(score: float) -> float:
    """The Elo difference at which this score (0 to 1) is expected; infinite at 0 and 1.

    Raises ValueError outside 0 to 1. Logistic: https://www.chessprogramming.org/Match_Statistics
    """
    if not 0 <= score <= 1:
        raise ValueError(f"a score must be between 0 and 1, not {score}")
    if score in (0, 1):
        return math.inf if score else -math.inf
    return 400 * math.log10(score / (1 - score))


def score_from_elo(elo: float) -> float:
    """The expected score (0 to 1) at an Elo difference, which may be infinite."""
    weaker = 10 ** (-abs(elo) / 400)  # never overflows
    return (1 if elo >= 0 else weaker) / (1 + weaker)


def mean_and_variance(weights: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of a score that takes equidistant values from 0 to 1 with these weights."""
    total, steps = sum(weights), len(weights) - 1
    mean = sum(i * weight for i, weight in enumerate(weights)) / steps / total
    return mean, sum((i / steps - mean) ** 2 * weight for i, weight in enumerate(weights)) / total


def dispersion(games: Games) -> float:
    """The variance of an observation's score, divided by that of a decisive game with the same mean; 0 to 1.

    Draws and colour-swapped pairs lower it. The estimate includes Z**2 additional observations, half won and half lost
    (Agresti and Coull, "Approximate is better than exact", 1998). Their weight vanishes with more games. Without them,
    a few equal results would give a variance of 0.
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

    Wilson's score interval (1927; Brown, Cai and DasGupta, "Interval estimation for a binomial proportion", 2001) for
    `decisive_games`. For unpaired games without draws it is exactly Wilson's interval.
    """
    mean, decisive = _mean(games), decisive_games(games)
    return Estimate(mean, _wilson_low(decisive, mean), 1 - _wilson_low(decisive, 1 - mean))


def elo(games: Games) -> Estimate:
    """The logistic Elo difference: `elo_from_score` of the score and of the ends of its interval."""
    points = score(games)
    return Estimate(*map(elo_from_score, (points.value, points.low, points.high)))


def normalised_elo(games: Games) -> Estimate:
    """(score - 1/2) divided by the standard deviation of a game's score, on the Elo scale.

    Normalised Elo determines the number of games needed to detect a difference, for any share of draws. From Michel Van
    den Bergh, "Normalized Elo" and "Comments on normalized Elo": a game's variance is twice the variance of a pair's
    mean. Infinite if all observations are equal, unless the score is 1/2. The interval is computed from the score's; at
    each end the variance is `dispersion` times that of a decisive game.
    """
    points, share = score(games), dispersion(games)
    variance = mean_and_variance(games.counts)[1] if games.games else 0.0
    value = _normalised(games, points.value, variance)
    low, high = (_normalised(games, end, share * end * (1 - end)) for end in (points.low, points.high))
    return Estimate(value, min(low, value), max(high, value))


def los(games: Games) -> float:
    """The likelihood of superiority: the probability, 0 to 1, that the side is the stronger one; 1/2 for no games.

    The normal approximation of https://www.chessprogramming.org/Match_Statistics with `decisive_games`. The LOS
    is above 0.975 exactly if the score's interval is above 1/2. Without draws it is Phi((wins - losses) / sqrt(games)).
    """
    return NormalDist().cdf((_mean(games) - 0.5) * 2 * math.sqrt(decisive_games(games)))


def _mean(games: Games) -> float:
    return games.score / games.games if games.games else 0.5


def _wilson_low(decisive: float, mean: float) -> float:
    """The smaller root s of decisive * (mean - s)**2 = Z**2 * s * (1 - s).

    Computed from the larger root, so that it is exactly 0 for a mean of 0.
    """
    half_sum = decisive * mean + Z**2 / 2
    larger = half_sum + Z * math.sqrt(decisive * mean * (1 - mean) + Z**2 / 4)
    return decisive * mean**2 / larger


def _normalised(games: Games, mean: float, variance: float) -> float:
    """`variance` is that of an observation. Infinite for a variance of 0, unless the mean is 1/2."""
    if variance <= 0:
        return math.copysign(math.inf, mean - 0.5) if mean != 0.5 else 0.0
    return NORMALISED_SCALE * (mean - 0.5) / math.sqrt(variance * (2 if isinstance(games, Pentanomial) else 1))
