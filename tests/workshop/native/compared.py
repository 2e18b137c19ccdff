"""Shared by the tests of the compiled engine: games of both families, and positions on which both engines must agree.

Positions of k in a row are random stones, clusters, and games of the engine itself. A game played with few nodes has
the threats that matter. Positions of Reversi come from random games; one in ten is a board of random discs instead. So
there are full boards, and boards that no game reaches.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from submission.boards import K_IN_A_ROW, REVERSI, Variant
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.native.k_in_a_row import NativePosition
from submission.native.reversi import NativeReversiPosition, stones_of
from submission.native.search import NativeSearch
from submission.reversi.parameters import ReversiParameters
from submission.reversi.position import ReversiPosition
from submission.reversi.search import ReversiSearch
from submission.search.clock import Deadline
from submission.search.deepening import Search
from tests.submission.boards import completes

QUICK = KInARowParameters(root_nodes=200, hold_nodes=0, candidates=(6,))


class Placed(NamedTuple):
    """The stones of a position and the side to move."""

    stones: bytes
    side: int


@dataclass(frozen=True)
class Compared:
    """A game that both engines play. k: 0 in Reversi."""

    rows: int
    cols: int
    k: int = 0

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols} {self.k or 'Reversi'}"

    @property
    def cells(self) -> int:
        return self.rows * self.cols

    @property
    def size(self) -> tuple[int, ...]:
        """The first arguments of a position."""
        return (self.rows, self.cols, self.k) if self.k else (self.rows,)

    @property
    def variant(self) -> Variant:
        return Variant(K_IN_A_ROW if self.k else REVERSI, self.rows, self.cols, self.k or None)

    @property
    def parameters(self) -> Any:
        """The class of the parameters."""
        return KInARowParameters if self.k else ReversiParameters

    def positions(self, *arguments: Any) -> tuple[Any, Any]:
        """A position of the Python engine and one of the compiled engine."""
        if self.k:
            return KInARowPosition(*self.size, *arguments), NativePosition(*self.size, *arguments)
        return ReversiPosition(self.rows, *arguments), NativeReversiPosition(self.rows, *arguments)

    def searches(self) -> tuple[Any, Any]:
        """New searches of both engines."""
        return (Search(), NativeSearch()) if self.k else (ReversiSearch(), NativeSearch(self.rows))

    def placed(self, count: int, seed: int) -> list[Placed]:
        """Positions, whether or not a game can reach them; the same seed gives the same positions."""
        rng = random.Random(seed)
        kinds = (scattered, clustered, played) if self.k else (of_random_games,)
        sources: list[Iterator[Placed]] = [kind(self, rng) for kind in kinds]
        return [next(sources[number % len(sources)]) for number in range(count)]

    def playable(self, count: int, seed: int) -> list[Placed]:
        """Positions of k in a row without five on the board, but perhaps with one to be made."""
        every = self.placed(count, seed)
        return [each for each in every if each.stones.count(0) and not completes(each.stones, *self.size)]


GOBANG, REVERSI8, REVERSI10 = Compared(15, 15, 5), Compared(8, 8), Compared(10, 10)
SITE = [GOBANG, REVERSI8, REVERSI10]
OTHER_SHAPES = [Compared(11, 11, 5), Compared(3, 3, 3), Compared(8, 8, 4), Compared(7, 12, 5), Compared(16, 16, 6)]
OTHER_SIZES = [Compared(4, 4), Compared(6, 6)]
each_of: Callable[..., Any] = lambda games: pytest.mark.parametrize("game", games, ids=str)  # noqa: E731


def scattered(game: Compared, rng: random.Random) -> Iterator[Placed]:
    """Stones anywhere, from an empty board to a full one; the numbers of both colours may differ."""
    while True:
        free = rng.random()
        stones = bytes(0 if rng.random() < free else rng.choice((1, 2)) for _ in range(game.cells))
        yield Placed(stones, rng.randrange(2))


def clustered(game: Compared, rng: random.Random) -> Iterator[Placed]:
    """Stones beside stones, with lines of one colour more often than by chance."""
    while True:
        stones = bytearray(game.cells)
        row, col = game.rows // 2, game.cols // 2
        for number in range(rng.randrange(1, max(game.cells // 3, 2))):
            row = min(max(row + rng.choice((-1, 0, 1)), 0), game.rows - 1)
            col = min(max(col + rng.choice((-1, 0, 1)), 0), game.cols - 1)
            stones[row * game.cols + col] = 1 + (number % 2 if rng.random() < 0.8 else rng.randrange(2))
        yield Placed(bytes(stones), rng.randrange(2))


def played(game: Compared, rng: random.Random) -> Iterator[Placed]:
    """The positions of games in which every fourth move or so is a random candidate."""
    position, search = NativePosition(*game.size, QUICK), NativeSearch()
    while True:
        stones, side = bytearray(game.cells), 0
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


def of_random_games(game: Compared, rng: random.Random) -> Iterator[Placed]:
    """Positions of games of Reversi, ends included; every tenth has random discs instead, which no game reaches."""
    while True:
        position = ReversiPosition.start(game.rows)
        while True:
            moves, stones = position.moves(), stones_of(position)
            if rng.random() < 0.1:
                stones = bytes(rng.choice((0, 1, 2)) if rng.random() < 0.9 else 0 for _ in range(game.cells))
            yield Placed(stones, position.side)
            if not moves:
                break
            position.play(moves[0] if rng.random() < 0.5 else rng.choice(moves))
