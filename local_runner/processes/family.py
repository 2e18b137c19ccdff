"""The processes of one agent: their ids, how they are stopped and continued, and how they ended.

    bubblewrap  runner ── bwrap ── guard, the init of the PID namespace ── agent
    else        runner ── guard (agent_side/launcher.py) ── agent

An agent is one process, because the system call filter refuses others. The kernel's figures for this process are exact.
An agent that the user trusts (`many`) may have descendants. Their figures are sums over the processes found by a poll.
"""

import contextlib
import os
import select
import signal
import subprocess
import threading
import time
from typing import Any

from local_runner.errors import RunnerError
from local_runner.game.faults import Fault, FaultKind
from local_runner.language.languages import _
from local_runner.processes import procfs
from local_runner.processes.agent_side.launcher import OWN_KILL, STATUS
from local_runner.processes.procfs import Status
from local_runner.processes.sandbox import Sandbox

SETTLE_SECONDS = 0.00002  # first pause after SIGSTOP; each further one is twice as long, up to MOST_PAUSE
MOST_PAUSE = 0.0005  # seconds
STOP_SECONDS = 5.0  # time limit to stop an agent; on a busy machine a process stops only when it gets a core
GUARD_SECONDS = 5.0  # time limit of the guard to end the agent, and of the kernel to end a killed process
EXIT_SECONDS = 1.0  # how long to wait for the wait status after the agent has closed its pipe
SIGNALLED = 128  # if a signal ends the init, bubblewrap exits with this plus the number of the signal


class Family:
    """The processes of one agent.

    process: the process that the runner started
    status: file descriptor from which the guard's message about the agent's end is read; closed by `end`
    box: the agent's sandbox
    many: whether the agent may have further processes
    peak: the agent's peak memory in bytes, once `fault` has returned
    harmless: whether SIGKILL cannot be the agent's own, if it has a sandbox: it is ours, or one process (seccomp.py)
    """

    def __init__(
        self, process: "subprocess.Popen[Any]", status: int, box: Sandbox, *, many: bool, harmless: bool
    ) -> None:
        self.process, self.box, self.many, self.harmless = process, box, many, harmless
        self.peak = 0
        self._status = status
        self._ending = threading.Lock()
        self._guard: int | None = None if box.isolated else process.pid
        self._head: int | None = None
        self._stopped: list[int] = []

    @property
    def guard(self) -> int | None:
        """The guard's process id; None if bubblewrap has not started the guard yet."""
        if self._guard is None:
            self._guard = next(iter(procfs.children(self.process.pid)), None)
        return self._guard

    @property
    def head(self) -> int | None:
        """The id of the agent's own process; None if it is not known yet."""
        if self._head is None and self.guard is not None:
            self._head = next(iter(procfs.children(self.guard)), None)
        return self._head

    def members(self) -> list[int]:
        """The ids of the agent's processes; the first is its own."""
        if self.head is None:
            return []
        return list(procfs.descendants(self.guard)) if self.many and self.guard else [self.head]

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
        """Whether the first thread of a stopped agent has ended, but others have not. `use`: the last look's."""
        return not use.threads and self.head is not None and len(procfs.tasks(self.head)) > 1

    def goes_on(self) -> bool:
        """Whether a member, or a thread of the agent's process but the first, is running."""
        states = [(pid, task, state) for pid in self.members() for task, state in procfs.states(pid).items()]
        return any(state == b"R" and (task, pid) != (self.head, self.head) for pid, task, state in states)

    def resume(self) -> None:
        """Continue the members that `stop` has stopped."""
        for pid in self._stopped:
            _send(pid, signal.SIGCONT)
        self._stopped = []

    def stop(self) -> bool:
        """Stop the members, and see that they are stopped. Returns whether that worked within STOP_SECONDS."""
        until, pause = time.monotonic() + STOP_SECONDS, SETTLE_SECONDS
        while time.monotonic() < until:
            self._stopped = self.members()
            for pid in self._stopped:
                _send(pid, signal.SIGSTOP)
            if all(map(procfs.is_stopped, self._stopped)) and self.members() == self._stopped:
                return True
            time.sleep(pause)
            pause = min(MOST_PAUSE, 2 * pause)
        return False

    def fault(self) -> Fault:
        """The end of the agent's process as a fault, by the exit status that the guard sends."""
        if select.select([self._status], [], [], EXIT_SECONDS)[0] and (told := os.read(self._status, STATUS.size)):
            status, self.peak = STATUS.unpack(told)
            code = os.waitstatus_to_exitcode(status)
            outside = self.box.confined and self.harmless and code == -signal.SIGKILL
            return fault_of_code(-signal.SIGKILL if code == -OWN_KILL else code, outside=outside)
        try:
            code = self.process.wait(EXIT_SECONDS)  # somebody has killed the guard
        except subprocess.TimeoutExpired:
            return Fault(FaultKind.CLOSED_PIPE)
        return fault_of_code(
            SIGNALLED - code if self.box.isolated and code > SIGNALLED else code,
            outside=self.box.confined and self.harmless,
        )

    def end(self) -> None:
        """Kill the members and wait until they have ended; may be called twice, from any thread.

        Raises RunnerError if the kernel does not end them.
        """
        with self._ending:
            if self._status < 0:
                return
            if not self.box.isolated:
                self.process.terminate()  # the guard kills the members first
            elif self.process.poll() is None and self.guard is not None:
                _send(self.guard, signal.SIGKILL)  # the kernel kills the whole namespace; bubblewrap waits for that
            else:
                self.process.kill()
            try:
                self.process.wait(GUARD_SECONDS)
            except subprocess.TimeoutExpired:  # the guard gets no core
                for pid in procfs.descendants(self.guard or self.process.pid):
                    _send(pid, signal.SIGKILL)
                self.process.kill()
                try:
                    self.process.wait(GUARD_SECONDS)
                except subprocess.TimeoutExpired:
                    sentence = _("process {pid} of an agent cannot be ended: it is still there {seconds:g} s after "
                                 "SIGKILL")  # fmt: skip
                    raise RunnerError(sentence.format(pid=self.process.pid, seconds=GUARD_SECONDS)) from None
            finally:
                os.close(self._status)
                self._status = -1


def fault_of_code(code: int, *, outside: bool = False) -> Fault:
    """The fault of a process that has ended; `code`: the exit code, or the negative number of a signal.

    `outside`: whether a signal was not the agent's own.
    """
    if code >= 0:
        return Fault(FaultKind.EXITED, {"code": code})
    try:
        name = signal.strsignal(-code) or ""
    except ValueError:  # a system with fewer signals
        name = ""
    return Fault(FaultKind.KILLED_OUTSIDE if outside else FaultKind.KILLED, {"number": -code, "name": name})


def _send(pid: int, mark: signal.Signals) -> None:
    with contextlib.suppress(OSError):  # the process has ended
        os.kill(pid, mark)
