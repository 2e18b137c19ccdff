"""One agent's process: its replies, its time, and its end with the runner, however the runner ends.

An agent computes in its calls only. Waiting for a core, stopping the run or setting the clock costs it no time.
"""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.faults import FaultKind, Reason
from local_runner.game.wording import fault_text
from local_runner.processes import child, host_process, procfs
from local_runner.processes.child import AgentLimits
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import SandboxMode
from tests.local_runner.processes.naughty import (
    EMPTY,
    MANY,
    ON_LINUX,
    PATIENT,
    agent,
    ended,
    path_of,
    started,
    within,
    written,
)

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(not ON_LINUX, reason="looks at processes as Linux shows them")


def test_an_agent_is_loaded_once_and_answers(mode, tmp_path):
    """Also if the thread that has started the process ends."""
    with agent("first_free", tmp_path, replace(PATIENT, sandbox=mode)) as first:
        first.close()  # also before it was started
        thread = threading.Thread(target=first.start)
        thread.start()
        thread.join()
        loaded = first.start()
        assert loaded is first.loaded and loaded.fault is None
        assert loaded.python == ".".join(map(str, sys.version_info[:3]))
        assert 0 < loaded.seconds < PATIENT.load_seconds and 5 < loaded.rss_mb < 50
        reply = first.act(EMPTY, 3, 3)
        first.close()  # and again at the end of the block
    assert (reply.cell, reply.fault, reply.bad_form) == ((0, 0), None, None)
    assert 0 < reply.cpu < 0.5 and 0 < reply.seconds < PATIENT.seconds


def test_thoughts_come_along_if_they_are_json(tmp_path):
    with agent("thinker", tmp_path) as thinker:
        thinker.start()
        assert [thinker.act(EMPTY, 3, 3).thought for _ in range(3)] == [{"depth": 1}, {"depth": 2}, None]


def test_the_seed_repeats_the_moves(tmp_path):
    def moves(seed):
        with AgentProcess(parse_agent("random"), tmp_path / "out.txt", PATIENT, seed=seed) as player:
            player.start()
            return [player.act(EMPTY, 3, 3).cell for _ in range(12)]

    assert moves(1) == moves(1) != moves(2)


def test_the_agents_own_python(kind, tmp_path, python37):
    for name in ("tengen:engine=scorer", "seed004", "greedy", "random"):
        with AgentProcess(parse_agent(name), tmp_path / "out.txt", python=python37) as agent37:
            assert agent37.start().python.startswith("3.7."), (tmp_path / "out.txt").read_text()
            assert agent37.act(EMPTY, 3, 3).fault is None


def test_an_agent_stays_on_its_core(tmp_path):
    core = max(os.sched_getaffinity(0))
    with started(tmp_path, "print(os.sched_getaffinity(0), flush=True)", core=core) as process:
        process.act(EMPTY, 3, 3)
    assert (tmp_path / "out.txt").read_text() == f"{{{core}}}\n"


# ---- between calls


