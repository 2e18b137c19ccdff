"""The environments pass the tests of PettingZoo and Gymnasium."""

import copy
import pickle
import tempfile
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from local_runner.errors import RunnerError

pytest.importorskip("pettingzoo")
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, render_test, seed_test, state_test
from tengen.rl import environments
from tengen.rl.environments import AgainstAgent

from env_adapter import names

pytestmark = pytest.mark.filterwarnings("ignore")  # the tests of PettingZoo and Gymnasium warn of good environments
ONE_OF_EACH = ("tictactoe_1v1", "reversi_8x8_1v1")


@pytest.mark.parametrize(
    "game", [pytest.param(each, marks=() if each == "tictactoe_1v1" else pytest.mark.slow) for each in names()]
)
def test_pettingzoos_tests(game: str) -> None:
    env = partial(environments.env, game)
    api_test(env(), num_cycles=200)
    seed_test(env, num_cycles=20)
    parallel_api_test(environments.parallel_env(game), num_cycles=50)
    render_test(lambda render_mode: env(render_mode=render_mode if render_mode != "human" else None))
    state_test(env(), environments.parallel_env(game))


@pytest.mark.slow
def test_pettingzoos_test_of_the_number_of_cycles() -> None:
    def seeded(make, max_cycles: int):
        env = make("gobang_1v1", max_cycles=max_cycles)
        for seed, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(seed + 1)  # with these seeds the random actions are legal
        return env

    both = partial(seeded, environments.env), partial(seeded, environments.parallel_env)
    max_cycles_test(SimpleNamespace(env=both[0], parallel_env=both[1]))


COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env))}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("make", [
    environments.env, environments.BoardGame, environments.parallel_env, AgainstAgent,
    pytest.param(partial(AgainstAgent, opponent="level1", colour="white"), marks=pytest.mark.slow),
])  # fmt: skip
def test_a_copy_goes_on_from_the_position_alone(make, copied) -> None:
    def step(env, action) -> None:
        env.step(dict.fromkeys(("black", "white"), action) if make is environments.parallel_env else action)

    env = make("gobang_1v1", render_mode="ansi")
    copied(env).reset(seed=1)
    env.reset(seed=1)
    step(env, 30)
    other, board = copied(env), env.render()
    assert other.render() == board
    step(other, 0)
    assert env.render() == board != other.render()
    step(env, 0)
    env.close()
    other.close()


@pytest.mark.parametrize("make", [environments.env, AgainstAgent])
def test_a_render_mode_that_draws_nothing_is_refused(make) -> None:
    with pytest.raises(RunnerError, match="human"):
        make("tictactoe_1v1", render_mode="human")


def test_the_end_stays_until_the_reset_and_close_leaves_nothing(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    env = AgainstAgent("tictactoe_1v1", "random")
    for _game in range(2):
        env.reset(seed=1)
        env.step(4)
        ends = [env.step(action)[1:4] for action in (4, 4, *range(9))]
        assert ends == [(-1.0, True, False)] + [(0.0, True, False)] * 10
        env.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("game", ONE_OF_EACH)
def test_a_game_of_two_learners(game: str) -> None:
    env = environments.env(game)
    env.reset(seed=1)
    rewards = dict.fromkeys(("black", "white"), 0)
    for name in env.agent_iter():
        observation, reward, ended, _cut, _info = env.last()
        rewards[name] += reward
        env.step(None if ended else int(np.flatnonzero(observation["action_mask"])[0]))
    assert sorted(rewards.values()) == [-1, 1]


def test_an_illegal_action_ends_the_game() -> None:
    env = environments.env("tictactoe_1v1")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.terminations == {"black": True, "white": True}
    assert (env.rewards["black"], env.rewards["white"]) == (0, -1)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "opponent", "colour"), [
    ("tictactoe_1v1", "random", "white"), ("reversi_8x8_1v1", "greedy", "random"), ("gobang_1v1", "random", "black"),
    ("reversi_8x8_1v1", "level1", "random"),
])  # fmt: skip
def test_gymnasiums_test(game: str, opponent: str, colour: str) -> None:
    env = AgainstAgent(game, opponent, colour=colour, render_mode="rgb_array")
    check_env(env)
    for seed in range(3):
        observation, _info = env.reset(seed=seed)
        ended = False
        while not ended:
            legal = np.flatnonzero(observation["action_mask"])
            assert legal.size
            observation, reward, ended, _cut, _info = env.step(int(legal[0]))
        assert reward in (-1, 0, 1)
    assert "illegal" in env.step(0)[4]
    env.close()


def test_a_wrong_colour_is_refused() -> None:
    with pytest.raises(RunnerError, match="black, white or random, not red"):
        AgainstAgent("tictactoe_1v1", colour="red")
