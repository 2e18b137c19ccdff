"""Many settings at once: a choice changes its parameter alone, and the fit finds the effects that made the scores."""

from __future__ import annotations

import numpy as np
import pytest

from local_runner.errors import RunnerError
from submission.engine import PARAMETERS
from submission.variant import K_IN_A_ROW
from workshop.lab.settings import SETTINGS, SettingsPair, changed, effects_table, estimate_effects

NODES = 20
FAMILY = K_IN_A_ROW
CHANGES = sum(map(len, SETTINGS[FAMILY].values()))


@pytest.mark.parametrize(("family", "name"), [(family, name) for family, names in SETTINGS.items() for name in names])
def test_a_choice_changes_its_parameter_alone(family: str, name: str) -> None:
    settings, default = SETTINGS[family], PARAMETERS[family]
    place = list(settings).index(name)
    seen = {default}
    for number in range(1, len(settings[name]) + 1):
        use = changed(family, [number if i == place else 0 for i in range(len(settings))])
        assert use.changed(**{name: getattr(default, name)}) == default
        seen.add(use)
    assert len(seen) == len(settings[name]) + 1


def _made_up(pairs: int, truth: np.ndarray, noise: float, seed: int = 0) -> list[SettingsPair]:
    rng = np.random.default_rng(seed)
    sizes = [len(values) for values in SETTINGS[FAMILY].values()]
    starts = np.cumsum([0, *sizes[:-1]])
    made = []
    for number in range(pairs):
        choices = [[int(rng.integers(0, size + 1)) for size in sizes] for _ in range(2)]
        worth = [
            sum(truth[start + choice - 1] for start, choice in zip(starts, player, strict=True) if choice)
            for player in choices
        ]
        score = 0.5 + worth[0] - worth[1] + noise * rng.standard_normal()
        made.append(SettingsPair(number, NODES, *choices, score))
    return made


@pytest.mark.slow
def test_the_true_effects_are_in_95_percent_of_the_intervals() -> None:
    truth = np.random.default_rng(4).normal(0, 0.03, CHANGES)
    effects, half = estimate_effects(_made_up(200, truth, 0), SETTINGS[FAMILY])
    assert effects == pytest.approx(truth)
    assert half.max() < 1e-9
    within = []
    for seed in range(40):
        effects, half = estimate_effects(_made_up(100, truth, 0.3, seed), SETTINGS[FAMILY])
        within.append(np.abs(effects - truth) <= half)
    assert 0.92 < np.mean(within) < 0.98


def test_too_few_pairs_are_an_error() -> None:
    made = _made_up(CHANGES, np.zeros(CHANGES), 0.3)
    with pytest.raises(RunnerError, match=rf"^{len(made)} pairs are too few to estimate {CHANGES} changes"):
        estimate_effects(made, SETTINGS[FAMILY])
    assert effects_table(_made_up(100, np.zeros(CHANGES), 0.3), SETTINGS[FAMILY]).row_count == CHANGES
