"""Measures both engines side by side, and compares their answers.

    python -m workshop.native.bench             two minutes
    python -m workshop.native.bench 2000        nodes of a search, 20,000 by default

Both engines search each position with new tables and the same limit of nodes; all answers must be equal. Speed is in
nodes of alpha-beta per second of CPU time. As in `workshop.lab.bench`, the time of threat searches counts, their nodes
do not. The compiled engine is measured again with LONGER times the nodes, because a search of a few milliseconds spends
most of its time on filling tables.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer

from submission.k_in_a_row.position import KInARowPosition
from submission.reversi.board import PASS
from submission.reversi.position import ReversiPosition
from submission.reversi.search import ReversiSearch
from submission.search.clock import Deadline
from submission.search.deepening import Search, Thought
from workshop.command import run
from workshop.gobang.game import IN_A_ROW, SIZE
from workshop.lab.bench.positions import REVERSI_SIZES, gobang_midgames, reversi_games
from workshop.native.k_in_a_row import NativePosition
from workshop.native.reversi import NativeReversiPosition, stones_of
from workshop.native.search import NativeSearch

NODES = 20000  # nodes of a search
LONGER = 20  # times the nodes, in the second measurement
EVERY = 10  # Reversi: positions come from every tenth game
PLAYED = (16, 30)  # plies before the positions of a game

Start = Callable[[], tuple[Any, Any]]  # makes the position before the first move, and a search


@dataclass
class Measured:
    """Nodes, seconds of CPU time, and the answers with their seconds set to 0."""

    nodes: int = 0
    seconds: float = 0.0
    answers: list[Thought] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.nodes / self.seconds:,.0f}"


def measure(start: Start, positions: Sequence[list[int]], nodes: int) -> Measured:
    """Search all positions, each with new tables. A position is given by its moves, without passes."""
    total = Measured()
    for moves in positions:
        position, search = start()
        for move in moves:
            if position.moves() == [PASS]:
                position.play(PASS)
            position.play(move)
        began = time.thread_time()
        thought = search.think(position, Deadline(None, nodes))
        total.seconds += time.thread_time() - began
        total.nodes += thought.nodes
        total.answers.append(thought._replace(seconds=0.0))
    return total


def compare(name: str, python: Start, compiled: Start, positions: Sequence[list[int]], nodes: int) -> None:
    """Measure both engines of a game, and print a line."""
    ours, theirs = (measure(start, positions, nodes) for start in (python, compiled))
    equal = sum(a == b for a, b in zip(ours.answers, theirs.answers, strict=True))
    print(
        f"{name}: {equal} of {len(positions)} searches of {nodes:,} nodes are equal; nodes/s: Python {ours}, "
        f"compiled {theirs}; with {LONGER * nodes:,} nodes {measure(compiled, positions, LONGER * nodes)}"
    )


def main(nodes: Annotated[int, typer.Argument(min=1, help="Nodes of a search.")] = NODES) -> None:
    """Print a line for gobang and for each size of Reversi."""
    native = NativePosition(SIZE, SIZE, IN_A_ROW)  # keeps its line tables from search to search, as in Python

    def empty_board() -> tuple[Any, Any]:
        native.set_up(bytes(SIZE * SIZE), 0)
        native.threats.forget()
        return native, NativeSearch()

    compare("gobang", lambda: (KInARowPosition(SIZE, SIZE, IN_A_ROW), Search()), empty_board, gobang_midgames(), nodes)
    for n in REVERSI_SIZES:

        def start(n: int = n) -> tuple[Any, Any]:
            position = NativeReversiPosition(n)
            position.set_up(stones_of(ReversiPosition.start(n)), 0)
            return position, NativeSearch(n)

        positions = [moves[:plies] for moves in reversi_games(n)[::EVERY] for plies in PLAYED]
        compare(f"Reversi {n}x{n}", lambda n=n: (ReversiPosition.start(n), ReversiSearch()), start, positions, nodes)  # type: ignore[misc]


if __name__ == "__main__":
    run(main)
