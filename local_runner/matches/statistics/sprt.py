"""The sequential probability ratio test (SPRT): whether the games so far decide between two Elo differences.

The generalised SPRT of Michel Van den Bergh, as in fishtest (https://tests.stockfishchess.org, "Mathematics"). For each
hypothesis, the test takes the maximum-likelihood distribution of an observation's score with that Elo difference, and
compares the log-likelihood ratio of both (LLR) with Wald's bounds. Elo is logistic, or as in `elo.normalised_elo`. The
test does not correct for overshooting a bound, nor for estimating the variance from the same games: a test that ends
after about 100 pairs errs slightly more often than `alpha` and `beta` (simulated: 7 % instead of 5 %).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.matches.statistics.elo import NORMALISED_SCALE, Games, Pentanomial, mean_and_variance, score_from_elo

LEAST_SHARE = 0.1  # below this share of the way from 0 to a bound, no number of games needed is estimated
UNSEEN = 1e-3  # replaces a count of 0, as in fishtest: a count of 0 would make the result impossible
FARTHEST = 200  # Elo; greatest hypothesis. From 230 normalised Elo on, no distribution may have that difference
NEAR = 0.1  # the closed form of the LLR is used if t is less than this away from both hypotheses
ROUNDS = 50  # most rounds of the fixed-point iteration in `_likeliest_with_t`, which needs about 5
CLOSE = 1e-10  # the iteration ends if no probability changes by this much


class EloModel(Enum):
    """The Elo scale of the hypotheses."""

    LOGISTIC = "logistic"
    NORMALISED = "normalised"


class Decision(Enum):
    """The accepted hypothesis, if any."""

    H0 = "H0"
    H1 = "H1"
    NONE = "none yet"


@dataclass(frozen=True)
class Sprt:
    """A test of H0 (the Elo difference is `elo0`) against H1 (the Elo difference is `elo1`).

    `alpha`: probability of accepting H1 if H0 is true. `beta`: probability of accepting H0 if H1 is true. Raises
    RunnerError unless -FARTHEST <= elo0 < elo1 <= FARTHEST, alpha > 0, beta > 0 and alpha + beta < 1.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: EloModel = EloModel.LOGISTIC

    def __post_init__(self) -> None:
        if not -FARTHEST <= self.elo0 < self.elo1 <= FARTHEST:
            sentence = _("an SPRT needs elo0 < elo1, both between -{most} and {most}")
            raise RunnerError(sentence.format(most=FARTHEST))
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise RunnerError(_("an SPRT needs alpha > 0, beta > 0 and alpha + beta < 1; give e.g. 0.05 for both"))

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLR bounds: H0 is accepted at or below the first, H1 at or above the second (Wald 1947)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, games: Games) -> float:
        """The log-likelihood ratio of H1 to H0; 0 for no games. A count of 0 is replaced by `UNSEEN`."""
        if not games.games:
            return 0.0
        weights = [count or UNSEEN for count in games.counts]
        if self.model is EloModel.NORMALISED:
            per_observation = math.sqrt(2) if isinstance(games, Pentanomial) else 1  # see elo.normalised_elo
            t0, t1 = (elo / NORMALISED_SCALE * per_observation for elo in (self.elo0, self.elo1))
            return _llr_of_t(weights, t0, t1)
        expected = map(score_from_elo, (self.elo0, self.elo1))
        return _llr(weights, *(_tilt(weights, [score - mean for score in _scores(weights)]) for mean in expected))

    def decision(self, games: Games) -> Decision:
        """The hypothesis that the games so far accept, if any."""
        llr, (lower, upper) = self.llr(games), self.bounds
        return Decision.H0 if llr <= lower else Decision.H1 if llr >= upper else Decision.NONE

    def games_needed(self, games: Games) -> int:
        """The number of games at which the LLR reaches a bound if it grows as so far; near 0, the games so far.

        >>> Sprt(0, 10).games_needed(Pentanomial((0, 0, 2, 0, 30)))
        208
        """
        llr, (lower, upper) = self.llr(games), self.bounds
        share = max(llr / upper, llr / lower)
        return games.games if share < LEAST_SHARE else math.ceil(games.games / min(share, 1.0))


def _llr(weights: Sequence[float], under0: Sequence[float], under1: Sequence[float]) -> float:
    return sum(weight * math.log(p1 / p0) for weight, p0, p1 in zip(weights, under0, under1, strict=True))


def _llr_of_t(weights: Sequence[float], t0: float, t1: float) -> float:
    """The LLR of two values of t = (mean - 1/2) / standard deviation.

    Near both values, the LLR comes from the closed form of "Comments on normalized Elo", 4.2, with an error below 1 %.
    Elsewhere the LLR is computed exactly, because the closed form would give an LLR near 0 if all results are equal.
    """
    mean, variance = mean_and_variance(weights)
    t = (mean - 0.5) / math.sqrt(variance)
    if max(abs(t - t0), abs(t - t1)) < NEAR:
        return sum(weights) / 2 * math.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2))
    return _llr(weights, _likeliest_with_t(weights, t0), _likeliest_with_t(weights, t1))


def _scores(weights: Sequence[float]) -> list[float]:
    return [i / (len(weights) - 1) for i in range(len(weights))]


def _tilt(weights: Sequence[float], values: Sequence[float]) -> list[float]:
    """The maximum-likelihood probabilities, given the counts `weights`, under which `values` have the mean 0.

    By Lagrange multipliers, each probability is weight / (total * (1 + x * value)), where x makes the mean 0. The mean
    decreases in x. So bisection finds x between the poles -1 / max(values) and -1 / min(values). `values` must contain
    a negative and a positive number.
    """
    total = sum(weights)
    low, high = -1 / max(values), -1 / min(values)
    while low < (x := (low + high) / 2) < high:
        mean = sum(weight * value / (1 + x * value) for weight, value in zip(weights, values, strict=True))
        low, high = (x, high) if mean > 0 else (low, x)
    return [weight / total / (1 + x * value) for weight, value in zip(weights, values, strict=True)]


def _likeliest_with_t(weights: Sequence[float], t: float) -> list[float]:
    """The maximum-likelihood probabilities, given the counts `weights`, with mean - 1/2 = t * standard deviation.

    Fixed-point iteration of "Comments on normalized Elo", 4.1. Near a distribution with mean m and standard deviation
    d, the constraint is linearised: score - 1/2 - t * d * (1 + ((score - m) / d)**2) / 2 has the mean 0. The solution
    gives the next m and d.
    """
    likeliest = [1 / len(weights)] * len(weights)
    for _round in range(ROUNDS):
        mean, variance = mean_and_variance(likeliest)
        d = math.sqrt(variance)
        values = [score - 0.5 - t * d * (1 + ((score - mean) / d) ** 2) / 2 for score in _scores(weights)]
        before, likeliest = likeliest, _tilt(weights, values)
        if max(abs(p - q) for p, q in zip(before, likeliest, strict=True)) < CLOSE:
            break
    return likeliest
