"""Makes the positions that `tengen bench` has agents think about, in local_runner/data.

    python -m workshop.bench_positions [FILE ...]       the same files from the same search, in minutes

    gobang_positions.txt    100 with 4 to 60 stones
    gobang_midgame.txt      50 with 8 to 20, in which the search values neither side much higher

One quiet position from each of so many games that the search plays against itself at a fixed number of nodes, all
numbers of stones alike: as far as the search sees there, nobody can force a win. A line is the moves from the empty
board, a letter for the row and one for the column of each, a to o.
"""
from __future__ import annotations

import itertools
import string
import sys
from dataclasses import dataclass
from pathlib import Path

from local_runner.game_setup import GameSetup
from local_runner.openings.deal import random_opening
from submission.alphabeta import Search
from submission.clock import Deadline
from submission.k_in_a_row.position import KInARowPosition
from submission.searchable import PROVED_WIN
from workshop.openings import is_balanced

DATA = Path(__file__).resolve().parents[1] / "local_runner" / "data"
ENV, SIZE, IN_A_ROW = "gobang_1v1", 15, 5
NODES = 1500


@dataclass(frozen=True)
class Recipe:
    """How a file is made: positions, stones, the largest value in size, the seed of openings that no other set has."""

    positions: int
    fewest: int
    most: int
    near: int | None
    seed: str

    def wanted(self) -> list[int]:
        """The number of stones of each position."""
        return [self.fewest + (self.most - self.fewest) * number // (self.positions - 1)
                for number in range(self.positions)]


MIDGAME = Recipe(50, 8, 20, 30, "midgame")
FILES = {"gobang_positions.txt": Recipe(100, 4, 60, None, "bench"), "gobang_midgame.txt": MIDGAME}


def main(files: list[str]) -> None:
    """Write the files, shortest games first."""
    for file in files or FILES:
        lines = ["".join(map(spelt, moves)) for moves in sorted(chosen(FILES[file]), key=len)]
        (DATA / file).write_text("\n".join(lines) + "\n", encoding="ascii")


def chosen(recipe: Recipe) -> list[list[int]]:
    """The positions of a file: of each game the longest that is still wanted."""
    wanted = recipe.wanted()
    found: list[list[int]] = []
    for game in itertools.count():
        quiet = quiet_positions(f"{recipe.seed} {game}", recipe.most)
        for stones in sorted(set(wanted) & set(quiet), reverse=True):
            if recipe.near is None or _is_balanced(quiet[stones], recipe.near):
                wanted.remove(stones)
                found.append(quiet[stones])
                break
        if not wanted:
            return found
    raise AssertionError("games do not end")


def _is_balanced(moves: list[int], near: int) -> bool:
    return is_balanced(GameSetup(ENV), tuple(divmod(cell, SIZE) for cell in moves), near)


def quiet_positions(seed: str, most: int) -> dict[int, list[int]]:
    """The positions of one game of so many stones, up to where a win is seen: moves from the empty board, by stones."""
    opening = random_opening(GameSetup(ENV), None, seed)
    moves = [row * SIZE + col for row, col in opening]
    position = KInARowPosition(SIZE, SIZE, IN_A_ROW)
    for cell in moves:
        position.play(cell)
    search = Search()
    quiet = {}
    while position.outcome() is None and len(moves) <= most:
        thought = search.think(position, Deadline(None, NODES))
        if abs(thought.value) > PROVED_WIN:
            break
        if thought.depth:                   # more than one reply
            quiet[len(moves)] = list(moves)
        position.play(thought.move)
        moves.append(thought.move)
    return quiet


def spelt(cell: int, size: int = SIZE) -> str:
    """Two letters for a cell."""
    row, col = divmod(cell, size)
    return string.ascii_lowercase[row] + string.ascii_lowercase[col]


if __name__ == "__main__":
    main(sys.argv[1:])
