"""One agent in its own process: loaded once, called any number of times, killed with all its descendants.

This module decides whether a reply is a fault. `child.py` holds the process; `hosts/agent_host.py` is the program in
that process. This module knows no game: `session.py` decides whether a move is legal and whose turn it is.
"""

import errno
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from local_runner.agents import own_files, programs
from local_runner.agents.spec import AgentSpec, why_unusable
from local_runner.errors import AgentError
from local_runner.game.faults import LENGTHS, Fault, FaultKind
from local_runner.game.records import AgentReport, Loaded, Reply
from local_runner.language.languages import _
from local_runner.processes import replies
from local_runner.processes.child import MB, AgentLimits, Child, HostReply
from local_runner.processes.host_script import HostScript
from local_runner.processes.program_places import places
from local_runner.processes.replies import ActReply, KeptReply, LoadReply, Measured, R
from local_runner.system import files

HOST = Path(__file__).parent / "hosts" / "agent_host.py"

NO_MEMORY = f"[Errno {errno.ENOMEM}]"  # part of the message of an OSError for lack of memory
# The faults of agents/engines/program.py by the names of their classes.
OF_PROGRAMS = {"EngineEnded": FaultKind.ENGINE_ENDED, "EngineAnswer": FaultKind.ENGINE_ANSWER}
END_SECONDS = 0.5  # time limit of a program of others to end by itself
HOST_SECONDS = 0.05  # upper bound of the host script's own CPU time in a call
DELAY_SECONDS = 0.1  # upper bound of the runner's time minus the host's time for a call, on a busy machine


