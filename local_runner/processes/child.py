"""Runs a host script in a sandboxed child process, sends it requests over pipes, and limits its time and memory.

This module knows neither agents nor games. The parent waits no longer than the limits allow and checks every frame that
it reads. `host_script.py` starts the process.
"""

import math
import os
import pickle
import selectors
import signal
import struct
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from local_runner.game.faults import Fault, FaultKind
from local_runner.processes import sandbox
from local_runner.processes.family import STOP_SECONDS, Use
from local_runner.processes.host_script import HostScript, Spawned
from local_runner.processes.sandbox import SandboxMode
from local_runner.system import files

HEADER = struct.Struct(">4sII")  # same as in agent_side/agent_host.py: magic, number of the request, bytes that follow
MAGIC = b"tgn1"
MAX_REPLY = 1 << 20  # largest reply in bytes; a usual reply has hundreds, with a traceback up to about 20,000
PICKLE_PROTOCOL = 4  # the newest protocol that Python 3.7 reads
LONG_SECONDS = 0.1  # after a call longer than this, the wait for a core is read
WATCH_SECONDS = 0.02  # interval at which the parent looks at a child during a call
GAP_SECONDS = 0.1  # a longer time between two looks is a gap: the machine did not run the parent
MOST_LACKING = 30.0  # seconds; a call with more gaps and waiting is over: a slow machine must end, too
QUICK_COUNT = 0.001  # seconds; if the last count of the files took longer, the child is stopped during the next one
MB = 1_000_000  # bytes


@dataclass(frozen=True)
class AgentLimits:
    """The limits of an agent; the defaults are the platform's.

    seconds: time limit of a call; a longer call loses the game
    margin: seconds after the limit until the process is killed
    memory_mb: limit of resident memory
    load_seconds: time limit of the import
    enforced: False switches off all limits, for debugging
    sandbox: whether the process is confined
    ponder: whether the agent may compute between its calls; otherwise it is stopped between calls
    processes: whether the agent may start further processes
    """

    seconds: float = 1.0
    margin: float = 0.5
    memory_mb: float = 500.0
    load_seconds: float = 30.0
    enforced: bool = True
    sandbox: SandboxMode = SandboxMode.AUTO
    ponder: bool = False
    processes: bool = False


class HostReply(NamedTuple):
    """The reply of a host script, and the parent's measurements.

    body: the reply as JSON; b"" if none came
    fault: the fault of the process if it exceeded a limit, died or sent garbage, else None
    seconds: duration of the call on the parent's clock
    cpu: CPU seconds of the child as the kernel counts them; 0 outside Linux. If the child was to be stopped after the
        last call, its time since then counts, too.
    lacking: seconds in which the parent did not run, or the child waited for a core that others had
    """

    body: bytes
    fault: Fault | None
    seconds: float
    cpu: float = 0.0
    lacking: float = 0.0


class Watch:
    """The parent's clock of a call. Time in which the parent did not run is no time of the child.

    The parent looks at the child every WATCH_SECONDS. A longer gap between two looks means that the parent was stopped,
    as by Ctrl-Z, or got no core. (`perf_counter` does not advance while the machine sleeps.)
    limit: seconds after which the call is over, without the time that was lacking
    waited: seconds in which the child waited for a core that others had, as far as the parent knows
    """

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._started = self._last = perf_counter()
        self._gaps = self.waited = 0.0

    def tick(self) -> None:
        """Record that the parent is running."""
        now = perf_counter()
        if now - self._last > GAP_SECONDS:
            self._gaps += now - self._last - WATCH_SECONDS
        self._last = now

    @property
    def seconds(self) -> float:
        """Seconds since the start of the call."""
        return perf_counter() - self._started

    @property
    def lacking(self) -> float:
        """Seconds in which the machine did not run the parent or the child."""
        return self._gaps + self.waited

    @property
    def is_over(self) -> bool:
        """Whether the call has taken longer than the limit, or the machine has run it too little."""
        return self.seconds - self.lacking > self._limit or (self.lacking > MOST_LACKING and self._limit < math.inf)


