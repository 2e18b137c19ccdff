"""What counts of games say about the strength of two sides: score, Elo, normalised Elo, each with its interval; LOS.

An observation is a game (Tally) or a pair of games (Pentanomial), its score 0 to 1, points divided by games. All
intervals hold 95 %. One interval, that of the score, carries the others, so they agree about who is ahead:

    observations --spread--> games that were won or lost and would say as much --Wilson--> score --> Elo, normalised Elo

Defined for any counts, none and one-sided ones too: there a side is infinite, and the other as far as the games reach.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from local_runner.statistics.counts import Games, Pentanomial

Z = NormalDist().inv_cdf(0.975)  # 95 %, two-sided
NORMALISED_SCALE = 800 / math.log(10)  # normalised Elo per unit of (score - 1/2) / spread of one game's score


@dataclass(frozen=True)
class Estimate:
    """A figure and its 95 % interval, `low` <= `value` <= `high`; the ends may be infinite."""

    value: float
    low: float
    high: float


def elo_from_score(score: float) -> float:
    """The Elo difference at which this score (0 to 1) is expected; infinite at 0 and 1. Raises ValueError outside.

    Logistic: https://www.chessprogramming.org/Match_Statistics
    """
    if not 0 <= score <= 1:
        raise ValueError(f"a score is between 0 and 1, not {score}")
    if score in (0, 1):
        return math.inf if score else -math.inf
    return 400 * math.log10(score / (1 - score))


def score_from_elo(elo: float) -> float:
    """The score (0 to 1) that is expected at an Elo difference, which may be infinite."""
    weaker = 10 ** (-abs(elo) / 400)  # never overflows
    return (1 if elo >= 0 else weaker) / (1 + weaker)


def mean_and_variance(weights: Sequence[float]) -> tuple[float, float]:
    """Of scores 0 to 1 in equal steps that have these weights, of any positive sum."""
    total, steps = sum(weights), len(weights) - 1
    mean = sum(i * weight for i, weight in enumerate(weights)) / steps / total
    return mean, sum((i / steps - mean) ** 2 * weight for i, weight in enumerate(weights)) / total


def dispersion(games: Games) -> float:
    """The variance of an observation's score as a share, 0 to 1, of that of a game which is won or lost.

    Draws and colour-swapped pairs have less. Estimated with Z**2 further observations, half won and half lost, which
    fade as games come in (the device of Agresti and Coull, "Approximate is better than exact", 1998): a few games that
    were alike must not pass for games without chance.
    """
    weights = [float(count) for count in games.counts]
    weights[0] += Z**2 / 2
    weights[-1] += Z**2 / 2
    mean, variance = mean_and_variance(weights)
    return variance / (mean * (1 - mean))


def decisive_games(games: Games) -> float:
    """The number of independent games, won or lost, that would say as much: observations / `dispersion`."""
    return sum(games.counts) / dispersion(games)


def score(games: Games) -> Estimate:
    """The points divided by the games; 1/2 within 0 and 1 for no games.

    Wilson's score interval (1927; Brown, Cai and DasGupta, "Interval estimation for a binomial proportion", 2001) of
    `decisive_games`; where no game was drawn and none is paired, the very interval of Wilson.
    """
    mean, decisive = _mean(games), decisive_games(games)
    return Estimate(mean, _wilson_low(decisive, mean), 1 - _wilson_low(decisive, 1 - mean))


def elo(games: Games) -> Estimate:
    """The logistic Elo difference, by `elo_from_score` of the score and of both ends of its interval."""
    found = score(games)
    return Estimate(*map(elo_from_score, (found.value, found.low, found.high)))


def normalised_elo(games: Games) -> Estimate:
    """The score beyond 1/2 in units of the spread of one game's score, on Elo's scale.

    Unlike Elo it foretells how many games a difference takes to be seen, whatever the share of draws. From Michel Van
    den Bergh's "Normalized Elo" and "Comments on normalized Elo": a game's variance is twice that of a pair's mean.
    Infinite for observations that are all alike, unless they score 1/2. The interval is that of the score, the
    variance at each end being `dispersion` of the one of a game won or lost.
    """
    found, share = score(games), dispersion(games)
    variance = mean_and_variance(games.counts)[1] if games.games else 0.0
    value = _normalised(games, found.value, variance)
    low, high = (_normalised(games, end, share * end * (1 - end)) for end in (found.low, found.high))
    return Estimate(value, min(low, value), max(high, value))


def los(games: Games) -> float:
    """The likelihood of superiority: the probability, 0 to 1, that the side is the stronger one; 1/2 for no games.

    The normal approximation of https://www.chessprogramming.org/Match_Statistics, over `decisive_games`: above 0.975
    where the score's interval is above 1/2. Where all games were won or lost, Phi((wins - losses) / sqrt(games)).
    """
    return NormalDist().cdf((_mean(games) - 0.5) * 2 * math.sqrt(decisive_games(games)))


def _mean(games: Games) -> float:
    return games.score / games.games if games.games else 0.5


def _wilson_low(decisive: float, mean: float) -> float:
    """The smaller root of decisive * (mean - s)**2 = Z**2 * s * (1 - s), through the larger one: exactly 0 at 0."""
    half_sum = decisive * mean + Z**2 / 2
    larger = half_sum + Z * math.sqrt(decisive * mean * (1 - mean) + Z**2 / 4)
    return decisive * mean**2 / larger


def _normalised(games: Games, mean: float, variance: float) -> float:
    """`variance` is an observation's; infinite where it is 0, unless the mean is 1/2."""
    if variance <= 0:
        return math.copysign(math.inf, mean - 0.5) if mean != 0.5 else 0.0
    return NORMALISED_SCALE * (mean - 0.5) / math.sqrt(variance * (2 if isinstance(games, Pentanomial) else 1))
