"""A deadline at a chosen node, and a clock that does not depend on the machine."""

from __future__ import annotations

from submission.search.clock import Deadline, TimeUp


class CountingClock:
    """Replaces the module `time`: each reading of the clock takes `step` seconds of this thread."""

    def __init__(self, step: float) -> None:
        self.step, self.looks = step, 0

    def perf_counter(self) -> float:
        """Seconds since the first reading."""
        self.looks += 1
        return self.looks * self.step

    def thread_time(self) -> float:
        """The clock's seconds. A call of `thread_time` does not count as a reading of the clock."""
        return self.looks * self.step


class StopsAt(Deadline):
    """A deadline that ends a search at a given number of nodes."""

    def __init__(self, last: int) -> None:
        super().__init__(None)
        self.last = last

    def check(self, nodes: int) -> None:
        if nodes >= self.last:
            raise TimeUp
