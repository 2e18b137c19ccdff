"""The store of the proof: a text file with a row for each attempt that has been searched. Searches only append.

    position  move  open          h8m14g7d4 f6 g5h7     after f6, threats do not win against the replies g5 and h7
                                  h8m14g7d4 e5 -        threats win against all replies: proved
                                  h8m14g7d4 h9 x        Black has no win even if White passes: not searched further

A row is appended when its search ends. If a program was stopped while writing, the next program removes the incomplete
row. Several programs may write to one file.

A position is won if an attempt wins it: the positions after all replies that the attempt leaves open are won.
`write_book` writes submission/data/gobang_proof.bin, Black's prepared moves; book.py describes the file.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from submission.k_in_a_row.book import PROOF_FILE, Stones, key_of
from workshop.gobang.positions import after_reply, cells_in, cells_text, name_of, second_moves, stones_of

FILE = Path(__file__).with_name("journal.txt")
BOOK = Path(__file__).resolve().parents[2] / "submission" / PROOF_FILE
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
        file.touch()
        os.truncate(file, file.read_bytes().rfind(b"\n") + 1)  # removes an incomplete row at the end
        for line in file.read_text("ascii").splitlines():
            position, move, replies = line.split()
            open_replies = None if replies == NO_WIN else tuple(cells_in(replies))
            self._keep(Row(stones_of(position), cells_in(move)[0], open_replies))

    def add(self, row: Row) -> None:
        """Append a row."""
        text = NO_WIN if row.replies is None else cells_text(row.replies) or NOTHING_OPEN
        with open(self.file, "a", encoding="ascii") as rows:
            rows.write(f"{name_of(row.stones)} {cells_text([row.move])} {text}\n")
        self._keep(row)

    def _keep(self, row: Row) -> None:
        self.rows.setdefault(row.stones, {})[row.move] = row.replies


# ---- the positions that are won


class SecondMove(NamedTuple):
    """The progress of a second move. replies: White's second stones to be answered; won: the number answered."""

    second: Stones
    move: int | None
    replies: int
    won: int
    entries: int
    open: list[Stones]

    @property
    def closed(self) -> bool:
        return self.move is not None and self.replies == self.won


class Tree:
    """The proved part of a journal. Grows when `forget_open` is called after new rows."""

    def __init__(self, journal: ProofJournal) -> None:
        self.journal = journal
        self._moves: dict[Stones, int | None] = {}

    def forget_open(self) -> None:
        """Forget which positions are not won, so that new rows of the journal count."""
        self._moves = {stones: move for stones, move in self._moves.items() if move is not None}

    def winning_move(self, position: Stones) -> int | None:
        """The move that is proved to win; None if no move is proved to win."""
        if position not in self._moves:
            attempts = self.journal.rows.get(position, {})
            self._moves[position] = next((move for move in attempts if self._wins(position, move)), None)
        return self._moves[position]

    def open_after(self, position: Stones, move: int) -> list[Stones]:
        """The positions after the replies that an attempt leaves open."""
        return [after_reply(position, move, reply) for reply in self.journal.rows[position][move] or ()]

    def entries(self, position: Stones) -> dict[Stones, int]:
        """The won position and all entries below it: Black's move by position."""
        entries: dict[Stones, int] = {}
        waiting = [position]
        while waiting:
            stones = waiting.pop()
            move = self.winning_move(stones)
            if stones not in entries and move is not None:
                entries[stones] = move
                waiting += self.open_after(stones, move)
        return entries

    def entries_after(self, position: Stones, move: int) -> dict[Stones, int]:
        """The entries below a position that are reached by an attempt, whether that is proved or not."""
        entries: dict[Stones, int] = {}
        for stones in self.open_after(position, move):
            entries.update(self.entries(stones))
        return entries

    def progress(self, second: Stones) -> SecondMove:
        """The progress of a second move, by the attempt that has won most replies."""
        best = SecondMove(second, None, 0, 0, 0, [])
        for move, replies in self.journal.rows.get(second, {}).items():
            if replies is None:
                continue
            after = self.open_after(second, move)
            left = [stones for stones in after if self.winning_move(stones) is None]
            entries = len(self.entries_after(second, move))
            found = SecondMove(second, move, len(after), len(after) - len(left), entries, left)
            best = max(best, found, key=lambda progress: (progress.closed, progress.won))
        return best

    def _wins(self, position: Stones, move: int) -> bool:
        replies = self.journal.rows[position][move]
        return replies is not None and all(
            self.winning_move(after_reply(position, move, reply)) is not None for reply in replies
        )


def all_progress(journal: ProofJournal) -> list[SecondMove]:
    """The progress of all 35 second moves."""
    tree = Tree(journal)
    return [tree.progress(second) for second in second_moves()]


def write_book(journal: ProofJournal, file: Path = BOOK) -> int:
    """Write the proved entries after each second move, and Black's answer to it. Returns the number of entries.

    The answer to a second move that is not closed is not proved.
    """
    entries: dict[Stones, int] = {}
    tree = Tree(journal)
    for progress in all_progress(journal):
        if progress.move is not None:
            entries[progress.second] = progress.move
            entries.update(tree.entries_after(progress.second, progress.move))
    file.write_bytes(book_bytes(entries))
    return len(entries)


def book_bytes(entries: Mapping[Stones, int]) -> bytes:
    """The content of the file; raises ValueError if two positions have one key."""
    records = {key_of(form): move for form, move in entries.items()}
    if len(records) < len(entries):
        raise ValueError("two positions have one key; use a longer one")
    data = b"".join(key.to_bytes(7, "big") + bytes((move,)) for key, move in sorted(records.items()))
    return zlib.crc32(data).to_bytes(4, "big") + data
