"""Measures both engines side by side, and compares what they answer.

    python -m workshop.native.bench             two minutes
    python -m workshop.native.bench 2000        nodes of a search, 20,000 by default

Each position is searched with new tables and the same limit of nodes by both; all answers must be equal. Speed is in
nodes of alpha-beta per second of CPU time, as `workshop.lab.bench` counts them: the nodes of threat searches are not
counted, their time is. The compiled engine is measured again with LONGER times the nodes, since a search of a few
milliseconds is mostly the filling of tables.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from local_runner.bench.positions import read
from submission.k_in_a_row.position import KInARowPosition
from submission.reversi.position import ReversiPosition
from submission.reversi.search import ReversiSearch
from submission.search.clock import Deadline
from submission.search.deepening import Search, Thought
from workshop.command import run
from workshop.gobang.game import IN_A_ROW, SIZE
from workshop.lab.bench.gobang import MIDGAME
from workshop.lab.bench.reversi import file_of
from workshop.native.k_in_a_row import NativePosition
from workshop.native.reversi import NativeReversiPosition
from workshop.native.search import NativeSearch

NODES = 20000  # of a search
LONGER = 20  # times the nodes, in the second measurement
EVERY = 10  # Reversi: a position of every tenth game
PLAYED = (16, 30)  # plies before it


@dataclass(frozen=True)
class BenchedGame:
    """A game: its name, how positions and searches of both engines are made, and the moves to its positions."""

    name: str
    python: Callable[[], tuple[Any, Any]]
    compiled: Callable[[], tuple[Any, Any]]
    positions: list[list[int]]


@dataclass
class Measured:
    """Nodes and seconds of CPU time, and the answers without the seconds."""

    nodes: int
    seconds: float
    answers: list[Thought]

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds


def benched_games() -> Iterator[BenchedGame]:
    """Gobang and both sizes of Reversi."""
    native = NativePosition(SIZE, SIZE, IN_A_ROW)  # keeps its line tables, as the Python positions do

    def empty_board() -> tuple[Any, Any]:
        native.set_up(bytes(SIZE * SIZE), 0)
        native.threats.forget()
        return native, NativeSearch()

    yield BenchedGame(
        "gobang",
        lambda: (KInARowPosition(SIZE, SIZE, IN_A_ROW), Search()),
        empty_board,
        [[row * SIZE + col for row, col in each.moves] for each in read(MIDGAME)],
    )
    yield _reversi(8)
    yield _reversi(10)


def _reversi(n: int) -> BenchedGame:
    games = read(file_of(n))[::EVERY]
    return BenchedGame(
        f"Reversi {n}x{n}",
        lambda: (ReversiPosition.start(n), ReversiSearch()),
        lambda: (_native_start(n), NativeSearch(n)),
        [[row * n + col for row, col in game.moves[:plies]] for game in games for plies in PLAYED],
    )


def _native_start(n: int) -> NativeReversiPosition:
    black, white = ReversiPosition.start(n).discs
    position = NativeReversiPosition(n)
    position.set_up(bytes((black >> cell & 1) + 2 * (white >> cell & 1) for cell in range(n * n)), 0)
    return position


def measured(make: Callable[[], tuple[Any, Any]], positions: list[list[int]], nodes: int) -> Measured:
    """Search all positions, each with new tables."""
    total = Measured(0, 0.0, [])
    for moves in positions:
        position, search = make()
        for move in moves:
            if position.moves() == [-1]:  # the record of a game does not write passes
                position.play(-1)
            position.play(move)
        began = time.thread_time()
        thought = search.think(position, Deadline(None, nodes))
        total.seconds += time.thread_time() - began
        total.nodes += thought.nodes
        total.answers.append(thought._replace(seconds=0.0))
    return total


def main(nodes: Annotated[int, typer.Argument(min=1, help="Nodes of a search.")] = NODES) -> None:
    """Print a line for each game."""
    for game in benched_games():
        python, compiled = (measured(make, game.positions, nodes) for make in (game.python, game.compiled))
        equal = sum(a == b for a, b in zip(python.answers, compiled.answers, strict=True))
        longer = measured(game.compiled, game.positions, LONGER * nodes)
        print(
            f"{game.name}: {equal} of {len(game.positions)} searches of {nodes:,} nodes are equal; nodes/s: "
            f"Python {python.nodes_per_second:,.0f}, compiled {compiled.nodes_per_second:,.0f}; "
            f"with {LONGER * nodes:,} nodes {longer.nodes_per_second:,.0f}"
        )


if __name__ == "__main__":
    run(main)
