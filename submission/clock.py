"""Time: when to stop thinking. Seconds are of time.perf_counter, counted from the moment the platform called.

The limit is asked before each iteration of the search and every few nodes inside it, and ends it by an exception. It
comes earlier where the search is kept from the CPU, e.g. by another process on its core: the longest time between two
questions, and all the time lost so far, tell what may come again.
"""
from __future__ import annotations

import time

RESERVE = 2             # interruptions like the longest one for which time is left,
SLACK = 0.5             # and the share of the lost time,
EVERY = 0.001           # which is asked for no more often than this: the question costs ten times the other one


class TimeUp(Exception):
    """The deadline has passed, or the nodes are used up."""


class Deadline:
    """A limit in seconds and, for games that must repeat exactly, in nodes.

    Args: seconds: None for no limit; nodes: None for no limit; started: perf_counter at which the seconds began.
    """

    def __init__(self, seconds: float | None, nodes: int | None = None, started: float | None = None) -> None:
        self.idle = time.perf_counter() - time.process_time()       # grows by what is lost to others
        self.started = time.perf_counter() if started is None else started
        self.end = float("inf") if seconds is None else self.started + seconds
        self.nodes = float("inf") if nodes is None else nodes
        self.spent = 0                  # nodes besides those of the search, e.g. of a look for threats
        self.asked = self.longest = 0.0
        self.lost = self.due = 0.0      # what others took by now, and when that is to be asked again

    def part(self, share: float) -> Deadline:
        """One for a share of what this one allows, from its start on. Nodes it takes are to be added to `spent`."""
        nodes = None if self.nodes == float("inf") else int(self.nodes * share)
        return Deadline((self.end - self.started) * share, nodes, self.started)

    def check(self, nodes: int) -> None:
        """Raise TimeUp when the time or the nodes are used up."""
        now = time.perf_counter()
        if now - self.asked > self.longest and self.asked:
            self.longest = now - self.asked
        self.asked = now
        if now >= self.due:
            self.due = now + EVERY
            self.lost = now - time.process_time() - self.idle
        if nodes + self.spent >= self.nodes or now + RESERVE * self.longest + SLACK * self.lost >= self.end:
            raise TimeUp

    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.started
