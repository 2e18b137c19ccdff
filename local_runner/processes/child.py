"""Asks a host script in a sandboxed child process over pipes, and limits its time, memory and files.

This module knows neither agents nor games. The parent waits no longer than the limits allow and checks every line that
it reads. `host_process.py` starts and ends the process.
"""

import math
import os
import pickle
import select
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from local_runner.game.faults import Fault, FaultKind
from local_runner.processes import procfs, sandbox
from local_runner.processes.host_process import STOP_SECONDS, HostProcess
from local_runner.processes.sandbox import HostScript, SandboxMode

MAX_REPLY = 1 << 20  # most bytes of a reply; usual replies have hundreds, with a traceback up to 20,000
PICKLE_PROTOCOL = 4  # the newest protocol that Python 3.7 reads
WATCH_SECONDS = 0.02  # interval at which the parent polls a child during a call
GAP_SECONDS = 0.1  # a longer time between two polls is a gap: the machine did not run the parent
MOST_WAITED = 30.0  # seconds that a call may wait for a core; then a call with little CPU time ends, and nobody wins
LEAST_GOT = 0.1  # CPU time / waiting; a call that gets more is measured until its limit
QUICK_COUNT = 0.001  # seconds; if counting the child's files took longer, the child is stopped during the next count
STOPPING_SECONDS = 0.1  # CPU seconds that a child may use after SIGSTOP; an honest one needs less than 0.001 s
NOTICED = 0.1  # seconds; a shorter wait for a core in a game is not reported
MB = 1_000_000  # bytes


@dataclass(frozen=True)
class AgentLimits:
    """The limits of an agent; the defaults are the platform's.

    `seconds`: of a call; a longer call loses the game. `margin`: seconds after the limit until the process is killed.
    `memory_mb`: of resident memory. `load_seconds`: of the import. `enforced`: False switches off all limits, for
    debugging. `sandbox`: how the process is confined. `ponder`: whether the agent may compute between its calls;
    otherwise it is stopped between calls. `processes`: whether the agent may start further processes.
    """

    seconds: float = 1.0
    margin: float = 0.5
    memory_mb: float = 500.0
    load_seconds: float = 30.0
    enforced: bool = True
    sandbox: SandboxMode = SandboxMode.AUTO
    ponder: bool = False
    processes: bool = False


@dataclass
class Totals:
    """The resources that a child has used so far."""

    peak_mb: float = 0.0  # peak memory
    cpu: float = 0.0  # CPU seconds in calls
    waited: float = 0.0  # seconds of calls in which the child waited for a core that other programs used
    cpu_between: float = 0.0  # CPU seconds between calls
    busy_between: int = 0  # number of calls after which the child still computed

    @property
    def core_share(self) -> float:
        """The share of a core that the child got in its calls: CPU time / (CPU time + waiting time)."""
        return self.cpu / (self.cpu + self.waited) if self.waited > NOTICED else 1.0


class HostReply(NamedTuple):
    """The reply of a host script, and the parent's measurements."""

    body: bytes  # the reply as JSON; b"" if none came
    fault: Fault | None  # if the process exceeded a limit, died or sent garbage
    seconds: float  # duration of the call, without the time in which the child waited for the machine
    clock: float = 0.0  # seconds of the call, with that waiting time
    cpu: float = 0.0  # CPU seconds of the child as the kernel counts them; 0 outside Linux


