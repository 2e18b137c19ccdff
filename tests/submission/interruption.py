"""A limit that runs out at a chosen moment, and a clock that does not depend on the machine."""

from __future__ import annotations

from submission.search.clock import Deadline, TimeUp


class CountingClock:
    """Stands for the module `time`: every look takes `step` seconds of this thread."""

    def __init__(self, step: float) -> None:
        self.step, self.looks = step, 0

    def perf_counter(self) -> float:
        """Seconds since the first look."""
        self.looks += 1
        return self.looks * self.step

    def thread_time(self) -> float:
        """The same, without a look."""
        return self.looks * self.step


class StopsAt(Deadline):
    """Lets exactly so many nodes pass."""

    def __init__(self, last: int) -> None:
        super().__init__(None)
        self.last = last

    def check(self, nodes: int) -> None:
        if nodes >= self.last:
            raise TimeUp
