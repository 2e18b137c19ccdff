"""What an agent may compute between its calls. In some tests the guard, the init of its sandbox, gets no core."""

import os
import signal
import time
from dataclasses import replace
from typing import ClassVar

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.faults import FaultKind
from local_runner.game.wording import fault_text
from local_runner.processes import family, groups, procfs
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import Kind
from tests.local_runner.processes.naughty import EMPTY, ON_LINUX, PATIENT, written

ON_X86 = pytest.mark.skipif(os.uname().machine != "x86_64", reason="has numbers of system calls")


@pytest.mark.slow
class TestGuardWithoutACore:
    """A guard, or under bubblewrap the init, that the machine does not run. The kernel counts nothing here."""

    BURN = ("import sys\nif not hasattr(sys, 'tried') and not os.fork():\n    os.setsid()\n    while True: pass\n"
            "sys.tried = 1")  # fmt: skip

    @pytest.fixture(autouse=True)
    def quickly(self, monkeypatch):
        monkeypatch.setattr(groups, "home", lambda: None)
        for name in ("GUARD_SECONDS", "INIT_SECONDS"):
            monkeypatch.setattr(family, name, 0.4)

    @pytest.mark.parametrize("body", ["pass", BURN], ids=["alone", "with a child"])
    def test_nobody_wins_if_the_init_cannot_stop_its_agent(self, kind, body, tmp_path):
        with AgentProcess(parse_agent(written(tmp_path, body)), tmp_path / "out.txt", PATIENT) as process:
            process.start()
            guard, members = process._child.family.guard, process._child.family.members
            assert process.act(EMPTY, 3, 3).fault is None
            os.kill(guard, signal.SIGSTOP)
            left, started = members(), time.monotonic()
            fault = process.act(EMPTY, 3, 3).fault
        assert time.monotonic() - started < 5
        assert (fault and fault.kind) == (FaultKind.UNSTOPPED if kind is Kind.BUBBLEWRAP else None)
        assert not [pid for pid in left if procfs.state(str(pid)) not in (b"Z", b"X")]

    def test_a_late_init_continues_nobody_in_the_opponents_time(self, kind, tmp_path):
        with AgentProcess(parse_agent(written(tmp_path, self.BURN)), tmp_path / "out.txt", PATIENT) as process:
            process.start()
            process.act(EMPTY, 3, 3)
            measured = process._child.family
            while not measured.is_settled():
                time.sleep(0.01)
            os.kill(measured.guard, signal.SIGSTOP)  # it gets no core in this call
            measured.resume()
            measured.pause(stop=True)
            os.kill(measured.guard, signal.SIGCONT)
            for _ in range(10):  # on a busy machine it gets a core later
                before = measured.cpu()
                time.sleep(0.3)
                if measured.cpu() - before < 0.02:
                    return
            pytest.fail("the agent's child computes in the opponent's time")

    def test_nobody_wins_if_the_agents_process_does_not_start(self, kind, tmp_path, monkeypatch):
        def resume(family):
            while family.guard is None:
                time.sleep(0.001)
            os.kill(family.guard, signal.SIGSTOP)
            return 0.0

        monkeypatch.setattr(family.Family, "resume", resume)
        limits = replace(PATIENT, load_seconds=0.1)
        with AgentProcess(parse_agent(written(tmp_path, "pass")), tmp_path / "out.txt", limits) as process:
            fault = replace(process.start().fault, loading=True)
        assert fault.kind is FaultKind.UNSTARTED and fault_text(fault).startswith("the machine was too busy to start")


@pytest.mark.skipif(not ON_LINUX, reason="stops processes as Linux shows them")
class TestBetweenCalls:
    """An agent that computes while it is not asked."""

    BODIES: ClassVar = {
        "thread": "import threading, time\ndef burn():\n    while True: pass\n"
                  "threading.Thread(target=burn, daemon=True).start()",
        "child": "if os.fork() == 0:\n    while True: pass",
        "hidden child": "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        while True: pass\n"
                        "    os._exit(0)",
        "child that wakes it": "parent = os.getpid()\nif os.fork() == 0:\n    os.setsid()\n    while True:\n"
                               "        try: os.kill(parent, 18)\n        except OSError: pass",
        # Numbers of x86-64. A timer of the kernel that sends SIGCONT is denied; the child's parent is the guard.
        "timer that wakes it": "import ctypes, signal, struct, threading\ndef burn():\n    while True: pass\n"
                               "threading.Thread(target=burn, daemon=True).start()\n"
                               "signal.signal(signal.SIGCONT, lambda *_: None)\ncall = ctypes.CDLL(None).syscall\n"
                               "timer, every = ctypes.create_string_buffer(8), struct.pack('4q', 0, 10**7, 0, 10**7)\n"
                               "call(222, 1, struct.pack('qii', 0, 18, 0) + bytes(48), timer)\n"
                               "call(223, ctypes.c_long(struct.unpack_from('i', timer)[0]), 0, every, None)",
        "child of the guard": "import ctypes, signal\nnumbers = 56, 0x8000 | signal.SIGCHLD, 0, 0, 0, 0\n"
                              "if ctypes.CDLL(None).syscall(*map(ctypes.c_long, numbers)) == 0:\n    while True: pass",
    }  # fmt: skip

    @pytest.mark.parametrize("name", [
        "thread", "child that wakes it",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("child", "hidden child")),
        *(pytest.param(name, marks=[pytest.mark.slow, ON_X86])
          for name in ("timer that wakes it", "child of the guard")),
    ])  # fmt: skip
    def test_it_is_stopped_and_told(self, kind, name, tmp_path):
        assert self.used(tmp_path, self.BODIES[name], PATIENT) < 0.02

    @pytest.mark.slow
    def test_it_may_if_it_is_allowed_to(self, kind, tmp_path):
        assert self.used(tmp_path, self.BODIES["thread"], replace(PATIENT, ponder=True)) > 0.05

    def used(self, tmp_path, body, limits):
        """CPU seconds in half a second between two calls, as the kernel counts them and as it is reported."""
        with AgentProcess(parse_agent(written(tmp_path, body)), tmp_path / "out.txt", limits) as process:
            process.start()
            process.act(EMPTY, 3, 3)
            time.sleep(0.05)
            family = process._child.family
            before = family.cpu()
            time.sleep(0.5)
            used = family.cpu() - before
            process.limits = replace(limits, enforced=False)
            family.resume()
            family.pause(stop=not limits.ponder)
            process._child.kill()
            assert family.busy_between >= 1
            assert family.cpu_between == pytest.approx(used, abs=0.1)
        return used

    def test_an_idle_agent_is_not_told(self, kind, tmp_path):
        with AgentProcess(parse_agent(written(tmp_path, "pass")), tmp_path / "out.txt", PATIENT) as process:
            process.start()
            for _ in range(20):
                assert process.act(EMPTY, 3, 3).fault is None
            report = process.report()
        assert report.busy_between == 0 and report.cpu_between < 0.1
