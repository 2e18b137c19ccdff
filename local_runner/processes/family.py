"""The process of one agent: stops it between calls, measures it, and ends it. A trusted agent may have further ones.

    BUBBLEWRAP  runner ── bwrap ── guard, the init of the PID namespace ── agent (── descendants)
    else        runner ── guard (agent_side/launcher.py) ── agent (── descendants)

Most agents are one process, because the system call filter refuses others. Then the kernel's figures for this process
are exact: its peak memory, its CPU time, and the time in which its threads waited for a core. With `many` processes,
the runner adds up what it finds in /proc.
"""

import contextlib
import os
import select
import signal
import subprocess
import threading
import time
from typing import Any, NamedTuple

from local_runner.errors import RunnerError
from local_runner.game.faults import Fault, FaultKind
from local_runner.language.languages import _
from local_runner.processes import procfs
from local_runner.processes.agent_side.launcher import STATUS
from local_runner.processes.procfs import Turns

SETTLE_SECONDS = 0.00002  # first pause after SIGSTOP; each further one is twice as long, up to MOST_PAUSE
MOST_PAUSE = 0.0005  # seconds
STOP_SECONDS = 5.0  # time limit to stop an agent; on a busy machine a process stops only when it gets a core
GUARD_SECONDS = 5.0  # time limit of the guard to end the agent, and of the kernel to end a killed process
EXIT_SECONDS = 1.0  # how long to wait for the wait status after the agent has closed its pipe
SIGNALLED = 128  # if a signal ends the init, bubblewrap exits with this plus the number of the signal
INODE_BYTES = 1 << 10  # bytes that the kernel needs for a file in memory, without content


class Use(NamedTuple):
    """Memory in bytes, and the number of threads."""

    memory: int
    threads: int


