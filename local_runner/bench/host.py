"""Runs hosts/bench_host.py, which measures in a fresh interpreter."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.language.languages import _, shown
from local_runner.language.text import SENTENCE, shortened
from local_runner.processes import script
from local_runner.processes.interpreters import Interpreter
from local_runner.processes.sandbox import SandboxMode

HOST = Path(__file__).parents[1] / "processes" / "hosts" / "bench_host.py"
SECONDS = 120  # time limit of a measurement, unless the caller gives another


def ask(
    kind: str,
    spec: AgentSpec,
    python: Interpreter,
    work: Mapping[str, Any] | None = None,
    seconds: float | None = None,
    mode: SandboxMode = SandboxMode.AUTO,
    stepped: Callable[[int], None] | None = None,
) -> dict[str, Any]:
    """Run one kind of measurement in a new process and return its figures; RunnerError if there are none.

    `kind`, `work`: see bench_host.py (without `work` it gets the agent's options); `seconds`: time limit; `stepped`
    is told now and then in how many positions it has measured.
    """
    given = json.dumps(dict(spec.options if work is None else work))  # too long for a command line argument
    limit = seconds or SECONDS
    try:
        done = script.run(
            HOST,
            [kind, str(spec.path)],
            given,
            python=str(python.path),
            readable=[spec.path.parent],
            seconds=limit,
            mode=mode,
            trusted=spec.is_ours,
            stepped=stepped,
        )
    except script.TooSlow:
        late = (
            _("no import and first answer within {seconds:g} s")
            if kind == "import"
            else _("no answer within {seconds:g} s")
        )
        raise unmeasurable(spec, python, late.format(seconds=limit)) from None
    if done.code or done.answer is None:
        said = done.printed.strip().splitlines() if done.code else []
        raise unmeasurable(spec, python, (said or [_("it ended without an answer")])[-1])
    try:
        figures: dict[str, Any] = json.loads(done.answer)
        if kind == "import" and not all(0 <= figures[name] < limit for name in ("import", "first")):
            raise ValueError("no times")
    except (ValueError, TypeError, KeyError) as error:  # the agent may have written into the file
        raise unmeasurable(spec, python, _("its measurement was tampered with")) from error
    return figures


def unmeasurable(spec: AgentSpec, python: Interpreter, reason: str) -> RunnerError:
    """The error that says why an agent cannot be measured."""
    sentence = _("{agent} cannot be measured under {python}: {why}")
    why = shortened(reason, SENTENCE)
    return RunnerError(sentence.format(agent=shortened(spec.name), python=shown(python.title), why=why))
