"""Games on a Ray cluster: the parts that need no ray, and a real cluster of two nodes, one of which is killed.

`make cluster` runs the tests of the real cluster.
"""

import contextlib
import os
import pickle
import platform
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from local_runner.agents.own_files import taken
from local_runner.agents.spec import parse_agent
from local_runner.errors import RunnerError
from local_runner.matches import cluster as ray_cluster
from local_runner.matches.cluster import RayExecutor, connect, identity, play_pair, task
from local_runner.matches.games import Games, create, read
from local_runner.matches.run import run
from local_runner.matches.schedule import Pairing
from tests.local_runner.matches.small import outcomes, plan_of, play_all
from tests.local_runner.processes.naughty import ON_LINUX, Family, path_of, written


class RayTaskError(Exception):
    """A stand-in for ray's error for an exception in a task."""


class FakeRay:
    """The part of ray that is used: it plays every task at once in this process, except the tasks to `lose`."""

    exceptions = SimpleNamespace(RayTaskError=RayTaskError)

    def __init__(self, lose=()):
        self.lose, self.tasks = dict(lose), 0

    def remote(self, **_):
        return lambda function: SimpleNamespace(remote=lambda *given: self.task(function, given))

    def task(self, function, given):
        self.tasks += 1
        future = Future()
        if error := self.lose.get(self.tasks):
            future.set_exception(error)
        else:
            future.set_result(function(*given))
        return SimpleNamespace(future=lambda: future)

    def put(self, content):
        return content

    def cluster_resources(self):
        return {"CPU": 2.0}


def executor(**settings):
    return RayExecutor(FakeRay(**settings), ours=False)


@pytest.mark.slow
def test_what_the_cluster_cannot_play_is_raised_and_played_when_resumed(tmp_path):
    with create(tmp_path / "t.jsonl", plan_of("greedy", "random"), {}) as store:
        sentence = "^the cluster could not play pair 2: it burns; mend that, then resume$"
        with pytest.raises(RunnerError, match=sentence), executor(lose={2: Exception("it burns\nreally")}) as cluster:
            list(run(store, cluster))
        assert [game.number for game in list(store)] == [1, 2]  # the pair that had arrived before the error is stored
        with pytest.raises(RayTaskError), executor(lose={1: RayTaskError()}) as cluster:
            list(run(store, cluster))  # a bug in tengen
        assert executor().slots == 2 and len(list(run(store, executor()))) == 2
        play_all(local := Games(store.plan))
        assert outcomes(store) == outcomes(local)


def games_of(*agents):
    return plan_of(*agents).pair(1, Pairing(0, 1), ())


def packed(*agents):
    return [pickle.dumps((spec.path, taken(spec))) for spec in map(parse_agent, agents)]


def submission(folder):
    """An agent of two Python files and a data file."""
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "weights.txt").write_text("3 1 4")
    shutil.copy(path_of("first_free"), folder / "helper.py")
    (folder / "submission.py").write_text(
        "import os\nfrom helper import my_controller\n"
        "HERE = os.path.dirname(__file__)\n"
        "with open(os.path.join(HERE, 'data', 'weights.txt')) as file: WEIGHTS = file.read()\n"
        "def last_thought(): return {'name': __name__, 'file': __file__, 'weights': WEIGHTS}\n"
    )
    return folder


def test_agents_are_played_where_their_files_are_not(tmp_path):
    home = submission(tmp_path / "mine")
    games, files = games_of(str(home), "greedy"), packed(str(home), "greedy")
    shutil.rmtree(home)
    result = play_pair(pickle.dumps(games), files)
    assert [game.number for game in result] == [1, 2]
    [thought, *_] = [call.thought for call in result[0].details.calls if call.thought]
    assert thought == {"name": "algo.mine.submission", "file": str(home / "submission.py"), "weights": "3 1 4"}


@pytest.mark.parametrize(("agent", "said"), [
    ("raiser", '"{mine}", line'), ("no_controller", "could not be loaded: {mine} has no function my_controller"),
])  # fmt: skip
def test_a_fault_names_the_file_at_home(agent, said, tmp_path):
    mine = tmp_path / "mine.py"
    shutil.copy(path_of(agent), mine)
    games, files = games_of(str(mine), "greedy"), packed(str(mine), "greedy")
    for game in play_pair(pickle.dumps(games), files):
        text = game.result.text + game.result.fault.traceback
        assert said.format(mine=mine) in text and "tengen-scratch-" not in text


def test_another_interpreter_is_looked_for_on_the_worker():
    games = [replace(game, terms=replace(game.terms, python="/nowhere/python3.7"))
             for game in games_of("greedy", "random")]  # fmt: skip
    [error] = play_pair(pickle.dumps(games), packed("greedy", "random"))
    assert "/nowhere/python3.7 was not found" in str(error)


def test_a_worker_with_other_code_plays_nothing_and_says_so(monkeypatch):
    assert re.fullmatch(r"Python 3\.\d+\.\d+ and tengen \S+ \(\w{8}\)", identity())
    assert task()(identity(), pickle.dumps([])) == []
    there, other = task()("Python 3.9.1 and tengen 0.0.1 (abc)", b""), executor()
    assert there == (platform.node(), identity(), "Python 3.9.1 and tengen 0.0.1 (abc)")
    monkeypatch.setattr(ray_cluster, "identity", iter(["Python 3.9.1", "Python 3.12.1"]).__next__)
    other.submit(games_of("greedy", "random"))
    with pytest.raises(RunnerError, match=r"has Python 3\.12\.1, this machine Python 3\.9\.1; install the same"):
        other.next(0)
    assert other.next(0) is None
    monkeypatch.setitem(sys.modules, "local_runner.matches", None)
    assert "no tengen, or an older one" in task()("", b"")[1]


