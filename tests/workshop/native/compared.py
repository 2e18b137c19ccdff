"""Shared by the tests of the compiled engine: positions on which both engines must agree, and their answers.

Positions of k in a row are random stones, clusters, and games of the engine itself. A game played with few nodes has
the threats that matter. The others include full boards and boards that no game reaches.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import pytest

from submission.k_in_a_row.parameters import KInARowParameters
from submission.search.clock import Deadline, Limits
from submission.search.deepening import Thought
from tests.submission.boards import completes
from workshop.native.k_in_a_row import NativePosition
from workshop.native.search import NativeSearch

QUICK = KInARowParameters(root_nodes=200, hold_nodes=0, candidates=(6,))
Bounds = tuple[int | None, int | None]  # nodes and depth of a search


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
OTHER_SHAPES = [
    pytest.param(shape, id=str(shape))
    for shape in (Shape(11, 11, 5), Shape(3, 3, 3), Shape(8, 8, 4), Shape(7, 12, 5), Shape(16, 16, 6))
]
SMALL_K = [pytest.param(shape, id=str(shape)) for shape in (Shape(4, 6, 2), Shape(5, 5, 1))]


def positions(shape: Shape, count: int, seed: int) -> Iterator[Placed]:
    """Positions of three kinds in turn; the same seed gives the same ones."""
    rng = random.Random(seed)
    kinds = scattered(shape, rng), clustered(shape, rng), played(shape, rng)
    for number in range(count):
        yield next(kinds[number % len(kinds)])


def playable(shape: Shape, count: int, seed: int) -> Iterator[Placed]:
    """Positions that a game can reach: there is no five on the board, but perhaps one to be made."""
    return (
        placed
        for placed in positions(shape, count, seed)
        if placed.stones.count(0) and not completes(placed.stones, *shape)
    )


def scattered(shape: Shape, rng: random.Random) -> Iterator[Placed]:
    """Stones anywhere, from an empty board to a full one; the numbers of both colours may differ."""
    while True:
        free = rng.random()
        stones = bytes(0 if rng.random() < free else rng.choice((1, 2)) for _ in range(shape.cells))
        yield Placed(stones, rng.randrange(2))


def clustered(shape: Shape, rng: random.Random) -> Iterator[Placed]:
    """Stones beside stones, with lines of one colour more often than by chance."""
    while True:
        stones = bytearray(shape.cells)
        row, col = shape.rows // 2, shape.cols // 2
        for number in range(rng.randrange(1, max(shape.cells // 3, 2))):
            row = min(max(row + rng.choice((-1, 0, 1)), 0), shape.rows - 1)
            col = min(max(col + rng.choice((-1, 0, 1)), 0), shape.cols - 1)
            stones[row * shape.cols + col] = 1 + (number % 2 if rng.random() < 0.8 else rng.randrange(2))
        yield Placed(bytes(stones), rng.randrange(2))


def played(shape: Shape, rng: random.Random) -> Iterator[Placed]:
    """The positions of games in which every fourth move or so is a random candidate."""
    position, search = NativePosition(*shape, QUICK), NativeSearch()
    while True:
        stones, side = bytearray(shape.cells), 0
        position.set_up(bytes(stones), side)
        while position.moves() and (position.outcome() is None or rng.random() < 0.9):
            if rng.random() < 0.3:
                move = rng.choice(position.moves())
            else:
                move = search.think(position, Deadline(None, rng.choice((20, 60, 200)))).move
            stones[move] = 1 + side
            side = 1 - side
            position.set_up(bytes(stones), side)
            yield Placed(bytes(stones), side)
            if stones.count(0) == 0:
                break


def answer(search: Any, position: Any, placed: Placed, bounds: Bounds) -> tuple[Thought, int]:
    """The answer of a search without the seconds, and all nodes that it has spent, threat searches included."""
    position.set_up(*placed)
    deadline = Deadline(None, bounds[0])
    thought = search.think(position, deadline, bounds[1])
    return thought._replace(seconds=0.0), deadline.spent


def lines(search: Any, position: Any, placed: Placed, bounds: Bounds, many: int) -> list[Thought]:
    """The answer of a search with several lines, without the seconds."""
    position.set_up(*placed)
    thoughts = search.analyse(position, Deadline(None, bounds[0]), bounds[1], many)
    return [thought._replace(seconds=0.0) for thought in thoughts]


def differing_searches(
    both: tuple[Any, Any], new: Sequence[Callable[[], Any]], placed: Sequence[Placed], bounds: Sequence[Bounds]
) -> list[Placed]:
    """The positions that new searches answer differently; the bounds take turns."""
    wrong = []
    for number, each in enumerate(placed):
        for position in both:
            if hasattr(position, "threats"):
                position.threats.forget()
        ours, theirs = (
            answer(make(), position, each, bounds[number % len(bounds)])
            for make, position in zip(new, both, strict=True)
        )
        wrong += [] if ours == theirs else [each]
    return wrong


def agreed_source(reference: Any, mirror: Any, placed: Placed) -> str:
    """The source of the answer that both engines give."""
    ours, theirs = (engine.think(*placed, Limits(nodes=500))._replace(seconds=0.0) for engine in (reference, mirror))
    assert ours == theirs
    return ours.source
