"""Many settings at once: players differ in the drawn settings alone, and the fit finds what made the scores."""

from __future__ import annotations

import numpy as np
import pytest

from local_runner.errors import RunnerError
from submission.engine import PARAMETERS
from workshop.lab.choices import ChoicesPair
from workshop.lab.settings import SETTINGS, changed, effects_table, estimate_effects, play, variant
from workshop.native.build import find_compiler

NODES = 20
GAMES = ("gobang_1v1", "reversi_8x8_1v1")
needs_compiler = pytest.mark.skipif(not find_compiler(), reason="NOT TESTED: there is no C++ compiler")
FAMILY = variant(GAMES[0]).family
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


@needs_compiler
@pytest.mark.parametrize("env", [pytest.param(GAMES[0], marks=pytest.mark.slow), GAMES[1]])
def test_a_number_is_a_pair(env: str) -> None:
    pairs = [play(env, number, NODES) for number in (1, 2)]
    assert play(env, 1, NODES) == pairs[0]
    assert len({(*pair.first, *pair.second) for pair in pairs}) == len(pairs)
    assert {pair.score for pair in pairs} <= {0, 0.25, 0.5, 0.75, 1}


@needs_compiler
@pytest.mark.parametrize("env", [GAMES[0], pytest.param(GAMES[1], marks=pytest.mark.slow)])
def test_equal_players_share_the_points(env: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workshop.lab.settings.changed", lambda family, choices: PARAMETERS[family])
    assert [play(env, number, NODES).score for number in (1, 2)] == [0.5] * 2


@pytest.mark.slow
@needs_compiler
def test_a_player_who_does_not_look_ahead_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The score is of the first player, whichever colour he has."""

    def strong_first(family: str, choices: list[int]) -> object:
        use = PARAMETERS[family]
        return use.changed(candidates="1", root_candidates=1, root_nodes=0, vct_nodes=0) if choices == second else use

    points = 0.0
    for number in range(1, 13):
        second = play(GAMES[0], number, 1).second
        monkeypatch.setattr("workshop.lab.settings.changed", strong_first)
        points += play(GAMES[0], number, 1500).score
        monkeypatch.undo()
    assert points > 7.5


def _made_up(pairs: int, truth: np.ndarray, noise: float, seed: int = 0) -> list[ChoicesPair]:
    dice = np.random.default_rng(seed)
    sizes = [len(values) for values in SETTINGS[FAMILY].values()]
    starts = np.cumsum([0, *sizes[:-1]])
    made = []
    for number in range(pairs):
        choices = [[int(dice.integers(0, size + 1)) for size in sizes] for _ in range(2)]
        worth = [
            sum(truth[start + choice - 1] for start, choice in zip(starts, player, strict=True) if choice)
            for player in choices
        ]
        score = 0.5 + worth[0] - worth[1] + noise * dice.standard_normal()
        made.append(ChoicesPair(number, NODES, *choices, score))
    return made


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
