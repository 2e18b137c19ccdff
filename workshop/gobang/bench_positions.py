"""Makes the gobang positions of `tengen bench speed` and of workshop/lab/bench.

    python -m workshop.gobang.bench_positions [FILE ...]       takes minutes; the same engine makes the same files

    gobang_positions.txt    100 positions with 4 to 60 stones
    gobang_midgame.txt      50 positions with 8 to 20 stones in which the search gives neither side a large value

They come from self-play at NODES nodes per move: at most one position of a game, the numbers of stones evenly spread.
All are quiet, and the search finds no forced win in them. A line holds the moves from the empty board, each as two
letters a to o: row and column.
"""

from __future__ import annotations

import itertools
import string
from dataclasses import dataclass
from typing import Annotated

import typer

from local_runner.bench.positions import GOBANG
from local_runner.commands.shared.options import one_of
from local_runner.language.languages import Message
from submission.search.clock import Deadline
from submission.search.deepening import Search
from submission.search.searchable import PROVED_WIN
from workshop.command import run
from workshop.gobang.game import SETUP, SIZE, position_after, random_cells, to_opening
from workshop.lab.bench.gobang import MIDGAME
from workshop.lab.openings import is_balanced

NODES = 1500


@dataclass(frozen=True)
class PositionSet:
    """The recipe of a file.

    positions: their number; fewest, most: stones on the board
    max_value: largest absolute value; None: any
    seed: seed of the games; each file has its own
    """

    positions: int
    fewest: int
    most: int
    max_value: int | None
    seed: str

    def stone_counts(self) -> list[int]:
        """The number of stones of each position."""
        return [
            self.fewest + (self.most - self.fewest) * number // (self.positions - 1) for number in range(self.positions)
        ]


SETS = {GOBANG: PositionSet(100, 4, 60, None, "bench"), MIDGAME: PositionSet(50, 8, 20, 30, "midgame")}
FILES = {path.name: path for path in SETS}


def main(
    files: Annotated[
        list[str] | None,
        typer.Argument(help="Files to make; default: both.", callback=one_of(Message("file"), lambda: FILES)),
    ] = None,
) -> None:
    """Write the files, the fewest stones first."""
    for file in files or FILES:
        lines = ["".join(map(format_cell, moves)) for moves in sorted(select_positions(SETS[FILES[file]]), key=len)]
        FILES[file].write_text("\n".join(lines) + "\n", encoding="ascii")


def select_positions(wanted: PositionSet) -> list[list[int]]:
    """The positions of a file, as moves: from each game, the one with the most stones among those still wanted."""
    missing = wanted.stone_counts()
    selected: list[list[int]] = []
    for game in itertools.count():
        quiet = quiet_positions(f"{wanted.seed} {game}", wanted.most)
        for stones in sorted(set(missing) & set(quiet), reverse=True):
            moves = quiet[stones]
            if wanted.max_value is None or is_balanced(SETUP, to_opening(moves), wanted.max_value):
                missing.remove(stones)
                selected.append(moves)
                break
        if not missing:
            return selected
    raise AssertionError("unreachable: itertools.count() does not end")


def quiet_positions(seed: str, most: int) -> dict[int, list[int]]:
    """The quiet positions of one game with at most `most` stones and no forced win: stones -> moves."""
    moves = random_cells(seed)
    position = position_after(moves)
    search = Search()
    quiet = {}
    while position.outcome() is None and len(moves) <= most:
        thought = search.think(position, Deadline(None, NODES))
        if abs(thought.value) > PROVED_WIN:
            break
        if thought.depth:  # 0: there was only one reply
            quiet[len(moves)] = list(moves)
        position.play(thought.move)
        moves.append(thought.move)
    return quiet


def format_cell(cell: int, size: int = SIZE) -> str:
    """A cell as two letters."""
    row, col = divmod(cell, size)
    return string.ascii_lowercase[row] + string.ascii_lowercase[col]


if __name__ == "__main__":
    run(main)
