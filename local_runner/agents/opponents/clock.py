"""For agents that search: options, the time limit of a move, and iterative deepening under that limit."""

import random
from time import perf_counter
from types import MappingProxyType, SimpleNamespace
from typing import Any, Callable, List, Mapping, Optional, Sequence, Tuple, TypeVar

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
    agent: Any, least: Mapping[str, float], words: Mapping[str, Sequence[Any]] = MappingProxyType({}),
    then: Callable[[], object] = lambda: None,
) -> Tuple[Any, Callable[..., None]]:  # fmt: skip
    """An agent's options as attributes, at first the defaults of its entry in AGENTS, and its function `configure`.

    The attribute `rng` is made from the option `seed`, which may be missing.

    `least`: option -> its least value; if that is an int, the option is a whole number. None is allowed where it is the
    default. `words`: option -> all its values. `then`: called after each change. `configure` raises TypeError for an
    unknown option, and ValueError for a wrong value.
    """
    defaults = agent["options"]
    options = SimpleNamespace()

    def set_to(values: Mapping[str, Any]) -> None:
        vars(options).update(values)
        seed = values.get("seed")
        options.rng = random.Random(random.random() if seed is None else seed)
        then()

    def configure(**given: Any) -> None:
        """Set the agent's options; those that are not given get their defaults."""
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
        set_to({**defaults, **given})

    set_to(defaults)
    return options, configure
