"""Time: when to stop thinking. Seconds are of time.perf_counter, counted from the moment the platform called.

The soft limit is asked between iterations (an iteration costs a few times the one before, so one that starts late is
lost); the hard limit is asked inside the search and ends it by an exception. It comes earlier where the search is kept
from the CPU, e.g. by another process on its core: the longest time between two questions, and all the time that was
lost so far, tell what may come again.
"""
from __future__ import annotations

import time

SOFT_SHARE = 0.6        # of the seconds; no new iteration after it
RESERVE = 2             # interruptions like the longest one for which time is left,
SLACK = 0.5             # and the share of the lost time


class TimeUp(Exception):
    """The deadline has passed, or the nodes are used up."""


class Deadline:
    """A limit in seconds and, for games that must repeat exactly, in nodes.

    Args: seconds: None for no limit; nodes: None for no limit; started: perf_counter at which the seconds began.
    """

    def __init__(self, seconds: float | None, nodes: int | None = None, started: float | None = None) -> None:
        self.idle = time.perf_counter() - time.process_time()       # grows by what is lost to others
        self.started = time.perf_counter() if started is None else started
        self.hard = float("inf") if seconds is None else self.started + seconds
        self.soft = float("inf") if seconds is None else self.started + seconds * SOFT_SHARE
        self.nodes = float("inf") if nodes is None else nodes
        self.spent = 0                  # nodes besides those of the search, e.g. of a look for threats
        self.asked = self.longest = 0.0

    def part(self, share: float) -> Deadline:
        """One for a share of what this one allows, from its start on. Nodes it takes are to be added to `spent`."""
        nodes = None if self.nodes == float("inf") else int(self.nodes * share)
        return Deadline((self.hard - self.started) * share, nodes, self.started)

    def check(self, nodes: int) -> None:
        """Raise TimeUp when the time or the nodes are used up."""
        now = time.perf_counter()
        if now - self.asked > self.longest and self.asked:
            self.longest = now - self.asked
        self.asked = now
        lost = now - time.process_time() - self.idle
        if nodes + self.spent >= self.nodes or now + RESERVE * self.longest + SLACK * lost >= self.hard:
            raise TimeUp

    def another_iteration(self, nodes: int) -> bool:
        """Tell whether it makes sense to start a deeper iteration."""
        return nodes + self.spent < self.nodes and time.perf_counter() < self.soft

    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.started
