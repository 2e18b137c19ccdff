"""How long an agent may compute between its calls. In some tests the agent's guard process gets no core."""

import os
import signal
import time
from dataclasses import replace
from typing import ClassVar

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.faults import FaultKind
from local_runner.game.wording import fault_text
from local_runner.processes import family, procfs
from local_runner.processes.process import AgentProcess
from tests.local_runner.processes.naughty import EMPTY, MANY, ON_LINUX, PATIENT, written


def parent(pid):
    """The id of the parent of a process."""
    return int((procfs.PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])


@pytest.mark.slow
def test_an_agent_whose_guard_gets_no_core_is_stopped_and_ended(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(family, "GUARD_SECONDS", 0.4)
    with AgentProcess(parse_agent(written(tmp_path, "pass")), tmp_path / "out.txt", PATIENT) as process:
        process.start()
        agents = process.processes()
        os.kill(parent(agents[0]), signal.SIGSTOP)
        assert [process.act(EMPTY, 3, 3).fault for _ in range(2)] == [None, None]
        started = time.monotonic()
    assert time.monotonic() - started < 5
    assert all(map(procfs.has_ended, agents))


@pytest.mark.slow
def test_nobody_wins_if_the_agents_process_does_not_start(kind, tmp_path, monkeypatch):
    def resume(family):
        while family.guard is None:
            time.sleep(0.001)
        os.kill(family.guard, signal.SIGSTOP)

    monkeypatch.setattr(family.Family, "resume", resume)
    monkeypatch.setattr(family, "GUARD_SECONDS", 0.4)
    limits = replace(PATIENT, load_seconds=0.1)
    with AgentProcess(parse_agent(written(tmp_path, "pass")), tmp_path / "out.txt", limits) as process:
        fault = replace(process.start().fault, loading=True)
    assert fault.kind is FaultKind.UNSTARTED and fault_text(fault).startswith("the machine was too busy to start")


@pytest.mark.skipif(not ON_LINUX, reason="stops processes as Linux shows them")
class TestBetweenCalls:
    """An agent that computes while it is not asked."""

    WAKES = "        try: os.kill(os.getpid(), 18)\n        except OSError: pass"
    SPINS = "import threading\ndef burn():\n    while True: {}\nthreading.Thread(target=burn, daemon=True).start()"
    # An agent that may have processes has two that compute, one of them an orphan.
    BODIES: ClassVar = {
        "thread": (SPINS.format("pass"), PATIENT),
        "thread that wakes it": (SPINS.format("\n" + WAKES), PATIENT),
        "processes": ("if os.fork() == 0:\n    os.setsid()\n    os.fork()\n    while True: pass", MANY),
        "orphan": ("if os.fork() == 0:\n    if os.fork() == 0:\n        while True: pass\n    os._exit(0)", MANY),
    }  # fmt: skip

    @pytest.mark.parametrize(
        "name", [pytest.param(name, marks=() if name == "thread" else pytest.mark.slow) for name in BODIES]
    )
    def test_it_is_stopped_and_told(self, kind, name, tmp_path):
        assert self.used(tmp_path, *self.BODIES[name]) < 0.02

    @pytest.mark.slow
    def test_it_may_if_it_is_allowed_to(self, kind, tmp_path):
        assert self.used(tmp_path, self.BODIES["thread"][0], replace(PATIENT, ponder=True)) > 0.05

    def used(self, tmp_path, body, limits):
        """CPU seconds in half a second between two calls, as the kernel counts them and as it is reported."""
        body = f"if not hasattr(sys, 'tried'):\n    sys.tried = 1\n    {body.replace(chr(10), chr(10) + '    ')}"
        with AgentProcess(parse_agent(written(tmp_path, body)), tmp_path / "out.txt", limits) as process:
            process.start()
            process.act(EMPTY, 3, 3)
            before = sum(map(procfs.cpu_seconds, process.processes()))
            time.sleep(0.5)
            used = sum(map(procfs.cpu_seconds, process.processes())) - before
            process.act(EMPTY, 3, 3)
            report = process.report()
        assert report.busy_between >= 1
        assert report.cpu_between == pytest.approx(used, abs=0.1)
        return used

    def test_an_idle_agent_is_not_told(self, kind, tmp_path):
        with AgentProcess(parse_agent(written(tmp_path, "pass")), tmp_path / "out.txt", PATIENT) as process:
            process.start()
            for _ in range(20):
                assert process.act(EMPTY, 3, 3).fault is None
            report = process.report()
        assert report.busy_between == 0 and report.cpu_between < 0.1
