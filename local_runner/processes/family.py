"""Stops the processes of one agent between its calls, measures them, and kills them together.

    BUBBLEWRAP  runner ── bwrap ── init of the PID namespace ── agent ── its descendants
    else        runner ── guard (portable/guard.py) ── agent ── its descendants

The reaper is the init or the guard. Orphaned processes become children of the reaper, so the reaper's descendants are
the agent and all processes that the agent started: the members. A stopped process starts no process, so a walk from the
reaper downwards finds all members. Without Linux's /proc, members are killed, but neither stopped nor measured.
"""

import contextlib
import os
import signal
import subprocess
import time
from typing import Any

from local_runner.processes import procfs

SETTLE_SECONDS = 0.0005  # pause after SIGSTOP; a running process stops within about this time
STOP_SECONDS = 0.2  # time limit to stop all members; on a busy machine a process stops only when it gets a core
GUARD_SECONDS = 5.0  # time limit of the guard to kill all members


class Family:
    """The processes of one agent; `process`: the process that the runner started.

    inner: whether the reaper is the child of `process` (bubblewrap) instead of `process` itself (guard)
    """

    def __init__(self, process: "subprocess.Popen[Any]", *, inner: bool) -> None:
        self.process = process
        self.inner = inner
        self._reaper: int | None = None if inner else process.pid
        self._stopped: list[int] = []
        self._head: int | None = None  # the agent's own process, once it is known
        self._cpu_at_pause = self._waited = 0.0
        self.cpu_between = 0.0  # CPU seconds between calls
        self.busy_between = 0  # calls after which a thread or process of the agent was still running

    @property
    def reaper(self) -> int | None:
        """The reaper's process id; None if bubblewrap has not started the reaper yet."""
        if self._reaper is None:
            self._reaper = next(iter(procfs.children(self.process.pid)), None)
        return self._reaper

    def members(self) -> list[int]:
        """The ids of all processes of the agent; the first is the process that the runner calls."""
        return [] if self.reaper is None else list(procfs.descendants(self.reaper))

    def cpu(self) -> float:
        """CPU seconds that all living members have used so far."""
        return _cpu(self.members())

    def waited(self) -> float:
        """Seconds that the agent's main thread has waited for a core since the last call of this method."""
        before, self._waited = self._waited, sum(map(procfs.waited_seconds, self.members()[:1]))
        return max(0.0, self._waited - before)

    def peak(self) -> int:
        """The peak resident memory of the agent's first process in bytes, as the kernel counts it."""
        return max(map(procfs.peak, self.members()[:1]), default=0)

    def resume(self) -> float:
        """Continue all members at the start of a call; returns the CPU seconds until now."""
        used = _cpu(self._stopped or self.members())
        self.cpu_between += max(0.0, used - self._cpu_at_pause)
        for pid in self._stopped:
            _send(pid, signal.SIGCONT)
        self._stopped = []
        return used

    def pause(self, *, stop: bool) -> float:
        """Stop all members at the end of a call, if `stop`; returns the CPU seconds until now.

        CPU time that the members use until the next `resume` counts as between calls.
        """
        if self._head is None:
            self._head = next(iter(self.members()), None)
        if self._head is None:  # the agent has ended
            return 0.0
        busy = procfs.is_busy(self._head, main_thread=False)
        if stop:
            _send(self._head, signal.SIGSTOP)  # the agent starts no process from now on
        # When a process ends, its children become the reaper's. So the agent's children are read before the reaper's:
        # in the other order, a process that changes its parent in between could be missed.
        childless = not procfs.children(self._head)
        members = procfs.children(self.reaper or 0)
        if busy or not childless or members != [self._head]:
            busy = busy or any(map(procfs.is_busy, self.members()[1:]))
            members = self._stop_all() if stop else self.members()
        self.busy_between += busy
        self._stopped = members if stop else []
        self._cpu_at_pause = _cpu(members)
        return self._cpu_at_pause

    def _stop_all(self) -> list[int]:
        """Stop all members, from the reaper downwards, until two walks in a row find all stopped; returns the members.

        One walk is not enough. A member that is just starting a process stops only afterwards. The next walk finds the
        new process.
        """
        ended = time.monotonic() + STOP_SECONDS
        quiet = 0  # walks in a row that found every member stopped
        while True:
            members = self.members()
            loose = [pid for pid in members if not procfs.is_stopped(pid)]
            quiet = 0 if loose else quiet + 1
            if quiet == 2 or time.monotonic() > ended:
                return members
            for pid in loose:
                _send(pid, signal.SIGSTOP)
            if loose:
                time.sleep(SETTLE_SECONDS)

    def end(self) -> None:
        """Kill all members and wait until they have ended; may be called twice."""
        if not self.inner:
            self.process.terminate()  # the guard kills the members first
        elif self.reaper is not None:
            _send(self.reaper, signal.SIGKILL)  # the kernel kills the whole namespace; bubblewrap waits for that
        else:
            self.process.kill()
        try:
            self.process.wait(GUARD_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _cpu(members: list[int]) -> float:
    return sum(map(procfs.cpu_seconds, members))


def _send(pid: int, mark: signal.Signals) -> None:
    with contextlib.suppress(OSError):  # the process has ended
        os.kill(pid, mark)
