"""The network plays by its learnt weights: drawings, gradient, fit and file."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from submission.k_in_a_row.book import SIZE
from submission.k_in_a_row.weights import Network, evaluation_weights
from tests.workshop.conftest import write_results
from workshop.gobang import network as gobang_network
from workshop.gobang.games import position_after
from workshop.gobang.leaves import GameLeaves
from workshop.gobang.move_order import SurroundingsTable
from workshop.gobang.network import LOGIT, fit, forward, gradient, main, quality, sample_leaves, to_rows

TABLE = SurroundingsTable()


@pytest.fixture(scope="module")
def leaves() -> list[GameLeaves]:
    """Random positions, valued by the lines."""
    rng = random.Random(4)
    games = []
    for number in range(1, 21):
        moves = [rng.sample(range(SIZE * SIZE), rng.randint(4, 40)) for _ in range(8)]
        games.append(GameLeaves(number, 1, moves, [position_after(each).lines_value() for each in moves]))
    return games


def test_the_gradient_is_that_of_the_loss(leaves: list[GameLeaves]) -> None:
    sample = sample_leaves(leaves[:4], TABLE)
    numbers = {name: array.astype(np.float64) for name, array in fit(sample, TABLE, 3).items()}
    numbers["linear"] += 0.3
    numbers["out"] += 0.2
    targets = 1 / (1 + np.exp(-sample.values / LOGIT))

    def loss() -> float:
        logits = forward(numbers, sample).logits
        penalty = gobang_network.L2 * float((numbers["potentials"] ** 2).sum())
        return float(np.mean(np.logaddexp(0, logits) - targets * logits)) + penalty

    slopes, rng = gradient(numbers, sample), np.random.default_rng(3)
    for name, slope in slopes.items():
        for _ in range(6):
            place = tuple(rng.integers(size) for size in slope.shape)
            if name == "potentials":
                place = int(sample.own[rng.integers(len(sample.own)), 112, 0]), place[1]
            kept, step = numbers[name][place], 1e-4
            numbers[name][place] = kept + step
            above = loss()
            numbers[name][place] = kept - step
            below = loss()
            numbers[name][place] = kept
            assert slope[place] == pytest.approx((above - below) / (2 * step), abs=2e-5, rel=2e-2), (name, place)


@pytest.mark.slow
@pytest.mark.parametrize("games, batches, least", [(5, 3, -100.0), pytest.param(20, 60, 0.75, marks=pytest.mark.slow)])
def test_the_file_holds_the_fitted_network(
    games: int, batches: int, least: float, leaves: list[GameLeaves], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file has whole numbers. On held-out games the network predicts about as well as the lines."""
    leaves, output = leaves[:games], tmp_path / "network.txt"
    main([write_results(tmp_path / "leaves.jsonl", leaves)], output, batches=batches)
    learnt = evaluation_weights()._replace(network=Network(output.read_text()))
    assert f"network: {quality(learnt, leaves)}" in capsys.readouterr().out
    assert quality(learnt, leaves).r2 > least

    sample = sample_leaves(leaves, TABLE)
    numbers = fit(sample.part(sample.games % 5 != 0), TABLE, batches)
    rows = [line for line in output.read_text().splitlines() if not line.startswith("#")]
    assert list(to_rows(numbers, sample, TABLE)) == rows
    found = [position_after(moves, weights=learnt).evaluate() for game in leaves for moves in game.leaves]
    assert np.corrcoef(found, forward(numbers, sample).logits)[0, 1] > 0.99
