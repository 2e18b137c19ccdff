"""Chances from values: symmetric, monotone, exact where proved, and the fit finds a scale that is known."""

import numpy as np
import pytest

from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.processes.engine.engine_info import REVERSI_SCALES, STAGES, Chances, stage
from workshop.lab.winning_chance import fitted


def test_chances_are_symmetric_and_rise_with_the_value():
    black, white = Chances(0, 500.0), Chances(1, 500.0)
    values = [-(10**6), -500, -1, 0, 1, 500, 10**6]
    chances = [black.black(value) for value in values]
    assert chances == sorted(chances) and chances[3] == 0.5 and 0 < chances[0] < chances[-1] < 1
    assert [white.black(-value) for value in values] == pytest.approx(chances)
    assert black.black(500) == pytest.approx(0.7311, abs=1e-4)


@pytest.mark.parametrize(("exact", "mover", "chance"), [
    ("win", 0, 1.0), ("win", 1, 0.0), ("loss", 0, 0.0), ("loss", 1, 1.0), ("draw", 0, 0.5), ("draw", 1, 0.5),
])  # fmt: skip
def test_proved_results(exact, mover, chance):
    assert Chances(mover, 500.0).after({"exact": exact, "value": 77}) == chance


def test_every_game_and_size_has_a_scale():
    for env, size in (("gobang_1v1", None), ("tictactoe_1v1", None), ("reversi_1v1", None), ("reversi_1v1", 26)):
        assert Chances.of(GameSession(GameSetup(env, board_size=size))).scale > 0
    assert all(len(scales) == STAGES for scales in REVERSI_SCALES.values())
    assert [stage(64, discs) for discs in (4, 13, 40, 64)] == [0, 1, 3, STAGES - 1]


def test_the_fit_finds_the_scale_that_made_the_data():
    dice = np.random.default_rng(1)
    values = dice.normal(0, 800, 20_000)
    points = (dice.random(20_000) < 1 / (1 + np.exp(-values / 300))).astype(float)
    assert fitted(values, points) == pytest.approx(300, rel=0.05)
