"""Makes submission/data/gobang_book.txt: replies to the first stones of gobang, each by a search of many seconds.

    python -m workshop.gobang_book [FILE] [--stones N] [--nodes N] [--processes N]

Either colour has a repertoire. In a position of ours, the search says what we play; then those replies of the other
side go on that a glance at each values best for him. The first stone, and the reply to it, are all that are close to
the middle. What the file holds is not searched again: whatever stops it, the same command goes on, and with more stones
the book becomes deeper. A better engine wants a book made anew: remove the file before.
"""
from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from heapq import nsmallest
from itertools import zip_longest
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from local_runner.files import write_whole
from local_runner.openings.books import spelt
from submission.alphabeta import Search
from submission.clock import Deadline
from submission.k_in_a_row.book import IN_A_ROW, SIZE, BookReply, Stones, canonical, images, read
from submission.k_in_a_row.parameters import Parameters
from submission.k_in_a_row.position import KInARowPosition
from submission.searchable import PROVED_WIN

FILE = Path(__file__).resolve().parents[1] / "submission" / "data" / "gobang_book.txt"
NODES = 600_000             # of the search that finds a reply
GLANCE = 2_000              # nodes of the search that chooses which replies to go on with
LONG = Parameters(table_entries=400_000)
CLOSE = 3                   # rows and columns from the middle
REPLIES = (0, 0, 6, 6, 4, 4, 3, 3)          # that go on, by the stones on the board when it is the other side's turn
MOST_STONES = 4             # of a position of ours, if not told otherwise
TITLE = "# position, move, value, depth; of searches of {} nodes, by workshop/gobang_book.py\n"

IMAGES = images(SIZE)
MIDDLE = SIZE // 2
NO_STONES: Stones = ((), ())


def main(
    file: Annotated[Path, typer.Argument(help="What it holds is not searched again.")] = FILE,
    stones: Annotated[int, typer.Option(min=0, max=len(REPLIES), help="The most on the board.")] = MOST_STONES,
    nodes: Annotated[int, typer.Option(min=1, help="Of the search of a position.")] = NODES,
    processes: Annotated[int, typer.Option(min=1, help="Searches at once.")] = os.cpu_count() or 1,
) -> None:
    """Search the positions that the file lacks."""
    if not file.exists():
        write(file, {}, nodes)
    with ProcessPoolExecutor(processes) as pool:
        for level in ([NO_STONES], close_to_middle(NO_STONES)):
            while level and count(level[0]) <= stones:
                known = searched(level, nodes, file, pool)
                level = distinct(after for found in pool.map(replies, level, map(known.__getitem__, level))
                                 for after in found)
    known = read(file.read_text("ascii"))
    write(file, known, nodes)
    print(f"{file.name}: {len(known)} positions")


def searched(level: list[Stones], nodes: int, file: Path, pool: ProcessPoolExecutor) -> dict[Stones, BookReply]:
    """What the file holds, once it holds the level, too; each search is written as soon as it ends."""
    known = read(file.read_text("ascii"))
    jobs = [pool.submit(searched_row, position, nodes) for position in level if position not in known]
    with open(file, "a", encoding="ascii", buffering=1) as rows:
        for job in track(as_completed(jobs), f"{count(level[0])} stones", len(jobs), console=Console(stderr=True),
                         disable=not sys.stderr.isatty()):
            rows.write(job.result())
    return read(file.read_text("ascii"))


def searched_row(stones: Stones, nodes: int) -> str:
    """A position, and what a long search says there, as the file has it."""
    thought = Search().think(position_of(stones, LONG), Deadline(None, nodes))
    return row(stones, BookReply(thought.move, thought.value, thought.depth))


def write(file: Path, known: dict[Stones, BookReply], nodes: int) -> None:
    """Write the file anew, the fewest stones first."""
    rows = (row(*item) for item in sorted(known.items(), key=lambda item: (count(item[0]), item)))
    write_whole(file, TITLE.format(nodes) + "".join(rows), "give another file")


def row(stones: Stones, reply: BookReply) -> str:
    """A position and its reply as a row of the file."""
    black, white = stones
    turns = [cell for pair in zip_longest(black, white) for cell in pair if cell is not None]
    return f"{spelt_cells(turns) or '-'} {spelt_cells([reply.move])} {reply.value} {reply.depth}\n"


def spelt_cells(cells: Iterable[int]) -> str:
    """Cells as the files of openings have them."""
    return spelt(tuple(divmod(cell, SIZE) for cell in cells))


def replies(stones: Stones, ours: BookReply) -> list[Stones]:
    """The positions that the other side may bring about after our move; none where we have a win by then."""
    if abs(ours.value) > PROVED_WIN:
        return []
    stones = after(stones, ours.move)
    if count(stones) == 1:
        return close_to_middle(stones)
    position = position_of(stones)
    values: dict[Stones, int] = {}
    for cell in position.moves():
        form, _ = canonical(after(stones, cell), IMAGES)
        if form not in values:
            position.play(cell)
            values[form] = Search().think(position, Deadline(None, GLANCE)).value
            position.undo()
    return nsmallest(REPLIES[count(stones)], values, key=values.__getitem__)


def close_to_middle(stones: Stones) -> list[Stones]:
    """The positions after another stone, close to the middle."""
    near = range(MIDDLE - CLOSE, MIDDLE + CLOSE + 1)
    cells = {row * SIZE + col for row in near for col in near}.difference(*stones)
    return distinct(after(stones, cell) for cell in sorted(cells))


def distinct(positions: Iterable[Stones]) -> list[Stones]:
    """The canonical forms of positions, each once."""
    return list(dict.fromkeys(canonical(position, IMAGES)[0] for position in positions))


def after(stones: Stones, cell: int) -> Stones:
    """A position with another stone."""
    black, white = stones
    if len(black) == len(white):
        return tuple(sorted((*black, cell))), white
    return black, tuple(sorted((*white, cell)))


def count(stones: Stones) -> int:
    """How many stones there are."""
    return sum(map(len, stones))


def position_of(stones: Stones, parameters: Parameters | None = None) -> KInARowPosition:
    """The position for the search."""
    position = KInARowPosition(SIZE, SIZE, IN_A_ROW, parameters)
    board = bytearray(SIZE * SIZE)
    for colour, cells in enumerate(stones):
        for cell in cells:
            board[cell] = colour + 1
    position.set_up(bytes(board), count(stones) % 2)
    return position


if __name__ == "__main__":
    typer.run(main)
