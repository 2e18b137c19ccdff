"""`tengen run-log`: it calls agents as the platform's run_log.py does, and ends where that program would end."""

import json
import random
import sys

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.errors import AgentError
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from local_runner.matches import run_log as twin
from local_runner.matches.run_log import RunAborted, load_controllers, play, run_log
from tests.local_runner.processes.naughty import path_of


@pytest.fixture(autouse=True)
def random_state(forgotten):
    """Forget the agents that a test loads, and restore the random numbers that run_log seeds."""
    state = random.getstate()
    yield
    random.setstate(state)


def run(black, white, folder, env="tictactoe_1v1", rules="platform", seed=0):
    path = run_log(GameSetup(env, rules, seed), (parse_agent(black), parse_agent(white)), folder)
    return json.loads(path.read_text("utf-8"))


def test_both_are_asked_at_every_step_with_the_live_board():
    session = GameSession(GameSetup("gobang_1v1"))
    env, asked = session.env, []

    def controller(*call):
        observation, space, continuous = call
        assert observation["state_map"] is env.current_state
        assert [one.n for one in space] == [15, 15]
        asked.append((env.step_cnt, observation["chess_player_idx"], continuous))
        return [[1] + [0] * 14, [1] + [0] * 14]

    log = play(session, [controller] * 2)
    steps = len(log["steps"])
    assert asked == [(step, player, False) for step in range(1, steps + 1) for player in (1, 2)]


def test_one_agent_on_both_sides_is_one_module():
    black, white = load_controllers((parse_agent("seed004"), parse_agent("seed004")))
    assert black is white
    assert black.__module__.startswith("algo.seed004.")


def test_two_agents_of_one_name_are_two_modules(tmp_path):
    for folder in ("a/same", "b/same"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "submission.py").write_text(f"def my_controller(*call): return {folder!r}\n")
    agents = [parse_agent(str(tmp_path / folder)) for folder in ("a/same", "b/same")]
    assert [controller() for controller in load_controllers((agents[0], agents[1]))] == ["a/same", "b/same"]


def test_one_module_cannot_have_two_sets_of_options(tmp_path):
    with pytest.raises(AgentError, match="both sides are one module"):
        run("tengen:depth=1", "tengen:depth=2", tmp_path)


def test_a_seed_repeats_the_game(tmp_path):
    def moves(seed):
        for name in [name for name in sys.modules if name.startswith("algo")]:
            del sys.modules[name]
        return [step["info_after"] for step in run("random", "greedy", tmp_path, seed=seed)["steps"]]

    assert moves(1) == moves(1) != moves(2)


def test_illegal_moves_are_replaced_as_on_the_platform_and_counted(tmp_path, capsys):
    """The agent always plays the corner, which is occupied after its first move."""
    log = run(path_of("answering:answer=corner"), "random", tmp_path)
    moves = [tuple(step["info_after"]["action"]) for step in log["steps"]]
    assert log["winner"] in (0, 1, 2) and len(set(moves)) == len(moves)
    said = capsys.readouterr().out
    assert f"gave illegal answers: {len(moves[2::2])}, the first at step 3: a1." in said and "White" not in said


@pytest.mark.slow
@pytest.mark.parametrize(("black", "white", "rules", "sentence"), [
    ("first_free", "raiser", "platform", "White (raiser) raised at step 1: ValueError: no idea"),
    ("first_free", "exiter", "platform", "White (exiter) raised at step 1: SystemExit: 3"),
    ("answering:answer=zeros", "first_free", "platform", "step 1 could not be made from the answers: ValueError"),
    ("first_free", "answering:answer=corner", "stated", "White may not play (0, 0)"),
    ("bad_import", "first_free", "platform", "Black (bad_import) could not be loaded: ModuleNotFoundError"),
    ("with_siblings", "first_free", "platform", "helper lies beside it, but the platform does not look there"),
])  # fmt: skip
def test_what_ends_the_platforms_run_ends_this_one_without_a_log(black, white, rules, sentence, tmp_path):
    with pytest.raises(RunAborted) as error:
        run(path_of(black), path_of(white), tmp_path, rules=rules)
    assert sentence in str(error.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_run_that_takes_longer_than_calls_may_is_ended(tmp_path, monkeypatch):
    def run(host, seconds, given):
        raise TimeoutError

    monkeypatch.setattr(twin.sandbox, "chosen", lambda mode: twin.sandbox.BUBBLEWRAP)
    monkeypatch.setattr(twin.host_process, "run", run)
    agents = parse_agent(path_of("first_free")), parse_agent("greedy")
    with pytest.raises(RunAborted, match=r"ended after 87 s; a game whose calls keep the limit"):  # 60 + 9 * 2 * 1.5
        run_log(GameSetup("tictactoe_1v1"), agents, tmp_path)
