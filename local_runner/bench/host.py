"""Code that both benchmarks share: our agent as its bundle, a long time limit, measurements in a fresh interpreter."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from local_runner.agents.catalogue import SUBMISSION
from local_runner.agents.own_files import places
from local_runner.agents.spec import AgentSpec, why_unusable
from local_runner.errors import RunnerError
from local_runner.game.wording import fault_text
from local_runner.language.languages import _, shown
from local_runner.language.text import SENTENCE, shortened
from local_runner.processes import script
from local_runner.processes.host_script import HostScript
from local_runner.processes.interpreters import Interpreter
from local_runner.processes.replies import Said
from local_runner.processes.sandbox import SandboxMode
from local_runner.upload import bundle

HOST = Path(__file__).parents[1] / "processes" / "hosts" / "bench_host.py"
SECONDS = 120  # time limit of a measurement
RAISED = 1  # exit code of a Python that an exception has ended; the exception is the last line printed
UNHURRIED = 60.0  # time limit of a call in seconds, so long that a slow call is measured instead of killed


def as_uploaded(spec: AgentSpec, folder: Path) -> AgentSpec:
    """For our agent, the spec of its bundle, which is written into `folder`; any other spec unchanged.

    Each version of the sources has its own subfolder.
    """
    if spec.path != SUBMISSION:
        return spec
    made = bundle.build()
    path = folder.resolve() / made.package / bundle.MAINS[bundle.JIDI]
    if not path.exists():
        bundle.write(made, path)
    return replace(spec, path=path)


def ask(kind: str, spec: AgentSpec, python: Interpreter, mode: SandboxMode = SandboxMode.AUTO) -> dict[str, float]:
    """Run a measurement of bench_host.py ("import" or "board") in a new process.

    Raises RunnerError if the agent cannot be played, or the measurement is too slow, fails, or gives no valid figures.
    """
    try:
        host = HostScript(HOST, str(python.path), mode, (kind, str(spec.path)), places(spec), spec.is_ours)
        done = script.run(host, json.dumps(dict(spec.options)), SECONDS)
    except script.TooSlow:
        late = _("no import and first answer within {seconds:g} s").format(seconds=SECONDS)
        raise unmeasurable(spec, python, late) from None
    if done.code or done.answer is None:
        said = done.printed.strip().splitlines() if done.code == RAISED else []
        raise unmeasurable(spec, python, (said or [_("it {did}").format(did=shown(fault_text(done.fault)))])[-1])
    try:
        figures: dict[str, Any] = json.loads(done.answer)
        if "unusable" in figures:
            said = msgspec.convert(figures["unusable"], Said)
            raise unmeasurable(spec, python, why_unusable(spec, said.fault))
        if kind == "import" and not all(0 <= figures[name] < SECONDS for name in ("import", "first")):
            raise ValueError("no times")
    except (
        ValueError,
        TypeError,
        KeyError,
        msgspec.ValidationError,
    ) as error:  # the agent's code may have changed the answer file
        raise unmeasurable(spec, python, _("its measurement was tampered with")) from error
    return figures


def unmeasurable(spec: AgentSpec, python: Interpreter, reason: str) -> RunnerError:
    """A RunnerError that says why an agent cannot be measured."""
    sentence = _("{agent} cannot be measured under {python}: {why}")
    why = shortened(reason, SENTENCE)
    return RunnerError(sentence.format(agent=shortened(spec.name), python=shown(python.title), why=why))
