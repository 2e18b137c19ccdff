"""One agent in its own process: loaded once, called any number of times, killed with all its descendants.

This module checks the replies and decides whether a reply is a fault. `child.py` holds the process; `agent_host.py` is
the program in that process. The agent's code runs in the same process, so a reply may be forged. This module knows no
game: `session.py` decides whether a move is legal and whose turn it is.
"""

import errno
import json
import os
import shlex
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from local_runner.agents import own_files
from local_runner.agents.catalogue import OptionValue
from local_runner.agents.spec import COPY, PYVENV, AgentSpec, why_unusable
from local_runner.errors import AgentError
from local_runner.game.faults import FORMS, LENGTHS, UNUSABLE, Fault, FaultKind
from local_runner.game.records import AgentReport, Loaded, Reply
from local_runner.game.wording import fault_text
from local_runner.language.languages import _
from local_runner.processes import interpreters, sandbox
from local_runner.processes.child import MB, AgentLimits, Child, HostReply, Totals
from local_runner.processes.sandbox import HostScript
from local_runner.system import files

HOST = Path(__file__).parent / "agent_side" / "agent_host.py"

NO_MEMORY = f"[Errno {errno.ENOMEM}]"  # part of the message of an OSError for lack of memory
# The faults of agents/opponents/program.py by the names of their classes.
OF_PROGRAMS = {"EngineEnded": FaultKind.ENGINE_ENDED, "EngineAnswer": FaultKind.ENGINE_ANSWER}
END_SECONDS = 0.5  # time limit of a program of others to end by itself
PROJECT = sandbox.PACKAGE.parent

SPARE_LEVELS = 500  # a reply must be so many levels less deep than Python can read, so that its thought can be written
MOST_TEXT = 50_000  # largest text or thought of a reply in characters; an honest host sends at most 20,000
Amount = Annotated[float, Meta(ge=0, lt=1e15)]  # seconds, or KiB
Count = Annotated[int, Meta(ge=0, lt=10**15)]
Text = Annotated[str, Meta(max_length=MOST_TEXT)]
Names = Annotated[tuple[Annotated[str, Meta(max_length=255)], ...], Meta(max_length=1000)]  # as many as files
Index = Annotated[int, Meta(ge=0)]


class AgentReply(Struct, frozen=True, forbid_unknown_fields=True):
    """A reply of the host script; the answer to a request has those fields that the request needs.

    `error`: the exception that the agent raised. `unusable`: why the agent cannot be played, if so. `siblings` and
    `shadowed` are explained at records.AgentReport. A call of the controller has `cell`, or else `bad_form` or `error`.
    `changed`: whether the call has changed the list that the call before returned. `names`: of variables or files.
    """

    cpu: Amount = 0.0
    peak_kb: Amount = 0.0
    rss_kb: Amount = 0.0
    rss_before_kb: Amount = 0.0
    python: Text = ""
    siblings: Names = ()
    shadowed: Names = ()
    names: Names = ()
    error: Fault | None = None
    unusable: Fault | None = None
    bad_form: Fault | None = None
    cell: tuple[Index, Index] | None = None
    wrote: bool = False
    changed: bool = False
    inner_faults: Count = 0
    inner_traceback: Text = ""
    thought: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        for fault, kinds in ((self.error, {FaultKind.RAISED}), (self.unusable, UNUSABLE), (self.bad_form, FORMS)):
            if fault and not (fault.kind in kinds and fault.fields and fault_text(fault) and not fault.loading):
                raise ValueError("no fault that the host finds")
        if any(len(str(each)) > MOST_TEXT for each in (self.error, self.unusable, self.bad_form, self.thought)):
            raise ValueError("a text or a thought that is too long")


def checked_reply(body: bytes, sizes: tuple[int, int] | None = None) -> AgentReply | Fault:
    """Parse a reply; `sizes`: rows and columns of the board if it answers a call of the controller.

    Returns a fault of the agent if the body is no JSON, or no reply that the host script can have sent.
    """
    try:
        msgspec.json.decode(b"[" * SPARE_LEVELS + body + b"]" * SPARE_LEVELS)
        reply = msgspec.json.decode(body, type=AgentReply)
    except (msgspec.ValidationError, LookupError):  # LookupError: a fault lacks a field that its text needs
        return Fault(FaultKind.FORGED)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return Fault(FaultKind.GARBAGE)
    empty = reply.cell is None and reply.bad_form is None and reply.error is None
    outside = reply.cell and not all(at < n for at, n in zip(reply.cell, sizes or (0, 0), strict=True))
    return Fault(FaultKind.FORGED) if outside or (sizes and empty) else reply


