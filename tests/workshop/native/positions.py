"""Positions of k in a row on which both engines must agree: random stones, clusters, and games of the engine itself.

A game played with few nodes has the threats that matter; a full or broken board, which no game reaches, has the rest.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from submission.k_in_a_row.parameters import KInARowParameters
from submission.search.clock import Deadline
from workshop.native.k_in_a_row import NativePosition
from workshop.native.search import NativeSearch

QUICK = KInARowParameters(root_nodes=200, hold_nodes=0, candidates=(6,))


class Shape(NamedTuple):
    """A board and its rule."""

    rows: int
    cols: int
    k: int

    @property
    def cells(self) -> int:
        return self.rows * self.cols


class Placed(NamedTuple):
    """The stones of a position and the side to move."""

    stones: bytes
    side: int


GOBANG = Shape(15, 15, 5)
OTHERS = [Shape(11, 11, 5), Shape(3, 3, 3), Shape(8, 8, 4), Shape(7, 12, 5), Shape(16, 16, 6), Shape(4, 6, 2),
          Shape(5, 5, 1)]  # fmt: skip
OTHER_SHAPES = [  # the quick tests have two of them
    pytest.param(shape, id=str(shape), marks=[] if shape.rows in (7, 8) else pytest.mark.slow) for shape in OTHERS
]


def positions(shape: Shape, count: int, seed: int) -> Iterator[Placed]:
    """Positions of three kinds in turn; the same seed gives the same ones."""
    noise = random.Random(seed)
    kinds = scattered(shape, noise), clustered(shape, noise), played(shape, noise)
    for number in range(count):
        yield next(kinds[number % len(kinds)])


def scattered(shape: Shape, noise: random.Random) -> Iterator[Placed]:
    """Stones anywhere, from an empty board to a full one; the numbers of both colours may differ."""
    while True:
        free = noise.random()
        stones = bytes(0 if noise.random() < free else noise.choice((1, 2)) for _ in range(shape.cells))
        yield Placed(stones, noise.randrange(2))


def clustered(shape: Shape, noise: random.Random) -> Iterator[Placed]:
    """Stones beside stones, with lines of one colour more often than by chance."""
    while True:
        stones = bytearray(shape.cells)
        row, col = shape.rows // 2, shape.cols // 2
        for number in range(noise.randrange(1, max(shape.cells // 3, 2))):
            row = min(max(row + noise.choice((-1, 0, 1)), 0), shape.rows - 1)
            col = min(max(col + noise.choice((-1, 0, 1)), 0), shape.cols - 1)
            stones[row * shape.cols + col] = 1 + (number % 2 if noise.random() < 0.8 else noise.randrange(2))
        yield Placed(bytes(stones), noise.randrange(2))


def played(shape: Shape, noise: random.Random) -> Iterator[Placed]:
    """The positions of games in which every fourth move or so is a random candidate."""
    position, search = NativePosition(*shape, QUICK), NativeSearch()
    while True:
        stones, side = bytearray(shape.cells), 0
        position.set_up(bytes(stones), side)
        while position.moves() and (position.outcome() is None or noise.random() < 0.9):
            if noise.random() < 0.3:
                move = noise.choice(position.moves())
            else:
                move = search.think(position, Deadline(None, noise.choice((20, 60, 200)))).move
            stones[move] = 1 + side
            side = 1 - side
            position.set_up(bytes(stones), side)
            yield Placed(bytes(stones), side)
            if stones.count(0) == 0:
                break
