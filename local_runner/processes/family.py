"""The processes of one agent: stopped between its calls, measured, and killed together; Linux only.

    BUBBLEWRAP  runner ── bwrap ── init of the PID namespace ── agent ── whatever it starts
    else        runner ── guard (portable/guard.py) ── agent ── whatever it starts

The keeper is the init or the guard: orphans become its children, so its descendants are the family. A stopped process
starts no others, so a walk from the keeper downwards finds all of them.
"""

import contextlib
import os
import signal
import subprocess
import time
from typing import Any, NamedTuple

from local_runner.processes import procfs

SETTLE_SECONDS = 0.0005  # a running process takes a signal at the latest after this time
GUARD_SECONDS = 5.0  # the guard's time to kill all members


class Usage(NamedTuple):
    """`cpu`: CPU seconds of some processes; `waited`: seconds that the main thread of the first waited for a core."""

    cpu: float
    waited: float


class Family:
    """The processes behind the one that the runner started; `inner`: the keeper is the child of that process."""

    def __init__(self, process: "subprocess.Popen[Any]", *, inner: bool) -> None:
        self._process = process
        self.inner = inner
        self._keeper: int | None = None if inner else process.pid
        self._stopped: list[int] = []
        self._cpu_at_pause = 0.0
        self.peak = 0  # bytes of the agent's own process, of which it cannot hide a short peak
        self.cpu_between = 0.0  # CPU seconds between calls
        self.busy_between = 0  # calls after which a thread or process of the agent was still running

    @property
    def keeper(self) -> int | None:
        """The keeper's id; None if there is none yet."""
        if self._keeper is None:
            self._keeper = next(iter(procfs.children(self._process.pid)), None)
        return self._keeper

    def members(self) -> list[int]:
        """All processes of the agent, its own first."""
        return [] if self.keeper is None else list(procfs.descendants(self.keeper))

    def usage(self) -> Usage:
        """What all members that live have used so far."""
        return _usage(self.members())

    def resume(self) -> Usage:
        """A call begins; returns what has been used until now."""
        used = _usage(self._stopped or self.members())
        self.cpu_between += max(0.0, used.cpu - self._cpu_at_pause)
        for pid in self._stopped:
            _send(pid, signal.SIGCONT)
        self._stopped = []
        return used

    def pause(self, *, stop: bool) -> Usage:
        """A call has ended: stop all members, if `stop`. What they compute from now on counts as between calls."""
        members: list[int] = []
        busy = False
        while new := [pid for pid in self.members() if pid not in members]:  # again: one may have forked meanwhile
            for pid in new:
                busy = busy or procfs.is_busy(pid, main_thread=bool(members))
                if stop:
                    _send(pid, signal.SIGSTOP)
                members.append(pid)
            if not stop:
                break
        if stop and (busy or len(members) > 1):  # one may have continued another before it was stopped itself
            time.sleep(SETTLE_SECONDS)
            for pid in members:
                _send(pid, signal.SIGSTOP)
        self.busy_between += busy
        self.peak = max([self.peak, *map(procfs.peak, members[:1])])
        self._stopped = members if stop else []
        used = _usage(members)
        self._cpu_at_pause = used.cpu
        return used

    def end(self) -> None:
        """Kill all members and wait until they are gone; may be called twice."""
        if not self.inner:
            self._process.terminate()  # the guard kills the members first
        elif self.keeper is not None:
            _send(self.keeper, signal.SIGKILL)  # the kernel kills the whole namespace; bubblewrap waits for that
        else:
            self._process.kill()
        try:
            self._process.wait(GUARD_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _usage(members: list[int]) -> Usage:
    return Usage(sum(map(procfs.cpu_seconds, members)), sum(map(procfs.waited_seconds, members[:1])))


def _send(pid: int, mark: signal.Signals) -> None:
    with contextlib.suppress(OSError):  # it has ended
        os.kill(pid, mark)
