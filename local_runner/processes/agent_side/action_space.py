"""The action space that is passed to agents: it has the public surface of the platform's class `Discrete`.

The platform's class equals the class of gym 0.18. That class needs numpy; this module works without numpy. The same
seed gives the same samples: both use the Mersenne Twister with the same state, and reject numbers that are too large.
"""

import hashlib
import os
import random
from typing import Any, List, Optional, Tuple

SEED_BYTES = 8  # size of a random seed, and of the hash of a seed
WORD_BITS = 32  # bits of one output of the Mersenne Twister


class Discrete:
    """An action space: the integers 0 to n - 1. Spaces with the same n are equal; a space cannot be hashed."""

    def __init__(self, n: int) -> None:
        assert n >= 0
        self.n = n
        self.shape: Tuple[int, ...] = ()
        self._chance = random.Random()
        self._np_random: Any = None
        self.seed()

    @property
    def dtype(self) -> Any:
        """The numpy type of a value, int64; its name as text if numpy is not installed."""
        try:
            import numpy
        except ImportError:
            return "int64"
        return numpy.dtype(numpy.int64)

    @property
    def np_random(self) -> Any:
        """The numpy RandomState from which `sample` draws. Raises ImportError if numpy is not installed."""
        if self._np_random is None:
            import numpy

            state = self._chance.getstate()[1]
            self._np_random = numpy.random.RandomState()
            self._np_random.set_state(("MT19937", state[:-1], state[-1]))
        return self._np_random

    def seed(self, seed: Optional[int] = None) -> List[int]:
        """Begin a new sequence of samples; returns [seed]. None: a random seed.

        Raises ValueError unless the seed is None or an int of 0 or more.
        """
        if seed is None:
            seed = int.from_bytes(os.urandom(SEED_BYTES), "little")
        elif not isinstance(seed, int) or seed < 0:
            raise ValueError(f"a seed is an int of 0 or more, not {seed!r}")
        seed %= 1 << 8 * SEED_BYTES
        digest = hashlib.sha512(str(seed).encode()).digest()
        self._chance = random.Random(int.from_bytes(digest[:SEED_BYTES], "little"))
        self._np_random = None
        return [seed]

    def sample(self) -> int:
        """A random value. Raises ValueError if the space is empty."""
        if self._np_random is not None:
            return int(self._np_random.randint(self.n))
        if self.n < 1:
            raise ValueError("an empty space has no values")
        bits = (self.n - 1).bit_length()
        while bits:
            value = self._chance.getrandbits(WORD_BITS) & (1 << bits) - 1
            if value < self.n:
                return value
        return 0

    def contains(self, x: Any) -> bool:
        """Whether `x` is one of the values, as an int or as an integer of numpy."""
        kind = getattr(getattr(x, "dtype", None), "kind", None)  # the kind of a numpy type: i, u for integers
        return (isinstance(x, int) or (kind in ("i", "u") and x.shape == ())) and 0 <= int(x) < self.n

    __contains__ = contains

    def to_jsonable(self, sample_n: Any) -> Any:
        """The same samples, which JSON can hold."""
        return sample_n

    from_jsonable = to_jsonable

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Discrete) and self.n == other.n

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Discrete({self.n})"


def action_space(n_row: int, n_col: int, seed: int) -> List[Discrete]:
    """An agent's action space: the rows, then the columns. The seed decides the samples."""
    spaces = [Discrete(n_row), Discrete(n_col)]
    for number, space in enumerate(spaces):
        space.seed(seed + number)
    return spaces
