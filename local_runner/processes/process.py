"""One agent in its own process: loaded once, called any number of times, killed with all its descendants.

Turns replies into faults. `child.py` holds the process, `hosts/agent_host.py` is the program in it. Knows no game:
`session.py` decides whether an answer is legal and whose turn it is.
"""

import errno
import sys
from collections.abc import Mapping, Set
from pathlib import Path
from types import TracebackType
from typing import Any

from local_runner.agents.spec import AgentSpec, why_unusable
from local_runner.errors import AgentError
from local_runner.game.faults import FORMS, LENGTHS, UNUSABLE, Fault, FaultKind
from local_runner.game.records import AgentReport, Loaded, Reply
from local_runner.game.wording import fault_text
from local_runner.language.languages import _
from local_runner.processes.child import MB, AgentLimits, Child, HostReply
from local_runner.processes.host_script import HostScript
from local_runner.system import files

HOST = Path(__file__).parent / "hosts" / "agent_host.py"

# The fields of a reply and their types. The agent's code runs in the process that replies, so replies are checked.
FIELDS: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("seconds", "cpu", "rss_kb", "rss_before_kb", "peak_kb", "inner_faults"), (int, float)),
    **dict.fromkeys(("python", "inner_traceback"), (str,)),
    **dict.fromkeys(("cell", "siblings", "shadowed"), (list,)),
    **dict.fromkeys(("error", "thought", "unusable", "bad_form"), (dict, type(None))),
    "wrote": (bool,),
}
ERROR_FIELDS = {"raised", "traceback"}
OUTCOMES = {"load": ("python",), "act": ("cell", "bad_form", "error")}  # request -> a reply has one
NO_MEMORY = f"[Errno {errno.ENOMEM}]"
HOST_SECONDS = 0.05  # most CPU time of the host script in a call
DELAY_SECONDS = 0.1  # longest delay between the runner's clock and the host's on a busy machine
MOST_TEXT = 50_000  # characters of a value in a reply; the host cuts its texts at 20,000
HUGE = 1e15  # upper bound of all times, memory sizes and counts in a reply


class AgentProcess:
    """An agent and its process; `start` starts it, `close` or the end of a `with` ends it.

    `start` and `act` return even if the agent crashes or hangs; the `fault` of the result says why it failed.
    `checked`: it could be loaded before. If it has no controller now, that is its fault, not the user's.
    """

    def __init__(
        self,
        spec: AgentSpec,
        output: Path,
        limits: AgentLimits | None = None,
        *,
        seed: int = 0,
        python: str = sys.executable,
        core: int | None = None,
        checked: bool = False,
    ) -> None:
        self.spec = spec
        self.name, self.is_ours = spec.name, spec.is_ours
        self.output = output
        self.limits = limits or AgentLimits()
        self.seed = seed
        self.python = python
        self.core = core
        self.checked = checked
        self.loaded: Loaded | None = None
        self.unusable: Fault | None = None  # why it cannot be played, if it cannot
        self.peak_mb = 0.0
        self._child: Child | None = None
        self._abandoned = False
        self._between = (0.0, 0)  # CPU seconds between calls; calls after which it went on computing
        self._account: Mapping[str, Any] = {}  # the newest value of every field in the replies so far

    def __enter__(self) -> "AgentProcess":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def start(self) -> Loaded:
        """Start the process and load the agent; a second call returns the first result.

        Raises AgentError for a file that has no controller or does not take its options, unless it was `checked`, and
        RunnerError for an interpreter that cannot be executed (`interpreters.check` finds out whether it is a Python).
        """
        if self.loaded is not None:
            return self.loaded
        script = HostScript(
            HOST, self.python, self.limits.sandbox, readable=(self.spec.path.parent,), trusted=self.is_ours,
            core=self.core,
        )  # fmt: skip
        self._child = Child(script, self.output, self.limits)
        request = {"kind": "load", "path": str(self.spec.path), "options": dict(self.spec.options), "seed": self.seed}
        answer = self._ask(request, self.limits.load_seconds)
        reply = answer.reply
        if said := reply.get("unusable"):
            self.unusable = said_fault(said)
            self.close()
            if not self.checked:
                sentence = _("{agent} cannot be played: {why}")
                raise AgentError(sentence.format(agent=self.name, why=why_unusable(self.spec, self.unusable)))
            answer = answer._replace(fault=self.unusable)
        self.loaded = Loaded(
            seconds=reply.get("seconds", answer.seconds),
            cpu=reply.get("cpu", 0.0),
            rss_mb=_megabytes(reply, "rss_kb"),
            import_mb=_megabytes(reply, "rss_kb") - _megabytes(reply, "rss_before_kb"),
            python=reply.get("python", ""),
            fault=self._fault_in(answer, self.limits.load_seconds),
        )
        return self.loaded

    def act(self, observation: Any, n_row: int, n_col: int) -> Reply:
        """Ask the started agent for one answer; `n_row` and `n_col` are the sizes of the two action spaces."""
        request = {"kind": "act", "observation": observation, "n_row": n_row, "n_col": n_col}
        answer = self._ask(request, self.limits.seconds)
        reply = answer.reply
        cell = reply.get("cell")
        return Reply(
            cell=(cell[0], cell[1]) if cell else None,
            seconds=reply.get("seconds", answer.seconds),
            cpu=reply.get("cpu", 0.0),
            bad_form=said_fault(reply["bad_form"]) if reply.get("bad_form") else None,
            inner_faults=reply.get("inner_faults", 0),
            inner_traceback=reply.get("inner_traceback", ""),
            thought=reply.get("thought"),
            fault=self._fault_in(answer, self.limits.seconds),
        )

    def report(self) -> AgentReport:
        """Memory, output, imports and inner faults of the agent so far."""
        return AgentReport(
            name=self.name,
            loaded=self.loaded or Loaded(),
            peak_mb=self.peak_mb,
            printed_bytes=files.size(self.output),
            inner_faults=self._account.get("inner_faults", 0),
            siblings=tuple(self._account.get("siblings", ())),
            shadowed=tuple(self._account.get("shadowed", ())),
            output=str(self.output),
            cpu_between=self._between[0],
            busy_between=self._between[1],
        )

    def close(self) -> None:
        """End the process and all its descendants; may be called twice."""
        if self._child is not None:
            self._child.kill()
            self._child = None

    def abandon(self) -> None:
        """End the process from another thread, at once: the call that is running, and all later ones, end with a fault.

        The thread that uses it still has to `close` it.
        """
        self._abandoned = True
        if (child := self._child) is not None:
            child.family.end()

    def _ask(self, request: Mapping[str, Any], seconds: float) -> HostReply:
        if self._child is not None and self._abandoned:
            self.close()
        if self._child is None:
            return HostReply({}, Fault(FaultKind.ENDED), 0.0)
        answer = self._child.ask(request, seconds)
        if answer.fault is None and not well_formed(answer.reply, request):
            answer = HostReply({}, Fault(FaultKind.FORGED), answer.seconds)
        self._account = {**self._account, **answer.reply}
        self.peak_mb = max(self.peak_mb, self._child.peak_mb, _megabytes(answer.reply, "peak_kb"))
        self._between = (self._child.family.cpu_between, self._child.family.busy_between)
        if answer.fault is not None:
            self.close()
        return answer

    def _fault_in(self, answer: HostReply, seconds: float) -> Fault | None:
        """The gravest fault of a call, None if there is none."""
        reply, enforced = answer.reply, self.limits.enforced
        if answer.fault is not None:
            return answer.fault
        if error := reply.get("error"):
            if enforced and (error["raised"].startswith("MemoryError") or NO_MEMORY in error["raised"]):
                return Fault(FaultKind.NO_MEMORY, {"error": error["raised"]}, error["traceback"])
            return Fault(FaultKind.RAISED, {"error": error["raised"]}, error["traceback"])
        taken = max(reply["seconds"], self._least_seconds(answer)) - answer.suspended
        if enforced and taken > seconds:
            return Fault(FaultKind.LATE, {"seconds": taken, "limit": seconds, "clock": answer.seconds})
        if enforced and self.peak_mb > self.limits.memory_mb:
            return Fault(FaultKind.TOO_LARGE, {"used": self.peak_mb, "limit": self.limits.memory_mb})
        if reply.get("wrote"):
            return Fault(FaultKind.WROTE)
        if (said := reply.get("bad_form")) and (fault := said_fault(said)).kind in LENGTHS:
            return fault
        return None

    def _least_seconds(self, answer: HostReply) -> float:
        """A lower bound in seconds of the time of a call, which the agent cannot falsify by changing the host's clock.

        It is the runner's time, less the agent's wait for a core, less DELAY_SECONDS. For an agent that is pinned to
        one core, it is at least the CPU time that the kernel counts, less HOST_SECONDS.
        """
        clock = answer.seconds - answer.waited - DELAY_SECONDS
        return clock if self.core is None else max(clock, answer.cpu - HOST_SECONDS)


