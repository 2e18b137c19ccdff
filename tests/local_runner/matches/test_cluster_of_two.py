"""Tournaments on a real Ray cluster of two nodes on this machine, one of which is killed; `make cluster` runs this."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from local_runner.matches.cluster import connect
from local_runner.matches.games import Games, create, read
from local_runner.matches.run import run
from tests.conftest import NO_RAY
from tests.local_runner.matches.small import outcomes, plan_of, play_all
from tests.local_runner.processes.naughty import ON_LINUX, Family, written

try:
    import ray
    from ray.cluster_utils import Cluster
except ImportError:
    Cluster = None

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(Cluster is None, reason=f"{NO_RAY}: no tournament was played on a cluster"),
]
PATIENCE = 120.0  # seconds
ROOT = Path(__file__).parents[3]
QUICK_TO_MISS = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500, "health_check_failure_threshold": 2}


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """A head and one more node, each with one CPU."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # this source, whatever else is installed
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


def play(store, executor, games, function):
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


def test_a_node_is_lost_and_no_game_is(family, cluster, tmp_path):
    plan = plan_of("greedy", "random", slow(tmp_path), rounds=6)
    local = Games(plan)
    play_all(local)
    with create(tmp_path / "ray.jsonl", plan, {}) as store, connect(cluster.address) as executor:
        assert executor.slots == 2
        play(store, executor, 8, lambda: cluster.remove_node(cluster.other, allow_graceful=False))
        assert outcomes(store) == outcomes(local)  # each game once, also those that the lost node was playing
        soon(lambda: executor.slots == 1)
    soon(lambda: family is None or has_no_agents(family))


def test_ctrl_c_ends_the_games_that_are_played(family, cluster, tmp_path):
    plan = plan_of("greedy", slow(tmp_path), rounds=100)
    with create(tmp_path / "t.jsonl", plan, {}) as store:
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
        with connect(cluster.address) as executor:
            assert signal.signal(signal.SIGTERM, before) == signal.default_int_handler  # not ray's
            with pytest.raises(KeyboardInterrupt):
                play(store, executor, 2, lambda: os.kill(os.getpid(), signal.SIGINT))
        assert 2 <= len(store) < store.plan.games
        soon(lambda: family is None or has_no_agents(family))


def tengen(*arguments, folder):
    return subprocess.run([sys.executable, "-m", "local_runner", *arguments], cwd=folder, text=True,
                          capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)})  # fmt: skip


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


def test_without_a_cluster_this_machine_is_one(tmp_path):
    arguments = ("tournament", "greedy", "random", "--env", "tictactoe_1v1", "--executor", "ray")
    done = tengen(*arguments, "--address", "local", "--out", "t.jsonl", folder=tmp_path)
    if "timed out during startup" in done.stderr:
        pytest.skip("Ray waits at most 30 s for its own node, and this machine is too busy")
    assert done.returncode == 0, done.stderr


def test_an_address_where_nobody_is_is_said(tmp_path):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{nobody.getsockname()[1]}"
        done = tengen("tournament", "greedy", "random", "--env", "tictactoe_1v1", "--out", "t.jsonl",
                      "--executor", "ray", "--address", address, folder=tmp_path)  # fmt: skip
    assert done.returncode == 2 and f"no Ray cluster can be reached at {address}" in done.stderr
    assert not (tmp_path / "t.jsonl").exists()