@pytest.mark.slow
def test_an_agent_whose_guard_gets_no_core_is_stopped_and_ended(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(host_process, "GUARD_SECONDS", 0.4)
    with started(tmp_path, "pass") as process:
        [agent] = process.processes()
        os.kill(psutil.Process(agent).ppid(), signal.SIGSTOP)
        assert [process.act(EMPTY, 3, 3).fault for _ in range(2)] == [None, None]
        began = time.monotonic()
    assert time.monotonic() - began < 5
    assert ended([agent])


# The last row is stopped in its call, while its files are counted, and has slept for longer than its limit by then.
@pytest.mark.parametrize(("body", "state", "count", "patience", "kind", "least"), [
    ("pass", b"R", 1.0, 0.1, FaultKind.UNSTOPPED, -1.0), ("pass", b"D", 1.0, 0.1, FaultKind.NO_ANSWER, -1.0),
    pytest.param("import time; time.sleep(60)", b"D", -1.0, 3.0, FaultKind.NO_ANSWER, 2.0, marks=pytest.mark.slow),
])  # fmt: skip
def test_who_loses_if_an_agent_does_not_stop(body, state, count, patience, kind, least, tmp_path, monkeypatch):
    """Nobody if the agent waits for a core; the agent if it waits in a system call of its own."""
    with started(tmp_path, body, replace(PATIENT, seconds=0.5)) as process:
        monkeypatch.setattr(procfs, "states", lambda pid: {pid: state})
        monkeypatch.setattr(child, "QUICK_COUNT", count)
        monkeypatch.setattr(host_process, "STOP_SECONDS", patience)
        fault = process.act(EMPTY, 3, 3).fault
    assert fault.kind is kind and fault.fields.get("seconds", 0.0) > least


@pytest.mark.slow
def test_nobody_wins_if_the_agents_process_does_not_start(kind, tmp_path, monkeypatch):
    def resume(process):
        assert within(20, lambda: process.guard)
        os.kill(process.guard, signal.SIGSTOP)

    monkeypatch.setattr(host_process.HostProcess, "resume", resume)
    monkeypatch.setattr(host_process, "GUARD_SECONDS", 0.4)
    limits = replace(PATIENT, load_seconds=0.1)
    with AgentProcess(parse_agent(written(tmp_path, "pass")), tmp_path / "out.txt", limits) as process:
        fault = replace(process.start().fault, loading=True)
    assert fault.kind is FaultKind.UNSTARTED and fault_text(fault).startswith("the machine was too busy to start")


WAKES = "\n        try: os.kill(os.getpid(), 18)\n        except OSError: pass"
SPINS = "import threading\ndef burn():\n    while True: {}\nthreading.Thread(target=burn, daemon=True).start()"
# The body of an agent's first call, the agent's limits, and whether the agent may compute between calls. An agent that
# may have processes has two that compute, one of them an orphan.
QUICKLY = ("thread", "idle")
BETWEEN = {
    "thread": (SPINS.format("pass"), PATIENT, False),
    "thread that wakes it": (SPINS.format(WAKES), PATIENT, False),
    "processes": ("if os.fork() == 0:\n    os.setsid()\n    os.fork()\n    while True: pass", MANY, False),
    "orphan": ("if os.fork() == 0:\n    if os.fork() == 0:\n        while True: pass\n    os._exit(0)", MANY, False),
    "idle": ("pass", PATIENT, False),
    "allowed": (SPINS.format("pass"), replace(PATIENT, ponder=True), True),
}


@pytest.mark.parametrize(("body", "limits", "may"), [
    pytest.param(*row, id=name, marks=() if name in QUICKLY else pytest.mark.slow) for name, row in BETWEEN.items()
])  # fmt: skip
def test_who_computes_while_it_is_not_asked_is_stopped_and_told(kind, body, limits, may, tmp_path):
    """With half a second between two calls: the agent's CPU seconds, by the kernel and in the agent's report."""
    calls = 20 if body == "pass" else 1
    body = f"if not hasattr(sys, 'tried'):\n    sys.tried = 1\n    {body.replace(chr(10), chr(10) + '    ')}"
    with started(tmp_path, body, limits) as process:
        assert [process.act(EMPTY, 3, 3).fault for _ in range(calls)] == [None] * calls
        before = sum(map(procfs.cpu_seconds, process.processes()))
        time.sleep(0.5)
        used = sum(map(procfs.cpu_seconds, process.processes())) - before
        process.act(EMPTY, 3, 3)
        report = process.report()
    assert (report.busy_between > 0) == (calls == 1) and (used > 0.05 if may else used < 0.02)
    assert report.cpu_between == pytest.approx(used, abs=0.1)


# ---- what a sandbox costs


@pytest.mark.slow
def test_a_sandbox_costs_little(kind, tmp_path):
    """A start takes at most 30 ms more than without a sandbox, a call at most 0.1 ms more; the smallest of many."""
    if os.getloadavg()[0] > len(os.sched_getaffinity(0)) / 2:
        pytest.skip("NOT TESTED: other programs use the cores")
    spec = parse_agent(written(tmp_path, "pass"))
    starts, calls = {mode: [] for mode in (SandboxMode.ON, SandboxMode.OFF)}, {}
    for _ in range(12):
        for mode, taken in starts.items():
            began = time.perf_counter()
            with AgentProcess(spec, tmp_path / "out.txt", replace(PATIENT, sandbox=mode)) as process:
                process.start()
                taken.append(time.perf_counter() - began)
                for _ in range(100):
                    began = time.perf_counter()
                    assert process.act(EMPTY, 3, 3).fault is None
                    calls.setdefault(mode, []).append(time.perf_counter() - began)
    start, call = (min(each[SandboxMode.ON]) - min(each[SandboxMode.OFF]) for each in (starts, calls))
    print(f"{type(kind).__name__}: start {1000 * start:+.1f} ms, call {1000 * call:+.3f} ms")
    assert start <= 0.03 and call <= 0.0001


# ---- a busy core

HOGS = 3  # programs on the agent's core, each in a session of its own, which the kernel gives as much as the agent
# Body of a call, number of calls, whether the agent loses. The first looks at its clock all the time, and comes late
# only if it gets no core.
BUSY = {
    "honest": ("import time\nuntil = time.perf_counter() + 0.95\nwhile time.perf_counter() < until: pass", 6, False),
    "asleep": ("import time\ntime.sleep(1.3)", 1, True),
    "thread": ("import threading, time, zlib\nuntil = time.process_time() + 1.3\ndef work():\n"
               "    while time.process_time() < until: zlib.compress(bytes(1 << 20))\n"
               "[thread.start() for thread in [threading.Thread(target=work)]]\nwork()", 1, True),
    "busy": ("import time\nuntil = time.process_time() + 1.3\nwhile time.process_time() < until: pass", 1, True),
}  # fmt: skip
HOG = "import os\nos.sched_setaffinity(0, {%d})\nprint(flush=True)\nwhile True: pass"


@pytest.fixture
def hogs():
    """The core on which programs compute."""
    core = max(os.sched_getaffinity(0))
    command = [sys.executable, "-c", HOG % core]
    programs = [subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) for _ in range(HOGS)]
    assert all(hog.stdout.readline() for hog in programs)
    yield core
    for hog in programs:
        hog.kill()
        hog.communicate()


