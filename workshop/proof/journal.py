"""The store of the proof: a text file with a row for each attempt that has been searched. Searches only append.

    position  move  open          h8m14g7d4 f6 g5h7     after f6, threats do not win against the replies g5 and h7
                                  h8m14g7d4 e5 -        threats win against all replies: proved
                                  h8m14g7d4 h9 x        Black has no win even if White passes: not searched further

A row is appended when its search ends. If a program was stopped while writing, the next program removes the incomplete
row. Several programs may write to one file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from submission.k_in_a_row.book import Stones
from workshop.proof.positions import cells_in, cells_text, name_of, stones_of

FILE = Path(__file__).with_name("journal.txt")
NOTHING_OPEN, NO_WIN = "-", "x"


class Row(NamedTuple):
    """An attempt that was searched. replies: those left open; None: no win even if White passes."""

    stones: Stones
    move: int
    replies: tuple[int, ...] | None


class ProofJournal:
    """position -> the rows of a file. Args: file: made if it is missing."""

    def __init__(self, file: Path = FILE) -> None:
        self.file = file
        self.rows: dict[Stones, dict[int, tuple[int, ...] | None]] = {}
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
        _cut_torn_row(file)
        for row in read(file):
            self._keep(row)

    def add(self, row: Row) -> None:
        """Append a row."""
        with open(self.file, "a", encoding="ascii") as rows:
            rows.write(_line(*row))
        self._keep(row)

    def _keep(self, row: Row) -> None:
        self.rows.setdefault(row.stones, {})[row.move] = row.replies


def read(file: Path) -> Iterator[Row]:
    """The rows of a file."""
    with open(file, encoding="ascii") as lines:
        for line in lines:
            position, move, replies = line.split()
            yield Row(stones_of(position), cells_in(move)[0], None if replies == NO_WIN else tuple(cells_in(replies)))


def _line(stones: Stones, move: int, replies: tuple[int, ...] | None) -> str:
    text = NO_WIN if replies is None else cells_text(list(replies)) or NOTHING_OPEN
    return f"{name_of(stones)} {cells_text([move])} {text}\n"


def _cut_torn_row(file: Path) -> None:
    """Remove an incomplete row at the end of the file."""
    text = file.read_bytes()
    whole = text.rfind(b"\n") + 1
    if whole < len(text):
        with open(file, "r+b") as rows:
            rows.truncate(whole)
