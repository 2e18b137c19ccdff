"""The processes of one agent: stopped between its calls, measured, and killed together; Linux only.

    BUBBLEWRAP  runner ── bwrap ── init of the PID namespace ── agent ── whatever it starts
    else        runner ── guard (portable/guard.py) ── agent ── whatever it starts

The keeper is the init or the guard: orphans become its children, so its descendants are the family. A stopped process
starts no others, so a walk from the keeper downwards finds all of them.
"""

import contextlib
import os
import signal

from local_runner.processes import procfs


class Family:
    """The descendants of a keeper. `started`: the process that the runner started; `inner`: its child is the keeper."""

    def __init__(self, started: int, *, inner: bool) -> None:
        self._started = started
        self.inner = inner
        self._keeper: int | None = None if inner else started
        self._stopped: list[int] = []
        self._cpu_at_pause = 0.0
        self.cpu_between = 0.0  # CPU seconds between calls
        self.busy_between = 0  # calls after which a thread or process of the agent was still running

    @property
    def keeper(self) -> int | None:
        """The keeper's id; None if there is none yet."""
        if self._keeper is None:
            self._keeper = next(iter(procfs.children(self._started)), None)
        return self._keeper

    def members(self) -> list[int]:
        """All processes of the agent, its own first."""
        return [] if self.keeper is None else list(procfs.descendants(self.keeper))

    def rss(self) -> int:
        """Resident bytes of all members."""
        return sum(map(procfs.rss, self.members()))

    def cpu(self) -> float:
        """CPU seconds of all members that live."""
        return sum(map(procfs.cpu_seconds, self.members()))

    def pause(self, *, stop: bool) -> None:
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
        self.busy_between += busy
        self._stopped = members if stop else []
        self._cpu_at_pause = sum(map(procfs.cpu_seconds, members))

    def resume(self) -> None:
        """A call begins."""
        members = self._stopped or self.members()
        self.cpu_between += max(0.0, sum(map(procfs.cpu_seconds, members)) - self._cpu_at_pause)
        for pid in self._stopped:
            _send(pid, signal.SIGCONT)
        self._stopped = []

    def kill_keeper(self) -> None:
        """Kill the init of a PID namespace; the kernel then kills all its processes, and the init ends last."""
        if self.inner and self.keeper is not None:
            _send(self.keeper, signal.SIGKILL)


def _send(pid: int, mark: signal.Signals) -> None:
    with contextlib.suppress(OSError):  # it has ended
        os.kill(pid, mark)
