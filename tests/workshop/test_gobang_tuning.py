"""Weights asked about by games: players that differ in their weights alone, and a fit that finds what made scores."""
from __future__ import annotations

import numpy as np
import pytest

from local_runner.errors import RunnerError
from submission.k_in_a_row.position import KInARowPosition
from workshop.gobang_tuning import CHANGES, EVERYTHING, STEPS, Pair, changed, play, player, told, worth
from workshop.gobang_weights import NAMES, features, in_use

NODES = 20
NONE = [0] * len(CHANGES)


def _step(name: str, by: int = 1) -> list[int]:
    return [by if name == change else 0 for change in CHANGES]


@pytest.mark.parametrize("name", CHANGES)
def test_a_step_changes_its_weights_alone_and_down_is_the_opposite_of_up(name: str) -> None:
    up, down = changed(_step(name)) - in_use(), in_use() - changed(_step(name, -1))
    if name == EVERYTHING:
        assert np.abs(up - in_use() / 5).max() <= 0.5
        assert np.abs(up - down).max() <= 1
    else:
        assert (up == down).all()
        assert up[:, NAMES.index(name)].tolist() == list(STEPS[name])
        assert np.count_nonzero(up) == np.count_nonzero(STEPS[name])
    assert (changed(NONE) == in_use()).all()


def test_a_player_evaluates_by_its_weights_and_leaves_those_of_others_alone() -> None:
    of = np.random.default_rng(1).integers(1, 1000, in_use().shape).astype(float)
    other, ours, dice = player(of), KInARowPosition(15, 15, 5), np.random.default_rng(2)
    for _ in range(12):
        cell = int(dice.choice(ours.moves()[:8]))
        other.play(cell)
        ours.play(cell)
        assert other.evaluate() == np.sum(features(ours) * of)
        assert ours.evaluate() == np.sum(features(ours) * in_use())


def test_a_number_is_a_pair() -> None:
    pairs = [play(number, NODES) for number in range(1, 5)]
    assert [play(number, NODES) for number in range(1, 5)] == pairs
    assert len({(*pair.first, *pair.second) for pair in pairs}) == len(pairs)
    assert {pair.score for pair in pairs} <= {0, 0.25, 0.5, 0.75, 1}


def test_equals_share_the_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workshop.gobang_tuning.changed", lambda steps: in_use())
    assert [play(number, NODES).score for number in range(1, 7)] == [0.5] * 6


def _made_up(pairs: int, slopes: np.ndarray, bends: np.ndarray, noise: float, seed: int = 0) -> list[Pair]:
    dice = np.random.default_rng(seed)
    made = []
    for number in range(pairs):
        first, second = dice.integers(-1, 2, (2, len(CHANGES)))
        lead = (first - second) @ slopes + (first ** 2 - second ** 2) @ bends
        made.append(Pair(number, NODES, first.tolist(), second.tolist(), 0.5 + lead + noise * dice.standard_normal()))
    return made


def test_what_made_the_scores_is_found_within_the_interval_nineteen_times_of_twenty() -> None:
    dice = np.random.default_rng(4)
    slopes, bends = dice.normal(0, 0.03, (2, len(CHANGES)))
    truth = np.array([bends - slopes, bends + slopes]).T
    of, half = worth(_made_up(200, slopes, bends, 0))
    assert of == pytest.approx(truth)
    assert half.max() < 1e-9
    within = []
    for seed in range(20):
        of, half = worth(_made_up(100, slopes, bends, 0.3, seed))
        within.append(np.abs(of - truth) <= half)
    assert 0.92 < np.mean(within) < 0.98
    assert of.shape == half.shape == (len(CHANGES), 2)


def test_too_few_pairs_tell_nothing() -> None:
    made = _made_up(2 * len(CHANGES), np.zeros(len(CHANGES)), np.zeros(len(CHANGES)), 0.3)
    with pytest.raises(RunnerError, match=rf"^{len(made)} pairs are too few to tell what {len(CHANGES)} changes are"):
        worth(made)
    assert told(_made_up(100, np.zeros(len(CHANGES)), np.zeros(len(CHANGES)), 0.3)).row_count == len(CHANGES)