class Child:
    """A running host script under limits; `output`: file to which the script's stdout and stderr are appended.

    Raises RunnerError if the script cannot be started.
    """

    def __init__(self, script: HostScript, output: Path, limits: AgentLimits) -> None:
        self.limits = limits
        self.peak_mb = 0.0
        self._number = 0
        memory = limits.memory_mb if limits.enforced else None
        self._spawned = spawned = Spawned(replace(script, memory_mb=memory), output)
        self.family, self._disk = spawned.family, spawned.disk
        self._cpu_at_end = math.inf  # CPU seconds of the child at the end of the last call; inf before the first
        self._count_seconds = 0.0  # how long the last count of the files in the scratch folder took
        self._lost_thread = False  # whether the child's first thread had ended at the last look
        self._selector = selectors.DefaultSelector()
        self._selector.register(spawned.replies, selectors.EVENT_READ)
        os.set_blocking(spawned.requests, False)

    def ask(self, request: Mapping[str, Any], seconds: float) -> HostReply:
        """Send a request and wait for the reply, at most for `seconds` plus the margin of the limits."""
        self._number += 1
        body = pickle.dumps(request, protocol=PICKLE_PROTOCOL)
        start = self.family.resume()
        if not self.limits.ponder:
            start = min(start, self._cpu_at_end)
        watch = Watch(seconds + self.limits.margin if self.limits.enforced else math.inf)
        reply = b""
        frame = HEADER.pack(MAGIC, self._number, len(body)) + body
        fault = self._send(frame, watch)
        if fault is None:
            reply, fault = self._receive(watch)
        watch.tick()
        elapsed = watch.seconds
        if elapsed > LONG_SECONDS:
            watch.waited = self.family.waited()
        end = self.family.cpu()
        if fault is None:
            end, fault = self._paused(end)
        self._cpu_at_end = end
        if fault is not None and fault.kind is FaultKind.NO_ANSWER:
            fault = Fault(fault.kind, {"seconds": elapsed, "limit": seconds})
            if self._number == 1 and self._unread() == len(frame):  # no code of the agent has run
                fault = Fault(FaultKind.UNSTARTED, {"seconds": elapsed})
            elif elapsed - watch.lacking <= seconds:
                fault = Fault(FaultKind.UNMEASURED, {"seconds": watch.lacking, "clock": elapsed})
        return HostReply(reply, fault, elapsed, max(0.0, end - start), watch.lacking)

    def _paused(self, cpu: float) -> tuple[float, Fault | None]:
        """Stop the child at the end of a call; its CPU seconds until now, and the fault if it cannot be stopped.

        A child that computes instead of stopping has not ended its call. `cpu`: its CPU seconds before.
        """
        end = self.family.pause(stop=not self.limits.ponder)
        if end is not None:
            return end, Fault(FaultKind.ENDED) if self._lacks_first_thread(self._measure()) else None
        end = self.family.cpu()
        busy = end - cpu > STOP_SECONDS / 2
        return end, Fault(FaultKind.NO_ANSWER) if busy else Fault(FaultKind.UNSTOPPED, {"seconds": STOP_SECONDS})

    def kill(self) -> None:
        """End the process and all its descendants, and remove its scratch folder; may be called twice."""
        self._selector.close()
        self._spawned.kill()

    def _unread(self) -> int:
        """The number of bytes of requests that the child has not read."""
        import fcntl  # imported here, because Windows does not have these modules
        import termios

        return int.from_bytes(fcntl.ioctl(self._spawned.requests, termios.FIONREAD, bytes(4)), sys.byteorder)

    def _send(self, frame: bytes, watch: Watch) -> Fault | None:
        while frame:
            try:
                frame = frame[os.write(self._spawned.requests, frame) :]
            except BlockingIOError:  # the pipe is full because the child does not read
                if fault := Fault(FaultKind.NO_ANSWER) if self._is_over(watch) else self._look():
                    return fault
                self._selector.select(WATCH_SECONDS)
                watch.tick()
            except BrokenPipeError:
                return self.family.fault()
        return None

    def _receive(self, watch: Watch) -> tuple[bytes, Fault | None]:
        data, over = b"", False
        while True:
            ready = self._selector.select(0 if over else WATCH_SECONDS)
            watch.tick()
            if ready:
                chunk = os.read(self._spawned.replies, 65536)
                if not chunk:
                    return b"", self.family.fault()
                data += chunk
                try:
                    reply = reply_body(data, self._number)
                except ValueError:
                    return b"", Fault(FaultKind.GARBAGE)
                if reply is not None:
                    return reply, self._full()
            elif over:
                return b"", Fault(FaultKind.NO_ANSWER)  # ask() adds the times
            over = self._is_over(watch)  # then the pipe is looked at once more: the reply may have come during a gap
            if fault := self._look():
                return b"", fault

    def _is_over(self, watch: Watch) -> bool:
        """Whether the call has taken too long, without the child's waiting for a core."""
        if watch.is_over:
            watch.waited = self.family.waited()
        return watch.is_over

    def _look(self) -> Fault | None:
        """The fault if the child has ended or is over a limit of memory, threads or files, else None."""
        if self.family.process.poll() is not None:
            return self.family.fault()
        return self._over_limit(self._measure()) or self._full()

    def _measure(self) -> Use:
        use = self.family.use()
        self.peak_mb = max(self.peak_mb, use.memory / MB)
        return use

    def _lacks_first_thread(self, use: Use) -> bool:
        """Whether the child's first thread has ended: then the kernel tells nothing about its memory any more."""
        return use.threads == 0 and self.family.lacks_first_thread()

    def _over_limit(self, use: Use) -> Fault | None:
        """The fault if the child holds too much memory, or has too many threads or no first one, else None."""
        limit = self.limits.memory_mb
        lost, self._lost_thread = self._lost_thread, self._lacks_first_thread(use)
        if lost and self._lost_thread:  # seen once, the whole process may just be ending
            return Fault(FaultKind.ENDED)
        if not self.limits.enforced:
            return None
        if use.memory > limit * MB:
            return Fault(FaultKind.KILLED_TOO_LARGE, {"used": use.memory / MB, "limit": limit})
        if use.threads > sandbox.THREADS:
            return Fault(FaultKind.MANY_THREADS, {"used": use.threads, "limit": sandbox.THREADS})
        return None

    def _full(self) -> Fault | None:
        """The fault if the scratch folder is too large, else None. A child with many files is stopped meanwhile."""
        if self._disk is None:
            return None
        stop, started = self._count_seconds > QUICK_COUNT, perf_counter()
        if stop:
            self.family.signal(signal.SIGSTOP)
        full = files.tree_bytes(self._disk, sandbox.SCRATCH_BYTES) > sandbox.SCRATCH_BYTES
        self._count_seconds = perf_counter() - started
        if stop:
            self.family.signal(signal.SIGCONT)
        return Fault(FaultKind.FILES_TOO_LARGE, {"size": sandbox.SCRATCH_BYTES / MB}) if full else None


def reply_body(data: bytes, number: int) -> bytes | None:
    """The body of the reply to request `number`; None if the frame is not complete yet.

    Raises ValueError if `data` is not the beginning of such a frame, or the frame is larger than MAX_REPLY.
    """
    expected = HEADER.pack(MAGIC, number, 0)[:-4]
    if data[: len(expected)] != expected[: len(data)]:
        raise ValueError("not the header of this reply")
    if len(data) < HEADER.size:
        return None
    size = HEADER.size + HEADER.unpack_from(data)[2]
    if size > MAX_REPLY or len(data) > size:
        raise ValueError("more bytes than a reply has")
    return data[HEADER.size :] if len(data) == size else None
