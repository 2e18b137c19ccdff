"""The time of one call of a child process, as the parent measures it."""

from time import perf_counter

from local_runner.processes.family import Family

WATCH_SECONDS = 0.02  # interval at which the parent looks after a thinking child
SUSPENDED_SECONDS = 0.1  # a parent that does not run for so long was suspended, or the machine is very busy


class Stopwatch:
    """Measures a call, and the part of it in which the whole run was suspended.

    The parent calls `tick` about every WATCH_SECONDS. If it did not run for longer than SUSPENDED_SECONDS, and the
    child did not compute meanwhile, both were suspended: the machine slept, or somebody stopped all processes. A child
    cannot stop its parent. CPU time that it uses while the parent waits for a core is not taken off.
    """

    def __init__(self, limit: float, family: Family) -> None:
        self._family = family
        self._limit = limit
        self._started = self._last = perf_counter()
        self._cpu_at_start = self._cpu = family.cpu()
        self.suspended = 0.0  # seconds

    def tick(self) -> None:
        """Note that the parent runs."""
        now, cpu = perf_counter(), self._family.cpu()
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

    @property
    def cpu(self) -> float:
        """CPU seconds of the child's living processes from the start to the last tick."""
        return max(0.0, self._cpu - self._cpu_at_start)
