"""The learnt weights are those that the engine uses: features, fit and file against evaluate()."""

from __future__ import annotations

import pkgutil
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from local_runner.errors import RunnerError
from submission.k_in_a_row import weights
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from tests.workshop.conftest import write_results
from workshop.gobang.leaves import GameLeaves
from workshop.gobang.weights import (
    NAMES,
    SPREAD,
    TURN_LESS,
    LeafSample,
    current_weights,
    features,
    fit,
    fit_quality,
    main,
    sample_leaves,
    scale_for_search,
)

SHAPE = 2, len(NAMES)
DECIDED = {("4 in a window", 0)}  # the mover completes five: the game is decided
UNUSED = {("turn", 1), ("threatened", 1)}  # features of the mover alone


def _open_positions(games: int) -> Iterator[KInARowPosition]:
    """The open positions of random games, quiet or not, either side to move."""
    rng = random.Random(3)
    for _ in range(games):
        position = KInARowPosition(15, 15, 5, KInARowParameters(evaluator="lines", lazy_evaluation=False))
        while position.outcome() is None:
            yield position
            position.play(rng.choice(position.moves()[:8]))


@pytest.mark.slow
def test_evaluate_is_the_sum_of_features_times_weights() -> None:
    seen = np.zeros(SHAPE)
    for position in _open_positions(15):
        assert position.evaluate() == np.sum(features(position) * current_weights())
        seen += features(position)
    never = {(NAMES[column], row) for row, column in zip(*np.nonzero(seen == 0), strict=True)}
    assert never == DECIDED | UNUSED


def _made_up(of: np.ndarray, positions: int = 4000) -> LeafSample:
    """Leaves whose values are exactly those of these weights; the features of DECIDED and UNUSED do not occur."""
    rng = np.random.default_rng(7)
    there = rng.poisson(1.5, (positions, *SHAPE)).astype(float)
    for name, row in DECIDED | UNUSED:
        there[:, row, NAMES.index(name)] = 0
    there[:, 0, NAMES.index("turn")] = 1
    return LeafSample(there, (there * of).sum(axis=(1, 2)), np.arange(positions))


def test_fit_finds_the_weights_that_made_the_values() -> None:
    of = np.random.default_rng(5).integers(-150, 150, SHAPE).astype(float)
    learn_from, held_out = _made_up(of).split()
    fitted = fit(learn_from)
    for row, column in np.ndindex(SHAPE):
        unknown = (NAMES[column], row) in DECIDED | UNUSED
        assert fitted[row, column] == pytest.approx(0 if unknown else of[row, column], abs=0 if unknown else 7)
    assert fit_quality(of, held_out).r2 == 1
    assert fit_quality(fitted, held_out).r2 > 0.999
    otherwise = of * 1.4
    otherwise[0, NAMES.index("turn")] += 300  # the R² of a fit ignores a common factor and the weight of the turn
    assert fit_quality(otherwise, held_out).r2 == pytest.approx(1, abs=1e-4)
    assert fit_quality(np.zeros(SHAPE), held_out).r2 == pytest.approx(0, abs=1e-4)


def test_weights_for_the_search_have_a_fixed_spread_and_less_for_the_turn() -> None:
    of = np.random.default_rng(8).integers(-50, 50, SHAPE).astype(float)
    sample = _made_up(of)
    scaled = scale_for_search(of, sample)
    assert (scaled == np.rint(scaled)).all()
    scaled[0, NAMES.index("turn")] += TURN_LESS
    values = (sample.features * scaled).sum(axis=(1, 2))
    assert values.std() == pytest.approx(SPREAD, rel=0.01)
    assert np.corrcoef(values, sample.values)[0, 1] > 0.999


@pytest.mark.slow
def test_the_engine_reads_the_weights_that_were_written(
    all_leaves: list[GameLeaves], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, output = write_results(tmp_path / "leaves.jsonl", all_leaves), tmp_path / "weights.txt"
    main([file], output)
    remarks = [line for line in output.read_text("ascii").splitlines() if line.startswith("#")]
    assert [f"# {line}" for line in capsys.readouterr().out.splitlines()] == remarks[1:]
    sample = sample_leaves(all_leaves)
    assert len(sample.values) == sum(len(leaves.values) for leaves in all_leaves)
    monkeypatch.setattr(pkgutil, "get_data", lambda package, name: output.read_bytes())
    weights.evaluation_weights.cache_clear()
    read_back = current_weights()
    weights.evaluation_weights.cache_clear()
    assert (read_back == scale_for_search(fit(sample.split()[0]), sample)).all()


def test_too_few_games_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunnerError, match="these files hold no leaves; collect those of more games"):
        main([write_results(tmp_path / "games.jsonl", [])], tmp_path / "weights.txt")
