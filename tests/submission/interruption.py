"""A limit that runs out at a chosen moment."""
from __future__ import annotations

from submission.clock import Deadline, TimeUp


class StopsAt(Deadline):
    """Lets exactly so many nodes pass."""

    def __init__(self, last: int) -> None:
        super().__init__(None)
        self.last = last

    def check(self, nodes: int) -> None:
        if nodes >= self.last:
            raise TimeUp
