"""Time: an agent computes in its calls only; waiting for a core, stops of the run and set clocks cost it nothing."""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from local_runner.agents.spec import parse_agent
from local_runner.game.faults import FaultKind
from local_runner.game.wording import fault_text
from local_runner.processes import host_process, procfs
from local_runner.processes.child import AgentLimits
from local_runner.processes.cores import claimed
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import SandboxMode
from tests.local_runner.processes.naughty import EMPTY, MANY, ON_LINUX, PATIENT, started, written

pytestmark = pytest.mark.skipif(not ON_LINUX, reason="looks at processes as Linux shows them")


# ---- between calls


def parent(pid):
    """The id of the parent of a process."""
    return int((procfs.PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])


@pytest.mark.slow
def test_an_agent_whose_guard_gets_no_core_is_stopped_and_ended(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(host_process, "GUARD_SECONDS", 0.4)
    with started(tmp_path, "pass") as process:
        agents = process.processes()
        os.kill(parent(agents[0]), signal.SIGSTOP)
        assert [process.act(EMPTY, 3, 3).fault for _ in range(2)] == [None, None]
        began = time.monotonic()
    assert time.monotonic() - began < 5
    assert all(map(procfs.has_ended, agents))


@pytest.mark.slow
def test_nobody_wins_if_the_agents_process_does_not_start(kind, tmp_path, monkeypatch):
    def resume(family):
        while family.guard is None:
            time.sleep(0.001)
        os.kill(family.guard, signal.SIGSTOP)

    monkeypatch.setattr(host_process.HostProcess, "resume", resume)
    monkeypatch.setattr(host_process, "GUARD_SECONDS", 0.4)
    limits = replace(PATIENT, load_seconds=0.1)
    with AgentProcess(parse_agent(written(tmp_path, "pass")), tmp_path / "out.txt", limits) as process:
        fault = replace(process.start().fault, loading=True)
    assert fault.kind is FaultKind.UNSTARTED and fault_text(fault).startswith("the machine was too busy to start")


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
        with started(tmp_path, body, limits) as process:
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
        with started(tmp_path, "pass") as process:
            for _ in range(20):
                assert process.act(EMPTY, 3, 3).fault is None
            report = process.report()
        assert report.busy_between == 0 and report.cpu_between < 0.1


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
# Bodies of a call. HONEST looks at its clock all the time, and comes late only if it gets no core.
HONEST = "import time\nuntil = time.perf_counter() + 0.95\nwhile time.perf_counter() < until: pass"
LATE = {
    "asleep": "import time\ntime.sleep(1.3)",
    "thread": "import threading, time, zlib\nuntil = time.process_time() + 1.3\ndef work():\n"
    "    while time.process_time() < until: zlib.compress(bytes(1 << 20))\n"
    "[thread.start() for thread in [threading.Thread(target=work)]]\nwork()",
    "busy": "import time\nuntil = time.process_time() + 1.3\nwhile time.process_time() < until: pass",
}
HOG = "import os\nos.sched_setaffinity(0, {%d})\nprint(flush=True)\nwhile True: pass"


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
    with started(folder, body, AgentLimits(memory_mb=120), core=core) as process:
        for _ in range(calls):
            reply = process.act(EMPTY, 3, 3)
            yield reply.fault and reply.fault.kind


@pytest.mark.slow
def test_an_honest_agent_does_not_lose_by_time(kind, hogs, tmp_path):
    assert [*faults(hogs, HONEST, tmp_path, 6)] == [None] * 6


@pytest.mark.slow
@pytest.mark.parametrize("name", LATE)
def test_an_agent_that_takes_longer_does(kind, name, hogs, tmp_path):
    assert next(faults(hogs, LATE[name], tmp_path, 1)) in (FaultKind.LATE, FaultKind.NO_ANSWER)


# ---- the claim of a core


@pytest.fixture
def two_cores(monkeypatch):
    """Invented core numbers that no test in another process claims."""
    cores = {1_000_000 + 2 * os.getpid(), 1_000_001 + 2 * os.getpid()}
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: cores)
    return sorted(cores)


def test_the_last_cores_come_first_and_are_had_once(two_cores):
    first, second = two_cores
    with claimed(1) as mine, claimed(2) as yours, claimed(1) as theirs:
        assert (mine, yours, theirs) == ([second], [first, None], [None])
    with claimed(3) as free_again:
        assert free_again == [second, first, None]


