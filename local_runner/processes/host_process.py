"""A host script in its sandbox: its processes, its pipes, how it is stopped and continued, and how it ended.

An agent is one process, because the system call filter refuses further ones. So the kernel's figures for it are exact.
An agent that the user trusts may have descendants: its figures are sums over the processes that a poll finds. The guard
(agent_side/launcher.py) ends the agent when the runner's end of its pipe is closed, also after `kill -9` of the runner.
"""

import contextlib
import json
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from local_runner.errors import RunnerError
from local_runner.game.faults import Fault, FaultKind
from local_runner.language.languages import _
from local_runner.processes import claims, interpreters, procfs, sandbox
from local_runner.processes.agent_side.launcher import OWN_KILL, STATUS
from local_runner.processes.procfs import Status
from local_runner.processes.sandbox import HostScript
from local_runner.system import files
from local_runner.system.files import reason

LAUNCHER = sandbox.OURS[0] / "launcher.py"
SETTLE_SECONDS = 0.00002  # first pause after SIGSTOP; each further pause is twice as long, up to MOST_PAUSE
MOST_PAUSE = 0.0005  # seconds: longest pause
STOP_SECONDS = 5.0  # time limit to stop an agent; on a busy machine a process stops only when it gets a core
GUARD_SECONDS = 5.0  # time limit of the guard to end the agent, and of the kernel to end a killed process
EXIT_SECONDS = 1.0  # how long to wait for the wait status after the agent has closed its pipe
SIGNALLED = 128  # if a signal ends the init, bubblewrap exits with this plus the number of the signal
PRINTED_BYTES = 1 << 20  # how much of the end of the printed output `run` keeps
ANSWER_BYTES = 64 << 20  # size limit of the answer of `run`; a longer answer is cut


class HostProcess:
    """A started host script. The script's last two arguments are the file descriptors of its ends of the pipes.

    `output`: file to which the script's stdout and stderr are appended. Raises RunnerError if the system is not Linux
    or macOS, the interpreter cannot be started, or the sandbox is refused (see `sandbox.chosen`).

    process, box, folder: the process that the runner started, its sandbox, its scratch folder
    requests, replies: the runner's ends of the pipes, as file descriptors
    peak: the agent's peak memory in bytes, once `fault` has returned
    """

    def __init__(self, script: HostScript, output: Path) -> None:
        program = interpreters.path_of(script.python)
        if program is None:
            sentence = _("cannot start the agents' interpreter {python}: there is no such program")
            raise RunnerError(sentence.format(python=script.python))
        self.box = sandbox.chosen(script.mode, trusted=script.trusted)
        self.peak = 0
        self._many = script.processes
        # Whether a SIGKILL must come from outside: the filter turns a process's own into another signal (kernel.py).
        self._kills_none = self.box.confined and (script.trusted or not script.processes)
        self._ending, self._ended = threading.Lock(), False
        self._head: int | None = None
        self._stopped: list[int] = []
        output.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as stack:
            self.folder = stack.enter_context(claims.folder())
            (requests, self.requests), (self.replies, replies), (self._status, status) = (os.pipe() for _ in range(3))
            for fd in (self.requests, self.replies, self._status):
                stack.callback(os.close, fd)
            given = requests, replies, status
            try:
                found, box = replace(script, python=os.path.abspath(program)), self.box
                settings = json.dumps({**box.settings(found, self.folder), "status": status})
                command = [*box.interpreter(found), "-u", str(LAUNCHER), settings, str(script.path)]
                with open(output, "ab") as sink:
                    self.process = subprocess.Popen(
                        [*command, *script.arguments, str(requests), str(replies)], cwd=self.folder,
                        env=box.environment(self.folder), stdin=subprocess.DEVNULL, stdout=sink, stderr=sink,
                        pass_fds=given, start_new_session=True,
                    )  # fmt: skip
            except OSError as error:
                sentence = _("cannot start the agents' interpreter {python}: {error}")
                raise RunnerError(sentence.format(python=script.python, error=reason(error))) from error
            finally:
                for fd in given:
                    os.close(fd)
            self._guard = None if self.box.isolated else self.process.pid
            self._resources = stack.pop_all()

    @property
    def guard(self) -> int | None:
        """The guard's process id; None if bubblewrap has not started the guard yet."""
        self._guard = self._guard or next(iter(procfs.children(self.process.pid)), None)
        return self._guard

    @property
    def head(self) -> int | None:
        """The id of the agent's own process; None if it is not known yet."""
        self._head = self._head or next(iter(procfs.children(self.guard or 0)), None)
        return self._head

    def members(self) -> list[int]:
        """The ids of the agent's processes; the first is its own."""
        if self.head is None:
            return []
        return list(procfs.descendants(self.guard)) if self._many and self.guard else [self.head]

    def cpu(self) -> float:
        """CPU seconds of the members so far."""
        return sum(map(procfs.cpu_seconds, self.members()))

    def use(self) -> Status:
        """The peak memory and the threads. Of several members, what they hold now: shared pages count once."""
        members = self.members()
        each = list(map(procfs.status, members))
        peak = each[0].peak if len(each) == 1 else sum(map(procfs.pss, members))
        return Status(peak, sum(one.threads for one in each))

    def lacks_first_thread(self, use: Status) -> bool:
        """Whether the first thread of a stopped agent has ended, but others have not. `use`: as measured last."""
        return not use.threads and self.head is not None and len(procfs.tasks(self.head)) > 1

    def goes_on(self) -> bool:
        """Whether a member, or a thread of the agent's process but the first, is running."""
        states = [each for pid in self.members() for each in procfs.states(pid).items()]
        return any(state == b"R" and task != self.head for task, state in states)

    def resume(self) -> None:
        """Continue the members that `stop` has stopped."""
        for pid in self._stopped:
            _send(pid, signal.SIGCONT)
        self._stopped = []

    def stop(self, tick: Callable[[], None] = lambda: None) -> bool:
        """Stop the members, with ticks until they are stopped. Returns whether that worked within STOP_SECONDS."""
        until, pause = time.monotonic() + STOP_SECONDS, SETTLE_SECONDS
        while True:
            self._stopped = self.members()
            for pid in self._stopped:
                _send(pid, signal.SIGSTOP)
            if all(map(procfs.is_stopped, self._stopped)) and self.members() == self._stopped:
                return True
            if time.monotonic() > until:
                return False
            tick()
            time.sleep(pause)
            pause = min(MOST_PAUSE, 2 * pause)

    def fault(self) -> Fault:
        """The end of the agent's process as a fault, by the exit status that the guard sends."""
        if select.select([self._status], [], [], EXIT_SECONDS)[0] and (told := os.read(self._status, STATUS.size)):
            status, self.peak = STATUS.unpack(told)
            code = os.waitstatus_to_exitcode(status)
            outside = self._kills_none and code == -signal.SIGKILL
            return fault_of_code(-signal.SIGKILL if code == -OWN_KILL else code, outside=outside)
        try:
            code = self.process.wait(EXIT_SECONDS)  # the guard sent no status, because it was killed
        except subprocess.TimeoutExpired:
            return Fault(FaultKind.CLOSED_PIPE)
        code = SIGNALLED - code if self.box.isolated and code > SIGNALLED else code
        return fault_of_code(code, outside=self._kills_none)

    def end(self) -> None:
        """Kill the members and wait until they have ended; may be called twice, from any thread.

        Raises RunnerError if the kernel does not end them.
        """
        with self._ending:
            if self._ended:
                return
            self._ended = True
            until = time.monotonic() + GUARD_SECONDS
            while self.guard is None and self.process.poll() is None and time.monotonic() < until:
                time.sleep(SETTLE_SECONDS)  # if bubblewrap were killed before its child is set up, the child would stay
            if self.guard is None:
                self.process.kill()
            elif self.process.poll() is None:  # after SIGTERM the guard kills the others; the kernel kills a namespace
                _send(self.guard, signal.SIGKILL if self.box.isolated else signal.SIGTERM)
            for _attempt in range(2):
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(GUARD_SECONDS)
                    return
                for pid in procfs.descendants(self.guard or self.process.pid):  # the guard has had no core to do it
                    _send(pid, signal.SIGKILL)
                self.process.kill()
            sentence = _("process {pid} of an agent cannot be ended: it is still there {seconds:g} s after SIGKILL")
            raise RunnerError(sentence.format(pid=self.process.pid, seconds=GUARD_SECONDS))

    def kill(self) -> None:
        """End the process and all its descendants, and remove its scratch folder; may be called twice."""
        with self._resources:
            self.end()