class Family:
    """The processes of one agent.

    process: the process that the runner started
    status: file descriptor from which the guard's message about the agent's end is read; closed by `end`
    inner: whether the guard is the child of `process` (bubblewrap) instead of `process` itself
    many: whether the agent may have further processes
    room: the agent's folder in memory, as it sees it; None for a folder on a disk
    """

    def __init__(
        self, process: "subprocess.Popen[Any]", status: int, *, inner: bool, many: bool = False, room: str | None = None
    ) -> None:
        self.process = process
        self.many = many
        self._status = status
        self._ending = threading.Lock()
        self._inner = inner
        self._room = room
        self._guard: int | None = None if inner else process.pid
        self._head: int | None = None  # the agent's own process, once it is known
        self._stopped: list[int] = []
        self._cpu_at_pause = 0.0
        self._begun: tuple[float, dict[int, Turns]] = (0.0, {})  # when the call began: CPU seconds, turns of threads
        self.cpu_between = 0.0  # CPU seconds between calls
        self.busy_between = 0  # calls after which a thread or process of the agent was still running

    @property
    def guard(self) -> int | None:
        """The guard's process id; None if bubblewrap has not started the guard yet."""
        if self._guard is None:
            self._guard = next(iter(procfs.children(self.process.pid)), None)
        return self._guard

    def members(self) -> list[int]:
        """The ids of all processes of the agent; the first is the process that the runner calls."""
        if self._head is None or self.many:
            found = [] if self.guard is None else list(procfs.descendants(self.guard))
            self._head = self._head or next(iter(found), None)
            return found
        return [self._head]

    def cpu(self) -> float:
        """CPU seconds of all members so far, and of the ended processes that a member or the guard has waited for."""
        members = self.members()
        ended = sum(map(procfs.reaped_seconds, [*members, *([self.guard] if self.guard else [])])) if self.many else 0.0
        return sum(map(procfs.cpu_seconds, members)) + ended

    def waited(self) -> float:
        """Seconds of this call in which a thread waited for a core that was not the agent's: at least.

        The other threads may have had the core for as long as they computed; that does not count.
        """
        used, before = self._begun
        used = self.cpu() - used
        most = 0.0
        for task, now in self._turns().items():
            then = before.get(task, Turns())
            most = max(most, now.waited - then.waited - max(0.0, used - (now.ran - then.ran)))
        return most

    def use(self) -> Use:
        """What the agent has held at most: its peak, and its files in memory.

        Of many processes, what they hold now: pages that several share count once.
        """
        members = self.members()
        each = list(map(procfs.status, members))
        held = sum(map(procfs.pss, members)) if len(members) > 1 else sum(one.peak for one in each)
        files = self._files_in_memory(members[0]) if members else 0
        return Use(held + files, sum(one.threads for one in each))

    def lacks_first_thread(self) -> bool:
        """Whether the agent's first thread has ended, but not its process: then no other figure of it can be read."""
        head = self._head
        return head is not None and procfs.has_ended(head) and procfs.tasks(head) not in ([], [head])

    def resume(self) -> float:
        """Continue all members at the start of a call; returns the CPU seconds until now."""
        used = self.cpu()
        for pid in self._stopped:
            _send(pid, signal.SIGCONT)
        self._stopped = []
        self.cpu_between += max(0.0, used - self._cpu_at_pause)
        self._begun = (used, self._turns())
        return used

    def pause(self, *, stop: bool) -> float | None:
        """Stop all members at the end of a call, if `stop`; returns the CPU seconds until now.

        None if a member could not be stopped. CPU time until the next `resume` counts as between calls.
        """
        members = self.members()
        if not members:  # the agent has ended
            return 0.0
        self.busy_between += b"R" in procfs.states(members[0], main_thread=False) or any(
            b"R" in procfs.states(each) for each in members[1:]
        )
        if stop and not self._stop():
            return None
        self._cpu_at_pause = self.cpu()
        return self._cpu_at_pause

    def signal(self, mark: signal.Signals) -> None:
        """Send a signal to all members."""
        for pid in self.members():
            _send(pid, mark)

    def fault(self) -> Fault:
        """How the agent's process ended, as the guard tells it."""
        if select.select([self._status], [], [], EXIT_SECONDS)[0] and (told := os.read(self._status, STATUS.size)):
            return fault_of_code(os.waitstatus_to_exitcode(STATUS.unpack(told)[0]))
        try:
            code = self.process.wait(EXIT_SECONDS)  # somebody has killed the guard
        except subprocess.TimeoutExpired:
            return Fault(FaultKind.CLOSED_PIPE)
        return fault_of_code(SIGNALLED - code if self._inner and code > SIGNALLED else code)

    def end(self) -> None:
        """Kill all members and wait until they have ended; may be called twice, from any thread."""
        with self._ending:
            if self._status < 0:
                return
            if not self._inner:
                self.process.terminate()  # the guard kills the members first
            elif self.guard is not None:
                _send(self.guard, signal.SIGKILL)  # the kernel kills the whole namespace; bubblewrap waits for that
            else:
                self.process.kill()
            try:
                self.process.wait(GUARD_SECONDS)
            except subprocess.TimeoutExpired:
                self._kill_without_guard()
            finally:
                os.close(self._status)
                self._status = -1

    def _kill_without_guard(self) -> None:
        """Kill the members and then the guard, which has got no core. Raises RunnerError if the kernel does not."""
        until = time.monotonic() + GUARD_SECONDS
        while time.monotonic() < until and (living := [pid for pid in self.members() if not procfs.has_ended(pid)]):
            for pid in living:
                _send(pid, signal.SIGKILL)
            time.sleep(MOST_PAUSE)
        self.process.kill()
        try:
            self.process.wait(GUARD_SECONDS)
        except subprocess.TimeoutExpired:
            sentence = _("process {pid} of an agent cannot be ended: it is still there {seconds:g} s after SIGKILL")
            raise RunnerError(sentence.format(pid=self.process.pid, seconds=GUARD_SECONDS)) from None

    def _stop(self) -> bool:
        """Stop all members, and see that they are stopped. Returns whether that worked within STOP_SECONDS.

        Of many processes, one that is just starting another stops only afterwards: the next walk finds the new one.
        """
        until = time.monotonic() + STOP_SECONDS
        quiet, pause = 0, SETTLE_SECONDS  # quiet: walks in a row that found every member stopped
        while quiet < (2 if self.many else 1):
            if time.monotonic() > until:
                return False
            self._stopped = self.members()
            for pid in self._stopped:
                _send(pid, signal.SIGSTOP)
            if all(map(procfs.is_stopped, self._stopped)):
                quiet += 1
            else:
                quiet = 0
                time.sleep(pause)
                pause = min(MOST_PAUSE, 2 * pause)
        return True

    def _turns(self) -> dict[int, Turns]:
        return {task: turns for each in self.members() for task, turns in procfs.turns(each).items()}

    def _files_in_memory(self, member: int) -> int:
        """Bytes of the agent's files in memory; 0 if there is no such folder, or it cannot be seen."""
        if self._room is None:
            return 0
        try:
            usage = os.statvfs(procfs.PROC / str(member) / "root" / self._room.lstrip("/"))
        except OSError:
            return 0
        used = (usage.f_blocks - usage.f_bfree) * usage.f_frsize
        return used + INODE_BYTES * (usage.f_files - usage.f_ffree)


def fault_of_code(code: int) -> Fault:
    """The fault of a process that has ended; `code`: the exit code, or the negative number of a signal."""
    if code >= 0:
        return Fault(FaultKind.EXITED, {"code": code})
    try:
        name = signal.strsignal(-code) or ""
    except ValueError:  # a system with fewer signals
        name = ""
    return Fault(FaultKind.KILLED, {"number": -code, "name": name})


def _send(pid: int | None, mark: signal.Signals) -> None:
    with contextlib.suppress(OSError):  # the process has ended
        if pid is not None:
            os.kill(pid, mark)
