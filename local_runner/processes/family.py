"""The processes of one agent: stops them between calls, measures them, and kills them together.

    BUBBLEWRAP  runner ── bwrap ── guard, the init of the PID namespace ── agent ── its descendants
    else        runner ── guard (portable/guard.py) ── agent ── its descendants

Orphaned processes become children of the guard, so the guard's descendants are the agent and all processes that the
agent started: the members. If the kernel has control groups for this runner, a `Group` (groups.py) counts, stops and
kills the members. Otherwise the runner looks into /proc, and the guard of a PID namespace stops all members at once.
"""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.processes import procfs
from local_runner.processes.groups import Group
from local_runner.processes.portable.guard import CONTINUE_ALL, STOP_ALL

SETTLE_SECONDS = 0.0005  # pause after SIGSTOP; a running process stops within about this time
STOP_SECONDS = 0.2  # time limit to stop all members; on a busy machine a process stops only when it gets a core
GUARD_SECONDS = 5.0  # time limit of the guard to kill all members, and of the kernel to end a killed process
INIT_SECONDS = 5.0  # time limit of the init to carry out an order to stop, from the end of the opponent's call
SHARING = 4  # resident memory above this multiple of the limit is too much, even if members share pages
TABLES = 32  # address space above this multiple of the limit can need page tables of 1/16 of the limit
MAPS_BYTES = 1 << 20  # how much of the members' /proc/PID/maps is read at a look; about 5 ms
WAITS_OR_ENDED = (b"S", b"Z", b"X")  # states of an init that has no order left
FREE_FILES = 64  # open files of all members that count nothing
FILE_BYTES = 1 << 18  # bytes that each further open file counts; a socket holds up to 208 KB for its reader
INODE_BYTES = 1 << 10  # bytes that the kernel needs for a file in memory, without content


class Use(NamedTuple):
    """The members' memory in bytes, and how many processes hold it."""

    memory: int
    processes: int


