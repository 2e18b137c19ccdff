"""Time control: when a search must stop. Seconds are wall-clock seconds since the platform called.

The search calls `Deadline.check` before every iteration and every few nodes. `check` raises TimeUp when the time left
is at most a reserve. The reserve is a multiple of the longest gap between two checks, plus a share of the CPU time
lost to other threads.
"""

from __future__ import annotations

import gc
import time
from typing import Any, ClassVar, List, NamedTuple, Optional

RESERVED_GAPS = 2  # first part of the reserve: this many times the longest gap between two checks so far
RESERVED_LOSS = 0.5  # second part of the reserve: this share of the CPU time lost to other threads so far
LOSS_INTERVAL = 0.001  # seconds between two readings of the CPU clock; a reading costs ten of the wall clock
MOST_STILL = 10_000  # so many checks in a row at one time of the clock mean that the clock stands still


class TimeUp(Exception):
    """Raised by Deadline.check() when the seconds or the nodes are used up."""


class CollectorPaused:
    """A context manager that disables the garbage collector during a call, since a collection may take 0.1 s.

    A collection that becomes due during the call would run when the call returns, and make the call late. So a
    collection of an older generation that may be due soon runs at the start of the call. gc.freeze() is not used: it
    would keep the caller's garbage from being freed. If calls run in several threads, the last that returns enables
    the collector again.
    """

    _running: ClassVar[List[bool]] = []  # an item for each running call, of any thread
    _restore = False  # whether the collector was enabled before the first of these calls

    def __enter__(self) -> None:
        # Safe in threads without a lock: one operation a line, and only a collector that was enabled is disabled.
        paused = CollectorPaused
        paused._running.append(True)
        if not gc.isenabled():
            return
        paused._restore = True
        gc.disable()
        due = [old for old in (1, 2) if 0 < gc.get_threshold()[old] < 2 * gc.get_count()[old]]
        if due:
            gc.collect(due[-1])

    def __exit__(self, *exception: object) -> None:
        paused = CollectorPaused
        paused._running.pop()
        if not paused._running and paused._restore:
            paused._restore = False
            gc.enable()


class Limits(NamedTuple):
    """The limits of one search: seconds, search nodes, plies of depth. None means no limit."""

    seconds: Optional[float] = None
    nodes: Optional[int] = None
    depth: Optional[int] = None


class Deadline:
    """A limit in seconds and, for searches that must repeat exactly, in nodes.

    Args: seconds: None for no limit; nodes: None for no limit; started: the perf_counter() that seconds count from.
    """

    def __init__(self, seconds: float | None, nodes: int | None = None, started: float | None = None) -> None:
        self._offset = time.perf_counter() - time.thread_time()  # grows while the thread waits for the CPU
        self.started = time.perf_counter() if started is None else started
        self.end = float("inf") if seconds is None else self.started + seconds
        self.nodes = float("inf") if nodes is None else nodes
        self.spent = 0  # nodes used outside alpha-beta, by threat searches or the endgame solver
        self._checked = 0.0  # time of the last check; 0 before the first
        self._longest_gap = 0.0
        self._still = 0  # checks in a row at which the clock has shown the same time
        self._lost = 0.0  # seconds that this thread has waited for the CPU
        self.parts: List[Any] = []  # deadlines made by part(), and compiled searches; stop() ends them too
        self._next_reading = 0.0  # time at which the CPU clock is read again

    def part(self, share: float) -> Deadline:
        """A deadline for a share of this one's seconds and nodes. The caller adds the nodes used to `self.spent`."""
        nodes = None if self.nodes == float("inf") else int(self.nodes * share)
        part = Deadline((self.end - self.started) * share, nodes, self.started)
        self.parts.append(part)
        return part

    def check(self, nodes: int) -> None:
        """Raise TimeUp when the time or the nodes are used up. `nodes`: search nodes visited so far.

        With a limit of seconds, a clock that stands still ends the search as well, after MOST_STILL checks.
        """
        now = time.perf_counter()
        if now == self._checked:
            self._still += 1
            if self._still > MOST_STILL and self.end != float("inf"):
                raise TimeUp
        else:
            self._still = 0
        if now - self._checked > self._longest_gap and self._checked:
            self._longest_gap = now - self._checked
        self._checked = now
        if now >= self._next_reading:
            self._next_reading = now + LOSS_INTERVAL
            self._lost = max(now - time.thread_time() - self._offset, 0.0)
        reserve = RESERVED_GAPS * self._longest_gap + RESERVED_LOSS * self._lost
        if nodes + self.spent >= self.nodes or now + reserve >= self.end:
            raise TimeUp

    def stop(self) -> None:
        """Make the next check raise TimeUp. May be called from another thread."""
        self.end = float("-inf")
        for part in self.parts:
            part.stop()

    def elapsed(self) -> float:
        """Seconds since `started`."""
        return time.perf_counter() - self.started
