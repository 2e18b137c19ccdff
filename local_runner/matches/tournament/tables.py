"""The tables of a tournament's file: writes rows, and detects damage when rows are read.

`check` lets SQLite check its pages. Every row ends with a checksum of its values, which detects changed bytes. The
checksum leaves out the details of a game, because zlib compresses them and adds its own checksum. This module handles
rows only, not plans or games.
"""

import json
import shlex
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.system.files import DATABASE, size

APPLICATION = 0x74656E67  # "teng" in ASCII; SQLite stores it in the file's header, with the version `FORMAT`
FORMAT = 6
CHECKSUM = "checksum"
TABLES = {
    "about": "key TEXT PRIMARY KEY, value TEXT NOT NULL",
    "games": "number INTEGER PRIMARY KEY, black INTEGER NOT NULL, white INTEGER NOT NULL, result TEXT NOT NULL, "
             "moves TEXT NOT NULL, seed INTEGER NOT NULL, machine TEXT NOT NULL, started TEXT NOT NULL, "
             "seconds REAL NOT NULL, details BLOB NOT NULL",
    "files": "digest TEXT PRIMARY KEY, content BLOB NOT NULL",
}  # fmt: skip
COLUMNS = {table: tuple(column.split()[0] for column in columns.split(", ")) for table, columns in TABLES.items()}
SCHEMA = [f"CREATE TABLE {table} ({columns}, {CHECKSUM} INTEGER NOT NULL)" for table, columns in TABLES.items()]
Row = tuple[Any, ...]


class DamagedFile(RunnerError):
    """Raised for a tournament file with lost or changed bytes. The message recommends `tengen salvage`.

    `damage`: a sentence that says which part is damaged.
    """

    def __init__(self, path: Path, damage: str) -> None:
        sentence = _("{path} is damaged: {what}; it is left as it is; {offer}")
        super().__init__(sentence.format(path=path, what=damage, offer=offer(path)))


def offer(path: Path) -> str:
    """The advice to run `tengen salvage` on the file."""
    return _("save what can be saved: tengen salvage {path} --out NEW.db").format(path=shlex.quote(str(path)))


class Tables:
    """The tables of an open database. `path`: of its file, for messages."""

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self.path = path
        self.database = database
        self._file = _identity(path)
        database.text_factory = _text

    def is_in_place(self) -> bool:
        """Whether the path still leads to the file that was opened, and the file was not emptied."""
        return _identity(self.path) == self._file and (self._file is None or size(self.path) > 0)

    def check_place(self) -> None:
        """Raise RunnerError if the file was removed, moved or emptied since it was opened."""
        if not self.is_in_place():
            sentence = _("{path} was removed, moved or emptied while it was played; if it was moved, go on with it in "
                         "its new place; otherwise begin again")  # fmt: skip
            raise RunnerError(sentence.format(path=self.path))

    def rows(self, table: str, condition: str = "TRUE", *values: object, without: str = "") -> Iterator[Row]:
        """The rows of a table in the order of their keys, without the checksums.

        `condition`: an SQL condition with `values` for its question marks. `without`: a column to leave out. Raises
        DamagedFile for a row whose checksum is wrong, and as `reading` does.
        """
        names = [name for name in COLUMNS[table] if name != without]
        query = f"SELECT {', '.join(names)}, {CHECKSUM} FROM {table} WHERE {condition} ORDER BY {names[0]}"
        with reading(self.path):
            for *row, seal in self.database.execute(query, values):
                if seal != checksum(table, row):
                    sentence = _("a row of the table {table} has changed ({key} {value})")
                    raise DamagedFile(self.path, sentence.format(table=table, key=names[0], value=row[0]))
                yield tuple(row)

    def details(self, number: int) -> object:
        """The compressed details of the game with this number; None if there is no such game."""
        with reading(self.path):
            row = self.database.execute("SELECT details FROM games WHERE number = ?", (number,)).fetchone()
            return row and row[0]

    def put(self, table: str, rows: Iterable[Sequence[object]], verb: str = "INSERT") -> None:
        """Write rows; call it within `writing`. `verb`: INSERT, or REPLACE, which overwrites rows with the same key."""
        holes = ", ".join("?" * (len(COLUMNS[table]) + 1))
        sealed = ((*row, checksum(table, row)) for row in rows)
        self.database.executemany(f"{verb} INTO {table} VALUES ({holes})", sealed)

    @contextmanager
    def writing(self) -> Iterator["Tables"]:
        """A transaction as a `with`: all rows that are put inside are on the disk at the end or, on an error, none.

        Raises DamagedFile for a damaged database, and RunnerError if the file cannot be written.
        """
        try:
            with self.database:
                yield self
        except sqlite3.Error as error:
            self.check_place()
            if type(error) is sqlite3.DatabaseError:
                raise DamagedFile(self.path, str(error)) from error
            sentence = _("cannot write {path}: {error}; mend that, then resume")
            raise RunnerError(sentence.format(path=self.path, error=error)) from error