class Stopwatch:
    """The one clock of a call: the parent's, without the time in which the machine ran neither parent nor child.

    The parent polls the child every WATCH_SECONDS. A gap between two polls means that the parent was stopped, as by
    Ctrl-Z, or got no core. (`perf_counter` does not advance while the machine sleeps.) Several threads that wait at the
    same time have waited together at most as long as other programs used the core. A call takes at least its CPU time.
    `clock`: seconds from the start to the last tick; `core`: the only core that the child may use, if there is one.
    """

    def __init__(self, child: HostProcess, cpu: float, core: int | None) -> None:
        self._child, self._before, self._core = child, cpu, core
        self._tasks, self._used = self._now(), self.cpu
        self._began = self._last = perf_counter()
        self._own = procfs.waited("thread-self")
        self._gaps = self._late = self._waits = self.clock = 0.0
        self._bound: float | None = None  # of `waited`, since there are several threads: this plus `_rest`

    def tick(self) -> None:
        """Record that the parent is running. At the end of a call it may have waited since the reply came."""
        now, own, tasks = perf_counter(), procfs.waited("thread-self"), self._now()
        if self._bound is None and len(tasks) > 1:
            self._bound = self._waits - self._rest(self._used)
        self._waits += sum(waited - self._tasks.get(task, 0.0) for task, waited in tasks.items())
        gap = now - self._last
        self._late = own - self._own if gap <= GAP_SECONDS else 0.0
        self._gaps += gap - WATCH_SECONDS if gap > GAP_SECONDS else 0.0
        self._last, self._own, self.clock = now, own, now - self._began
        self._tasks, self._used = tasks, self.cpu

    @property
    def cpu(self) -> float:
        """CPU seconds of the child in the call so far."""
        return max(0.0, self._child.cpu() - self._before)

    @property
    def waited(self) -> float:
        """Seconds in which the child waited for a core that other programs used."""
        return self._waits if self._bound is None else max(0.0, min(self._waits, self._bound + self._rest(self.cpu)))

    @property
    def seconds(self) -> float:
        """Seconds of the call until the last tick."""
        worked = min(self.cpu, self.clock) if self._core is None else self.cpu
        return max(self.clock - self._gaps - self._late - self.waited, worked)

    def is_over(self, limit: float) -> bool:
        """Whether the call has taken longer than the limit, or has waited too long for a core."""
        late = self.clock - self._gaps > limit
        return late and (self.seconds > limit or self.waited > max(MOST_WAITED, self.cpu / LEAST_GOT))

    def _rest(self, used: float) -> float:
        """Seconds of the call in which neither the child used the core nor the core was idle, but for a constant."""
        return self.clock - used - procfs.idle(self._core)

    def _now(self) -> dict[int, float]:
        head = self._child.head
        return {task: procfs.waited(f"{head}/task/{task}") for task in procfs.tasks(head)} if head else {}


