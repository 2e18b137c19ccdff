"""The environments pass the tests of PettingZoo and Gymnasium; many boards at once play as the referee does."""

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
from tengen.rl.boards import Boards
from tengen.rl.environments import AgainstAgent

from env_adapter import STATED, OptionError, make, names
from tests.local_runner.processes.naughty import path_of

pytestmark = pytest.mark.filterwarnings("ignore")  # PettingZoo's and Gymnasium's tests warn without a fault
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


@pytest.mark.parametrize(("make", "sentence"), [
    (partial(environments.env, "tictactoe_1v1", render_mode="human"), "human"),
    (partial(AgainstAgent, "tictactoe_1v1", render_mode="human"), "human"),
    (partial(AgainstAgent, "tictactoe_1v1", colour="red"), "black, white or random, not red"),
    (partial(AgainstAgent, "tictactoe_1v1", "gtp:cat"), "gtp:cat plays reversi_1v1"),
    (AgainstAgent("tictactoe_1v1", path_of("bad_import")).reset, "White could not be loaded: it raised ModuleNotFound"),
    (partial(Boards, "gobang_1v1", 0), "at least 1"),
])  # fmt: skip
def test_what_is_refused(make, sentence: str) -> None:
    with pytest.raises((RunnerError, OptionError), match=sentence):
        make()


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


# ---- many boards at once

GAMES = [
    ("tictactoe_1v1", {}),
    ("gomoku_11x11_1v1", {}),
    ("gobang_1v1", {"board_width": 4, "board_height": 7, "in_a_row": 3}),
    ("gobang_1v1", {"board_width": 1, "board_height": 7, "in_a_row": 3}),
    ("gobang_1v1", {"board_size": 5, "in_a_row": 5, "max_step": 11}),
    ("reversi_8x8_1v1", {}),
    ("reversi_8x8_1v1", {"board_size": 4}),
    ("reversi_8x8_1v1", {"board_size": 6, "max_step": 9}),
    ("reversi_1v1", {"board": ["XXXO", "XOX.", "XXX.", "O..."]}),
]


MANY = [(*each, 20) for each in (*GAMES, ("gobang_1v1", {}), ("reversi_1v1", {}))]


@pytest.mark.parametrize(
    ("game", "overrides", "number"),
    [*((*each, 4) for each in GAMES), *(pytest.param(*each, marks=pytest.mark.slow) for each in MANY)],
)
def test_random_games_are_the_referees(game: str, overrides: dict, number: int) -> None:
    random = np.random.default_rng(number)
    boards = Boards(game, number, **overrides)
    referees = [make(game, STATED, **overrides) for _ in range(number)]
    for _round in range(2):  # in the second round, some games are reset while the others go on
        while not boards.over.all():
            actions = np.full(number, boards.actions - 1)
            for at, referee in enumerate(referees):
                legal = [row * boards.cols + col for row, col in referee.legal_moves()]
                if not legal and not referee.is_over():
                    legal = [boards.rows * boards.cols]
                assert np.flatnonzero(boards.legal()[at]).tolist() == legal
                assert boards.mover[at] == referee.chess_player or referee.is_over()
                if legal:
                    actions[at] = random.choice(legal)
                    passes = actions[at] == boards.rows * boards.cols
                    referee.play(None if passes else divmod(int(actions[at]), boards.cols))
            boards.play(actions)
            for at, referee in enumerate(referees):
                assert boards.stones()[at].tolist() == referee.stones()
                assert (boards.over[at], boards.winner[at]) == (referee.is_over(), referee.outcome().winner)
        again = np.arange(number) % 2 == 0
        boards.reset(again)
        for at in np.flatnonzero(again):
            referees[at] = make(game, STATED, **overrides)


def test_planes_are_of_the_side_to_move() -> None:
    boards = Boards("tictactoe_1v1", 2)
    boards.play([0, 4])
    assert boards.planes()[:, :, 0, 0].tolist() == [[0, 1], [0, 0]]
    assert boards.planes()[:, :, 1, 1].tolist() == [[0, 0], [0, 1]]
    assert boards.planes().shape == (2, 2, 3, 3)


@pytest.mark.parametrize(("actions", "sentence"), [
    ([0, 9], "action 9 is illegal in game 1"), ([-1, 0], "action -1 is illegal in game 0"),
    ([0.0, 1.0], "must be 2 whole numbers"), ([0], "must be 2 whole numbers"),
])  # fmt: skip
def test_illegal_actions_play_nothing(actions: list, sentence: str) -> None:
    boards = Boards("tictactoe_1v1", 2)
    with pytest.raises(ValueError, match=sentence):
        boards.play(actions)
    assert not boards.stones().any()


def test_copies_play_every_move_of_every_game() -> None:
    boards = Boards("reversi_8x8_1v1", 3)
    boards.play([19, 19, 26])
    games, actions = np.nonzero(boards.legal())
    after = boards.copies(games)
    after.play(actions)
    for game, action, stones in zip(games, actions, after.stones(), strict=True):
        referee = make("reversi_8x8_1v1", STATED)
        for each in (26 if game == 2 else 19, int(action)):
            referee.play(divmod(each, 8))
        assert stones.tolist() == referee.stones()
    assert boards.plies.tolist() == [1, 1, 1] and set(after.plies) == {2}
