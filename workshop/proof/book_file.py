"""Writes submission/data/gobang_proof.bin, Black's prepared moves, from a journal. proved.py describes the file.

The file holds the proved entries after each second stone of White's, and Black's answer to each second move in the
journal. The answer to a second move that is not closed is not proved.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path

import submission.k_in_a_row.proved as proved
from submission.k_in_a_row.book import Stones
from workshop.proof.journal import ProofJournal
from workshop.proof.tree import Tree, all_progress

FILE = Path(__file__).resolve().parents[2] / "submission" / proved.FILE


def write_book(journal: ProofJournal, file: Path = FILE) -> int:
    """Write the book of a journal. Returns the number of entries."""
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
    records = {proved.key_of(form): move for form, move in entries.items()}
    if len(records) < len(entries):
        raise ValueError("two positions have one key; use a longer one")
    data = b"".join(key.to_bytes(7, "big") + bytes((move,)) for key, move in sorted(records.items()))
    return zlib.crc32(data).to_bytes(4, "big") + data
