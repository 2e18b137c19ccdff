"""Runs every game as the platform's script does, under platform rules.

At every step both players are called with three positional arguments, Black first. The log must be valid JSON. At the
end check_win() gives the winner.
"""

import json
import random
from typing import Any

import pytest

from env_adapter import Game, answer, make, names

PAID = {1: [100, 0], 2: [0, 100], 3: [50, 50]}


def run(env: Game, controllers: list[Any]) -> tuple[dict[str, Any], list[list[Any]]]:
    """Play one game as the platform's script does; returns the log and each player's observations."""
    assert sum(env.agent_nums) == env.n_player and len(env.obs_type) == 2
    spaces = [env.get_single_action_space(player) for player in range(env.n_player)]
    shown: list[list[Any]] = [[], []]
    steps = []
    all_observes: Any = env.all_observes
    while not env.is_terminal():
        joint_action = []
        for player, controller in enumerate(controllers):
            shown[player].append(all_observes[player])
            joint_action.append(controller(all_observes[player], spaces[player], env.is_act_continuous))
        all_observes, reward, _, info_before, info_after = env.step(joint_action)
        steps.append({"info_before": info_before, "reward": reward})
        if info_after:
            steps[-1]["info_after"] = info_after
    log = {"seed": env.seed, "init_info": env.init_info, "steps": steps, "winner": env.check_win()}
    return log | {"winner_information": env.won, "n_return": env.n_return}, shown


def guesser(seed: int) -> Any:
    """A random player; it ignores the observation, so the list after a pass does not matter."""
    rng = random.Random(seed)

    def controller(observation: Any, action_space: Any, is_act_continuous: bool) -> list[list[int]]:
        assert is_act_continuous is False
        n_row, n_col = (int(space.n) for space in action_space)
        return answer((rng.randrange(n_row), rng.randrange(n_col)), n_row, n_col)

    return controller


@pytest.mark.parametrize("name", names())
def test_a_game_as_the_platform_runs_it(name: str) -> None:
    env = make(name, seed=5)
    log, shown = run(env, [guesser(1), guesser(2)])
    again = json.loads(json.dumps(log))
    assert again["seed"] == 5 and len(again["steps"]) == len(shown[0]) == len(shown[1])
    assert again["n_return"] in ([1, 0], [0, 1], [0.5, 0.5])
    assert again["steps"][-1]["reward"] in ([100, 0], [0, 100], [50, 50])
    assert [step["info_before"][-1] for step in again["steps"]][:4] == ["1", "2", "1", "2"]


def test_the_log_of_reversi_with_passes() -> None:
    """A pass has no info_after, the next observations are rows, and every step shows the final reward."""
    n_pass = 0
    for seed in range(12):
        env = make("reversi_1v1", seed=seed, board_size=6)
        log, shown = run(env, [guesser(seed), guesser(seed + 100)])
        passes = [number for number, step in enumerate(log["steps"]) if "info_after" not in step]
        rows = [number for number, seen in enumerate(shown[0]) if isinstance(seen, list)]
        assert rows == [number + 1 for number in passes if number + 1 < len(log["steps"])]
        assert all(len(shown[player][number]) == 6 for number in rows for player in (0, 1))
        assert [step["reward"] for step in log["steps"]] == [PAID[log["winner"]]] * len(log["steps"])
        assert len(log["steps"]) == env.step_cnt - 1 + len(passes)
        n_pass += len(passes)
    assert n_pass > 3


def test_black_at_the_end_of_a_full_board() -> None:
    """The log's winner is 0, although Black is paid."""
    cells = iter([(1, 1), (0, 0), (0, 2), (2, 0), (1, 0), (1, 2), (0, 1), (2, 1), (2, 2)])
    current = [(0, 0)]

    def black(observation: Any, action_space: Any, is_act_continuous: bool) -> list[list[int]]:
        current[0] = next(cells)
        return answer(current[0], 3, 3)

    def white(observation: Any, action_space: Any, is_act_continuous: bool) -> list[list[int]]:
        return answer(current[0], 3, 3)

    log, shown = run(make("tictactoe_1v1"), [black, white])
    assert (log["winner"], log["n_return"], log["winner_information"]) == (0, [1, 0], {})
    assert shown[0][0]["state_map"] is shown[1][8]["state_map"]  # one live board all game long
