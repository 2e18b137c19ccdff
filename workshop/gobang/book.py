"""Makes submission/data/gobang_book.txt, the opening book of gobang: replies to the first stones, by long searches.

    python -m workshop.gobang.book [FILE] [--stones N] [--nodes N] [--jobs N]

The book has a part for each colour, and grows by two plies a level. In each position of a level, a long search finds
our move. Short searches then rank the opponent's replies, and the best replies give the next level. The opponent's
first stone is not ranked: the book covers every cell close to the middle. White's reply to a first stone in the middle
is in MEASURED: that reply won most games against a weaker Black (workshop/notebook/gobang-white-reply.md).

Positions in FILE are not searched again. So the same command continues after a stop, and a larger --stones makes the
book deeper. After a change of the engine, remove the file first.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from heapq import nsmallest
from itertools import zip_longest
from pathlib import Path
from typing import Annotated

import typer

from local_runner.game.coordinates import spelt
from local_runner.system.files import write_whole
from submission.k_in_a_row import book
from submission.k_in_a_row.book import BookReply, Stones, canonical, images, read
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition
from submission.search.clock import Deadline
from submission.search.deepening import Search
from submission.search.searchable import PROVED_WIN
from workshop.command import CORES, Jobs, run, with_progress
from workshop.gobang.game import SIZE, position_after, to_opening

FILE = Path(__file__).resolve().parents[2] / "submission" / book.FILE
NODES = 600_000  # nodes of the long search
GLANCE = 2_000  # nodes of the short search
LONG = KInARowParameters(table_entries=400_000)
CLOSE = 3  # largest distance from the middle in rows and in columns
REPLIES = (0, 0, 6, 6, 4, 4, 3, 3)  # number of the opponent's replies kept, by the number of stones before the reply
MOST_STONES = 4  # most stones in a position that is searched
TITLE = "# position, move, value, depth; of searches of {} nodes, by workshop/gobang/book.py\n"

# White's replies, as rows of the book file. A search replaces the value and the depth of each row.
MEASURED = read(
    """
h8 g7 0 0
""".strip()
)

IMAGES = images(SIZE)
MIDDLE = SIZE // 2
NO_STONES: Stones = ((), ())


def main(
    file: Annotated[Path, typer.Argument(help="Book to extend. Positions it holds are not searched again.")] = FILE,
    stones: Annotated[int, typer.Option(min=0, max=len(REPLIES), help="Most stones of a position.")] = MOST_STONES,
    nodes: Annotated[int, typer.Option(min=1, help="Search nodes per position.")] = NODES,
    jobs: Jobs = CORES,
) -> None:
    """Search the positions that the book lacks."""
    if not file.exists():
        write(file, {}, nodes)
    with ProcessPoolExecutor(jobs) as pool:
        for level in ([NO_STONES], stones_near_middle(NO_STONES)):  # Black's part, White's part
            while level and count_stones(level[0]) <= stones:
                known = search_level(level, nodes, file, pool)
                level = canonical_forms(
                    after for afters in pool.map(replies, level, map(known.__getitem__, level)) for after in afters
                )
    known = read(file.read_text("ascii"))
    write(file, known, nodes)
    print(f"{file.name}: {len(known)} positions")


def search_level(level: list[Stones], nodes: int, file: Path, pool: ProcessPoolExecutor) -> dict[Stones, BookReply]:
    """Search the positions of a level that the file lacks, append each when its search ends, and read the file."""
    known = read(file.read_text("ascii"))
    jobs = [pool.submit(search_row, position, nodes) for position in level if position not in known]
    with open(file, "a", encoding="ascii", buffering=1) as rows:
        for job in with_progress(as_completed(jobs), f"{count_stones(level[0])} stones", len(jobs)):
            rows.write(job.result())
    return read(file.read_text("ascii"))


def search_row(stones: Stones, nodes: int) -> str:
    """The row of a position, from a long search. A move in MEASURED is kept; the search then only gives its value."""
    position = position_of(stones, LONG)
    known = MEASURED.get(stones)
    if known is not None:
        position.play(known.move)
    thought = Search().think(position, Deadline(None, nodes))
    reply = BookReply(thought.move, thought.value, thought.depth)
    return format_row(stones, reply if known is None else BookReply(known.move, -reply.value, reply.depth + 1))


def write(file: Path, known: dict[Stones, BookReply], nodes: int) -> None:
    """Write the whole file, positions with the fewest stones first."""
    rows = (format_row(*item) for item in sorted(known.items(), key=lambda item: (count_stones(item[0]), item)))
    write_whole(file, TITLE.format(nodes) + "".join(rows), "give another file")


def format_row(stones: Stones, reply: BookReply) -> str:
    """The row of a position and its reply."""
    position = spelt(to_opening(alternating(stones))) or "-"
    return f"{position} {spelt(to_opening([reply.move]))} {reply.value} {reply.depth}\n"


def replies(stones: Stones, ours: BookReply) -> list[Stones]:
    """The positions after our move and the opponent's best replies; none if either side has a forced win."""
    if abs(ours.value) > PROVED_WIN:
        return []
    stones = add_stone(stones, ours.move)
    if count_stones(stones) == 1:
        return stones_near_middle(stones)
    position = position_of(stones)
    values: dict[Stones, int] = {}
    for cell in position.moves():
        form, _ = canonical(add_stone(stones, cell), IMAGES)
        if form not in values:
            position.play(cell)
            values[form] = Search().think(position, Deadline(None, GLANCE)).value
            position.undo()
    return nsmallest(REPLIES[count_stones(stones)], values, key=values.__getitem__)


def stones_near_middle(stones: Stones) -> list[Stones]:
    """The positions after one more stone close to the middle."""
    near = range(MIDDLE - CLOSE, MIDDLE + CLOSE + 1)
    cells = {row * SIZE + col for row in near for col in near}.difference(*stones)
    return canonical_forms(add_stone(stones, cell) for cell in sorted(cells))


def canonical_forms(positions: Iterable[Stones]) -> list[Stones]:
    """The canonical forms of positions, without repetitions."""
    return list(dict.fromkeys(canonical(position, IMAGES)[0] for position in positions))


def add_stone(stones: Stones, cell: int) -> Stones:
    """The position after one more stone of the side to move."""
    black, white = stones
    if len(black) == len(white):
        return tuple(sorted((*black, cell))), white
    return black, tuple(sorted((*white, cell)))


def count_stones(stones: Stones) -> int:
    """The number of stones of both colours."""
    return sum(map(len, stones))


def position_of(stones: Stones, parameters: KInARowParameters | None = None) -> KInARowPosition:
    """The position as an object of the engine."""
    return position_after(alternating(stones), parameters)


def alternating(stones: Stones) -> list[int]:
    """The stones as moves: Black's and White's in turn."""
    return [cell for pair in zip_longest(*stones) for cell in pair if cell is not None]


if __name__ == "__main__":
    run(main)
