"""Learns submission/data/gobang_weights.txt, the weights of the gobang evaluation, from leaves (leaves.py).

    python -m workshop.gobang.weights FILE ... [--out FILE]

Logistic regression fits the weights of LinesEvaluator's features to the search's value of each leaf: the odds to win
are exp(value / LOGIT). docs/developers/engine/11-learning.md describes the fit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer
from scipy.optimize import minimize
from scipy.special import expit

from local_runner.errors import RunnerError
from submission.k_in_a_row import weights
from submission.k_in_a_row.evaluation import LinesEvaluator
from submission.k_in_a_row.patterns import COUNTS
from submission.k_in_a_row.position import KInARowPosition
from workshop.command import run, with_progress
from workshop.game_file import read
from workshop.gobang.games import position_after
from workshop.gobang.learning import MOVER, Array, Ints, Mask, held_out_rows, minimum, publish
from workshop.gobang.leaves import GameLeaves

OUTPUT = Path(__file__).resolve().parents[2] / "submission" / weights.WEIGHTS
NAMES = COUNTS + weights.BOARD  # names of the features
LOGIT = LinesEvaluator.unit
L2 = 1e-4  # penalty on the squared weights of features divided by their standard deviations
SPREAD = 560  # standard deviation of the evaluations of leaves
TURN_LESS = 75  # subtracted from the weight of the turn; in units of the evaluation


@dataclass(frozen=True)
class LeafSample:
    """n leaves.

    features: n x 2 x NAMES; values: the search value, for the side to move; games: the number of each leaf's game
    """

    features: Array
    values: Array
    games: Ints

    def part(self, chosen: Mask) -> LeafSample:
        return LeafSample(self.features[chosen], self.values[chosen], self.games[chosen])


class FitQuality(NamedTuple):
    """The quality of weights as predictors of the search.

    loss: mean cross-entropy in nats; r2: R2 of the expected scores, NaN if all expected scores are equal
    """

    loss: float
    r2: float

    def __str__(self) -> str:
        return f"loss {self.loss:.4f}, R2 {self.r2:.3f}"


def main(
    files: Annotated[list[Path], typer.Argument(help="Files of leaves, made by workshop.gobang.leaves.")],
    output: Annotated[Path, typer.Option("--out", help="File of weights to write.")] = OUTPUT,
) -> None:
    """Learn the weights, print how well they predict held-out games, and write them."""
    games = [game for file in files for game in read(file, GameLeaves)]
    sample = sample_leaves(with_progress(games, "replaying"))
    rows = held_out_rows(sample.games, f"{len(games)} games have too few leaves; collect those of more games")
    fitted, held_out = fit(sample.part(~rows)), sample.part(rows)
    report = [
        f"{len(games)} games, {len(sample.games)} leaves, {len(held_out.games)} of them held out",
        f"before: {fit_quality(current_weights(), held_out)}",
        f"after:  {fit_quality(fitted, held_out)}",
    ]
    scaled = scale_for_search(fitted, sample)
    rows_of_file = (f"{name} {int(mover)} {int(other)}" for name, mover, other in zip(NAMES, *scaled, strict=True))
    publish(output, report, "weights", rows_of_file)


# ---- leaves and their features


def sample_leaves(games: Iterable[GameLeaves]) -> LeafSample:
    """Features, value and game number of each leaf in the games. Raises RunnerError if there is no leaf."""
    inputs, values, numbers = list[Ints](), list[int](), list[int]()
    for game in games:
        inputs += [features(position_after(moves)) for moves in game.leaves]
        values += game.values
        numbers += [game.number] * len(game.leaves)
    if not inputs:
        raise RunnerError("these files hold no leaves; collect those of more games")
    return LeafSample(np.array(inputs, dtype=np.float64), np.array(values, dtype=np.float64), np.array(numbers))


def features(position: KInARowPosition) -> Ints:
    """The features of a position, from the evaluator that plays: 2 x NAMES."""
    evaluator = position.evaluator
    assert isinstance(evaluator, LinesEvaluator)
    return np.hstack([np.array(evaluator.line_features()), np.array(evaluator.board_features())])


# ---- weights: 2 x NAMES, rows MOVER and OTHER


def current_weights() -> Array:
    """The weights that the engine has now."""
    current = weights.evaluation_weights()
    lines, board = (np.array(part, dtype=np.float64) for part in ((current.moving, current.waiting), current.board))
    return np.hstack([lines, board.T])


def fit(sample: LeafSample) -> Array:
    """The weights with the smallest loss; 0 for a feature that never occurs."""
    rows = sample.features.reshape(len(sample.values), -1)
    deviation = rows.std(axis=0)
    scale = np.where(deviation > 0, deviation, 1)  # the feature "turn" is constant, so its deviation is 0
    standard, targets = rows / scale, expit(sample.values / LOGIT)

    def loss(guess: Array) -> tuple[float, Array]:
        logits = standard @ guess
        gradient = standard.T @ (expit(logits) - targets) / len(targets) + 2 * L2 * guess
        return _cross_entropy(logits, targets) + L2 * float(guess @ guess), gradient

    fitted: Array = (minimum(loss, rows.shape[1]) / scale * LOGIT).reshape(2, -1)
    return fitted


def scale_for_search(fitted: Array, sample: LeafSample) -> Array:
    """The weights as whole numbers, scaled to SPREAD in the sample; the weight of "turn" is TURN_LESS smaller."""
    scaled: Array = np.rint(fitted * SPREAD / (sample.features * fitted).sum(axis=(1, 2)).std())
    scaled[MOVER, NAMES.index("turn")] -= TURN_LESS
    return scaled


def fit_quality(fitted: Array, sample: LeafSample) -> FitQuality:
    """The quality of weights in a sample, after a fit of their scale and of the weight of the turn."""
    return values_quality((sample.features * fitted).sum(axis=(1, 2)), sample.values)


def values_quality(values: Array, searched: Array) -> FitQuality:
    """The quality of values, after a fit of their scale and of an added constant."""
    logits, targets = values / LOGIT, expit(searched / LOGIT)
    scale, turn = minimize(lambda guess: _cross_entropy(guess[0] * logits + guess[1], targets), (1, 0)).x
    best = scale * logits + turn
    variance, error = float(np.var(targets)), float(np.mean((targets - expit(best)) ** 2))
    return FitQuality(_cross_entropy(best, targets), 1 - error / variance if variance else nan)


def _cross_entropy(logits: Array, targets: Array) -> float:
    return float(np.mean(np.logaddexp(0, logits) - targets * logits))


if __name__ == "__main__":
    run(main)
