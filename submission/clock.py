"""Time control: when a search must stop. Seconds are wall-clock seconds since the platform called.

The search asks before every iteration and every few nodes. `check` ends it by raising TimeUp, and raises early when
other threads or processes keep the search from the CPU: the longest gap between two checks and the CPU time lost so
far show how long the next gap may be.
"""
from __future__ import annotations

import gc
import time
from typing import NamedTuple, Optional

RESERVED_GAPS = 2       # time is kept free for this many gaps as long as the longest one so far
RESERVED_LOSS = 0.5     # and for this share of the CPU time lost so far
LOSS_INTERVAL = 0.001   # seconds between two readings of the CPU clock, which costs ten times the wall clock


class TimeUp(Exception):
    """The seconds or the nodes are used up."""


class CollectorPaused:
    """Keeps the garbage collector's pause, up to 0.1 s, out of a call; as a context manager around all of it.

    Where the pause is due, the caller's next allocation brings it. Nothing is frozen, so the caller's garbage is freed.
    """

    def __enter__(self) -> None:
        self._was_enabled = gc.isenabled()
        gc.disable()

    def __exit__(self, *exception: object) -> None:
        if self._was_enabled:
            gc.enable()


class Limits(NamedTuple):
    """How long one thought may take: seconds, search nodes, plies of depth. None means no limit."""

    seconds: Optional[float] = None
    nodes: Optional[int] = None
    depth: Optional[int] = None


class Deadline:
    """A limit in seconds and, for searches that must repeat exactly, in nodes.

    Args: seconds: None for no limit; nodes: None for no limit; started: perf_counter() when the seconds began.
    """

    def __init__(self, seconds: float | None, nodes: int | None = None, started: float | None = None) -> None:
        self._offset = time.perf_counter() - time.thread_time()     # grows by the time this thread does not run
        self.started = time.perf_counter() if started is None else started
        self.end = float("inf") if seconds is None else self.started + seconds
        self.nodes = float("inf") if nodes is None else nodes
        self.spent = 0                  # nodes used outside the search, by threat searches or the endgame solver
        self._checked = 0.0             # time of the last check; 0 before the first
        self._longest_gap = 0.0
        self._lost = 0.0                # seconds that this thread did not run
        self._next_reading = 0.0        # of the CPU clock

    def part(self, share: float) -> Deadline:
        """A deadline for a share of this one's seconds and nodes. The caller adds its nodes to `spent`."""
        nodes = None if self.nodes == float("inf") else int(self.nodes * share)
        return Deadline((self.end - self.started) * share, nodes, self.started)

    def check(self, nodes: int) -> None:
        """Raise TimeUp when the time or the nodes are used up. `nodes`: search nodes visited so far."""
        now = time.perf_counter()
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
        """Let the next check raise TimeUp. May be called from another thread."""
        self.end = float("-inf")

    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.started