@dataclass(eq=False, repr=False)
class AgentProcess(AbstractContextManager["AgentProcess"]):
    """An agent and its process: `start` starts the process, `close` or the end of a `with` ends it.

    `start` and `act` return even if the agent crashes or hangs; the `fault` of the result says why it failed.
    `checked`: whether the agent could be loaded before. If such an agent has no controller now, `start` returns a fault
    of the agent instead of raising an error. `given_up`: once it returns True, calls end at once with a fault.
    """

    spec: AgentSpec
    output: Path
    limits: AgentLimits = field(default_factory=AgentLimits)
    _: KW_ONLY
    seed: int = 0
    python: str = sys.executable
    core: int | None = None
    checked: bool = False
    watched: bool = False
    copy: Path | None = None
    given_up: Callable[[], bool] = bool

    def __post_init__(self) -> None:
        self.name, self.is_ours = self.spec.name, self.spec.is_ours
        self.file = self.copy or self.spec.path
        self.loaded: Loaded | None = None
        self.unusable: Fault | None = None  # why the agent cannot be played, if so
        self._child: Child | None = None
        self._broken = False
        self._totals = Totals()
        self._inner_faults = 0
        self._last = AgentReply()

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
            readable += program_places(self.spec.options, (self.file.parent / COPY).is_dir(), self.python)
        script = HostScript(
            HOST, self.python, self.limits.sandbox, readable=tuple(readable), trusted=self.is_ours,
            processes=self.limits.processes or self.spec.is_program or self.is_ours, core=self.core,
        )  # fmt: skip
        self._child = Child(script, self.output, self.limits, self.given_up)
        self._totals = self._child.totals
        request = {"kind": "load", "path": str(self.file), "options": options, "seed": self.seed,
                   "watched": self.watched}  # fmt: skip
        answer, reply = self._ask({"kind": "hello"}, self.limits.load_seconds)
        if reply is not None:
            answer, reply = self._ask(request, self.limits.load_seconds)
        elif answer.fault and answer.fault.kind in (FaultKind.NO_ANSWER, FaultKind.UNMEASURED):
            answer = answer._replace(fault=Fault(FaultKind.UNSTARTED, {"seconds": answer.clock}))
        if reply is None:
            self.loaded = Loaded(answer.seconds, fault=answer.fault)
            return self.loaded
        if reply.unusable is not None:
            self.unusable = reply.unusable
            self.close()
            if not self.checked:
                sentence = _("{agent} cannot be played: {why}")
                raise AgentError(sentence.format(agent=self.name, why=why_unusable(self.spec, self.unusable)))
        self.loaded = Loaded(
            answer.seconds, answer.cpu or reply.cpu, rss_mb=_megabytes(reply.rss_kb), python=reply.python,
            import_mb=_megabytes(reply.rss_kb - reply.rss_before_kb),
            fault=self.unusable or self._fault_in(answer, reply, self.limits.load_seconds),
        )  # fmt: skip
        return self.loaded

    def act(self, observation: Any, n_row: int, n_col: int) -> Reply:
        """Ask the started agent for one answer; `n_row` and `n_col` are the sizes of the two action spaces."""
        request = {"kind": "act", "observation": observation, "n_row": n_row, "n_col": n_col}
        answer, reply = self._ask(request, self.limits.seconds, (n_row, n_col))
        if reply is None:
            return Reply(seconds=answer.seconds, fault=answer.fault)
        self._inner_faults = reply.inner_faults
        form, fault = reply.bad_form, self._fault_in(answer, reply, self.limits.seconds)
        if fault is None:
            fault = Fault(FaultKind.WROTE) if reply.wrote else form if form and form.kind in LENGTHS else None
        return Reply(
            reply.cell, answer.seconds, answer.cpu or reply.cpu, fault=fault, bad_form=form, changed=reply.changed,
            inner_faults=reply.inner_faults, inner_traceback=reply.inner_traceback, thought=reply.thought,
        )  # fmt: skip

    def names(self, kind: Literal["changed", "loaded"]) -> tuple[str, ...]:
        """Names that the agent's process tells; () if the process has ended.

        "changed": the global variables that have changed since the import; only a `watched` agent can tell.
        "loaded": the files in the agent's folder that are loaded.
        """
        _answer, reply = self._ask({"kind": kind}, self.limits.load_seconds)
        return reply.names if reply is not None else ()

    def report(self) -> AgentReport:
        """Memory, output, imports and caught exceptions of the agent so far."""
        totals, last = self._totals, self._last
        return AgentReport(
            self.name, self.loaded or Loaded(), totals.peak_mb, files.size(self.output), self._inner_faults,
            last.siblings, last.shadowed, str(self.output), totals.cpu_between, totals.busy_between, totals.core_share,
        )  # fmt: skip

    def processes(self) -> list[int]:
        """The ids of the agent's processes; the first is its own. Empty if it does not run."""
        return [] if self._child is None else self._child.members()

    def close(self) -> None:
        """End the process and all its descendants; may be called twice."""
        child, self._child = self._child, None
        if child is not None:
            if self.spec.is_program and not self.given_up() and not self._broken:
                child.ask({"kind": "act", "observation": None, "n_row": 1, "n_col": 1}, END_SECONDS)
            child.kill()

    def _ask(
        self, request: Mapping[str, Any], seconds: float, sizes: tuple[int, int] | None = None
    ) -> tuple[HostReply, AgentReply | None]:
        """Send a request; returns the parent's measurements and the host's reply, which is None after a fault."""
        if self._child is not None and self.given_up():
            self.close()
        if self._child is None:
            return HostReply(b"", Fault(FaultKind.ENDED), 0.0), None
        answer = self._child.ask(request, seconds)
        reply = answer.fault or checked_reply(self._at_home(answer.body), sizes)
        if isinstance(reply, Fault):
            reply = Fault(FaultKind.ENDED) if self.given_up() else reply
            self._broken = True
            self.close()
            return answer._replace(fault=reply), None
        self._last = reply
        self._totals.peak_mb = max(self._totals.peak_mb, _megabytes(reply.peak_kb))
        return answer, reply

    def _at_home(self, body: bytes) -> bytes:
        """A reply with the path of the agent's own folder in place of the copy's path."""
        if self.file == self.spec.path:
            return body
        here, home = (json.dumps(str(file.parent), ensure_ascii=False)[1:-1].encode("utf-8", "replace")
                      for file in (self.file, self.spec.path))  # fmt: skip
        return body.replace(here, home)

    def _fault_in(self, answer: HostReply, reply: AgentReply, seconds: float) -> Fault | None:
        """The fault that a reply shows: an exception, or too much time or memory; None if there is none."""
        enforced = self.limits.enforced
        if error := reply.error:
            raised = str(error.fields["error"])
            name, _colon, said = raised.partition(": ")
            if self.spec.is_program and (engine := OF_PROGRAMS.get(name.rpartition(".")[2])):
                return Fault(engine, {"error": said})
            no_memory = raised.startswith("MemoryError") or NO_MEMORY in raised
            return replace(error, kind=FaultKind.NO_MEMORY) if enforced and no_memory else error
        if enforced and answer.seconds > seconds:
            return Fault(FaultKind.LATE, {"seconds": answer.seconds, "limit": seconds, "clock": answer.clock})
        if enforced and self._totals.peak_mb > self.limits.memory_mb:
            return Fault(FaultKind.TOO_LARGE, {"used": self._totals.peak_mb, "limit": self.limits.memory_mb})
        return None


