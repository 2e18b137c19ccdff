"""Runs a host script in a sandboxed child process, sends it requests over pipes, and limits its time and memory.

This module knows neither agents nor games. The parent waits no longer than the limits allow and checks every frame that
it reads. `spawned.py` starts the process. On Linux the kernel kills a child when the thread that started it ends, so
that thread must outlive the child.
"""

import math
import os
import pickle
import selectors
import struct
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from local_runner.game.faults import Fault, FaultKind
from local_runner.processes import sandbox
from local_runner.processes.exit_code import fault_of_code
from local_runner.processes.family import INIT_SECONDS
from local_runner.processes.host_script import HostScript
from local_runner.processes.sandbox import SandboxMode
from local_runner.processes.spawned import Spawned
from local_runner.processes.stopwatch import WATCH_SECONDS, Stopwatch
from local_runner.system import files

HEADER = struct.Struct(">4sII")  # same as in hosts/agent_host.py: magic, number of the request, bytes that follow
MAGIC = b"tgn1"
MAX_REPLY = 1 << 20  # largest reply in bytes; a usual reply has hundreds, with a traceback up to about 20,000
PICKLE_PROTOCOL = 4  # the newest protocol that Python 3.7 reads
EXIT_SECONDS = 1.0  # how long to wait for the exit code after the child has closed its pipe
LONG_SECONDS = 0.2  # after a call longer than this, the peak memory and the wait for a core are read
SOME_CALLS = 10  # the peak memory is also read after every tenth call
COUNT_SHARE = 20  # after the files were counted, they are not counted again for this multiple of the time
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
    ponder: whether the agent may compute between its calls; otherwise its processes are stopped between calls
    """

    seconds: float = 1.0
    margin: float = 0.5
    memory_mb: float = 500.0
    load_seconds: float = 30.0
    enforced: bool = True
    sandbox: SandboxMode = SandboxMode.AUTO
    ponder: bool = False


class HostReply(NamedTuple):
    """The reply of a host script, and the parent's measurements.

    body: the reply as JSON; b"" if none came
    fault: the fault of the process if it exceeded a limit, died or sent garbage, else None
    seconds: duration of the call on the parent's clock
    cpu: CPU seconds of the child and its descendants, ended ones included, as the kernel counts them; 0 outside Linux.
        If they were to be stopped after the last call, their time since then counts, too.
    waited: seconds that the child waited for a core that others had; 0 for a call shorter than LONG_SECONDS
    suspended: seconds in which the parent was stopped, such as after Ctrl-Z
    unmeasured: seconds in which the machine did not run the parent, so that nobody watched the child
    """

    body: bytes
    fault: Fault | None
    seconds: float
    cpu: float = 0.0
    waited: float = 0.0
    suspended: float = 0.0
    unmeasured: float = 0.0


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
        self._next_count = 0.0  # when the files in the scratch folder are counted again, on `perf_counter`
        self._selector = selectors.DefaultSelector()
        self._selector.register(spawned.replies, selectors.EVENT_READ)
        os.set_blocking(spawned.requests, False)

    def ask(self, request: Mapping[str, Any], seconds: float) -> HostReply:
        """Send a request and wait for the reply, at most for `seconds` plus the margin of the limits."""
        self._number += 1
        body = pickle.dumps(request, protocol=PICKLE_PROTOCOL)
        if not self.family.is_settled():
            return HostReply(b"", Fault(FaultKind.UNSTOPPED, {"seconds": INIT_SECONDS}), 0.0)
        start = self.family.resume()
        if not self.limits.ponder:
            start = min(start, self._cpu_at_end)
        watch = Stopwatch(seconds + self.limits.margin if self.limits.enforced else math.inf)
        reply = b""
        frame = HEADER.pack(MAGIC, self._number, len(body)) + body
        fault = self._send(frame, watch)
        if fault is None:
            reply, fault = self._receive(watch)
        watch.tick()
        elapsed = watch.seconds
        end = self.family.cpu() if fault else self.family.pause(stop=not self.limits.ponder)
        self._cpu_at_end = end
        waited = self.family.waited() if elapsed > LONG_SECONDS else 0.0
        if elapsed > LONG_SECONDS or self._number % SOME_CALLS == 0:
            self.peak_mb = max(self.peak_mb, self.family.peak() / MB)
        if fault is not None and fault.kind is FaultKind.NO_ANSWER:
            fault = Fault(fault.kind, {"seconds": elapsed, "limit": seconds})
            if self._number == 1 and self._unread() == len(frame):  # no code of the agent has run
                fault = Fault(FaultKind.UNSTARTED, {"seconds": elapsed})
            elif watch.measured <= seconds:
                fault = Fault(FaultKind.UNMEASURED, {"seconds": watch.lacking, "clock": elapsed})
        return HostReply(reply, fault, elapsed, max(0.0, end - start), waited, watch.suspended, watch.unmeasured)

    def kill(self) -> None:
        """End the process and all its descendants, and remove its scratch folder; may be called twice."""
        self._selector.close()
        self._spawned.kill()

    def _unread(self) -> int:
        """The number of bytes of requests that the child has not read."""
        import fcntl  # imported here, because Windows does not have these modules
        import termios

        return int.from_bytes(fcntl.ioctl(self._spawned.requests, termios.FIONREAD, bytes(4)), sys.byteorder)

    def _send(self, frame: bytes, watch: Stopwatch) -> Fault | None:
        while frame:
            try:
                frame = frame[os.write(self._spawned.requests, frame) :]
            except BlockingIOError:  # the pipe is full because the child does not read
                if fault := Fault(FaultKind.NO_ANSWER) if self._is_over(watch) else self._watch():
                    return fault
                self._selector.select(WATCH_SECONDS)
                watch.tick()
            except BrokenPipeError:
                return self._death()
        return None

    def _receive(self, watch: Stopwatch) -> tuple[bytes, Fault | None]:
        data, over = b"", False
        while True:
            ready = self._selector.select(0 if over else WATCH_SECONDS)
            watch.tick()
            if ready:
                chunk = os.read(self._spawned.replies, 65536)
                if not chunk:
                    return b"", self._death()
                data += chunk
                try:
                    reply = reply_body(data, self._number)
                except ValueError:
                    return b"", Fault(FaultKind.GARBAGE)
                if reply is not None:
                    return reply, self._watch() if self._disk is not None else None
            elif over:
                return b"", Fault(FaultKind.NO_ANSWER)  # ask() adds the times
            over = self._is_over(watch)  # then the pipe is looked at once more: the reply may have come during a gap
            if fault := self._watch():
                return b"", fault

    def _is_over(self, watch: Stopwatch) -> bool:
        """Whether the call has taken too long, without the child's waiting for a core."""
        if watch.is_over:
            watch.waited = self.family.waited()
        return watch.is_over

    def _watch(self) -> Fault | None:
        """The fault if the child has died or is over a limit of memory or files, else None."""
        use = self.family.use(self.limits.memory_mb * MB)
        megabytes = use.memory / MB
        self.peak_mb = max(self.peak_mb, megabytes)
        if self.limits.enforced and megabytes > self.limits.memory_mb:
            return Fault(FaultKind.KILLED_TOO_LARGE, {"used": megabytes, "limit": self.limits.memory_mb})
        if self._disk is not None and self._disk_is_full(self._disk):
            return Fault(FaultKind.FILES_TOO_LARGE, {"size": sandbox.SCRATCH_BYTES / MB})
        return self._death() if self.family.process.poll() is not None else None

    def _disk_is_full(self, folder: Path) -> bool:
        """Whether the scratch folder is too large. A folder that takes long to count is counted less often."""
        started = perf_counter()
        if started < self._next_count:
            return False
        full = files.tree_bytes(folder, sandbox.SCRATCH_BYTES) > sandbox.SCRATCH_BYTES
        self._next_count = started + COUNT_SHARE * (perf_counter() - started)
        return full

    def _death(self) -> Fault:
        try:
            code = self.family.process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return Fault(FaultKind.CLOSED_PIPE)
        if self.family.group is not None and self.family.group.was_too_large():
            used = max(self.peak_mb, self.limits.memory_mb)
            return Fault(FaultKind.KILLED_TOO_LARGE, {"used": used, "limit": self.limits.memory_mb})
        return fault_of_code(code, inner=self.family.inner)


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
