"""Makes the Reversi games of workshop/lab/bench: one file for each size of board.

    python -m workshop.reversi.bench_positions [SIZE ...]         takes minutes; the same engine makes the same files

A file holds 100 games of self-play (games.py). The evaluation is learnt from other games. At each number of
empty cells in EMPTIES, the side to move has at least two moves. A line holds the moves from the start to the fewest of
these empty cells, each as two letters: row and column. Passes are left out.
"""

from __future__ import annotations

import itertools
from typing import Annotated

import typer

from submission.lines import cells_of
from submission.reversi.board import PASS
from submission.reversi.position import ReversiPosition
from workshop.command import run
from workshop.gobang.bench_positions import format_cell
from workshop.lab.bench.reversi import EMPTIES, SIZES, START_DISCS, file_of
from workshop.reversi.games import NODES, play

GAMES = 100
FIRST = 1_000_001  # number of the first game; the evaluation is learnt from lower numbers


def main(
    sizes: Annotated[list[int] | None, typer.Argument(min=4, max=26, help="Sizes of the board; default: all.")] = None,
) -> None:
    """Write the files."""
    for size in sizes or SIZES:
        lines = ["".join(format_cell(cell, size) for cell in moves) for moves in select_games(size, GAMES)]
        file_of(size).write_text("\n".join(lines) + "\n", encoding="ascii")


def select_games(size: int, games: int) -> list[list[int]]:
    """The games of a file, as moves without passes."""
    lengths = [size * size - START_DISCS - empties for empties in EMPTIES]
    selected: list[list[int]] = []
    for number in itertools.count(FIRST):
        moves = play(size, number, NODES).moves
        if set(lengths) <= plies_with_a_choice(size, moves):
            selected.append([cell for cell in moves if cell != PASS][: max(lengths)])
            if len(selected) == games:
                break
    return selected


def plies_with_a_choice(size: int, moves: list[int]) -> set[int]:
    """The numbers of discs played after which the side to move has at least two moves."""
    position = ReversiPosition.start(size)
    found = set()
    discs = 0
    for cell in moves:
        if len(cells_of(position.legal_cells(position.side))) > 1:
            found.add(discs)
        position.play(cell)
        discs += cell != PASS
    return found


if __name__ == "__main__":
    run(main)
