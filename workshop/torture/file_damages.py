"""What can happen to a tournament's file: the cases of `store_damages`.

A case damages the file, or puts it where it cannot be used: into a file system of its own, or into the hands of another
process. Every case takes its random choices from a given source.
"""

import contextlib
import os
import random
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from local_runner.tournament.tables import TABLES, UNSEALED

BLOCK = 4096
Lock = Callable[[Path], contextlib.AbstractContextManager[object]]
Damage = Callable[[Path, random.Random], None]


class Place(NamedTuple):
    """How a command is run: what stands before it in a shell in which $D is the file's folder, and who holds it."""

    before: str = ""
    lock: Lock = lambda path: contextlib.nullcontext()


class Case(NamedTuple):
    """`damage`: what happens to the file. `place`: what happens around it. `refused`: commands that must refuse."""

    damage: Damage
    place: Place = Place()
    refused: tuple[str, ...] = ()


# ---- damages


def truncated(file: Path, chance: random.Random) -> None:
    """Cut at any length, often at a page or near the beginning."""
    size = file.stat().st_size
    os.truncate(file, chance.choice([0, chance.randrange(600), BLOCK * chance.randrange(size // BLOCK),
                                     chance.randrange(size), chance.randrange(size)]))  # fmt: skip


def flipped(first: int | None = None, last: int | None = None, times: int = 1) -> Damage:
    """Bytes between two places are changed."""

    def damage(file: Path, chance: random.Random) -> None:
        data = bytearray(file.read_bytes())
        for _ in range(times):
            data[chance.randrange(first or 0, last or len(data))] ^= chance.randrange(1, 256)
        file.write_bytes(data)

    return damage


def flipped_text(file: Path, chance: random.Random) -> None:
    """A byte in the text or the number of some row is changed."""
    data = bytearray(file.read_bytes())
    words = [b"by the rules", b"legal", b",", b"20", b"greedy", b"opening", b"seconds", b"CREATE TABLE", b"platform"]
    places = [match.start() for word in words for match in [*re.finditer(re.escape(word), data)][:40]]
    data[chance.choice(places) + chance.randrange(2)] ^= 1 << chance.randrange(8)
    file.write_bytes(data)


def block(filled: Callable[[], bytes]) -> Damage:
    """A whole block is lost."""

    def damage(file: Path, chance: random.Random) -> None:
        data = bytearray(file.read_bytes())
        start = BLOCK * chance.randrange(len(data) // BLOCK)
        data[start:start + BLOCK] = filled()
        file.write_bytes(data)

    return damage


def swapped(file: Path, chance: random.Random) -> None:
    """Two blocks change places."""
    data = file.read_bytes()
    blocks = [data[at:at + BLOCK] for at in range(0, len(data), BLOCK)]
    i, j = chance.sample(range(len(blocks)), 2)
    blocks[i], blocks[j] = blocks[j], blocks[i]
    file.write_bytes(b"".join(blocks))


def unchanged(file: Path, chance: random.Random) -> None:
    """Nothing happens to the file itself."""


def older(file: Path, chance: random.Random) -> None:
    """The file as version 2 of the format would have written it."""
    with contextlib.closing(sqlite3.connect(file)) as database, database:
        for table in TABLES:
            database.execute(f"ALTER TABLE {table} DROP COLUMN checksum")
        database.execute("UPDATE about SET value = ? WHERE key = 'format'", (UNSEALED,))
        database.execute("DELETE FROM about WHERE key NOT IN ('format', 'header', 'plan')")


def older_and(damage: Damage) -> Damage:
    def both(file: Path, chance: random.Random) -> None:
        older(file, chance)
        damage(file, chance)

    return both


def written(content: bytes) -> Damage:
    """Something else stands there."""

    def damage(file: Path, chance: random.Random) -> None:
        file.write_bytes(content)

    return damage


def foreign(file: Path, chance: random.Random) -> None:
    """Another program's database."""
    file.unlink()
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.executescript("CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('Yesterday')")


def folder(file: Path, chance: random.Random) -> None:
    """A folder has its name."""
    file.unlink()
    file.mkdir()


def killed(file: Path, chance: random.Random) -> None:
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


# ---- places

PRIVATE = ("--mount",) if os.geteuid() == 0 else ("--user", "--map-root-user", "--mount")
READ_ONLY = 'mount --bind "$D" "$D" && mount -o remount,bind,ro "$D" &&'
FULL = """
mkdir "$D/../copy" && cp -a "$D"/. "$D/../copy" &&
mount -t tmpfs -o size="$(($(stat -c %s "$D/t.db") / 1024 + 12))k" tmpfs "$D" &&
cp -a "$D/../copy"/. "$D" && rm -r "$D/../copy" && (cat /dev/zero > "$D/fill" 2>/dev/null; true) &&
"""


@contextlib.contextmanager
def played_by_another(file: Path) -> Iterator[None]:
    """Another run has the file."""
    script = (
        "import sys\nfrom pathlib import Path\nfrom local_runner.tournament.locking import alone\n"
        "with alone(Path(sys.argv[1])):\n    print(flush=True)\n    sys.stdin.read()"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", script, str(file)]
    with subprocess.Popen(command, stdin=-1, stdout=-1, env=environment) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield
        process.communicate()


@contextlib.contextmanager
def locked_by_a_program(file: Path) -> Iterator[None]:
    """Another program keeps everybody from the file."""
    with contextlib.closing(sqlite3.connect(file)) as database:
        database.execute("BEGIN EXCLUSIVE")
        yield


CASES = {
    "truncated": Case(truncated),
    "a byte flipped": Case(flipped()),
    "a byte of text flipped": Case(flipped_text),
    "a byte of the header flipped": Case(flipped(0, 100)),
    "a byte of the first pages flipped": Case(flipped(100, 3 * BLOCK)),
    "twenty bytes flipped": Case(flipped(times=20)),
    "a block of zeros": Case(block(lambda: bytes(BLOCK))),
    "a block of noise": Case(block(lambda: os.urandom(BLOCK))),
    "two blocks swapped": Case(swapped),
    "read-only": Case(unchanged, Place(READ_ONLY), ("resume",)),
    "full disk": Case(unchanged, Place(FULL), ("resume",)),
    "played by another run": Case(unchanged, Place(lock=played_by_another), ("resume", "salvage")),
    "locked by a program": Case(unchanged, Place(lock=locked_by_a_program), ("report", "rerun", "resume")),
    "format 2": Case(older),
    "format 2, truncated": Case(older_and(truncated)),
    "format 2, a byte of the header flipped": Case(older_and(flipped(0, 100))),
    "another program's": Case(foreign, refused=("report", "rerun", "resume", "salvage")),
    "text": Case(written(b"no database\n" * 999), refused=("report", "rerun", "resume", "salvage")),
    "a folder": Case(folder, refused=("report", "rerun", "resume", "salvage")),
    "killed while writing": Case(killed),
    "killed while writing, read-only": Case(killed, Place(READ_ONLY), ("report", "rerun", "resume")),
}
