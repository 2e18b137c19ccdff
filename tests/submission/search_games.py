"""Small games, positions, a plain minimax, clocks and deadlines for the tests of the search."""

from __future__ import annotations

import random
from typing import Any, Dict, Optional

from submission.k_in_a_row.position import KInARowPosition
from submission.reversi.position import ReversiPosition
from submission.search.clock import Deadline, TimeUp
from submission.search.searchable import PROVED_WIN, WIN, Tactics

from .boards import draw, five_in_a_row, padded
from .naive_reversi import played

QUIET = padded(
    draw("""
    . . . . . . .
    . . O . X . .
    . . . X . . .
    . . O X O . .
    . . . O X . .
    . . . . . . .""")
)


def quiet_position() -> KInARowPosition:
    """A gobang position without threats, Black to move."""
    return five_in_a_row(QUIET)


def random_reversi(n: int, free: int, seed: int) -> ReversiPosition:
    """A position of a random game with `free` free cells, whose mover has at least two moves."""
    stones, player = played(n, free, seed)
    return ReversiPosition.from_stones(stones, n, player - 1)


def minimax(position: Any, known: Optional[Dict[int, int]] = None) -> int:
    """The value of a position, searched to the end; a win counts less the longer it takes. `known`: key -> value."""
    known = {} if known is None else known
    outcome = position.outcome()
    if outcome is not None:
        return outcome
    if position.key not in known:
        best = -WIN
        for move in position.moves():
            position.play(move)
            value = -minimax(position, known)
            position.undo()
            best = max(best, value - result(value))
        known[position.key] = best
    return known[position.key]


def result(value: int) -> int:
    """1 for a proved win, -1 for a proved loss, else 0."""
    return (value > PROVED_WIN) - (value < -PROVED_WIN)


class Nim:
    """Players take one to three of a heap; who takes the last one wins. Nim has only Position's required methods."""

    def __init__(self, left: int) -> None:
        self.left, self.taken = left, []

    key = property(lambda self: self.left * 2 + len(self.taken) % 2)
    outcome = lambda self: None if self.left else -WIN  # noqa: E731
    moves = lambda self, depth=0: [move for move in (1, 2, 3) if move <= self.left]  # noqa: E731
    evaluate = lambda self, alpha, beta: 0  # noqa: E731

    def play(self, move: int) -> None:
        self.left -= move
        self.taken.append(move)

    def undo(self) -> None:
        self.left += self.taken.pop()


class Corridor(Tactics):
    """A game with a choice at the first move only; then one forced reply follows another, without end."""

    def __init__(self) -> None:
        self.line: list[int] = []
        self.longest = 0

    key = property(lambda self: hash(tuple(self.line)))
    outcome = lambda self: None  # noqa: E731
    forced = lambda self: bool(self.line)  # noqa: E731
    moves = lambda self, depth=0: [1] if self.line else [1, 2]  # noqa: E731
    evaluate = lambda self, alpha, beta: 0  # noqa: E731

    def play(self, move: int) -> None:
        self.line.append(move)
        self.longest = max(self.longest, len(self.line))

    def undo(self) -> None:
        self.line.pop()


class Web(Tactics):
    """A random game of numbered nodes. A move adds 1 to 3 to the number: different lines can reach one node."""

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


class Clock:
    """Replaces the module `time`. Each reading takes `step` s. The thread has the CPU for a `share` of the time."""

    def __init__(self, step: float = 0.0) -> None:
        self.now, self.step, self.share = 100.0, step, 1.0

    def perf_counter(self) -> float:
        self.now += self.step
        return self.now

    def thread_time(self) -> float:
        return self.now * self.share


class StopsAt(Deadline):
    """A deadline that ends a search at a given number of nodes."""

    def __init__(self, last: int) -> None:
        super().__init__(None)
        self.last = last

    def check(self, nodes: int) -> None:
        if nodes >= self.last:
            raise TimeUp
