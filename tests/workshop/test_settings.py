"""Many settings at once: players differ in the drawn settings alone, and the fit finds what made the scores."""
from __future__ import annotations

import numpy as np
import pytest

from local_runner.errors import RunnerError
from submission.k_in_a_row.parameters import KInARowParameters
from workshop.gobang_pairs import ChoicesPair
from workshop.gobang_settings import CHANGES, SETTINGS, changed, effects_table, estimate_effects, play

NODES = 20


@pytest.mark.parametrize("name", SETTINGS)
def test_a_choice_changes_its_parameter_alone(name: str) -> None:
    place = list(SETTINGS).index(name)
    seen = {KInARowParameters()}
    for number in range(1, len(SETTINGS[name]) + 1):
        choices = [number if i == place else 0 for i in range(len(SETTINGS))]
        use = changed(choices)
        assert use.changed(**{name: getattr(KInARowParameters(), name)}) == KInARowParameters()
        seen.add(use)
    assert len(seen) == len(SETTINGS[name]) + 1


def test_a_number_is_a_pair() -> None:
    pairs = [play(number, NODES) for number in range(1, 4)]
    assert [play(number, NODES) for number in range(1, 4)] == pairs
    assert len({(*pair.first, *pair.second) for pair in pairs}) == len(pairs)


def test_equal_players_share_the_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workshop.gobang_settings.changed", lambda choices: KInARowParameters())
    assert [play(number, NODES).score for number in range(1, 5)] == [0.5] * 4


def _made_up(pairs: int, truth: np.ndarray, noise: float, seed: int = 0) -> list[ChoicesPair]:
    dice = np.random.default_rng(seed)
    sizes = [len(values) for values in SETTINGS.values()]
    starts = np.cumsum([0, *sizes[:-1]])
    made = []
    for number in range(pairs):
        choices = [[int(dice.integers(0, size + 1)) for size in sizes] for _ in range(2)]
        worth = [sum(truth[start + choice - 1] for start, choice in zip(starts, player, strict=True) if choice)
                 for player in choices]
        score = 0.5 + worth[0] - worth[1] + noise * dice.standard_normal()
        made.append(ChoicesPair(number, NODES, *choices, score))
    return made


def test_the_true_effects_are_in_95_percent_of_the_intervals() -> None:
    truth = np.random.default_rng(4).normal(0, 0.03, len(CHANGES))
    effects, half = estimate_effects(_made_up(200, truth, 0))
    assert effects == pytest.approx(truth)
    assert half.max() < 1e-9
    within = []
    for seed in range(40):
        effects, half = estimate_effects(_made_up(100, truth, 0.3, seed))
        within.append(np.abs(effects - truth) <= half)
    assert 0.92 < np.mean(within) < 0.98


def test_too_few_pairs_are_an_error() -> None:
    made = _made_up(len(CHANGES), np.zeros(len(CHANGES)), 0.3)
    with pytest.raises(RunnerError, match=rf"^{len(made)} pairs are too few to estimate {len(CHANGES)} changes"):
        estimate_effects(made)
    assert effects_table(_made_up(100, np.zeros(len(CHANGES)), 0.3)).row_count == len(CHANGES)
