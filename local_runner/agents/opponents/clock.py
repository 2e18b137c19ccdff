"""For agents that search: options, the time limit of a move, and iterative deepening under that limit."""

from time import perf_counter
from types import MappingProxyType, SimpleNamespace
from typing import Any, Callable, List, Mapping, Optional, Sequence, TypeVar

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


def options_of(
    agent: Any, given: Mapping[str, Any], least: Mapping[str, float],
    words: Mapping[str, Sequence[Any]] = MappingProxyType({}),
) -> Any:  # fmt: skip
    """An agent's options as attributes: the defaults of its entry in AGENTS, and what the user has given.

    `least`: option -> its least value; if that is an int, the option is a whole number. None is allowed where it is the
    default. `words`: option -> all its values. Raises TypeError for an unknown option, ValueError for a wrong value.
    """
    defaults = agent["options"]
    for name, value in given.items():
        if name not in defaults:
            raise TypeError(f"configure() got an unexpected keyword argument '{name}'")
        if value not in words.get(name, (value,)):
            raise ValueError("{} must be one of {}".format(name, ", ".join(map(str, words[name]))))
        limit = least.get(name)
        if limit is None or (value is None and defaults[name] is None):
            continue
        if value is None or value < limit or (isinstance(limit, int) and value != int(value)):
            what = "whole number" if isinstance(limit, int) else "number"
            raise ValueError(f"{name} must be a {what} of at least {limit}, not {value}")
    return SimpleNamespace(**{**defaults, **given})
