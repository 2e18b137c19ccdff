"""Makes local_runner/data/gobang_positions.txt, the positions that `tengen bench` has agents think about.

    python -m workshop.bench_positions          the same file every time, in minutes

One quiet position from each of 100 games that the search plays against itself at a fixed number of nodes, with 4 to 60
stones on the board, all numbers alike: as far as the search sees there, nobody can force a win. A line is the moves
from the empty board, a letter for the row and one for the column of each, a to o.
"""
from __future__ import annotations

import itertools
import string
from pathlib import Path

from local_runner.openings.deal import random_opening
from local_runner.play import GameSetup
from submission.alphabeta import FORCED, Search
from submission.clock import Deadline
from submission.gomoku.position import Position

FILE = Path(__file__).resolve().parents[1] / "local_runner" / "data" / "gobang_positions.txt"
ENV, SIZE, IN_A_ROW = "gobang_1v1", 15, 5
POSITIONS = 100
FEWEST, MOST = 4, 60        # stones
NODES = 1500
SEED = "bench"              # of openings of their own: none is shared with a tuning or testing set


def main() -> None:
    """Write the file, shortest games first."""
    wanted = [FEWEST + (MOST - FEWEST) * number // (POSITIONS - 1) for number in range(POSITIONS)]
    found: list[list[int]] = []
    for game in itertools.count():
        quiet = quiet_positions(game)
        fitting = [stones for stones in wanted if stones in quiet]
        if fitting:
            wanted.remove(fitting[-1])
            found.append(quiet[fitting[-1]])
        if not wanted:
            break
    lines = ["".join(map(spelt, moves)) for moves in sorted(found, key=len)]
    FILE.write_text("\n".join(lines) + "\n", encoding="ascii")


def quiet_positions(game: int) -> dict[int, list[int]]:
    """The positions of one game up to where a win is seen, as moves from the empty board, by their number of stones."""
    opening = random_opening(GameSetup(ENV), None, f"{SEED} {game}")
    moves = [row * SIZE + col for row, col in opening]
    position = Position(SIZE, SIZE, IN_A_ROW)
    for cell in moves:
        position.play(cell)
    search = Search()
    quiet = {}
    while position.outcome() is None and len(moves) <= MOST:
        thought = search.think(position, Deadline(None, NODES))
        if abs(thought.value) > FORCED:
            break
        if thought.depth:                   # more than one reply
            quiet[len(moves)] = list(moves)
        position.play(thought.move)
        moves.append(thought.move)
    return quiet


def spelt(cell: int) -> str:
    """Two letters for a cell."""
    row, col = divmod(cell, SIZE)
    return string.ascii_lowercase[row] + string.ascii_lowercase[col]


if __name__ == "__main__":
    main()
