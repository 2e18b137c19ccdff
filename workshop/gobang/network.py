"""Learns submission/data/gobang_network.txt, the network of the gobang evaluation, from leaves.

    python -m workshop.gobang.network FILE ... [--out FILE]

The files of leaves come from leaves.py, or hold positions that another engine has valued, with 0 nodes. The optimiser
is Adam (Kingma and Ba 2015); its step size falls from STEP to 0 along half a cosine. The activation of a potential h
with threshold c is max(0, softplus(SHARPNESS * (h - c)) / SHARPNESS - SILENCE). submission/k_in_a_row/network.py
describes the network, docs/developers/engine/11-learning.md the fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt
import typer
from scipy.sparse import csr_array
from scipy.special import expit

from local_runner.errors import RunnerError
from submission.boards import DIRECTIONS
from submission.k_in_a_row import weights
from submission.k_in_a_row.book import SIZE
from submission.k_in_a_row.network import LOGARITHM, UNIT
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.weights import KINDS
from workshop.command import run, with_progress
from workshop.game_file import read
from workshop.gobang.games import position_after
from workshop.gobang.learning import HELD_OUT, Array, Ints, Mask, held_out_rows, publish
from workshop.gobang.leaves import GameLeaves
from workshop.gobang.move_order import Drawings, SurroundingsTable, board_after
from workshop.gobang.weights import LOGIT, TURN_LESS, FitQuality, values_quality

OUTPUT = Path(__file__).resolve().parents[2] / "submission" / weights.NETWORK
HIDDEN = 32  # units with a ReLU; one more unit is linear
BATCHES, BATCH = 20000, 1024  # number of batches, leaves in a batch
STEP = 0.01  # Adam's step size in the first batch
L2 = 1e-6  # penalty on the squared potentials
SHARPNESS, SILENCE = 4.0, 0.02
MOST, UNIT_OF_POTENTIALS = 63, 0.03  # largest number of a line in the file (4 * MOST fits into a byte), and its unit
SCALE = 40  # activations are whole multiples of 1 / SCALE
SPREAD = 700  # standard deviation of the values of leaves
LINEAR = 1 << 30  # bias of the linear unit, so large that the ReLU changes nothing

Float = npt.NDArray[np.float32]
Numbers = dict[str, Float]
# Shapes of Numbers. "potentials": (1 + drawings) x 2 KINDS, row 0 for no drawing; the first KINDS columns are used if
# the drawing's colour is to move, the other columns if not. "threshold": KINDS. "inputs": inputs x HIDDEN. "bias",
# "out": HIDDEN. "linear": inputs. "constant": 1.


@dataclass(frozen=True)
class NetworkSample:
    """n leaves; 4 kB each.

    own, other: n x cells x 4, the numbers of the drawings around each cell by direction, for the mover and the opponent
    facts: n x 4, the network's inputs other than the pools; the first is the value of `lines` in multiples of LOGIT
    values: the search value of each leaf, for the side to move; games: the number of each leaf's game
    """

    own: Drawings
    other: Drawings
    facts: Float
    values: Array
    games: Ints

    def part(self, chosen: Mask | Ints) -> NetworkSample:
        return NetworkSample(**{name: values[chosen] for name, values in vars(self).items()})


def main(
    files: Annotated[list[Path], typer.Argument(help="Files of leaves, made by workshop.gobang.leaves.")],
    output: Annotated[Path, typer.Option("--out", help="File of the network to write.")] = OUTPUT,
    batches: Annotated[int, typer.Option(min=1, help="Batches of Adam.")] = BATCHES,
) -> None:
    """Learn the network, print how well it predicts held-out games, and write it."""
    games = [game for file in files for game in read(file, GameLeaves)]
    table = SurroundingsTable()
    sample = sample_leaves(with_progress(games, "replaying"), table)
    held_out = held_out_rows(sample.games, f"{len(games)} games have too few leaves; collect those of more games")
    rows = list(to_rows(fit(sample.part(~held_out), table, batches), sample, table))
    network = weights.Network("\n".join(rows))
    labelled = sum(len(game.leaves) for game in games if not game.nodes)
    report = [
        f"{len(games)} games, {len(sample.games)} leaves, {held_out.sum()} of them held out; "
        f"{labelled} leaves valued by another engine",
        f"lines:   {quality(weights.evaluation_weights(), games)}",
        f"before:  {quality(weights.network_weights(), games)}",
        f"network: {quality(weights.evaluation_weights()._replace(network=network), games)}",
    ]
    publish(output, report, "network", rows)


def sample_leaves(games: Iterable[GameLeaves], table: SurroundingsTable) -> NetworkSample:
    """All leaves of the games. Raises RunnerError if there are none."""
    drawn, facts, values, numbers = [], [], [], []
    for game in games:
        boards = []
        for moves, value in zip(game.leaves, game.values, strict=True):
            position = position_after(moves)
            (_, threatened, own, _), (_, _, other, _) = position.evaluator.board_features()
            boards.append(board_after(moves))
            facts.append((position.lines_value() / LOGIT, threatened, own, other))
            values.append(value)
            numbers.append(game.number)
        if boards:
            drawn.append(table.around(np.array(boards)))
    if not drawn:
        raise RunnerError("these files hold no leaves; collect those of more games")
    own, other = map(np.concatenate, zip(*drawn, strict=True))
    return NetworkSample(own, other, np.array(facts, np.float32), np.array(values, float), np.array(numbers))


# ---- the fit


def fit(sample: NetworkSample, table: SurroundingsTable, batches: int) -> Numbers:
    """The numbers that minimise the loss, by Adam."""
    rng = np.random.default_rng(1)
    inputs = 2 * KINDS + sample.facts.shape[1]
    start: dict[str, Array] = {
        "potentials": rng.uniform(0, 0.1, (len(table.drawings) + 1, 2 * KINDS)), "threshold": np.zeros(KINDS),
        "inputs": rng.normal(0, 0.3, (inputs, HIDDEN)), "bias": np.zeros(HIDDEN), "out": np.zeros(HIDDEN),
        "linear": np.zeros(inputs), "constant": np.zeros(1)}  # fmt: skip
    numbers = {name: array.astype(np.float32) for name, array in start.items()}
    mean, square = ({name: np.zeros_like(array) for name, array in numbers.items()} for _ in range(2))
    for batch in with_progress(range(1, batches + 1), "fitting"):
        gradients = gradient(numbers, sample.part(rng.integers(len(sample.games), size=BATCH)))
        step = STEP * (1 + np.cos(np.pi * batch / batches)) / 2
        for name, slope in gradients.items():
            mean[name] += 0.1 * (slope - mean[name])
            square[name] += 0.001 * (slope**2 - square[name])
            deviation = np.sqrt(square[name] / (1 - 0.999**batch)) + 1e-8
            numbers[name] -= step * (mean[name] / (1 - 0.9**batch)) / deviation
        potentials = numbers["potentials"]
        np.clip(potentials, 0, MOST * UNIT_OF_POTENTIALS, out=potentials)
        potentials[0] = 0
    return numbers


class Forward(NamedTuple):
    """All layers of the network for n leaves, up to the logit of winning.

    own, other: how often each drawing occurs around a cell, for the mover and for the opponent; one row a cell
    heights: potentials minus thresholds, n x cells x 2 KINDS: the mover's, then the opponent's
    activations: of the heights, same shape; pools: n x 2 KINDS; inputs, units: n rows; logits: n
    """

    own: csr_array
    other: csr_array
    heights: Float
    activations: Float
    pools: Float
    inputs: Float
    units: Float
    logits: Float


def forward(numbers: Numbers, sample: NetworkSample) -> Forward:
    """Evaluate the network with these numbers on a sample."""
    potentials = numbers["potentials"]
    own, other = (_rows_of_drawings(drawings, potentials) for drawings in (sample.own, sample.other))
    heights = own @ potentials + _sides_swapped(other @ potentials) - np.tile(numbers["threshold"], 2)
    heights = heights.reshape(len(sample.games), SIZE * SIZE, 2 * KINDS)
    activations = activated(heights)
    pools = activations.sum(axis=1)
    inputs = np.hstack([np.log1p(pools), sample.facts])
    units = np.maximum(inputs @ numbers["inputs"] + numbers["bias"], 0)
    logits = inputs @ numbers["linear"] + units @ numbers["out"] + numbers["constant"]
    return Forward(own, other, heights, activations, pools, inputs, units, logits)


def _rows_of_drawings(drawings: Drawings, potentials: Float) -> csr_array:
    """A sparse matrix: a row for each cell, a column for each drawing, with how often it is around the cell."""
    numbers = drawings.ravel().astype(np.int32)
    starts = np.arange(0, numbers.size + 1, len(DIRECTIONS), dtype=np.int32)
    return csr_array((np.ones(numbers.size, potentials.dtype), numbers, starts), (len(starts) - 1, len(potentials)))


def _sides_swapped(columns: Float) -> Float:
    """The columns with their two halves, one for each side, exchanged."""
    return np.roll(columns, KINDS, axis=1)


def activated(heights: Float) -> Float:
    """The activation of Forward.heights, at most 8 * MOST * UNIT_OF_POTENTIALS each, so exp() cannot overflow."""
    activation: Float = np.maximum(np.log(1 + np.exp(SHARPNESS * heights)) / SHARPNESS - SILENCE, 0)
    return activation


def gradient(numbers: Numbers, sample: NetworkSample) -> Numbers:
    """The gradient of the mean loss in a sample, by each number."""
    own, other, heights, activations, pools, inputs, units, logits = forward(numbers, sample)
    by_logit = ((expit(logits) - expit(sample.values / LOGIT)) / len(logits)).astype(np.float32)
    by_unit = by_logit[:, None] * numbers["out"] * (units > 0)
    by_input = by_logit[:, None] * numbers["linear"] + by_unit @ numbers["inputs"].T
    by_pool = by_input[:, : 2 * KINDS] / (1 + pools)
    by_height = by_pool[:, None] * expit(SHARPNESS * heights) * (activations > 0)
    by_cell = by_height.reshape(-1, 2 * KINDS)
    return {
        "inputs": inputs.T @ by_unit,
        "bias": by_unit.sum(axis=0),
        "out": units.T @ by_logit,
        "linear": inputs.T @ by_logit,
        "constant": by_logit.sum(keepdims=True),
        "threshold": -by_cell.sum(axis=0).reshape(2, KINDS).sum(axis=0),
        "potentials": own.T @ by_cell + other.T @ _sides_swapped(by_cell) + 2 * L2 * numbers["potentials"],
    }


# ---- whole numbers


def to_rows(numbers: Numbers, sample: NetworkSample, table: SurroundingsTable) -> Iterator[str]:
    """The rows of the file. In the sample, the network's values get the standard deviation SPREAD."""
    whole = np.rint(numbers["potentials"][1:] / UNIT_OF_POTENTIALS).astype(int)
    for drawing, potentials in zip(table.drawings, whole.reshape(-1, 2, KINDS).swapaxes(1, 2), strict=True):
        if potentials.any():
            yield _row(drawing, potentials.ravel())
    for threshold in numbers["threshold"]:
        activation = activated(np.arange(256) * UNIT_OF_POTENTIALS - threshold)
        yield _row("activation", np.minimum(activation * SCALE, 255))
    yield _row("scale", [SCALE])
    parts = np.array_split(np.arange(len(sample.games)), len(sample.games) // BATCH + 1)
    logits = np.concatenate([forward(numbers, sample.part(part)).logits for part in parts])
    out = np.append(numbers["out"], 1) * SPREAD / logits.std()
    inputs = np.column_stack([numbers["inputs"], numbers["linear"]]) * UNIT
    inputs[: 2 * KINDS] /= LOGARITHM
    inputs[2 * KINDS] /= LOGIT
    bias = np.append(numbers["bias"] * UNIT, LINEAR)
    for row in zip(bias, out, *inputs, strict=True):
        yield _row("unit", row)
    linear = int(np.rint(out[-1]))
    yield _row("constant", [numbers["constant"][0] * out[-1] - LINEAR * linear / UNIT - TURN_LESS])


def _row(name: str, numbers: Iterable[float]) -> str:
    return " ".join([name, *(str(int(np.rint(number))) for number in numbers)])


def quality(learnt: weights.Weights, games: Iterable[GameLeaves]) -> FitQuality:
    """The quality of the evaluation by these weights in the held-out games."""
    use = KInARowParameters(evaluator="network" if learnt.network else "lines", lazy_evaluation=False)
    held_out = [game for game in games if game.number % HELD_OUT == 0]
    values = [position_after(moves, use, learnt).evaluate() for game in held_out for moves in game.leaves]
    searched = [value for game in held_out for value in game.values]
    return values_quality(np.array(values, float), np.array(searched, float))


if __name__ == "__main__":
    run(main)
