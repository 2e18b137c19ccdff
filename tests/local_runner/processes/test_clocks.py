"""No game is lost by time because the run was stopped (SIGSTOP) or the wall clock was set."""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from local_runner.processes import procfs
from tests.local_runner.processes.naughty import ON_LINUX

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
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not ON_LINUX, reason="stops processes that it finds in /proc")]


def stop(pids, rng):
    """Stop these processes for a while, but not those for good that the runner has stopped itself."""
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
