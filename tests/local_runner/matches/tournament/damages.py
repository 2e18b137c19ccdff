"""What can happen to a tournament's file. A damage takes its random choices from a given source."""

import contextlib
import os
import re
import sqlite3
import subprocess
import sys

from local_runner.matches.tournament.tables import TABLES, UNSEALED

BLOCK = 4096
WORDS = (b"by the rules", b"legal", b",", b"20", b"greedy", b"opening", b"seconds", b"CREATE TABLE", b"platform")


def truncated(file, chance):
    """Cut at any length, often at a page or near the beginning."""
    size = file.stat().st_size
    os.truncate(file, chance.choice([0, chance.randrange(600), BLOCK * chance.randrange(size // BLOCK),
                                     chance.randrange(size), chance.randrange(size)]))  # fmt: skip


def flipped(first=None, last=None, times=1):
    """Bytes between two places are changed."""

    def damage(file, chance):
        data = bytearray(file.read_bytes())
        for _ in range(times):
            data[chance.randrange(first or 0, last or len(data))] ^= chance.randrange(1, 256)
        file.write_bytes(data)

    return damage


def flipped_text(file, chance):
    """A byte in the text or the number of some row is changed."""
    data = bytearray(file.read_bytes())
    places = [match.start() for word in WORDS for match in [*re.finditer(re.escape(word), data)][:40]]
    data[chance.choice(places) + chance.randrange(2)] ^= 1 << chance.randrange(8)
    file.write_bytes(data)


def block(filled):
    """A whole block is lost."""

    def damage(file, chance):
        data = bytearray(file.read_bytes())
        start = BLOCK * chance.randrange(len(data) // BLOCK)
        data[start : start + BLOCK] = filled()
        file.write_bytes(data)

    return damage


def swapped(file, chance):
    """Two blocks change places."""
    data = file.read_bytes()
    blocks = [data[at : at + BLOCK] for at in range(0, len(data), BLOCK)]
    i, j = chance.sample(range(len(blocks)), 2)
    blocks[i], blocks[j] = blocks[j], blocks[i]
    file.write_bytes(b"".join(blocks))


def older(file, chance):
    """The file as version 2 of the format would have written it."""
    with contextlib.closing(sqlite3.connect(file)) as database, database:
        for table in TABLES:
            database.execute(f"ALTER TABLE {table} DROP COLUMN checksum")
        database.execute("UPDATE about SET value = ? WHERE key = 'format'", (UNSEALED,))
        database.execute("DELETE FROM about WHERE key NOT IN ('format', 'header', 'plan')")


def foreign(file, chance):
    """Another program's database."""
    file.unlink()
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.executescript("CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('Yesterday')")


def folder(file, chance):
    """A folder has its name."""
    file.unlink()
    file.mkdir()


def killed(file, chance):
    """A run was killed in the middle of a write; its journal is still there."""
    script = f"""
import os, sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("PRAGMA cache_size = 1")
for number in range({chance.randrange(1, 60)}):
    database.execute("UPDATE games SET detail = ? WHERE number = ?", ("x" * 5000, number % 15 + 1))
os.kill(os.getpid(), 9)
"""
    subprocess.run([sys.executable, "-c", script, str(file)], check=False)
