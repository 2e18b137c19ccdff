"""The tables of a tournament's file: how rows are written, and how damage is found when they are read.

Every row ends with a checksum of its values, so a changed byte is found wherever it is. A game's record is left out: it
is compressed, and zlib keeps a checksum of its own. Rows of format 2 have no checksum; they are only checked for
values that no game has. Knows no plans and no games.
"""

import json
import re
import shlex
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from local_runner.errors import RunnerError
from local_runner.language.languages import _

FORMAT = 3
UNSEALED = 2  # the older format that can be read and played on: its rows have no checksums
CHECKSUM = "checksum"
TABLES = {
    "about": "key TEXT PRIMARY KEY, value TEXT NOT NULL",
    "agents": "number INTEGER PRIMARY KEY, name TEXT NOT NULL, fingerprint TEXT NOT NULL",
    "pairs": "number INTEGER PRIMARY KEY, round INTEGER NOT NULL, a INTEGER NOT NULL, b INTEGER NOT NULL, "
             "opening TEXT NOT NULL",
    "games": "number INTEGER PRIMARY KEY, pair INTEGER NOT NULL REFERENCES pairs, black INTEGER NOT NULL, "
             "white INTEGER NOT NULL, result TEXT NOT NULL, "
             "moves TEXT NOT NULL, seed INTEGER NOT NULL, machine TEXT NOT NULL, started TEXT NOT NULL, "
             "seconds REAL NOT NULL, record BLOB NOT NULL",
}  # fmt: skip
COLUMNS = {table: tuple(column.split()[0] for column in columns.split(", ")) for table, columns in TABLES.items()}
Row = tuple[Any, ...]

_MOVES = re.compile(r"((\d+,\d+|-)( (\d+,\d+|-))*)?")
_KINDS = {"INTEGER": int, "TEXT": str, "REAL": float, "BLOB": bytes}
KINDS = {
    table: tuple(_KINDS[column.split()[1]] for column in columns.split(", ")) for table, columns in TABLES.items()
}


class DamagedFile(RunnerError):
    """A tournament file that has lost or changed bytes; the message offers `tengen salvage`."""

    def __init__(self, path: Path, what: str) -> None:
        sentence = _("{path} is damaged: {what}; it is left as it is; {offer}")
        super().__init__(sentence.format(path=path, what=what, offer=offer(path)))


def offer(path: Path) -> str:
    """How to save what is left of a file."""
    return _("save what can be saved: tengen salvage {path} --out NEW.db").format(path=shlex.quote(str(path)))


class Tables:
    """The tables of an open database. `sealed`: its rows have checksums."""

    def __init__(self, path: Path, database: sqlite3.Connection, *, sealed: bool = True) -> None:
        self.path, self.sealed = path, sealed
        self.database = database
        database.text_factory = _text

    def rows(self, table: str, condition: str = "TRUE", *values: object, without: str = "") -> Iterator[Row]:
        """The rows of a table, here called t, in order, without their checksums and without one column.

        Raises DamagedFile for a row that is not as it was written.
        """
        names = [name for name in COLUMNS[table] if name != without]
        shown = ", ".join([*names, CHECKSUM] if self.sealed else names)
        query = f"SELECT {shown} FROM {table} AS t WHERE {condition} ORDER BY {names[0]}"
        with reading(self.path):
            for row in self.database.execute(query, values):
                *found, seal = row if self.sealed else (*row, None)
                if seal != checksum(table, found) if self.sealed else not plausible(table, found):
                    sentence = _("a row of the table {table} has changed ({key} {value})")
                    raise DamagedFile(self.path, sentence.format(table=table, key=names[0], value=found[0]))
                yield tuple(found)

    def column(self, table: str, name: str, number: int) -> Row | None:
        """The value of one column, alone in a tuple, in the row of that number; None if there is no such row."""
        with reading(self.path):
            found = self.database.execute(f"SELECT {name} FROM {table} WHERE number = ?", (number,)).fetchone()
            return None if found is None else tuple(found)

    def put(self, table: str, rows: Iterable[Sequence[object]], verb: str = "INSERT") -> None:
        """Write rows inside a transaction: `verb` INSERT, or REPLACE for those with the same key."""
        holes = ", ".join("?" * (len(COLUMNS[table]) + self.sealed))
        seals = ((*row, checksum(table, row)) if self.sealed else row for row in rows)
        self.database.executemany(f"{verb} INTO {table} VALUES ({holes})", seals)

    @contextmanager
    def writing(self) -> Iterator["Tables"]:
        """A transaction: what is put inside is on the disk at the end, all of it or none."""
        try:
            with self.database:
                yield self
        except sqlite3.Error as error:
            if type(error) is sqlite3.DatabaseError:
                raise DamagedFile(self.path, str(error)) from error
            sentence = _("cannot write {path}: {error}; mend that, then resume")
            raise RunnerError(sentence.format(path=self.path, error=error)) from error


