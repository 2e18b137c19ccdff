"""The time limit of one move, and iterative deepening under that limit; for any game."""

from time import perf_counter
from typing import Callable, List, Optional, Sequence, TypeVar

T = TypeVar("T")


class MoveTimeUp(Exception):
    """The time limit is reached. The caller discards the search in progress."""


class MoveClock:
    """A clock that starts when the object is created and runs for `seconds`; None means no limit."""

    def __init__(self, seconds: Optional[float]) -> None:
        self.started = perf_counter()
        self.deadline = None if seconds is None else self.started + seconds

    def check(self) -> None:
        """Raise MoveTimeUp if the time limit has passed."""
        if self.is_over():
            raise MoveTimeUp

    def is_over(self) -> bool:
        """Whether the time limit has passed."""
        return self.deadline is not None and perf_counter() >= self.deadline

    def depths(self, most: int) -> Sequence[int]:
        """The depths to search: 1 to `most` with a time limit, so that a result exists early; else only `most`."""
        return range(most if self.deadline is None else 1, most + 1)

    def spent(self) -> float:
        """Seconds since the clock was created."""
        return perf_counter() - self.started


def deepen(search: Callable[[int], T], depths: Sequence[int]) -> List[T]:
    """Iterative deepening: the results of `search(depth)` for each depth that finished before MoveTimeUp."""
    results: List[T] = []
    try:
        for depth in depths:
            results.append(search(depth))
    except MoveTimeUp:
        pass
    return results