class Child(HostProcess):
    """A running host script under limits; `output`: file to which the script's stdout and stderr are appended.

    A call ends once `given_up()` is true. Raises RunnerError if the script cannot be started.
    """

    def __init__(self, script: HostScript, output: Path, limits: AgentLimits, given_up: Callable[[], bool]) -> None:
        super().__init__(replace(script, memory_mb=limits.memory_mb if limits.enforced else None), output)
        self.limits, self.totals, self._given_up = limits, Totals(), given_up
        self._core = script.core
        self._number = 0
        self._cpu_at_end = 0.0  # CPU seconds of the child when the last call had ended
        self._count_seconds = 0.0  # how long the last count of the files took
        self._poll = select.poll()
        self._poll.register(self.replies, select.POLLIN)
        os.set_blocking(self.requests, False)

    def ask(self, request: Mapping[str, Any], seconds: float) -> HostReply:
        """Send a request and wait for the reply, at most for `seconds` plus the margin of the limits.

        CPU time between two calls counts as part of the second call, unless the child may compute between calls.
        """
        self._number += 1
        body = pickle.dumps(request, protocol=PICKLE_PROTOCOL)
        frame = pickle.dumps((self._number, body), protocol=PICKLE_PROTOCOL)
        before, start = self.cpu(), self._cpu_at_end
        self.totals.cpu_between += max(0.0, before - start)
        watch = Stopwatch(self, before if self.limits.ponder else start, self._core)
        self.resume()
        reply, fault = self._exchange(frame, watch, seconds + self.limits.margin if self.limits.enforced else math.inf)
        taken = watch.seconds
        self.totals.peak_mb = max(self.totals.peak_mb, self.peak / MB)
        if fault is None:
            fault = self._paused(taken, seconds)
        elif large := self._too_large(self.peak):  # the process has ended between two polls
            fault = large
        elif fault.kind is FaultKind.NO_ANSWER:
            fault = Fault(fault.kind, {"seconds": taken, "limit": seconds})
            if taken <= seconds:
                fault = Fault(FaultKind.UNMEASURED, {"seconds": watch.clock - taken, "clock": watch.clock})
        self._cpu_at_end, cpu = self.cpu(), watch.cpu
        self.totals.cpu += cpu
        self.totals.waited += watch.waited
        return HostReply(reply, fault, watch.seconds, watch.clock, cpu)

    def _exchange(self, frame: bytes, watch: Stopwatch, limit: float) -> tuple[bytes, Fault | None]:
        """Send a request; returns the reply, or a fault, to which `ask` adds seconds, memory and limits."""
        data, over = b"", False
        while True:
            try:
                while frame:
                    frame = frame[os.write(self.requests, frame) :]
            except BlockingIOError:  # the pipe is full because the child does not read
                pass
            except BrokenPipeError:
                return b"", self.fault()
            ready = self._poll.poll(0 if over else 1000 * WATCH_SECONDS)
            watch.tick()
            if ready:
                chunk = os.read(self.replies, 65536)
                if not chunk:
                    return b"", self.fault()
                data += chunk
                try:
                    reply = reply_body(data, self._number)
                except ValueError:
                    return b"", Fault(FaultKind.GARBAGE)
                if reply is not None:
                    return reply, None
            elif over:
                return b"", Fault(FaultKind.NO_ANSWER)
            over = watch.is_over(limit)  # if so, the pipe is polled once more: the reply may have come during a gap
            if fault := self._look(watch):
                return b"", fault

    def _look(self, watch: Stopwatch) -> Fault | None:
        """The fault if the child has ended or is over a limit of memory, threads or files, else None."""
        if self.process.poll() is not None:
            return self.fault()
        if self._given_up():
            return Fault(FaultKind.ENDED)
        if self.head is None:
            return None
        if self._count_seconds > QUICK_COUNT:
            self.stop(watch.tick)  # the time that the child needs to stop is no gap
        use, full = self._measure()
        if not use.threads:  # the process has no memory any more, or only its first thread has ended
            self.stop()
            return Fault(FaultKind.ENDED) if self.lacks_first_thread(use) else self.fault()
        self.resume()
        if self.limits.enforced and use.threads > sandbox.THREADS:
            full = Fault(FaultKind.MANY_THREADS, {"used": use.threads, "limit": sandbox.THREADS})
        return self._too_large(use.peak) or full

    def _too_large(self, peak: int) -> Fault | None:
        used, limit = peak / MB, self.limits.memory_mb
        large = self.limits.enforced and used > limit
        return Fault(FaultKind.KILLED_TOO_LARGE, {"used": used, "limit": limit}) if large else None

    def _measure(self) -> tuple[procfs.Status, Fault | None]:
        """Memory, with files in memory, and threads; the fault if there are too many files on the disk."""
        use, head, started = self.use(), self.head, perf_counter()
        memory, written = self.box.file_bytes(head, self.folder) if head is not None else (0, 0)
        self._count_seconds = perf_counter() - started
        use = use._replace(peak=use.peak + memory)
        self.totals.peak_mb = max(self.totals.peak_mb, use.peak / MB)
        size = sandbox.SCRATCH_BYTES
        return use, Fault(FaultKind.FILES_TOO_LARGE, {"size": size / MB}) if written > size else None

    def _paused(self, taken: float, limit: float) -> Fault | None:
        """Stop the child after a call; the fault if that fails, its first thread ended, or it wrote too much."""
        before = self.cpu()
        self.totals.busy_between += self.goes_on()
        if not self.limits.ponder and not self.stop():
            states = {state for pid in self.members() for state in procfs.states(pid).values()}
            # It computes, or waits in a system call of its own (D) and not for a core (R): the call has not ended.
            if self.cpu() - before > STOPPING_SECONDS or (b"D" in states and b"R" not in states):
                return Fault(FaultKind.NO_ANSWER, {"seconds": taken + STOP_SECONDS, "limit": limit})
            return Fault(FaultKind.UNSTOPPED, {"seconds": STOP_SECONDS})
        use, full = self._measure()
        return Fault(FaultKind.ENDED) if self.lacks_first_thread(use) else full


def reply_body(data: bytes, number: int) -> bytes | None:
    """The body of the reply to request `number`; None if the line is not complete yet.

    Raises ValueError if `data` is not the beginning of such a line, or longer than MAX_REPLY.
    """
    start = b"%d " % number
    if data[: len(start)] != start[: len(data)] or b"\n" in data[:-1] or len(data) > MAX_REPLY:
        raise ValueError("not a reply to this request")
    return data[len(start) : -1] if data.endswith(b"\n") else None
