"""The learnt weights are those that the engine uses: features, fit and file against evaluate()."""

from __future__ import annotations

import pkgutil
import random
from collections.abc import Iterator
from dataclasses import asdict
from json import dumps
from pathlib import Path

import numpy as np
import pytest

from local_runner.errors import RunnerError
from submission.k_in_a_row import weights
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from workshop.game_file import read
from workshop.gobang import weights as gobang_weights
from workshop.gobang.learning import HELD_OUT
from workshop.gobang.leaves import GameLeaves, is_quiet
from workshop.gobang.weights import (
    NAMES,
    SPREAD,
    TURN_LESS,
    LeafSample,
    current_weights,
    features,
    fit,
    fit_quality,
    sample_leaves,
    scale_for_search,
)

SHAPE = 2, len(NAMES)
DECIDED = {("4 in a window", 0)}  # the mover completes five: the game is decided
UNUSED = {("turn", 1), ("threatened", 1)}  # features of the mover alone


def _open_positions(games: int) -> Iterator[KInARowPosition]:
    """The open positions of random games, quiet or not, either side to move."""
    dice = random.Random(3)
    for _ in range(games):
        position = KInARowPosition(15, 15, 5, KInARowParameters(evaluator="lines", lazy_evaluation=False))
        while position.outcome() is None:
            yield position
            position.play(dice.choice(position.moves()[:8]))


def test_evaluate_is_the_sum_of_features_times_weights() -> None:
    """tests/submission/test_evaluator.py checks that evaluate() is the sum of features times weights."""
    seen, quiet = np.zeros(SHAPE), [0, 0]
    for position in _open_positions(25):
        assert position.evaluate() == np.sum(features(position) * current_weights())
        seen += features(position)
        quiet[position.side] += is_quiet(position)
    assert min(quiet) > 100
    never = {(NAMES[column], row) for row, column in zip(*np.nonzero(seen == 0), strict=True)}
    assert never == DECIDED | UNUSED


def _made_up(of: np.ndarray, positions: int = 4000) -> LeafSample:
    """Leaves whose values are exactly those of these weights; the features of DECIDED and UNUSED do not occur."""
    dice = np.random.default_rng(7)
    there = dice.poisson(1.5, (positions, *SHAPE)).astype(float)
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
    assert fit_quality(fitted, held_out).loss < fit_quality(np.zeros(SHAPE), held_out).loss


def test_the_quality_does_not_depend_on_scale_and_turn() -> None:
    of = np.random.default_rng(6).integers(-150, 150, SHAPE).astype(float)
    sample = _made_up(of)
    otherwise = of * 1.4
    otherwise[0, NAMES.index("turn")] += 300
    assert fit_quality(otherwise, sample).r2 == pytest.approx(1, abs=1e-4)
    assert fit_quality(otherwise, sample).loss == pytest.approx(fit_quality(of, sample).loss, abs=1e-5)
    assert fit_quality(-of, sample).r2 > 0.99  # the scale may be less than 0
    assert fit_quality(np.zeros(SHAPE), sample).r2 == pytest.approx(0, abs=1e-4)


def test_weights_for_the_search_have_a_fixed_spread_and_less_for_the_turn() -> None:
    of = np.random.default_rng(8).integers(-50, 50, SHAPE).astype(float)
    sample = _made_up(of)
    scaled = scale_for_search(of, sample)
    assert (scaled == np.rint(scaled)).all()
    scaled[0, NAMES.index("turn")] += TURN_LESS
    said = (sample.features * scaled).sum(axis=(1, 2))
    assert said.std() == pytest.approx(SPREAD, rel=0.01)
    assert np.corrcoef(said, sample.values)[0, 1] > 0.999


def test_held_out_are_whole_games() -> None:
    learn_from, held_out = _made_up(np.ones(SHAPE), 50).split()
    assert set(held_out.games) == set(range(0, 50, HELD_OUT))
    assert set(learn_from.games) == set(range(50)) - set(held_out.games)


def test_the_sample_has_features_value_and_game_of_each_leaf() -> None:
    leaves = [[112, 97, 98], [112, 97, 98, 113, 80], [112]]
    sample = sample_leaves(
        [GameLeaves(11, 20, leaves[:2], [-5, 9]), GameLeaves(12, 20, [], []), GameLeaves(13, 20, leaves[2:], [3])]
    )
    assert sample.values.tolist() == [-5, 9, 3]
    assert sample.games.tolist() == [11, 11, 13]
    for each, moves in zip(sample.features, leaves, strict=True):
        position = KInARowPosition(15, 15, 5)
        for cell in moves:
            position.play(cell)
        assert (each == features(position)).all()


@pytest.fixture(scope="module")
def file(all_leaves: list[GameLeaves], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("leaves") / "leaves.jsonl"
    path.write_text("".join(dumps(asdict(leaves)) + "\n" for leaves in all_leaves))
    return path


@pytest.mark.slow
def test_what_is_written_is_what_the_engine_reads(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "weights.txt"
    gobang_weights.main([file], output)
    report = capsys.readouterr().out
    sample = sample_leaves(read(file, GameLeaves))
    monkeypatch.setattr(pkgutil, "get_data", lambda package, name: output.read_bytes())
    weights.evaluation_weights.cache_clear()
    read_back = current_weights()
    weights.evaluation_weights.cache_clear()
    assert (read_back == scale_for_search(fit(sample.split()[0]), sample)).all()
    remarks = [line for line in output.read_text("ascii").splitlines() if line.startswith("#")]
    assert "2 games" in remarks[1]
    assert "R2" in remarks[2]
    assert [f"# {line}" for line in report.splitlines()] == remarks[1:]


def test_a_dry_run_only_prints(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gobang_weights.main([file], tmp_path / "weights.txt", dry_run=True)
    assert not (tmp_path / "weights.txt").exists()
    assert "\nfour and open three " in capsys.readouterr().out


def test_too_few_games_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("")
    with pytest.raises(RunnerError, match="these files hold no leaves; collect those of more games"):
        gobang_weights.main([path], tmp_path / "weights.txt")