def is_tournament(start: bytes) -> bool:
    """Whether the first 100 bytes of a file are those of a tournament's file, in any `FORMAT`."""
    return start.startswith(DATABASE) and start[68:72] == APPLICATION.to_bytes(4, "big")


def make(database: sqlite3.Connection) -> None:
    """Begin a transaction and create the empty tables in it."""
    marks = (f"PRAGMA application_id = {APPLICATION}", f"PRAGMA user_version = {FORMAT}")
    database.executescript("; ".join(["BEGIN", *marks, *SCHEMA]))


def checksum(table: str, values: Iterable[object]) -> int:
    """The checksum of a row: the CRC-32 of the table's name and the row's values as JSON, without bytes values."""
    return zlib.crc32(json.dumps([table, *(value for value in values if not isinstance(value, bytes))]).encode())


def check(path: Path, database: sqlite3.Connection) -> None:
    """Raise RunnerError for a file that is empty, no tournament file, in another `FORMAT`, or damaged.

    SQLite's quick_check reads the whole file, in 0.3 s for 800 MB in the page cache.
    """
    with reading(path):
        if not _pragma(database, "page_count"):
            sentence = _("{path} is empty: no tournament was begun in it; begin one with --out {path}")
            raise RunnerError(sentence.format(path=path))
        if _pragma(database, "application_id") != APPLICATION:
            raise sqlite3.DatabaseError("not a database of tengen")
        if (version := _pragma(database, "user_version")) != FORMAT:
            sentence = _("{path} was written by another version of tengen: its format is {format}, and {known} can be "
                         "read here; read it with that version")  # fmt: skip
            raise RunnerError(sentence.format(path=path, format=version, known=FORMAT))
        if (state := _pragma(database, "quick_check(1)")) != "ok":
            raise DamagedFile(path, str(state).splitlines()[-1])
        schema = database.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL")
        if [sql for [sql] in schema] != SCHEMA:
            raise DamagedFile(path, _("its tables have changed"))


def _pragma(database: sqlite3.Connection, name: str) -> Any:
    [[value]] = database.execute(f"PRAGMA {name}")
    return value


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn SQLite's errors inside a `with` into RunnerErrors.

    An OperationalError comes from the machine, such as a missing permission. Any other error comes from the file's
    content and becomes a DamagedFile, except for a file that is no database at all.
    """
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
    except UnicodeDecodeError as error:  # sqlite3 cannot decode a damaged name in a message
        raise DamagedFile(path, _("it holds no text where names of tables should be")) from error


def journal(path: Path) -> Path:
    """The path of the rollback journal, with which SQLite undoes an unfinished transaction."""
    return path.with_name(path.name + "-journal")


def _identity(path: Path) -> tuple[int, int] | None:
    """The device and the number of a file; None if there is no such file."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino


def _text(raw: bytes) -> str:
    """Decode text of the file. Invalid bytes become U+FFFD, so that the row's checksum is wrong."""
    return raw.decode("utf-8", "replace")
