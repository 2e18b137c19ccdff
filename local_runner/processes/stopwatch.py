"""The time of one call of a child process, as the parent measures it.

`perf_counter` does not advance while the machine sleeps. Two other gaps of the parent are told apart. After Ctrl-Z or
SIGSTOP the parent gets SIGCONT: the gap counts as suspended. Any other gap counts as unmeasured, because the parent
does not know what the child did in it: the machine was too busy to run the parent. A child cannot send SIGCONT to its
parent, and the parent's own looks at a child are short. Time in which the child waited for a core that others had is
not the child's either; the parent asks the kernel for it when a call seems to be over.
"""

import contextlib
import math
import signal
from time import perf_counter, sleep
from types import FrameType

WATCH_SECONDS = 0.02  # interval at which the parent checks a child during a call
GAP_SECONDS = 0.1  # a longer time between two checks is a gap
MOST_UNMEASURED = 30.0  # seconds; a call with more unmeasured or waited time is over: a slow machine must end, too
HANDLER_SECONDS = 0.005  # time after a gap in which the main thread runs its handler of SIGCONT

_continued = [0]  # number of times that this process was stopped and continued


class Stopwatch:
    """Measures a call; the parent calls `tick` about every WATCH_SECONDS.

    limit: seconds after which the call is over, without the gaps
    suspended: seconds of the gaps in which this process was stopped
    unmeasured: seconds of the other gaps
    waited: seconds in which the child waited for a core that others had, as far as the parent knows
    """

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._started = self._last = perf_counter()
        self._continued = _continued[0]
        self.suspended = self.unmeasured = self.waited = 0.0

    def tick(self) -> None:
        """Record that the parent is running."""
        now = perf_counter()
        gap = now - self._last
        if gap > GAP_SECONDS:
            sleep(HANDLER_SECONDS)
            if _continued[0] != self._continued:
                self.suspended += gap - WATCH_SECONDS
            else:
                self.unmeasured += gap - WATCH_SECONDS
            now = perf_counter()
        self._last, self._continued = now, _continued[0]

    @property
    def is_over(self) -> bool:
        """Whether the call has taken longer than the limit without gaps and waiting, or there is too much of these."""
        return self.measured > self._limit or (self.lacking > MOST_UNMEASURED and self._limit < math.inf)

    @property
    def lacking(self) -> float:
        """Seconds in which the machine gave the parent or the child no core."""
        return self.unmeasured + self.waited

    @property
    def measured(self) -> float:
        """Seconds since the start of the call, without gaps and waiting."""
        return self.seconds - self.suspended - self.lacking

    @property
    def seconds(self) -> float:
        """Seconds since the start of the call, with the gaps."""
        return perf_counter() - self._started


def _count_continuations() -> None:
    """Count every SIGCONT of this process from now on. Only a main thread can; elsewhere all gaps are unmeasured."""
    before = signal.getsignal(signal.SIGCONT)

    def count(number: int, frame: FrameType | None) -> None:
        _continued[0] += 1
        if callable(before):
            before(number, frame)

    signal.signal(signal.SIGCONT, count)


if hasattr(signal, "SIGCONT"):  # not on Windows
    with contextlib.suppress(ValueError):  # not the main thread
        _count_continuations()