def make(database: sqlite3.Connection, kind: int = FORMAT) -> None:
    """Make the empty tables of a format, inside a transaction."""
    seal = f", {CHECKSUM} INTEGER NOT NULL" if kind > UNSEALED else ""
    tables = (f"CREATE TABLE {table} ({columns}{seal});" for table, columns in TABLES.items())
    database.executescript("BEGIN;" + "".join(tables))


def checksum(table: str, values: Iterable[object]) -> int:
    """The checksum of a row: CRC-32 of its table and its values as JSON, without blobs."""
    return zlib.crc32(json.dumps([table, *(value for value in values if not isinstance(value, bytes))]).encode())


def plausible(table: str, values: Sequence[Any]) -> bool:
    """Whether a row without a checksum could have been written by us; its record, if a game has one, is not read."""
    kinds = KINDS[table]
    if any(not isinstance(value, kind) for value, kind in zip(values, kinds, strict=False)):
        return False
    named = dict(zip(COLUMNS[table], values, strict=False))
    if table == "pairs":
        return _is_opening(named["opening"]) and 0 <= named["a"] != named["b"] >= 0
    if table == "games":
        return (
            named["pair"] == (named["number"] + 1) // 2 and 0 <= named["black"] != named["white"] >= 0
            and _MOVES.fullmatch(named["moves"]) is not None
        )  # fmt: skip
    return True


def _is_opening(text: str) -> bool:
    try:
        return all(isinstance(row, int) and isinstance(col, int) for row, col in json.loads(text))
    except (ValueError, TypeError):
        return False


def sealed(path: Path, database: sqlite3.Connection) -> bool:
    """Whether the rows of a file have checksums. Raises RunnerError for a file that is damaged or not ours.

    SQLite's own check reads the whole file: 0.3 s for 800 MB in the page cache.
    """
    database.text_factory = _text
    with reading(path):
        [[found]] = database.execute("PRAGMA quick_check(1)")
        if found != "ok":
            raise DamagedFile(path, str(found).splitlines()[-1])
        return _format(path, database) > UNSEALED


def _format(path: Path, database: sqlite3.Connection) -> int:
    """The file's format, by the shape of its tables, which must agree with what it says."""
    shape = _shape(database)
    if not shape:
        sentence = _("{path} is empty: no tournament was begun in it; begin one with --out {path}")
        raise RunnerError(sentence.format(path=path))
    if "about" not in shape:
        raise RunnerError(_("{path} is no tournament file, but a database of another program").format(path=path))
    try:
        _key, value, *seal = database.execute("SELECT * FROM about WHERE key = 'format'").fetchone()
        said = json.loads(value)
    except (sqlite3.OperationalError, ValueError, TypeError) as error:
        raise DamagedFile(path, _("it does not say its format")) from error
    if seal not in ([], [checksum("about", ("format", value))]):
        raise DamagedFile(path, _("its format, {format}, has changed").format(format=said))
    if said not in (FORMAT, UNSEALED):
        sentence = _("{path} was written by another version of tengen: its format is {format}, and {older} and {newer} "
                     "can be read here; read it with that version")  # fmt: skip
        raise RunnerError(sentence.format(path=path, format=said, older=UNSEALED, newer=FORMAT))
    with closing(sqlite3.connect(":memory:")) as empty:
        make(empty, said)
        if _shape(empty) != shape:
            raise DamagedFile(path, _("its tables have changed"))
    return int(said)


def _shape(database: sqlite3.Connection) -> dict[str, list[Row]]:
    """The columns of all tables: name, type, whether it must have a value, default, place in the key."""
    tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    columns = "SELECT * FROM pragma_table_info(?)"
    return {table: [row[1:] for row in database.execute(columns, (table,))] for table in tables}


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Explain the errors of SQLite. An OperationalError is the machine's, any other is of the file's content."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if journal(path).exists():
            sentence = _("cannot read {path}: {error}; its run was killed while writing: copy it, with its journal, to "
                         "where you may write")  # fmt: skip
        else:
            sentence = _("cannot read {path}: {error}")
        raise RunnerError(sentence.format(path=path, error=error)) from error
    except sqlite3.DatabaseError as error:
        if "not a database" in str(error):
            sentence = _("{path} is no tournament file, or its first bytes are damaged; in that case {offer}")
            raise RunnerError(sentence.format(path=path, offer=offer(path))) from error
        raise DamagedFile(path, str(error)) from error
    except UnicodeDecodeError as error:  # in SQLite's message, which names what is damaged
        raise DamagedFile(path, _("it holds no text where names of tables should be")) from error


def journal(path: Path) -> Path:
    """Where SQLite keeps what undoes an unfinished transaction."""
    return path.with_name(path.name + "-journal")


def _text(raw: bytes) -> str:
    """Text of the file; damaged bytes become characters that no checksum fits."""
    return raw.decode("utf-8", "replace")
