"""Tournaments on a real Ray cluster of two nodes on this machine, one of which is killed; `make cluster` runs this."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from local_runner.matches.cluster import connect
from local_runner.matches.games import create, read
from local_runner.matches.run import Observer, run
from local_runner.processes.sandbox import SandboxMode
from tests.conftest import NO_RAY
from tests.local_runner.matches.small import interrupted_after, outcomes, plan_of, play_all
from tests.local_runner.processes.naughty import ON_LINUX, Family, written

try:
    from ray.cluster_utils import Cluster
except ImportError:
    Cluster = None

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(Cluster is None, reason=f"{NO_RAY}: no tournament was played on a cluster"),
]
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


def loads(folder):
    return len((folder / "loads.txt").read_text().splitlines())


def slow_and_counted(folder):
    """A slow agent that logs each time it is loaded."""
    spec = written(folder, "import time; time.sleep(0.1)", "counted")
    with open(spec, "a") as file:
        file.write(f"with open({str(folder / 'loads.txt')!r}, 'a') as log: log.write('loaded\\n')\n")
    return spec


def unconfined(plan):
    """The plan without a sandbox, in which the agent could not write its log."""
    limits = replace(plan.terms.limits, sandbox=SandboxMode.OFF)
    return replace(plan, terms=replace(plan.terms, limits=limits))


class Killer(Observer):
    """Kills a node after some games, while others are being played."""

    def __init__(self, games, cluster):
        self.left, self.cluster = games, cluster

    def ended(self, game):
        self.left -= 1
        if self.left == 0:
            time.sleep(0.3)  # they have begun
            self.cluster.remove_node(self.cluster.other, allow_graceful=False)


def agents_left(family):
    def is_agent(pid):
        with contextlib.suppress(OSError):
            return b"agent_host.py" in Path(f"/proc/{pid}/cmdline").read_bytes()

    until = time.monotonic() + 10
    while (left := [pid for pid in family.members() if is_agent(pid)]) and time.monotonic() < until:
        time.sleep(0.1)
    return left


@pytest.fixture
def family(monkeypatch):
    return Family(monkeypatch) if ON_LINUX else None


def test_a_node_is_lost_and_no_game_is(family, cluster, tmp_path):
    plan = unconfined(plan_of("greedy", "random", slow_and_counted(tmp_path), rounds=6))
    with create(tmp_path / "local.jsonl", plan, {}) as store:
        play_all(store)
        expected, loaded = outcomes(store), loads(tmp_path)
    with create(tmp_path / "ray.jsonl", plan, {}) as store, connect(cluster.address) as executor:
        assert executor.slots == 2
        assert run(store, executor, Killer(8, cluster)).complete
        numbers = [game.number for game in list(store)]
        assert numbers == list(range(1, plan.games + 1))
        assert outcomes(store) == expected
        assert loads(tmp_path) > 2 * loaded  # games from the lost node were played again
        time.sleep(6)
        assert executor.slots == 1
    assert family is None or not agents_left(family)


def test_ctrl_c_ends_the_games_that_are_played(family, cluster, tmp_path):
    plan = unconfined(plan_of("greedy", slow_and_counted(tmp_path), rounds=100))
    with create(tmp_path / "t.jsonl", plan, {}) as store:
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
        with connect(cluster.address) as executor:
            assert signal.signal(signal.SIGTERM, before) == signal.default_int_handler  # not ray's
            with pytest.raises(KeyboardInterrupt), interrupted_after(8):
                run(store, executor)
            if family is not None:
                assert loads(tmp_path) > 1
            closing = time.monotonic()
        assert time.monotonic() - closing < 10
        assert 0 < len(list(store)) < store.plan.games
        assert family is None or not agents_left(family)


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
    assert done.returncode == 0, done.stderr


def test_an_address_where_nobody_is_is_said_soon(tmp_path):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{nobody.getsockname()[1]}"
        began = time.monotonic()
        done = tengen("tournament", "greedy", "random", "--env", "tictactoe_1v1", "--out", "t.jsonl",
                      "--executor", "ray", "--address", address, folder=tmp_path)  # fmt: skip
    assert done.returncode == 2 and f"no Ray cluster can be reached at {address}" in done.stderr
    assert time.monotonic() - began < 20 and not (tmp_path / "t.jsonl").exists()
