"""Helpers of tests of processes and games: the agents in agents/, small limits, a search for left-over processes."""

import sys
import textwrap
import time
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psutil

from local_runner.agents.spec import parse_agent
from local_runner.game.session import play_game
from local_runner.game.setup import GameSetup
from local_runner.processes import procfs
from local_runner.processes.child import AgentLimits
from local_runner.processes.process import AgentProcess

AGENTS = Path(__file__).parents[1] / "specimens"
FIRST_FREE = (AGENTS / "first_free.py").read_text(encoding="utf-8")
TICTACTOE = GameSetup("tictactoe_1v1")
EMPTY = {"state_map": [[[0]] * 3] * 3, "chess_player_idx": 1, "board_width": 3, "board_height": 3}  # an observation
PATIENT = AgentLimits(seconds=20, memory_mb=120)  # for tests that are not about time: a busy machine may be slow
MANY = AgentLimits(seconds=20, memory_mb=120, processes=True)
QUICK = AgentLimits(seconds=0.5, margin=0.3, memory_mb=120)


def path_of(name):
    """The spec of an agent in agents/, such as "raiser", "answering:answer=short" or "with_siblings"."""
    file, colon, options = name.partition(":")
    path = AGENTS / file if (AGENTS / file).is_dir() else AGENTS / f"{file}.py"
    return f"{path}{colon}{options}"


def agent(name, folder, limits=PATIENT, **settings):
    """The process of an agent in agents/, not started yet; its output goes to a new file in `folder`."""
    return AgentProcess(parse_agent(path_of(name)), folder / f"{uuid4().hex}.txt", limits, **settings)


def written(folder, body, name="written"):
    """The spec of a new agent that runs the lines of `body` at each call and then answers as first_free does."""
    path, good = folder / f"{name}.py", FIRST_FREE.replace("def my_controller", "def answer")
    body = textwrap.indent(f"{body}\nreturn answer(observation, action_space)\n", "    ")
    head = "def my_controller(observation, action_space, is_act_continuous=False):"
    path.write_text(f"import os, subprocess, sys\n{good}\n{head}\n{body}", encoding="utf-8")
    return str(path)


@contextmanager
def started(folder, body, limits=PATIENT, name="written", **settings):
    """The process of a new agent, which has been loaded; `body` as for `written`. Its output goes to out.txt."""
    with AgentProcess(parse_agent(written(folder, body, name)), folder / "out.txt", limits, **settings) as process:
        assert process.start().fault is None
        yield process


def play(black, white, folder, setup=TICTACTOE, limits=PATIENT, **how):
    """A game between two agents of agents/."""
    with agent(black, folder, limits) as first, agent(white, folder, limits) as second:
        return play_game(setup, (first, second), **how)


def within(seconds, holds):
    """Whether a condition becomes true within the time."""
    until = time.perf_counter() + seconds
    while not holds():
        if time.perf_counter() > until:
            return False
        time.sleep(0.02)
    return True


def ended(pids):
    """Whether all these processes end within 20 s."""
    return within(20, lambda: all(procfs.states(pid).get(pid, b"X") in (b"Z", b"X") for pid in pids))


MARK = "OMP_TENGEN_TEST"  # an environment variable that a sandbox passes on


class Family:
    """Finds all processes that the test has started since this object was made, by a mark in their environment."""

    def __init__(self, monkeypatch):
        self.mark = uuid4().hex
        monkeypatch.setenv(MARK, self.mark)

    def members(self):
        found = psutil.process_iter(["environ"])
        return [each.pid for each in found if (each.info["environ"] or {}).get(MARK) == self.mark]

    def settled(self, expected=0, seconds=5.0):
        """Whether the number of members becomes `expected` within the time; it may change again."""
        return within(seconds, lambda: len(self.members()) == expected)


ON_LINUX = sys.platform == "linux"
