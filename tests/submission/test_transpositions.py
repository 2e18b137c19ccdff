"""The search uses what other lines have found of a position, and never to a wrong result."""

from __future__ import annotations

import random
from typing import Any

import pytest

from submission.search.clock import Deadline
from submission.search.deepening import Search
from submission.search.searchable import PROVED_WIN, WIN, Tactics

from .test_alphabeta import _minimax


class _Web(Tactics):
    """A random game of numbered nodes. A move leads 1 to 3 nodes on, so that lines of different lengths transpose."""

    LAST = 14

    def __init__(self, seed: int) -> None:
        noise = random.Random(seed)
        self.path = [0]
        self.ends = [noise.choice((-WIN, -WIN, -7, -2, 0, 3, 9)) for _ in range(3)]
        self.values = [noise.randint(-20, 20) for _ in range(2 * self.LAST)]
        self.ways = [noise.sample((1, 2, 3), noise.choice((2, 2, 3))) for _ in range(self.LAST)]

    key = property(lambda self: 1 + self.path[-1] * 2 + len(self.path) % 2)
    plies_left = lambda self: self.LAST + 3 - self.path[-1]  # noqa: E731
    moves = lambda self, depth=0: self.ways[self.path[-1]]  # noqa: E731
    evaluate = lambda self, alpha, beta: self.values[self.key - 1]  # noqa: E731

    def outcome(self) -> Any:
        end = self.path[-1] - self.LAST
        return self.ends[end] if end >= 0 else None

    def play(self, move: int) -> None:
        self.path.append(self.path[-1] + move)

    def undo(self) -> None:
        self.path.pop()


def _sign(value: int) -> int:
    """1 for a proved win, -1 for a proved loss, else 0."""
    return (value > PROVED_WIN) - (value < -PROVED_WIN)


@pytest.mark.parametrize(
    "first", [0, 50, *(pytest.param(first, marks=pytest.mark.slow) for first in range(100, 500, 50))]
)
def test_transpositions_never_change_the_result(first: int) -> None:
    for seed in range(first, first + 50):
        game, search = _Web(seed), Search()
        while game.outcome() is None:
            exact, thought = _minimax(game), search.think(game, Deadline(None))
            assert _sign(thought.value) == _sign(exact)
            if _sign(exact):
                assert WIN - game.plies_left() <= abs(thought.value) <= abs(exact)  # the win has a possible length
            else:
                assert thought.value == exact
            game.play(thought.move)
            assert -_sign(_minimax(game)) == _sign(exact)
