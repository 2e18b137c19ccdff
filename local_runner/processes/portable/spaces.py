"""The action space that is passed to agents: the part of the platform's class `Discrete` that agents use."""

import random
from typing import Any


class Discrete:
    """An action space: the values 0 to n - 1."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.shape = ()

    def sample(self) -> int:
        """A random value."""
        return random.randrange(self.n)

    def contains(self, x: Any) -> bool:
        """Whether `x` is one of the values."""
        return isinstance(x, int) and 0 <= x < self.n

    def __repr__(self) -> str:
        return f"Discrete({self.n})"