def well_formed(reply: Mapping[str, Any], request: Mapping[str, Any]) -> bool:
    """Whether the host can have written this reply to this request."""
    if not all(isinstance(value, FIELDS.get(key, ())) for key, value in reply.items()):
        return False
    numbers = [value for key, value in reply.items() if FIELDS[key] == (int, float)]
    texts = [*reply.get("siblings", []), *reply.get("shadowed", []), *(reply.get("error") or {}).values()]
    return (
        all(0 <= number < HUGE for number in numbers)
        and all(len(str(value)) <= MOST_TEXT for value in reply.values())
        and all(isinstance(text, str) for text in texts)
        and set(reply.get("error") or ERROR_FIELDS) == ERROR_FIELDS
        and ("cell" not in reply or _on_board(reply["cell"], request))
        and is_said(reply.get("unusable"), UNUSABLE)
        and is_said(reply.get("bad_form"), FORMS)
        and any(reply.get(key) for key in OUTCOMES[request["kind"]])
        and "seconds" in reply
    )


def said_fault(said: Mapping[str, Any]) -> Fault:
    """The fault of a kind that the host has named, in a well-formed reply."""
    return Fault(FaultKind(said["kind"]), said["fields"])


def is_said(said: Mapping[str, Any] | None, kinds: Set[FaultKind]) -> bool:
    """Whether the host can have said this: nothing, or one of the kinds with what its text needs."""
    if said is None:
        return True
    try:
        fault = said_fault(said)
        fault_text(fault)
    except (ValueError, TypeError, LookupError, AttributeError):
        return False
    values = fault.fields.values()
    return fault.kind in kinds and bool(values) and all(isinstance(value, (str, int)) for value in values)


def _on_board(cell: list[Any], request: Mapping[str, Any]) -> bool:
    sizes = (request.get("n_row", 0), request.get("n_col", 0))
    return [type(part) for part in cell] == [int, int] and all(0 <= at < n for at, n in zip(cell, sizes, strict=True))


def _megabytes(reply: Mapping[str, Any], key: str) -> float:
    return float(reply.get(key, 0)) * 1024 / MB