class Family:
    """The processes of one agent; `process`: the process that the runner started.

    inner: whether the guard is the child of `process` (bubblewrap) instead of `process` itself
    group: the agent's control group, if there is one
    in_memory: folders in memory that only the agent has, as it sees them
    """

    def __init__(
        self,
        process: "subprocess.Popen[Any]",
        *,
        inner: bool,
        group: Group | None = None,
        in_memory: Iterable[str] = (),
    ) -> None:  # fmt: skip
        self.process = process
        self.inner = inner
        self.group = group
        self._in_memory = tuple(in_memory)
        self._guard: int | None = None if inner else process.pid
        self._stopped: list[int] = []
        self._head: int | None = None  # the agent's own process, once it is known
        self._lost_cpu = 0.0  # CPU seconds of the members that had ended at the last look
        self._cpu_at_pause = 0.0
        self._begun = (0.0, 0.0, 0.0)  # when the call began: CPU seconds of all members, `turns` of the head
        self._grown = False  # whether a second process was seen in this call
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
        return [] if self.guard is None else list(procfs.descendants(self.guard))

    def cpu(self) -> float:
        """CPU seconds that all members have used so far, those that have ended included.

        Without a control group, a child that has ended counts only if its parent or the guard has waited for it.
        """
        if self.group is not None:
            return self.group.cpu()
        return self._cpu_of(self.members())

    def waited(self) -> float:
        """Seconds of this call in which the agent's main thread waited for a core that was not the agent's: at least.

        The agent's other threads and processes may have had the core for as long as they computed; that does not count.
        0 without a control group if a second process was seen in this call: its CPU time may be missing.
        """
        if self._head is None or (self.group is None and self._grown):
            return 0.0
        used, ran, waited = self._begun
        now_ran, now_waited = procfs.turns(self._head)
        others = max(0.0, self.cpu() - used - (now_ran - ran))
        return max(0.0, now_waited - waited - others)

    def peak(self) -> int:
        """The peak resident memory of the agent's first process in bytes, as the kernel counts it."""
        return procfs.peak(self._head) if self._head else 0

    def use(self, limit: float) -> Use:
        """The memory of all members; `limit`: bytes that they may use, which decides how exactly they are counted."""
        if self.group is not None and (held := self.group.memory()) is not None:
            return Use(held, 1)
        members = self.members()
        self._grown = self._grown or len(members) > 1
        return Use(self._held(members, limit), len(members))

    def is_settled(self) -> bool:
        """Wait until the init has carried out the order of the last `pause`; False if it gets no core to do so.

        Without this, the order could reach the members in their next call.
        """
        if self.group is not None or not self.inner or not self._stopped:
            return True
        until = time.monotonic() + INIT_SECONDS
        while procfs.state(str(self.guard)) not in WAITS_OR_ENDED:
            if time.monotonic() > until:
                return False
            time.sleep(SETTLE_SECONDS)
        return True

    def resume(self) -> float:
        """Continue all members at the start of a call; returns the CPU seconds until now."""
        self._grown = False
        if self.group is not None:
            used = self.group.cpu()
            self.group.freeze(False)
        else:
            used = self._cpu_of(self._stopped or self.members())
            for pid in self._stopped:
                _send(pid, signal.SIGCONT)
            if self._stopped and self.inner:
                _send(self.guard, CONTINUE_ALL)
            self._stopped = []
        self.cpu_between += max(0.0, used - self._cpu_at_pause)
        if self._head is not None:
            self._begun = (used, *procfs.turns(self._head))
        return used

    def pause(self, *, stop: bool) -> float:
        """Stop all members at the end of a call, if `stop`; returns the CPU seconds until now.

        CPU time that the members use until the next `resume` counts as between calls.
        """
        if self._head is None:
            self._head = next(iter(self.members()), None)
        if self._head is None:  # the agent has ended
            return 0.0
        if self.group is not None:
            busy = self.group.is_busy(self._head)
            if stop:
                self.group.freeze(True)
            self._cpu_at_pause = self.group.cpu()
        else:
            busy, members = self._stop_one_by_one(self._head, stop=stop)
            self._stopped = members if stop else []
            self._cpu_at_pause = self._cpu_of(members)
        self.busy_between += busy
        return self._cpu_at_pause

    def end(self) -> None:
        """Kill all members and wait until they have ended; may be called twice."""
        if self.group is not None:
            self.group.kill()
        if not self.inner:
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
            if self.group is not None:
                self.group.remove()

    def _kill_without_guard(self) -> None:
        """Kill the members and then the guard, which has got no core. Raises RunnerError if the kernel does not."""
        until = time.monotonic() + GUARD_SECONDS
        while living := [pid for pid in self.members() if procfs.state(str(pid)) not in (b"Z", b"X")]:
            if time.monotonic() > until:
                break
            for pid in living:
                _send(pid, signal.SIGKILL)
            time.sleep(SETTLE_SECONDS)
        self.process.kill()
        try:
            self.process.wait(GUARD_SECONDS)
        except subprocess.TimeoutExpired:
            sentence = _("process {pid} of an agent cannot be ended: it is still there {seconds:g} s after SIGKILL")
            raise RunnerError(sentence.format(pid=self.process.pid, seconds=GUARD_SECONDS)) from None

    # ---- without a control group

    def _stop_one_by_one(self, head: int, *, stop: bool) -> tuple[bool, list[int]]:
        """Whether a member other than the head's main thread was running; the members, which are stopped if `stop`."""
        busy = procfs.is_busy(head, main_thread=False)
        if stop:
            _send(head, signal.SIGSTOP)  # the agent starts no process from now on
            if self.inner:
                _send(self.guard, STOP_ALL)
        # When a process ends, its children become the guard's. So the agent's children are read before the guard's:
        # in the other order, a process that changes its parent in between could be missed.
        childless = not procfs.children(head)
        members = procfs.children(self.guard or 0)
        if busy or not childless or members != [head]:
            busy = busy or any(map(procfs.is_busy, self.members()[1:]))
            members = self._stop_all() if stop else self.members()
        return busy, members

    def _stop_all(self) -> list[int]:
        """Stop all members, from the guard downwards, until two walks in a row find all stopped; returns the members.

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

    def _cpu_of(self, members: list[int]) -> float:
        """CPU seconds of these living members, and of all that have ended."""
        ended = sum(map(procfs.reaped_seconds, [*members, *([self.guard] if self.guard else [])]))
        self._lost_cpu = max(self._lost_cpu, ended)
        return sum(map(procfs.cpu_seconds, members)) + self._lost_cpu

    def _held(self, members: list[int], limit: float) -> int:
        """Bytes of the members' pages, of shared memory that shows in no page count, of sockets and of empty files.

        Every look is bounded. So an agent cannot slow the runner down by what it maps, opens or starts.
        """
        each = [procfs.pages(pid) for pid in members]
        total = sum(pages.resident for pages in each)
        if len(members) > 1 and limit < total <= SHARING * limit:
            total = sum(map(procfs.pss, members))  # slower to read, but counts shared pages only once
        if sum(pages.mapped - pages.resident for pages in each) > limit:
            total += max(0, self._segments(members, each) - sum(pages.shared for pages in each))
        if sum(pages.mapped for pages in each) > TABLES * limit:
            total += sum(map(procfs.page_tables, members))
        total += FILE_BYTES * max(0, sum(map(procfs.open_files, members)) - FREE_FILES)
        return total + sum(
            _files_in_memory(f"{procfs.root_folder(members[0])}{place}") for place in self._in_memory if members
        )

    def _segments(self, members: list[int], each: list[procfs.Pages]) -> int:
        """Bytes of all shared memory without a file; of members whose maps are too long, the whole address space."""
        segments: dict[bytes, int] = {}
        room, unread = MAPS_BYTES, 0
        for pid, pages in zip(members, each, strict=True):
            found, length = procfs.shared_segments(pid, room)
            room -= length
            if not length:  # hidden, or the process has ended since its pages were counted
                pages = procfs.pages(pid)
            if room <= 0 or not length:
                unread += pages.mapped - pages.resident
            for inode, size in found.items():
                segments[inode] = max(size, segments.get(inode, 0))
        return sum(segments.values()) + unread


def _files_in_memory(place: str) -> int:
    """Bytes that a file system in memory needs; 0 if it cannot be seen."""
    try:
        usage = os.statvfs(place)
    except OSError:
        return 0
    return (usage.f_blocks - usage.f_bfree) * usage.f_frsize + INODE_BYTES * (usage.f_files - usage.f_ffree)


def _send(pid: int | None, mark: signal.Signals) -> None:
    with contextlib.suppress(OSError):  # the process has ended
        if pid is not None:
            os.kill(pid, mark)
