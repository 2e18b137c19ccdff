"""Learns submission/data/gobang_weights.txt, the weights of the gobang evaluation, from workshop.gobang_leaves.

    python -m workshop.gobang_weights FILE ... [--dry-run] [--output FILE]

The evaluation is a sum of features times weights: patterns.COUNTS over all lines, and weights.BOARD, for the mover and
for the other side. It is fitted to predict, at every leaf, the value of a search from there, by logistic regression:
the odds to win are exp(value / LOGIT). A forced win counts as certain. Then two things are changed:

- All weights are scaled so that the evaluations have the standard deviation SPREAD. It stays the same from round to
  round, because the margins of the search are tuned to it.
- TURN_LESS is taken off the weight of the turn. With reductions and extensions, a search compares leaves where one side
  is to move with leaves where the other one is, and must not prefer them for that.

The leaves of every fifth game are held out: the weights are judged by them, not fitted to them.
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt
import typer
from rich.console import Console
from rich.progress import track
from scipy.optimize import minimize
from scipy.special import expit

from local_runner.errors import RunnerError
from local_runner.files import write_whole
from submission.k_in_a_row import weights
from submission.k_in_a_row.evaluation import LinesEvaluator
from submission.k_in_a_row.patterns import COUNTS
from submission.k_in_a_row.position import KInARowPosition
from workshop.gobang_leaves import Leaves, played, read

OUTPUT = Path(__file__).resolve().parents[1] / "submission" / "data" / "gobang_weights.txt"
NAMES = COUNTS + weights.BOARD
MOVER, OTHER = 0, 1
LOGIT = LinesEvaluator.unit
HELD_OUT = 5                # one game in five
L2 = 1e-4                   # penalty on the squares of the weights of standardised features
SPREAD = 560                # standard deviation of the evaluations of leaves
TURN_LESS = 75              # in the evaluation's units

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """n quiet positions. features: n x 2 x NAMES; values: of the search, in the mover's view; games: their numbers."""

    features: Array
    values: Array
    games: npt.NDArray[np.int64]

    def part(self, chosen: npt.NDArray[np.bool_]) -> Sample:
        return Sample(self.features[chosen], self.values[chosen], self.games[chosen])

    def split(self) -> tuple[Sample, Sample]:
        """The positions to learn from, and those that are held out."""
        held_out = self.games % HELD_OUT == 0
        return self.part(~held_out), self.part(held_out)


class Figures(NamedTuple):
    """Mean cross-entropy in nats, and R2 of the expected scores, at the scale and turn that suit the weights best."""

    loss: float
    r2: float

    def __str__(self) -> str:
        return f"loss {self.loss:.4f}, R2 {self.r2:.3f}"


def main(
    files: Annotated[list[Path], typer.Argument(help="Leaves, as workshop.gobang_leaves writes them.")],
    output: Annotated[Path, typer.Option(help="The file of weights to write.")] = OUTPUT,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print the weights.")] = False,
) -> None:
    """Learn the weights, say how good they are, and write them."""
    try:
        games = [game for file in files for game in read(file)]
        screen = Console(stderr=True)
        sample = sampled(track(games, "replaying", console=screen, transient=True, disable=not screen.is_terminal))
        learn_from, held_out = sample.split()
        if not len(learn_from.games) or not len(held_out.games):
            raise RunnerError(f"{len(games)} games have too few leaves; take more of them")
        fitted = fit(learn_from)
        said = [f"{len(games)} games, {len(sample.games)} leaves, {len(held_out.games)} of them held out",
                f"before: {judge(in_use(), held_out)}",
                f"after:  {judge(fitted, held_out)}"]
        fitted = suited(fitted, sample)
        text = spelt(fitted, ["Made by workshop/gobang_weights.py, which says how.", *said])
        print(text if dry_run else "\n".join(said), flush=True)
        if not dry_run:
            write_whole(output, text, "give another --output")
    except RunnerError as error:
        raise SystemExit(str(error)) from error


# ---- positions and their features

def sampled(games: Iterable[Leaves]) -> Sample:
    """All leaves; raises RunnerError where there are none."""
    rows = [(features(played(moves)), value, game.number)
            for game in games for moves, value in zip(game.leaves, game.values, strict=True)]
    if not rows:
        raise RunnerError("there are no leaves in these files; take more games")
    found, values, numbers = zip(*rows, strict=True)
    return Sample(np.array(found, dtype=np.float64), np.array(values, dtype=np.float64), np.array(numbers))


def features(position: KInARowPosition) -> npt.NDArray[np.int64]:
    """The features of the evaluator that plays: 2 x NAMES, of the mover and of the other side."""
    evaluator = position.evaluator
    assert isinstance(evaluator, LinesEvaluator)
    return np.hstack([np.array(evaluator.line_features()), np.array(evaluator.board_features())])


# ---- weights: 2 x NAMES, for the mover and for the other side

def in_use() -> Array:
    """The weights that the engine has now."""
    of = weights.evaluation_weights()
    return np.hstack([np.array([of.moving, of.waiting], dtype=np.float64), np.array(of.board, dtype=np.float64).T])


def fit(sample: Sample) -> Array:
    """The weights that predict the search best; 0 for a feature that never occurs."""
    found = sample.features.reshape(len(sample.values), -1)
    spread = found.std(axis=0)
    scale = np.where(spread > 0, spread, 1)                 # the turn is always the same
    standard, wanted = found / scale, expit(sample.values / LOGIT)

    def loss(guess: Array) -> tuple[float, Array]:
        logits = standard @ guess
        slope = standard.T @ (expit(logits) - wanted) / len(wanted) + 2 * L2 * guess
        return _cross_entropy(logits, wanted) + L2 * float(guess @ guess), slope

    best = minimize(loss, np.zeros(found.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 2000})
    if not best.success:
        raise RunnerError(f"the weights were not found: {best.message}")
    fitted: Array = (best.x / scale * LOGIT).reshape(2, -1)
    return fitted


def suited(of: Array, sample: Sample) -> Array:
    """The weights as the search wants them: whole numbers, scaled to SPREAD in a sample, less for the turn."""
    suiting: Array = np.rint(of * SPREAD / (sample.features * of).sum(axis=(1, 2)).std())
    suiting[MOVER, NAMES.index("turn")] -= TURN_LESS
    return suiting


def judge(of: Array, sample: Sample) -> Figures:
    """How well weights predict the search in a sample, which should be held out."""
    said, wanted = (sample.features * of).sum(axis=(1, 2)) / LOGIT, expit(sample.values / LOGIT)
    scale, turn = minimize(lambda guess: _cross_entropy(guess[0] * said + guess[1], wanted), (1, 0)).x
    logits = scale * said + turn
    spread = float(np.var(wanted))
    return Figures(_cross_entropy(logits, wanted),
                   1 - float(np.mean((wanted - expit(logits)) ** 2)) / spread if spread else nan)    # of equal scores


def _cross_entropy(logits: Array, wanted: Array) -> float:
    return float(np.mean(np.logaddexp(0, logits) - wanted * logits))


def spelt(of: Array, remarks: Iterable[str]) -> str:
    """The file of weights, remarks first."""
    rows = [f"{name} {int(mover)} {int(other)}" for name, mover, other in zip(NAMES, *of, strict=True)]
    return "".join(line + "\n" for line in [*(f"# {remark}" for remark in remarks), *rows])


if __name__ == "__main__":
    typer.run(main)