def fault_of_code(code: int, *, outside: bool = False) -> Fault:
    """The fault of a process that has ended; `code`: the exit code, or the negative number of a signal.

    `outside`: whether a signal was not the agent's own.
    """
    if code >= 0:
        return Fault(FaultKind.EXITED, {"code": code})
    kind = FaultKind.KILLED_OUTSIDE if outside else FaultKind.KILLED
    return Fault(kind, {"number": -code, "name": signal.strsignal(-code) or ""})


def _send(pid: int, mark: signal.Signals) -> None:
    with contextlib.suppress(OSError):  # the process has ended
        os.kill(pid, mark)


class Ended(NamedTuple):
    """How a script ended: its exit code or signal in words, the end of its output, and all that it answered."""

    fault: Fault
    printed: str
    answer: bytes


def run(script: HostScript, seconds: float, given: bytes = b"") -> Ended:
    """Send a host script one request and read its answer until the script ends.

    `seconds`: time limit; `given`: the request, at most as long as a pipe's buffer. Raises TimeoutError if the limit
    passes, and RunnerError as `HostProcess` does.
    """
    until, answer = time.monotonic() + seconds, bytearray()
    with claims.folder() as folder, contextlib.ExitStack() as stack:
        host = HostProcess(script, folder / "printed")
        stack.callback(host.kill)
        os.write(host.requests, given)
        while True:
            if not select.select([host.replies], [], [], max(0.0, until - time.monotonic()))[0]:
                raise TimeoutError
            chunk = os.read(host.replies, 1 << 20)
            if not chunk or len(answer) > ANSWER_BYTES:
                break
            answer += chunk
        fault = host.fault()
        said = (files.tail(folder / "printed", PRINTED_BYTES) or b"").decode("utf-8", "replace")
    return Ended(fault, said, bytes(answer))
