"""An agent on a core that other programs use does not lose by time, and gains none by taking the core from itself."""

import contextlib
import os
import subprocess
import sys

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.faults import FaultKind
from local_runner.processes.child import AgentLimits
from local_runner.processes.process import AgentProcess
from tests.local_runner.processes.naughty import EMPTY, ON_LINUX, written

HOGS = 3  # programs on the agent's core, each in a session of its own, which the kernel gives as much as the agent
# Bodies of a call. HONEST looks at its clock all the time, and comes late only if it gets no core.
HONEST = "import time\nuntil = time.perf_counter() + 0.95\nwhile time.perf_counter() < until: pass"
FROZEN = "import time\nhost, now = sys.modules['__main__'], time.perf_counter()\nhost.perf_counter = lambda: now\n"
LATE = {
    "asleep": FROZEN + "time.sleep(1.3)",
    "thread": FROZEN + "import threading, zlib\nuntil = time.process_time() + 1.3\ndef work():\n"
    "    while time.process_time() < until: zlib.compress(bytes(1 << 20))\n"
    "[thread.start() for thread in [threading.Thread(target=work)]]\nwork()",
    "busy": FROZEN + "until = time.process_time() + 1.3\nwhile time.process_time() < until: pass",
}
HOG = "import os\nos.sched_setaffinity(0, {%d})\nprint(flush=True)\nwhile True: pass"
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not ON_LINUX, reason="the kernel of Linux counts waiting")]


@pytest.fixture
def hogs():
    """The core on which programs compute."""
    core = max(os.sched_getaffinity(0))
    with contextlib.ExitStack() as stack:
        for _ in range(HOGS):
            command = [sys.executable, "-c", HOG % core]
            hog = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True))
            stack.callback(hog.kill)
            hog.stdout.readline()
        yield core


def faults(core, body, folder, calls):
    limits = AgentLimits(memory_mb=120)
    with AgentProcess(parse_agent(written(folder, body)), folder / "out.txt", limits, core=core) as process:
        process.start()
        for _ in range(calls):
            reply = process.act(EMPTY, 3, 3)
            yield reply.fault and reply.fault.kind


def test_an_honest_agent_does_not_lose_by_time(kind, hogs, tmp_path):
    assert [*faults(hogs, HONEST, tmp_path, 6)] == [None] * 6


@pytest.mark.parametrize("name", LATE)
def test_an_agent_with_a_frozen_clock_does(kind, name, hogs, tmp_path):
    assert next(faults(hogs, LATE[name], tmp_path, 1)) in (FaultKind.LATE, FaultKind.NO_ANSWER)