def program_places(options: Mapping[str, OptionValue], copied: bool, python: str) -> list[Path]:
    """The files and folders that a program of others must be able to read in the sandbox (agents/spec.py).

    Without those that the sandbox shows anyway: bubblewrap cannot mount a link inside a folder that is mounted already.
    options: the agent's options; copied: whether there is a copy of the program's own folder
    """
    program, words = Path(str(options["program"])), shlex.split(str(options.get("arguments", "")))
    paths = [program, *(Path(word) for word in words if os.path.isfile(word))]
    paths += [Path(str(options[name])) for name in ("home", "reads") if name in options]
    if copied and "home" in options:
        paths = [place for place in paths if not place.is_relative_to(str(options["home"]))]
    if (program.parents[1] / PYVENV).is_file():
        paths += map(Path, interpreters.folders(str(program.parent / "python")))
        paths += [sandbox.PACKAGE, PROJECT / "submission", PROJECT / "env_adapter"]  # needed by `tengen gomocup`
        paths.append(PROJECT / "pyproject.toml")  # a file there, so that Landlock lets an import list the folder
    seen = [Path(place) for place in (*sandbox.SYSTEM, *interpreters.folders(python))]
    kept = list[Path]()
    for place in sorted({*paths}):  # a folder comes before what lies in it
        if place.exists() and not any(place.is_relative_to(other) for other in (*seen, *kept)):
            kept.append(place)
    return kept


def _megabytes(kilobytes: float) -> float:
    return kilobytes * 1024 / MB
