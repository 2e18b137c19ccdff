"""The wall clock set back and forth, and everything of a run stopped and continued (SIGSTOP, SIGCONT).

A trial is a game of gobang with an honest agent that thinks 0.3 s a call and may think 1 s. Three kinds in turn: all
processes of the run are stopped for 0.1 to 3 s, again and again; only the runner is stopped; the wall clock of all
processes jumps by up to a year (hosts/wall_clock.c, preloaded into the processes of the trial alone). No game may be
lost by time. Linux only; needs a C compiler.
"""
from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.processes import procfs
from workshop.torture.frame import Outcome

NAME = "clocks"
AMOUNT = 50
ALLOWED = "no false time loss"
BATCH = 1
AGENTS = "tengen:seconds=0.3,off_turn_seconds=0.3", "random"
SOURCE = Path(__file__).with_name("hosts") / "wall_clock.c"
PATIENCE = 300.0            # seconds in which a game must end
STOPPED = (0.1, 3.0)        # seconds, shortest and longest
RUNNING = (0.2, 1.5)        # seconds between two stops or jumps
JUMPS = ("+1", "-1", "+60", "-60", "+3600", "-3600", "+86400", "-86400", "+31536000", "-31536000")   # seconds
WRAPPER = """\
#!/bin/sh
{variables}
export {names}
exec {python} "$@"
"""


def batch(first: int, count: int, scratch: Path) -> list[Outcome]:
    """Play the games of consecutive numbers."""
    return [_outcome(number, scratch) for number in range(first, first + count)]


def _outcome(number: int, scratch: Path) -> Outcome:
    dice, found, told = random.Random(number), scratch / f"{number}.json", scratch / f"{number}.txt"
    kind = ("all stopped", "only the runner stopped", "wall clock set")[number % 3]
    command = [sys.executable, "-m", "local_runner", "match", *AGENTS, "--games", "1", "--seed", str(number), "--quiet",
               "--json", str(found)]
    environment = dict(os.environ)
    moment = scratch / "offset"
    if kind == "wall clock set":
        _set_clock(moment, "+0")
        faked = _faked(moment)
        environment.update(faked)
        command += ["--python", str(_python_under(faked, scratch))]
    with open(told, "wb") as screen, subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=screen, stderr=screen, env=environment, start_new_session=True,
            cwd=Path(__file__).resolve().parents[2]) as run:
        disturbed = _disturb(run, dice, kind, moment)
    if run.returncode or not found.is_file():
        lines = told.read_text("utf-8", "replace").strip().splitlines() or ["without a word"]
        return Outcome(number, f"{kind}: the match ended with exit code {run.returncode}: {lines[-1]}")
    game, = json.loads(found.read_text("utf-8"))["games"]
    fault = game["result"]["fault"]
    wrong = f"{kind}: {game['result']['reason']}, {game['result']['detail']}" if fault else ""
    return Outcome(number, wrong, counts={kind: disturbed, "games": 1})


def _disturb(run: subprocess.Popen[bytes], dice: random.Random, kind: str, moment: Path) -> int:
    """Stop the run or set its clock until it ends; returns how often."""
    times, end = 0, time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with contextlib.suppress(subprocess.TimeoutExpired):
            run.wait(dice.uniform(*RUNNING))
            return times
        times += 1
        if kind == "wall clock set":
            _set_clock(moment, dice.choice(JUMPS))
            continue
        family = [run.pid, *(procfs.descendants(run.pid) if kind == "all stopped" else ())]
        asleep = [pid for pid in family if _is_stopped(pid)]        # an agent that the runner has stopped itself
        _signal(family, signal.SIGSTOP)
        time.sleep(dice.uniform(*STOPPED))
        _signal([pid for pid in family if pid not in asleep], signal.SIGCONT)
    run.terminate()
    return times


def _signal(pids: list[int], mark: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, mark)


def _is_stopped(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"
    return False


def _set_clock(moment: Path, offset: str) -> None:
    """Set the clock of the processes that read this file; it is never half written."""
    new = moment.with_name("new")
    new.write_text(offset + "\n")
    os.replace(new, moment)


def _faked(moment: Path) -> Mapping[str, str]:
    """The environment under which a process adds the seconds in a file to its wall clock; RunnerError without cc."""
    library = moment.with_name("wall_clock.so")
    try:
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, SOURCE], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise RunnerError(f"cannot compile {SOURCE.name}: {error}; install a C compiler (cc)") from error
    return {"LD_PRELOAD": str(library), "WALL_CLOCK_OFFSET": str(moment)}


def _python_under(variables: Mapping[str, str], scratch: Path) -> Path:
    """A command that runs Python with these variables, since agents get none of the runner's own."""
    wrapper = scratch / "python"
    wrapper.write_text(WRAPPER.format(variables="\n".join(f"{name}='{value}'" for name, value in variables.items()),
                                      names=" ".join(variables), python=f"'{sys.executable}'"))
    wrapper.chmod(0o755)
    return wrapper
