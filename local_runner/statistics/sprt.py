"""The sequential probability ratio test: whether a match may stop, as one of two Elo differences fits it far better.

The generalised test of Michel Van den Bergh and fishtest (https://tests.stockfishchess.org, "Mathematics"): of all
distributions of an observation's score with the Elo difference of H0, and likewise H1, take the likeliest, given the
counts; the logarithm of the ratio of their likelihoods (LLR) is compared with Wald's bounds. Elo is logistic, or
normalised as in `elo.normalised_elo`. Overshoot of the bounds is not corrected for, nor that the variance is known from
the games alone: a test which ends after about 100 pairs errs a little more often than stated (7 % for 5 %, simulated).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from local_runner.errors import RunnerError
from local_runner.statistics.counts import Games, Pentanomial
from local_runner.statistics.elo import NORMALISED_SCALE, mean_and_variance, score_from_elo

UNSEEN = 1e-3  # stands for a count of 0, as in fishtest: else a result not yet seen would be held impossible
FARTHEST = 200  # Elo; a few games show more, and a normalised Elo of 230 may leave no distribution to choose from
NEAR = 0.1  # of t
ROUNDS = 50  # of a fixed point that takes about five
CLOSE = 1e-10  # probabilities; bisection itself goes to the last digit


class EloModel(Enum):
    """The scale of the hypotheses."""

    LOGISTIC = "logistic"
    NORMALISED = "normalised"


class Decision(Enum):
    """The hypothesis that is accepted, if one is."""

    H0 = "H0"
    H1 = "H1"
    NONE = "none yet"


@dataclass(frozen=True)
class Sprt:
    """A test of H0, the difference is `elo0`, against H1, it is `elo1`.

    `alpha`: the probability of accepting H1 although H0 is true; `beta`: of the opposite.
    Raises RunnerError for hypotheses or probabilities of which no test can be made.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: EloModel = EloModel.LOGISTIC

    def __post_init__(self) -> None:
        if not -FARTHEST <= self.elo0 < self.elo1 <= FARTHEST:
            raise RunnerError(f"an SPRT needs elo0 < elo1, both between -{FARTHEST} and {FARTHEST}")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise RunnerError("an SPRT needs alpha and beta above 0 that are less than 1 together, e.g. 0.05 each")

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLR at or below which H0 is accepted, and at or above which H1 (Wald, "Sequential Analysis", 1947).

        >>> [round(bound, 2) for bound in Sprt(0, 5).bounds]
        [-2.94, 2.94]
        """
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, games: Games) -> float:
        """The log-likelihood ratio of H1 to H0, 0 for no games; a count of 0 counts as `UNSEEN`."""
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
        """What the games so far allow to accept; with pairs, to be asked after whole pairs only."""
        llr, (lower, upper) = self.llr(games), self.bounds
        return Decision.H0 if llr <= lower else Decision.H1 if llr >= upper else Decision.NONE


def _llr(weights: Sequence[float], under0: Sequence[float], under1: Sequence[float]) -> float:
    return sum(weight * math.log(p1 / p0) for weight, p0, p1 in zip(weights, under0, under1, strict=True))


def _llr_of_t(weights: Sequence[float], t0: float, t1: float) -> float:
    """Of two values of t = (mean - 1/2) / standard deviation.

    Near them by the closed form of "Comments on normalized Elo", 4.2, which is then within 1 % of the likeliest's; far
    from them it would hold that games which are all alike say nothing.
    """
    mean, variance = mean_and_variance(weights)
    t = (mean - 0.5) / math.sqrt(variance)
    if max(abs(t - t0), abs(t - t1)) < NEAR:
        return sum(weights) / 2 * math.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2))
    return _llr(weights, _likeliest_with_t(weights, t0), _likeliest_with_t(weights, t1))


def _scores(weights: Sequence[float]) -> list[float]:
    return [i / (len(weights) - 1) for i in range(len(weights))]


def _tilt(weights: Sequence[float], values: Sequence[float]) -> list[float]:
    """The likeliest probabilities, given weights, among those under which `values` have the mean 0.

    By Lagrange they are weight / (total * (1 + x * value)), where x makes the mean 0: the root of a falling function,
    between the poles of the least and the greatest value, which must lie on both sides of 0.
    """
    total = sum(weights)
    low, high = -1 / max(values), -1 / min(values)
    while low < (x := (low + high) / 2) < high:
        mean = sum(weight * value / (1 + x * value) for weight, value in zip(weights, values, strict=True))
        low, high = (x, high) if mean > 0 else (low, x)
    return [weight / total / (1 + x * value) for weight, value in zip(weights, values, strict=True)]


def _likeliest_with_t(weights: Sequence[float], t: float) -> list[float]:
    """The likeliest probabilities, given weights, under which (mean - 1/2) = t * (standard deviation).

    "Comments on normalized Elo", 4.1: near a distribution of mean m and deviation d, the constraint is that
    score - 1/2 - t * d * (1 + ((score - m) / d)**2) / 2 has the mean 0. Each solution gives the next m and d.
    """
    found = [1 / len(weights)] * len(weights)
    for _ in range(ROUNDS):
        mean, variance = mean_and_variance(found)
        d = math.sqrt(variance)
        values = [score - 0.5 - t * d * (1 + ((score - mean) / d) ** 2) / 2 for score in _scores(weights)]
        before, found = found, _tilt(weights, values)
        if max(abs(p - q) for p, q in zip(before, found, strict=True)) < CLOSE:
            break
    return found
