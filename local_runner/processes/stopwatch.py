"""The time of one call of a child process, as the parent measures it."""

from time import perf_counter

WATCH_SECONDS = 0.02  # interval at which the parent checks a child during a call
SUSPENDED_SECONDS = 0.1  # a longer gap between two checks means that the parent was suspended or got no core


class Stopwatch:
    """Measures a call, and the part of it in which the whole run was suspended.

    The parent calls `tick` about every WATCH_SECONDS. If two calls are more than SUSPENDED_SECONDS apart, the machine
    slept, or all processes were stopped. The time between these calls counts as suspended, less the child's CPU time in
    it. So a child that computes while the parent waits for a core gains no time. A child cannot stop its parent.
    """

    def __init__(self, limit: float, cpu: float) -> None:
        self._limit = limit
        self._started = self._last = perf_counter()
        self._cpu = cpu
        self.suspended = 0.0  # seconds

    def tick(self, cpu: float) -> None:
        """Record that the parent is running; `cpu`: CPU seconds of the child and its descendants until now."""
        now = perf_counter()
        gap = now - self._last
        if gap > SUSPENDED_SECONDS:
            self.suspended += max(0.0, gap - WATCH_SECONDS - max(0.0, cpu - self._cpu))
        self._last, self._cpu = now, cpu

    @property
    def is_over(self) -> bool:
        """Whether the call has taken longer than the limit, without the suspended time."""
        return self.seconds - self.suspended > self._limit

    @property
    def seconds(self) -> float:
        """Seconds since the start of the call, with the suspended time."""
        return perf_counter() - self._started