def test_another_process_keeps_its_claim_until_it_ends(two_cores):
    script = (
        f"import os; os.sched_getaffinity = lambda pid: {set(two_cores)}\n"
        "from local_runner.processes.cores import claimed\n"
        "with claimed(2) as cores: print(cores, flush=True); input()\n"
    )
    other = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdout.readline() == f"{two_cores[::-1]}\n"
    with claimed(2) as cores:
        assert cores == [None, None]
    other.kill()
    other.communicate()
    with claimed(2) as cores:
        assert cores == two_cores[::-1]


# ---- a run that is stopped, and a clock that is set

ROOT = Path(__file__).parents[3]
PATIENCE = 300.0  # seconds in which a game must end
JUMPS = (1, -1, 60, -60, 3600, -3600, 86400, -86400, 31536000, -31536000)  # seconds
# A library to be preloaded that adds the seconds in a file to the wall clock. Monotonic clocks go on, as they do when
# the clock of a machine is set. (libfaketime 0.9.10 makes time.sleep() of Python 3.11 fail.)
WALL_CLOCK = r"""
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static long offset(void) {
    char text[32] = "";
    int file = open(getenv("WALL_CLOCK_OFFSET"), O_RDONLY | O_CLOEXEC);
    long size = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    return size > 0 ? atol(text) : 0;
}
int clock_gettime(clockid_t clock, struct timespec *now) {
    int failed = (int)syscall(SYS_clock_gettime, clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += offset();
    return failed;
}
"""


def stop(pids, rng):
    """Stop these processes for a while, except processes that the runner has stopped."""
    running = [pid for pid in pids if not procfs.is_stopped(pid)]
    for mark in (signal.SIGSTOP, signal.SIGCONT):
        for pid in running:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, mark)
        if mark is signal.SIGSTOP:
            time.sleep(rng.uniform(0.1, 3.0))


def set_clock(folder, offset):
    (folder / "new").write_text(f"{offset}\n")
    os.replace(folder / "new", folder / "offset")  # never half written


def under_a_false_clock(folder, environment):
    """Give the environment a false clock; a command that runs Python with it, since agents get none of the runner's."""
    (folder / "clock.c").write_text(WALL_CLOCK)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "clock.so", folder / "clock.c"], check=True)
    set_clock(folder, 0)
    false = {"LD_PRELOAD": str(folder / "clock.so"), "WALL_CLOCK_OFFSET": str(folder / "offset")}
    environment.update(false)
    lines = [f"export {name}='{value}'" for name, value in false.items()]
    (folder / "python").write_text("\n".join(["#!/bin/sh", *lines, f"exec '{sys.executable}' \"$@\"\n"]))
    (folder / "python").chmod(0o755)
    return folder / "python"


@pytest.mark.slow
@pytest.mark.seeds(0, 1, 2)
def test_no_game_is_lost_by_time(number, tmp_path):
    """A game of an agent that thinks 0.3 s a call and may think 1 s, while the run is disturbed."""
    rng, kind = random.Random(number), ("all are stopped", "the runner is stopped", "the clock is set")[number % 3]
    found, environment, python = tmp_path / "games.json", dict(os.environ), sys.executable
    if kind == "the clock is set":
        if shutil.which("cc") is None:
            pytest.skip("no C compiler here")
        python = under_a_false_clock(tmp_path, environment)
    agents = "tengen:seconds=0.3,off_turn_seconds=0.3", "random"
    command = [sys.executable, "-m", "local_runner", "match", *agents, "--games", "1", "--seed", str(number), "--quiet",
               "--json", str(found), "--python", str(python)]  # fmt: skip
    times, end = 0, time.monotonic() + PATIENCE
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as run:
        while run.poll() is None and time.monotonic() < end:
            time.sleep(rng.uniform(0.1, 0.8))
            times += 1
            if kind == "the clock is set":
                set_clock(tmp_path, rng.choice(JUMPS))
            else:
                stop([run.pid, *(procfs.descendants(run.pid) if kind == "all are stopped" else ())], rng)
        run.terminate()
    [game] = json.loads(found.read_text())["games"]
    assert not game["result"]["fault"], (kind, game["result"]["text"])
    assert times > 1