@pytest.mark.slow
@pytest.mark.parametrize(("body", "calls", "late"), BUSY.values(), ids=BUSY)
def test_who_loses_by_time_on_a_busy_core(kind, body, calls, late, hogs, tmp_path):
    with started(tmp_path, body, AgentLimits(memory_mb=120), core=hogs) as process:
        faults = [process.act(EMPTY, 3, 3).fault for _ in range(calls)]
    assert all(fault and fault.reason is Reason.TIME if late else fault is None for fault in faults)


# ---- a run that is stopped, and a clock that is set

PATIENCE = 300.0  # seconds in which a game must end
JUMPS = (1, -1, 60, -60, 3600, -3600, 86400, -86400, 31536000, -31536000)  # seconds
# A runner whose wall clock differs by the seconds in a file. Monotonic clocks go on, as they do when the clock of a
# machine is set.
FALSE_CLOCK = """
import runpy, sys, time
place, true = sys.argv.pop(1), time.time
time.time = lambda: true() + float(open(place).read() or 0)
time.time_ns = lambda: int(1e9 * time.time())
runpy.run_module("local_runner", run_name="__main__", alter_sys=True)
"""


def stop(pids, seconds):
    """Stop these processes for a while, except processes that the runner has stopped."""
    running = [pid for pid in pids if not procfs.is_stopped(pid)]
    for mark, pause in ((signal.SIGSTOP, seconds), (signal.SIGCONT, 0)):
        for pid in running:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, mark)
        time.sleep(pause)


@pytest.mark.slow
@pytest.mark.seeds(0, 1, 2)
def test_no_game_is_lost_by_time(number, tmp_path):
    """A game of an agent that thinks 0.3 s a call and may think 1 s, while the run is disturbed."""
    rng, kind = random.Random(number), ("all are stopped", "the runner is stopped", "the clock is set")[number % 3]
    found, clock = tmp_path / "games.json", tmp_path / "clock"
    clock.write_text("0")
    agents = "tengen:seconds=0.3,off_turn_seconds=0.3", "random"
    command = [sys.executable, "-c", FALSE_CLOCK, str(clock), "match", *agents, "--games", "1", "--seed", str(number),
               "--quiet", "--json", str(found)]  # fmt: skip
    times, end = 0, time.monotonic() + PATIENCE
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as run:
        while run.poll() is None and time.monotonic() < end:
            time.sleep(rng.uniform(0.1, 0.8))
            times += 1
            if kind == "the clock is set":
                clock.write_text(f"{rng.choice(JUMPS)}")
            else:
                pids = [run.pid, *(procfs.descendants(run.pid) if kind == "all are stopped" else ())]
                stop(pids, rng.uniform(0.1, 3.0))
        run.terminate()
    [game] = json.loads(found.read_text())["games"]
    print(f"{kind}: {times} times")
    assert not game["result"]["fault"], (kind, game["result"]["text"])
    assert times > 1


# ---- the end of the runner


@pytest.mark.slow
@pytest.mark.parametrize("mark", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_no_runners_end_leaves_what_an_agent_has_hidden(mark, tmp_path, monkeypatch):
    """A match whose agent thinks and has a process that neither its session nor its environment gives away."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # a killed runner cannot clear up its folders
    hides = "subprocess.Popen(['sleep', '3600'], env={}, start_new_session=True)\nprint('hidden', flush=True)"
    agents = written(tmp_path, f"{hides}\nimport time; time.sleep(3600)"), path_of("first_free")
    command = [sys.executable, "-m", "local_runner", "match", *agents, "--env", "tictactoe_1v1", "--no-limits",
               "--processes"]  # fmt: skip
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as runner:
        timer = threading.Timer(60, runner.kill)  # a failed test must not leave a runner without limits behind
        timer.start()
        assert within(60, lambda: any(path.read_text() == "hidden\n" for path in tmp_path.rglob("*.txt")))
        pids = list(procfs.descendants(runner.pid))
        runner.send_signal(mark)
        said, _ = runner.communicate()
        timer.cancel()
    assert len(pids) >= 5 and ended(pids)  # two agents with a guard each, and the hidden process
    if mark != signal.SIGKILL:
        assert sorted(path.name for path in tmp_path.iterdir()) == ["written.py"]
    if mark == signal.SIGINT:
        assert runner.returncode == 130 and "was interrupted" in said and "Traceback" not in said