class AgentProcess:
    """An agent and its process: `start` starts the process, `close` or the end of a `with` ends it.

    `start` and `act` return even if the agent crashes or hangs; the `fault` of the result says why it failed.
    `checked`: whether the agent could be loaded before. If such an agent has no controller now, `start` returns a fault
    of the agent instead of raising an error.
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
        watched: bool = False,
        copy: Path | None = None,
    ) -> None:
        self.spec = spec
        self.name, self.is_ours = spec.name, spec.is_ours
        self.output = output
        self.limits = limits or AgentLimits()
        self.seed = seed
        self.python = python
        self.core = core
        self.checked = checked
        self.watched = watched
        self.file = copy or spec.path
        self.loaded: Loaded | None = None
        self.unusable: Fault | None = None  # why the agent cannot be played, if so
        self.peak_mb = 0.0
        self._child: Child | None = None
        self._abandoned = self._broken = False
        self._between = (0.0, 0)  # (CPU seconds between calls, number of calls after which the agent went on computing)
        self._inner_faults = 0
        self._siblings: tuple[str, ...] = ()
        self._shadowed: tuple[str, ...] = ()

    def __enter__(self) -> "AgentProcess":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def start(self) -> Loaded:
        """Start the process and load the agent; a second call returns the result of the first.

        Raises AgentError if the file has no controller or rejects its options, unless the agent is `checked`. Raises
        RunnerError if the interpreter cannot be executed; `interpreters.check` tests whether it is a Python.
        """
        if self.loaded is not None:
            return self.loaded
        options = dict(self.spec.options)
        readable = [*own_files.places(self.spec)] if self.file == self.spec.path else [self.file.parent]
        if self.spec.is_program:
            options.update(call_seconds=self.limits.seconds, memory_mb=self.limits.memory_mb)
            readable += places(self.spec.options, (self.file.parent / programs.COPY).is_dir(), self.python)
        script = HostScript(
            HOST, self.python, self.limits.sandbox, readable=tuple(readable), trusted=self.is_ours, core=self.core
        )
        self._child = Child(script, self.output, self.limits)
        request = {"kind": "load", "path": str(self.file), "options": options, "seed": self.seed,
                   "watched": self.watched}  # fmt: skip
        answer, reply = self._ask(request, self.limits.load_seconds, LoadReply)
        if reply is None:
            self.loaded = Loaded(answer.seconds, fault=answer.fault)
            return self.loaded
        if reply.unusable is not None:
            self.unusable = reply.unusable.fault
            self.close()
            if not self.checked:
                sentence = _("{agent} cannot be played: {why}")
                raise AgentError(sentence.format(agent=self.name, why=why_unusable(self.spec, self.unusable)))
        loading, cpu = self._times(answer, reply)
        self.loaded = Loaded(
            seconds=loading,
            cpu=cpu,
            rss_mb=_megabytes(reply.rss_kb),
            import_mb=_megabytes(reply.rss_kb - reply.rss_before_kb),
            python=reply.python,
            fault=self.unusable or self._fault_in(answer, reply, self.limits.load_seconds),
        )
        return self.loaded

    def act(self, observation: Any, n_row: int, n_col: int) -> Reply:
        """Ask the started agent for one answer; `n_row` and `n_col` are the sizes of the two action spaces."""
        request = {"kind": "act", "observation": observation, "n_row": n_row, "n_col": n_col}
        answer, reply = self._ask(request, self.limits.seconds, ActReply, (n_row, n_col))
        if reply is None:
            return Reply(seconds=answer.seconds, fault=answer.fault)
        self._inner_faults = reply.inner_faults
        form = reply.bad_form.fault if reply.bad_form is not None else None
        fault = self._fault_in(answer, reply, self.limits.seconds)
        if fault is None and reply.wrote:
            fault = Fault(FaultKind.WROTE)
        if fault is None and form is not None and form.kind in LENGTHS:
            fault = form
        taken, cpu = self._times(answer, reply)
        return Reply(
            cell=reply.cell,
            seconds=taken,
            cpu=cpu,
            bad_form=form,
            inner_faults=reply.inner_faults,
            inner_traceback=reply.inner_traceback,
            thought=reply.thought,
            fault=fault,
        )

    def kept(self) -> tuple[str, ...]:
        """The agent's global variables that have changed since its import; () if the process has ended.

        Only a `watched` agent can tell.
        """
        _answer, reply = self._ask({"kind": "changed"}, self.limits.load_seconds, KeptReply)
        return reply.names if reply is not None else ()

    def report(self) -> AgentReport:
        """Memory, output, imports and inner faults of the agent so far."""
        return AgentReport(
            name=self.name,
            loaded=self.loaded or Loaded(),
            peak_mb=self.peak_mb,
            printed_bytes=files.size(self.output),
            inner_faults=self._inner_faults,
            siblings=self._siblings,
            shadowed=self._shadowed,
            output=str(self.output),
            cpu_between=self._between[0],
            busy_between=self._between[1],
        )

    def close(self) -> None:
        """End the process and all its descendants; may be called twice."""
        if self._child is not None:
            if self.spec.is_program and not self._abandoned and not self._broken:
                request = {"kind": "act", "observation": None, "n_row": 1, "n_col": 1}
                self._child.ask(request, END_SECONDS)
            self._child.kill()
            self._child = None

    def abandon(self) -> None:
        """End the process at once, from another thread: the running call and all later ones end with a fault.

        The thread that uses this object must still call `close`.
        """
        self._abandoned = True
        if (child := self._child) is not None:
            child.family.end()

    def _ask(
        self, request: Mapping[str, Any], seconds: float, kind: type[R], sizes: tuple[int, int] = (0, 0)
    ) -> tuple[HostReply, R | None]:
        """Send a request; returns the parent's measurements and the host's reply, which is None after a fault."""
        if self._child is not None and self._abandoned:
            self.close()
        if self._child is None:
            return HostReply(b"", Fault(FaultKind.ENDED), 0.0), None
        answer = self._child.ask(request, seconds)
        reply = answer.fault or replies.read(self._at_home(answer.body), kind, sizes)
        self.peak_mb = max(self.peak_mb, self._child.peak_mb)
        self._between = (self._child.family.cpu_between, self._child.family.busy_between)
        if isinstance(reply, Fault):
            self._broken = True
            self.close()
            return answer._replace(fault=reply), None
        self._siblings, self._shadowed = reply.siblings, reply.shadowed
        self.peak_mb = max(self.peak_mb, _megabytes(reply.peak_kb))
        return answer, reply

    def _at_home(self, body: bytes) -> bytes:
        """A reply that names the agent's own folder instead of that of the copy."""
        if self.file == self.spec.path:
            return body
        here, home = (json.dumps(str(file.parent), ensure_ascii=False)[1:-1].encode("utf-8", "replace")
                      for file in (self.file, self.spec.path))  # fmt: skip
        return body.replace(here, home)

    def _fault_in(self, answer: HostReply, reply: Measured, seconds: float) -> Fault | None:
        """The fault that a reply shows: an exception, or too much time or memory; None if there is none."""
        enforced = self.limits.enforced
        if error := reply.error:
            no_memory = error.raised.startswith("MemoryError") or NO_MEMORY in error.raised
            name, _colon, said = error.raised.partition(": ")
            if self.spec.is_program and (engine := OF_PROGRAMS.get(name.rpartition(".")[2])):
                return Fault(engine, {"error": said})
            kind = FaultKind.NO_MEMORY if enforced and no_memory else FaultKind.RAISED
            return Fault(kind, {"error": error.raised}, error.traceback)
        if enforced and (late := self._late(answer, reply, seconds)) is not None:
            return late
        if enforced and self.peak_mb > self.limits.memory_mb:
            return Fault(FaultKind.TOO_LARGE, {"used": self.peak_mb, "limit": self.limits.memory_mb})
        return None

    def _late(self, answer: HostReply, reply: Measured, limit: float) -> Fault | None:
        """The fault of a call that took longer than `limit` seconds; None if the call was in time.

        The agent's code may have falsified the host's clock. So a call counts at least with the kernel's CPU time, and
        with the runner's time. Time in which the agent waited for a core that others had is not the agent's. If only
        time in which nobody watched the agent makes the call late, it was not measured.
        """
        others, watched = answer.suspended + answer.waited, self._least_seconds(answer)
        taken = max(watched, answer.seconds - others - DELAY_SECONDS, reply.seconds - others)
        if taken <= limit:
            return None
        if answer.unmeasured and max(watched, reply.seconds - others - answer.unmeasured) <= limit:
            return Fault(FaultKind.UNMEASURED, {"seconds": answer.unmeasured, "clock": answer.seconds})
        return Fault(FaultKind.LATE, {"seconds": taken, "limit": limit, "clock": answer.seconds})

    def _least_seconds(self, answer: HostReply) -> float:
        """A lower bound of the seconds that a call took, as the runner and the kernel measured them."""
        # An agent that no core is reserved for may use several at once.
        worked = (answer.cpu if self.core is not None else min(answer.cpu, answer.seconds)) - HOST_SECONDS
        clock = answer.seconds - answer.suspended
        return max(worked, clock - answer.waited - DELAY_SECONDS - answer.unmeasured)

    def _times(self, answer: HostReply, reply: Measured) -> tuple[float, float]:
        """Seconds and CPU seconds of a call by the host's clock, or by the runner's if the host's cannot be true."""
        seconds, cpu = reply.seconds, reply.cpu
        if not self._least_seconds(answer) <= seconds <= answer.seconds:
            seconds = answer.seconds
        elsewhere = self.spec.is_program  # the host's own clock does not count the program
        if answer.cpu and (elsewhere or not answer.cpu - HOST_SECONDS <= cpu <= answer.cpu):
            cpu = answer.cpu
        return seconds, cpu


def _megabytes(kilobytes: float) -> float:
    return kilobytes * 1024 / MB
