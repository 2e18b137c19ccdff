"""The time of one call of a child process, as the parent measures it."""

from time import perf_counter

WATCH_SECONDS = 0.02  # interval at which the parent checks a child during a call
SUSPENDED_SECONDS = 0.1  # a parent that has not run for longer was suspended, or the machine is very busy


class Stopwatch:
    """Measures a call, and the part of it in which the whole run was suspended.

    The parent calls `tick` about every WATCH_SECONDS. If it did not run for longer than SUSPENDED_SECONDS, and the
    child did not compute meanwhile, both were suspended: the machine slept, or all processes were stopped. A child
    cannot stop its parent. CPU time that it uses while the parent waits for a core is not taken off.
    """

    def __init__(self, limit: float, cpu: float) -> None:
        self._limit = limit
        self._started = self._last = perf_counter()
        self._cpu = cpu
        self.suspended = 0.0  # seconds

    def tick(self, cpu: float) -> None:
        """Note that the parent runs; `cpu`: the CPU seconds of the child and its descendants until now."""
        now = perf_counter()
        gap = now - self._last
        if gap > SUSPENDED_SECONDS:
            self.suspended += max(0.0, gap - WATCH_SECONDS - max(0.0, cpu - self._cpu))
        self._last, self._cpu = now, cpu

    @property
    def is_over(self) -> bool:
        """Whether the limit has passed."""
        return self.seconds - self.suspended > self._limit

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return perf_counter() - self._started
