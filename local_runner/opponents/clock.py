"""Time to think: a limit, and a search that goes deeper while it lasts. Knows no game."""

from time import perf_counter
from typing import Callable, List, Optional, Sequence, TypeVar

Found = TypeVar("Found")


class TimeUp(Exception):
    """The limit has been reached; what was being searched is to be thrown away."""


class Clock:
    """Runs from when it is made for `seconds`, or for ever where that is None."""

    def __init__(self, seconds: Optional[float]) -> None:
        self.started = perf_counter()
        self.deadline = None if seconds is None else self.started + seconds

    def check(self) -> None:
        """Raise TimeUp once the time is over."""
        if self.deadline is not None and perf_counter() >= self.deadline:
            raise TimeUp

    def depths(self, most: int) -> Sequence[int]:
        """The depths to search: 1 to `most` under a limit, so that there is always something; else `most` alone."""
        return range(most if self.deadline is None else 1, most + 1)

    def spent(self) -> float:
        """Seconds since it was made."""
        return perf_counter() - self.started


def deepen(search: Callable[[int], Found], depths: Sequence[int]) -> List[Found]:
    """What the searches to these depths found, as far as they ended in time; TimeUp does not come through."""
    found: List[Found] = []
    try:
        for depth in depths:
            found.append(search(depth))
    except TimeUp:
        pass
    return found
