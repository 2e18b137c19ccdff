"""The time of one call of a child process, as the parent measures it."""

from time import perf_counter

from local_runner.processes.family import Usage

WATCH_SECONDS = 0.02  # interval at which the parent looks after a thinking child
SUSPENDED_SECONDS = 0.1  # a parent that does not run for so long was suspended, or the machine is very busy


class Stopwatch:
    """Measures a call, and the part of it in which the whole run was suspended.

    The parent calls `tick` about every WATCH_SECONDS. If it did not run for longer than SUSPENDED_SECONDS, and the
    child did not compute meanwhile, both were suspended: the machine slept, or somebody stopped all processes. A child
    cannot stop its parent. CPU time that it uses while the parent waits for a core is not taken off.
    """

    def __init__(self, limit: float, start: Usage) -> None:
        self._limit = limit
        self._started = self._last = perf_counter()
        self._cpu = start.cpu
        self.suspended = 0.0  # seconds

    def tick(self, used: Usage) -> None:
        """Note that the parent runs; `used`: what the child has used until now."""
        now = perf_counter()
        gap = now - self._last
        if gap > SUSPENDED_SECONDS:
            self.suspended += max(0.0, gap - WATCH_SECONDS - max(0.0, used.cpu - self._cpu))
        self._last, self._cpu = now, used.cpu

    @property
    def is_over(self) -> bool:
        """Whether the limit has passed."""
        return self.seconds - self.suspended > self._limit

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return perf_counter() - self._started
