"""Tuning by games: the players differ in their weights alone, and the fit finds the effects that made the scores."""

from __future__ import annotations

import numpy as np
import pytest

from local_runner.errors import RunnerError
from submission.k_in_a_row.parameters import KInARowParameters
from workshop.gobang.game import position_after
from workshop.gobang.tuning import (
    CHANGES,
    EVERYTHING,
    STEPS,
    apply_steps,
    effects_table,
    estimate_effects,
    play,
    to_weights,
)
from workshop.gobang.weights import NAMES, current_weights, features
from workshop.lab.choices import ChoicesPair

NODES = 20
NONE = [0] * len(CHANGES)


def _step(name: str, by: int = 1) -> list[int]:
    return [by if name == change else 0 for change in CHANGES]


@pytest.mark.parametrize("name", CHANGES)
def test_a_step_changes_its_weights_alone_and_down_is_the_opposite_of_up(name: str) -> None:
    up, down = apply_steps(_step(name)) - current_weights(), current_weights() - apply_steps(_step(name, -1))
    if name == EVERYTHING:
        assert np.abs(up - current_weights() / 5).max() <= 0.5
        assert np.abs(up - down).max() <= 1
    else:
        assert (up == down).all()
        assert up[:, NAMES.index(name)].tolist() == list(STEPS[name])
        assert np.count_nonzero(up) == np.count_nonzero(STEPS[name])
    assert (apply_steps(NONE) == current_weights()).all()


def test_a_position_evaluates_by_its_own_weights() -> None:
    of = np.random.default_rng(1).integers(1, 1000, current_weights().shape).astype(float)
    lines = KInARowParameters(evaluator="lines")
    other, ours, dice = position_after([], weights=to_weights(of)), position_after([], lines), np.random.default_rng(2)
    for _ in range(12):
        cell = int(dice.choice(ours.moves()[:8]))
        other.play(cell)
        ours.play(cell)
        assert other.evaluate() == np.sum(features(ours) * of)
        assert ours.evaluate() == np.sum(features(ours) * current_weights())


def test_a_number_is_a_pair() -> None:
    pairs = [play(number, NODES) for number in (1, 2)]
    assert play(1, NODES) == pairs[0]
    assert len({(*pair.first, *pair.second) for pair in pairs}) == len(pairs)
    assert {pair.score for pair in pairs} <= {0, 0.25, 0.5, 0.75, 1}


def test_equal_players_share_the_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workshop.gobang.tuning.apply_steps", lambda steps: current_weights())
    assert [play(number, NODES).score for number in range(1, 7)] == [0.5] * 6


def _made_up(pairs: int, slopes: np.ndarray, bends: np.ndarray, noise: float, seed: int = 0) -> list[ChoicesPair]:
    dice = np.random.default_rng(seed)
    made = []
    for number in range(pairs):
        first, second = dice.integers(-1, 2, (2, len(CHANGES)))
        lead = (first - second) @ slopes + (first**2 - second**2) @ bends
        score = 0.5 + lead + noise * dice.standard_normal()
        made.append(ChoicesPair(number, NODES, first.tolist(), second.tolist(), score))
    return made


def test_the_true_effects_are_in_95_percent_of_the_intervals() -> None:
    dice = np.random.default_rng(4)
    slopes, bends = dice.normal(0, 0.03, (2, len(CHANGES)))
    truth = np.array([bends - slopes, bends + slopes]).T
    of, half = estimate_effects(_made_up(200, slopes, bends, 0))
    assert of == pytest.approx(truth)
    assert half.max() < 1e-9
    within = []
    for seed in range(20):
        of, half = estimate_effects(_made_up(100, slopes, bends, 0.3, seed))
        within.append(np.abs(of - truth) <= half)
    assert 0.92 < np.mean(within) < 0.98
    assert of.shape == half.shape == (len(CHANGES), 2)


def test_too_few_pairs_are_an_error() -> None:
    made = _made_up(2 * len(CHANGES), np.zeros(len(CHANGES)), np.zeros(len(CHANGES)), 0.3)
    with pytest.raises(RunnerError, match=rf"^{len(made)} pairs are too few to estimate {len(CHANGES)} changes"):
        estimate_effects(made)
    assert effects_table(_made_up(100, np.zeros(len(CHANGES)), np.zeros(len(CHANGES)), 0.3)).row_count == len(CHANGES)
