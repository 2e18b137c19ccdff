"""Agents as bots of OpenSpiel play whole games in its environments."""

import numpy as np
import pytest

from local_runner.errors import TengenError

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms.evaluate_bots import evaluate_bots  # noqa: E402
from tengen.rl.open_spiel_bot import GAMES, AgentBot  # noqa: E402


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game(name: str) -> None:
    game = pyspiel.load_game(name)
    bots = [AgentBot(game, 0, "tengen:depth=1"), AgentBot(game, 1, "random")]
    results = [evaluate_bots(game.new_initial_state(), bots, np.random) for _game in range(2)]
    assert all(sum(result) == 0 and result[0] >= 0 for result in results)
    for bot in bots:
        bot.close()


def test_another_game_and_another_agent_are_refused() -> None:
    with pytest.raises(TengenError, match=r"unknown game 'go\(.*\)'; choose one of: othello\(\)"):
        AgentBot(pyspiel.load_game("go"), 0)
    with pytest.raises(TengenError, match="nobody"):
        AgentBot(pyspiel.load_game("othello"), 0, "nobody")