def test_without_ray_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(RunnerError, match=r"pip install -e '?/.*\[cluster\]"):
        connect(None)


def test_what_ray_says_of_a_cluster_is_one_sentence(monkeypatch):
    def init(*_, **__):
        raise Exception("The current node timed out\nduring startup.")

    monkeypatch.setattr(ray_cluster, "need", lambda extra: None)
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(is_initialized=lambda: False, init=init))
    with pytest.raises(RunnerError, match="cannot join the Ray cluster: The current node timed out during startup"):
        connect(None)


# ---- a real cluster of two nodes on this machine

try:
    import ray
    from ray.cluster_utils import Cluster
except ImportError:
    Cluster = None

real = pytest.mark.skipif(Cluster is None, reason="no ray (`make cluster` installs it): no tournament was played")
PATIENCE = 120.0  # seconds
ROOT = Path(__file__).parents[3]
QUICK_TO_MISS = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 2}


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """A head and one more node, each with one CPU."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # the workers run this checkout, not an installed tengen
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "_system_config": QUICK_TO_MISS})
    with contextlib.ExitStack() as stack:
        stack.callback(made.shutdown)
        made.other = made.add_node(num_cpus=1)
        yield made


def soon(condition):
    """Wait until a condition is true, as long as a busy machine may need."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, condition
        time.sleep(0.1)


def slow(folder):
    return written(folder, "import time; time.sleep(0.1)", "slow")


def play_until(store, executor, games, function):
    """Play a tournament, and call a function when that many games have ended and both nodes play further games."""
    with contextlib.closing(run(store, executor)) as playing:
        for number, _game in enumerate(playing, 1):
            if number == games:
                soon(lambda: ray.available_resources().get("CPU", 0) == 0)
                function()


def has_no_agents(family):
    def is_agent(pid):
        with contextlib.suppress(OSError):
            return b"agent_host.py" in Path(f"/proc/{pid}/cmdline").read_bytes()

    return not any(map(is_agent, family.members()))


@pytest.fixture
def family(monkeypatch):
    return Family(monkeypatch) if ON_LINUX else None


@real
@pytest.mark.long
def test_a_node_is_lost_and_no_game_is(family, cluster, tmp_path):
    plan = plan_of("greedy", "random", slow(tmp_path), rounds=6)
    local = Games(plan)
    play_all(local)
    with create(tmp_path / "ray.jsonl", plan, {}) as store, connect(cluster.address) as executor:
        assert executor.slots == 2
        play_until(store, executor, 8, lambda: cluster.remove_node(cluster.other, allow_graceful=False))
        assert outcomes(store) == outcomes(local)  # each game once, also those that the lost node was playing
        soon(lambda: executor.slots == 1)
    soon(lambda: family is None or has_no_agents(family))


@real
@pytest.mark.long
def test_ctrl_c_ends_the_games_that_are_played(family, cluster, tmp_path):
    plan = plan_of("greedy", slow(tmp_path), rounds=100)
    with create(tmp_path / "t.jsonl", plan, {}) as store:
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
        with connect(cluster.address) as executor:
            assert signal.signal(signal.SIGTERM, before) == signal.default_int_handler  # not ray's
            with pytest.raises(KeyboardInterrupt):
                play_until(store, executor, 2, lambda: os.kill(os.getpid(), signal.SIGINT))
        assert 2 <= len(store) < store.plan.games
        soon(lambda: family is None or has_no_agents(family))


def tengen(*arguments, folder):
    return subprocess.run([sys.executable, "-m", "local_runner", *arguments], cwd=folder, text=True,
                          capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)})  # fmt: skip


@real
@pytest.mark.long
def test_the_commands_play_on_the_cluster_and_go_on_there_or_here(cluster, tmp_path):
    game = ("--env", "tictactoe_1v1", "--seed", "3")
    there = ("--executor", "ray", "--address", cluster.address)
    done = tengen("tournament", "greedy", "random", *game, "--rounds", "3", "--out", "t.jsonl", *there, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    store = read(tmp_path / "t.jsonl")
    assert len(list(store)) == 6
    done = tengen("tournament", "--resume", "t.jsonl", *there, folder=tmp_path)
    assert done.returncode == 0 and "t.jsonl was finished before" in done.stdout, done.stderr
    done = tengen("sprt", "greedy", "random", *game, "--elo1", "100", "--out", "s.jsonl", *there, folder=tmp_path)
    assert done.returncode == 0 and "is accepted" in done.stdout, done.stderr


@real
@pytest.mark.long
def test_without_a_cluster_this_machine_is_one(tmp_path):
    arguments = ("tournament", "greedy", "random", "--env", "tictactoe_1v1", "--executor", "ray")
    done = tengen(*arguments, "--address", "local", "--out", "t.jsonl", folder=tmp_path)
    if "timed out during startup" in done.stderr:
        pytest.skip("Ray waits at most 30 s for its own node, and this machine is too busy")
    assert done.returncode == 0, done.stderr


@real
@pytest.mark.long
def test_an_address_where_nobody_is_is_said(tmp_path):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{nobody.getsockname()[1]}"
        done = tengen("tournament", "greedy", "random", "--env", "tictactoe_1v1", "--out", "t.jsonl",
                      "--executor", "ray", "--address", address, folder=tmp_path)  # fmt: skip
    assert done.returncode == 2 and f"no Ray cluster can be reached at {address}" in done.stderr
    assert not (tmp_path / "t.jsonl").exists()
