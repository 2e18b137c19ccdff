"""A host script in a child process, called over two pipes, with limits of time and memory.

Knows processes, frames, time and memory; knows neither agents nor games. The parent waits no longer than the limits
allow and checks every frame that it reads. The started process is the guard (portable/guard.py), whose child runs the
agent. Linux and macOS only. On Linux a child dies with the thread that started it: start it from a thread that lives
longer.
"""

import contextlib
import json
import math
import os
import pickle
import selectors
import shutil
import signal
import struct
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from local_runner.errors import RunnerError
from local_runner.processes import procfs
from local_runner.records import Fault, Reason

HEADER = struct.Struct(">4sII")  # as in hosts/agent_host.py: magic, number of the request, bytes that follow
MAGIC = b"tgn1"
MAX_REPLY = 1 << 20  # bytes; a reply takes some hundreds, one with a traceback some 20,000
PICKLE_PROTOCOL = 4  # the newest that Python 3.7 reads
WATCH_SECONDS = 0.02  # interval at which time and memory of a thinking child are checked
GUARD_SECONDS = 5.0  # the guard's time to kill all descendants
EXIT_SECONDS = 1.0  # an exiting interpreter closes its pipes before its process ends
MB = 1_000_000  # bytes


@dataclass(frozen=True)
class AgentLimits:
    """What an agent may use; the defaults are the platform's limits.

    seconds: limit of a call; a longer call loses the game
    margin: seconds after the limit at which the process is killed
    memory_mb: limit of resident memory
    load_seconds: limit of the import
    enforced: False for no limits at all, for debugging
    """

    seconds: float = 1.0
    margin: float = 0.5
    memory_mb: float = 500.0
    load_seconds: float = 30.0
    enforced: bool = True


class HostReply(NamedTuple):
    """The reply of a host ({} if none came), the fault of its process if any, and the seconds on the parent's clock."""

    reply: Mapping[str, Any]
    fault: Fault | None
    seconds: float


