"""A host script in a child process: started, asked over two pipes, watched, and ended with everything it started.

Knows processes, frames, time and memory; knows nothing of agents or games. The parent never waits longer than the
limits say and never believes what it reads before it is a whole frame. What it starts is the guard of hosts/guard.py,
whose child runs the agent. Linux and macOS only. Start children from a thread that outlives them: on Linux they die
with the thread that started them.
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
MAX_REPLY = 1 << 20  # bytes; an honest reply has a few hundred, with a traceback some 20,000
PICKLE_PROTOCOL = 4  # the newest of Python 3.7
WATCH_SECONDS = 0.02  # between two looks at the child while it thinks
GUARD_SECONDS = 5.0  # to end all that an agent has started
EXIT_SECONDS = 1.0  # an exiting interpreter closes its pipes a moment before it is gone
MB = 1_000_000  # bytes


@dataclass(frozen=True)
class Limits:
    """What an agent may use; the platform's limits by default.

    A call that took longer than `seconds` is lost, and killed after `margin` more. Memory is resident memory.
    `enforced=False` waits and allocates for ever, for debugging.
    """

    seconds: float = 1.0
    margin: float = 0.5
    memory_mb: float = 500.0
    load_seconds: float = 30.0
    enforced: bool = True


class Answer(NamedTuple):
    """A host's reply ({} if none came), what went wrong with the process, and the seconds on the parent's clock."""

    reply: Mapping[str, Any]
    fault: Fault | None
    seconds: float


class Child:
    """A running host script.

    `output` is the file that its stdout and stderr are appended to; `core` the CPU core it is pinned to, None for any.
    Raises RunnerError where it cannot be started.
    """

    def __init__(self, host: Path, python: str, output: Path, limits: Limits, core: int | None = None) -> None:
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

    def ask(self, request: Mapping[str, Any], seconds: float) -> Answer:
        """Send a request and wait for the reply, at most `seconds` and the margin."""
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
        return Answer(reply, fault, elapsed)

    def kill(self) -> None:
        """End the process and everything that it started, and remove its scratch folder; may be called twice."""
        self._process.terminate()  # its guard ends the others first
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
            except BlockingIOError:  # the pipe is full: the child is not reading
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
        """Whether the child, still busy, is over a limit or has died; it is kept on its core."""
        family = list(procfs.descendants(self._process.pid))
        megabytes = sum(map(procfs.rss, family)) / MB
        self.peak_mb = max(self.peak_mb, megabytes)
        if self._core is not None:
            for pid in family:
                procfs.pin(pid, self._core)
        if self.limits.enforced and megabytes > self.limits.memory_mb:
            return Fault(Reason.MEMORY, f"used {megabytes:.0f} MB of {self.limits.memory_mb:g} MB; killed")
        if perf_counter() > deadline:
            return Fault(Reason.TIME, "")  # ask() has the figures
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
    """The reply to request `number`, None while its frame is not whole.

    Lone surrogates, which JSON may spell but nothing can encode, are replaced. Raises ValueError as soon as the bytes
    cannot be that reply.
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
