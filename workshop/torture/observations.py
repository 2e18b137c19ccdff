"""Malformed and hostile observations and action spaces into the upload, Python 3.7, half of them with numpy.

A trial is one call. Of 100 calls 46 are given random objects, 8 a row as after a pass, 41 an observation in mid-game
with one to three faults, 5 a valid one. One call in 100 may think as long as the upload's own settings say, the others
2 ms.
hosts/observation_host.py makes the calls, hosts/junk.py and hosts/lies.py what they are given.
"""
from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path

from local_runner.bundle import build
from local_runner.errors import RunnerError
from local_runner.processes.interpreters import find_python37
from workshop.torture.frame import TrialOutcome

NAME = "observations"
AMOUNT = 1_000_000
BATCH = 5_000               # calls of one process; its memory must not grow over the limit
ALLOWED = ("0 exceptions but BaseException passed through, 0 wrong shapes, 0 writes, 0 calls over 0.9 s CPU, "
           "RSS < 200 MB")
HOST = Path(__file__).with_name("hosts") / "observation_host.py"
HOST_SECONDS = 3 * 3600     # a process that hangs where no signal reaches it has failed


def batch(first: int, count: int, scratch: Path) -> list[TrialOutcome]:
    """Make the calls of one process; odd batches have numpy, even ones have not."""
    if (first - 1) // BATCH != (first + count - 2) // BATCH:
        first_part = BATCH - (first - 1) % BATCH
        return batch(first, first_part, scratch) + batch(first + first_part, count - first_part, scratch)
    bundle, answer = scratch / "submission.py", scratch / "answer.json"
    bundle.write_text(_bundle(), "utf-8")
    flags = ["-S"] if (first - 1) // BATCH % 2 else []
    command = [_python(), "-B", *flags, str(HOST), str(bundle), str(first), str(count), str(answer)]
    try:
        run = subprocess.run(command, cwd=scratch, capture_output=True, text=True, errors="replace",
                             env={**os.environ, "PYTHONHASHSEED": "0"}, timeout=HOST_SECONDS)
        if run.returncode > 0:              # by a mistake of the test itself, not by the upload
            raise RuntimeError(f"{HOST.name} {first} {count}: {run.stderr.strip()}")
        ending = f"it ended by signal {-run.returncode}"
    except subprocess.TimeoutExpired:
        ending = f"it did not end within {HOST_SECONDS} s"
    if not answer.is_file():
        fault = f"a process with {count} calls failed: {ending}"
        return [TrialOutcome(first, fault), *(TrialOutcome(number) for number in range(first + 1, first + count))]
    groups = json.loads(answer.read_text("utf-8"))
    faults = {number: fault for group in groups for number, fault in group["faults"]}
    counts: dict[str, int] = {f"with{'out' if flags else ''} numpy": count}
    for group in groups:
        for name, number in (*group["kinds"].items(), ("BaseExceptions passed through", group["passed"]),
                             ("exceptions caught inside", group["inner"])):
            counts[name] = counts.get(name, 0) + number
    most = {"CPU of a call, s": max(group["cpu"] for group in groups), "RSS, MB": max(group["rss"] for group in groups)}
    outcomes = [TrialOutcome(number, faults.get(number, "")) for number in range(first, first + count)]
    return [replace(outcomes[0], most=most, counts=counts), *outcomes[1:]]


@cache
def _bundle() -> str:
    return build().text


@cache
def _python() -> str:
    """A Python 3.7; RunnerError if there is none."""
    python = find_python37()
    if python is None:
        raise RunnerError("there is no Python 3.7 here, under which the upload is tortured; run make python37")
    return str(python.path)