class Child:
    """A running host script.

    `output`: file that its stdout and stderr are appended to; `core`: CPU core that it is pinned to, None for any.
    Raises RunnerError if it cannot be started.
    """

    def __init__(self, host: Path, python: str, output: Path, limits: AgentLimits, core: int | None = None) -> None:
        if os.name != "posix":
            raise RunnerError("agents in processes of their own need Linux or macOS; `tengen run-log` works anywhere")
        self.limits = limits
        self.peak_mb = 0.0
        self._number = 0
        self._core = core
        output.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as undo:
            self._scratch = tempfile.mkdtemp(prefix="tengen-agent-")
            undo.callback(shutil.rmtree, self._scratch, ignore_errors=True)
            self._selector = undo.enter_context(selectors.DefaultSelector())
            child_requests, self._requests = os.pipe()
            undo.callback(os.close, self._requests)
            self._replies, child_replies = os.pipe()
            undo.callback(os.close, self._replies)
            self._selector.register(self._replies, selectors.EVENT_READ)
            os.set_blocking(self._requests, False)
            fds = (child_requests, child_replies)
            command = [python, "-u", str(host), *map(str, (*fds, os.getpid(), -1 if core is None else core))]
            try:
                self._process = self._spawn(command, fds, output)
            except OSError as error:
                raise RunnerError(f"cannot start the agents' interpreter {python}: {error.strerror}") from error
            finally:
                for fd in fds:
                    os.close(fd)
            self._undo = undo.pop_all()

    def _spawn(self, command: list[str], fds: tuple[int, int], output: Path) -> "subprocess.Popen[bytes]":
        with open(output, "ab") as sink:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                cwd=self._scratch,
                env={**os.environ, "PYTHONIOENCODING": "utf-8"},
                pass_fds=fds,
                start_new_session=True,
            )

    def ask(self, request: Mapping[str, Any], seconds: float) -> HostReply:
        """Send a request and wait for the reply, at most for `seconds` plus the margin."""
        self._number += 1
        body = pickle.dumps(request, protocol=PICKLE_PROTOCOL)
        started = perf_counter()
        deadline = started + (seconds + self.limits.margin if self.limits.enforced else math.inf)
        reply: Mapping[str, Any] = {}
        fault = self._send(HEADER.pack(MAGIC, self._number, len(body)) + body, deadline)
        if fault is None:
            reply, fault = self._receive(deadline)
        elapsed = perf_counter() - started
        if fault is not None and fault.reason is Reason.TIME:
            fault = Fault(Reason.TIME, f"gave no answer within {elapsed:.2f} s of {seconds:g} s; killed")
        return HostReply(reply, fault, elapsed)

    def kill(self) -> None:
        """End the process and all its descendants, and remove its scratch folder; may be called twice."""
        self._process.terminate()  # the guard kills the descendants first
        try:
            self._process.wait(GUARD_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._undo.close()

    def _send(self, frame: bytes, deadline: float) -> Fault | None:
        while frame:
            try:
                frame = frame[os.write(self._requests, frame) :]
            except BlockingIOError:  # the pipe is full: the child does not read
                if fault := self._watch(deadline):
                    return fault
                self._selector.select(WATCH_SECONDS)
            except BrokenPipeError:
                return self._death()
        return None

    def _receive(self, deadline: float) -> tuple[Mapping[str, Any], Fault | None]:
        data = b""
        while True:
            if self._selector.select(WATCH_SECONDS):
                chunk = os.read(self._replies, 65536)
                if not chunk:
                    return {}, self._death()
                data += chunk
                try:
                    reply = parse_reply(data, self._number)
                except ValueError:
                    return {}, Fault(Reason.PROTOCOL, "wrote into the pipe that carries its answers")
                if reply is not None:
                    return reply, None
            if fault := self._watch(deadline):
                return {}, fault

    def _watch(self, deadline: float) -> Fault | None:
        """The fault if the child is over a limit or has died, else None; also pins its new threads to the core."""
        family = list(procfs.descendants(self._process.pid))
        megabytes = sum(map(procfs.rss, family)) / MB
        self.peak_mb = max(self.peak_mb, megabytes)
        if self._core is not None:
            for pid in family:
                procfs.pin(pid, self._core)
        if self.limits.enforced and megabytes > self.limits.memory_mb:
            return Fault(Reason.MEMORY, f"used {megabytes:.0f} MB of {self.limits.memory_mb:g} MB; killed")
        if perf_counter() > deadline:
            return Fault(Reason.TIME, "")  # ask() adds the times
        return self._death() if self._process.poll() is not None else None

    def _death(self) -> Fault:
        try:
            code = self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            return Fault(Reason.CRASH, "closed the pipe that carries its answers")
        if code >= 0:
            return Fault(Reason.CRASH, f"exited with code {code}")
        return Fault(Reason.CRASH, f"was killed by signal {-code} ({signal.strsignal(-code)})")


def parse_reply(data: bytes, number: int) -> Mapping[str, Any] | None:
    """The reply to request `number`; None if the frame is not complete yet.

    Lone surrogates are replaced, since they cannot be written to a file. Raises ValueError for bytes that are not, and
    cannot become, that reply.
    """
    expected = HEADER.pack(MAGIC, number, 0)[:-4]
    if data[: len(expected)] != expected[: len(data)]:
        raise ValueError("not the header of this reply")
    if len(data) < HEADER.size:
        return None
    size = HEADER.unpack_from(data)[2]
    if size > MAX_REPLY or len(data) > HEADER.size + size:
        raise ValueError("more bytes than a reply has")
    if len(data) < HEADER.size + size:
        return None
    try:
        reply = json.loads(data[HEADER.size :])
        reply = json.loads(json.dumps(reply, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace"))
    except RecursionError as error:
        raise ValueError("nested without end") from error
    if not isinstance(reply, dict):
        raise ValueError("not an object")
    return reply
