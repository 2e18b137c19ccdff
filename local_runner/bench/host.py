"""Runs hosts/bench_host.py, which measures in a fresh interpreter."""
from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from local_runner.agents import AgentSpec
from local_runner.errors import RunnerError
from local_runner.processes.interpreters import Interpreter
from local_runner.text import SENTENCE, shortened

HOST = Path(__file__).parents[1] / "hosts" / "bench_host.py"
SECONDS = 120                       # time limit of a measurement, unless the caller gives another


def ask(kind: str, spec: AgentSpec, python: Interpreter, folder: Path, work: Mapping[str, Any] | None = None,
        seconds: float | None = None) -> dict[str, Any]:
    """Run one kind of measurement in a new process and return its figures; RunnerError if there are none.

    `kind`, `work`: see bench_host.py (without `work` it gets the agent's options); `seconds`: time limit.
    """
    answer = folder / "figures.json"
    answer.unlink(missing_ok=True)
    given = json.dumps(dict(spec.options if work is None else work))        # too long for a command line argument
    command = [str(python.path), "-B", str(HOST), kind, str(spec.path), str(answer)]
    limit = seconds or SECONDS
    try:
        done = subprocess.run(command, input=given, capture_output=True, text=True, errors="replace", timeout=limit,
                              cwd=folder)
    except subprocess.TimeoutExpired:
        what = "import and first answer" if kind == "import" else "answer"
        raise unmeasurable(spec, python, f"no {what} within {limit:g} s") from None
    if done.returncode or not answer.is_file():
        raise unmeasurable(spec, python, (done.stderr.strip().splitlines() or ["it ended without an answer"])[-1])
    try:
        figures: dict[str, Any] = json.loads(answer.read_bytes())
        if kind == "import" and not all(0 <= figures[name] < limit for name in ("import", "first")):
            raise ValueError("no times")
    except (ValueError, TypeError, KeyError) as error:        # the agent may have written into the file
        raise unmeasurable(spec, python, "its measurement was tampered with") from error
    return figures


def unmeasurable(spec: AgentSpec, python: Interpreter, reason: str) -> RunnerError:
    """The error that says why an agent cannot be measured."""
    return RunnerError(f"{shortened(spec.name)} cannot be measured under {python.title}: {shortened(reason, SENTENCE)}")
