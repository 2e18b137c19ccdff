"""Makes the games whose positions `tengen bench reversi` has the Reversi engine think about, in local_runner/data.

    python -m workshop.reversi_positions [SIZE ...]         the same files from the same engine, in a minute or two

A file for each size, of 100 games of the engine against itself with random openings (reversi_games.py), none of which
the evaluation is learnt from. With each number of free cells in EMPTIES the side to move has a choice. A line is the
moves from the start up to the fewest free cells, a letter for the row and one for the column of each, passes left out.
"""
from __future__ import annotations

import itertools
import sys

from local_runner.bench.positions import DATA
from local_runner.bench.reversi import EMPTIES, FILE, SIZES, START_DISCS
from submission.lines import cells_of
from submission.reversi.board import PASS
from submission.reversi.position import ReversiPosition
from workshop.bench_positions import spelt
from workshop.reversi_games import NODES, play

GAMES = 100
FIRST = 1_000_001           # number of the first game: the evaluation is learnt from lower ones


def main(sizes: list[int]) -> None:
    """Write the files."""
    for size in sizes:
        lines = ["".join(spelt(cell, size) for cell in moves) for moves in chosen(size, GAMES)]
        (DATA / FILE.format(size)).write_text("\n".join(lines) + "\n", encoding="ascii")


def chosen(size: int, games: int) -> list[list[int]]:
    """The games of a file: cells, row by row, without passes."""
    lengths = [size * size - START_DISCS - empties for empties in EMPTIES]
    found: list[list[int]] = []
    for number in itertools.count(FIRST):
        moves = play(size, number, NODES).moves
        if set(lengths) <= plies_with_a_choice(size, moves):
            found.append([cell for cell in moves if cell != PASS][:max(lengths)])
            if len(found) == games:
                break
    return found


def plies_with_a_choice(size: int, moves: list[int]) -> set[int]:
    """After how many discs the side to move has more than one move."""
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
    main([int(size) for size in sys.argv[1:]] or list(SIZES))
