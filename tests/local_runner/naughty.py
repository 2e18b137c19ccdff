"""What the tests of processes and games share: the agents in agents/, small limits, and nobody left behind."""

import sys
import time
from pathlib import Path
from uuid import uuid4

from local_runner.agents import parse_agent
from local_runner.game_setup import GameSetup
from local_runner.processes.child import Limits
from local_runner.processes.process import AgentProcess
from local_runner.processes.procfs import PROC
from local_runner.session import play_game

AGENTS = Path(__file__).parent / "agents"
TICTACTOE = GameSetup("tictactoe_1v1")
PATIENT = Limits(seconds=20, memory_mb=120)  # for what is not about time: a busy machine may hold anybody up
QUICK = Limits(seconds=0.5, margin=0.3, memory_mb=120)


def path_of(name):
    """An agent of agents/ as a spec: "raiser", "answering:answer=short", "with_siblings"."""
    file, colon, options = name.partition(":")
    path = AGENTS / file if (AGENTS / file).is_dir() else AGENTS / f"{file}.py"
    return f"{path}{colon}{options}"


def agent(name, folder, limits=PATIENT, **settings):
    """Its process, not started; what it prints goes to a file in `folder`."""
    return AgentProcess(parse_agent(path_of(name)), folder / f"{uuid4().hex}.txt", limits, **settings)


def written(folder, body, name="written"):
    """An agent of these lines in its controller, beside what it may borrow, as a spec."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    path = folder / f"{name}.py"
    path.write_text(
        f"import os, subprocess, sys\nsys.path.append({str(AGENTS)!r})\n"
        "from first_free import my_controller as answer\n"
        f"def my_controller(observation, action_space, is_act_continuous=False):\n{lines}"
        "    return answer(observation, action_space)\n",
        encoding="utf-8",
    )
    return str(path)


def play(black, white, folder, setup=TICTACTOE, limits=PATIENT, **how):
    """A game between two agents of agents/."""
    with agent(black, folder, limits) as first, agent(white, folder, limits) as second:
        return play_game(setup, (first, second), **how)


class Family:
    """Finds every process that was started, however indirectly, since it was made: they carry a mark of its own."""

    def __init__(self, monkeypatch):
        self.mark = f"TENGEN_TEST={uuid4().hex}"
        monkeypatch.setenv(*self.mark.split("="))

    def members(self):
        return [int(entry.name) for entry in PROC.glob("[0-9]*") if self._is_member(entry)]

    def _is_member(self, entry):
        try:
            return self.mark.encode() in (entry / "environ").read_bytes().split(b"\0")
        except OSError:  # ended meanwhile, or somebody else's
            return False

    def settled(self, expected=0, seconds=5.0):
        """Whether there are `expected` members, or come to be within the time."""
        until = time.perf_counter() + seconds
        while len(self.members()) != expected:  # seen once is enough: the next moment may have another number
            if time.perf_counter() > until:
                return False
            time.sleep(0.02)
        return True


ON_LINUX = sys.platform == "linux"
