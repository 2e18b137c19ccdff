"""The server's own SQLite file: the rooms, the names of uploads, and the secret of its address.

A room is written after every move, before its pages get the move. A crash of the server therefore loses no move. One
server at a time may use the file; a lock file ensures that (flock). A damaged file is renamed and never written to
again.
"""

import contextlib
import fcntl
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _, shown
from local_runner.server.stored_room import StoredRoom
from local_runner.system.files import reason

APPLICATION, FORMAT = 0x746E676D, 2  # "tngm": SQLite keeps both in the header of the file
TABLES = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS rooms (room TEXT PRIMARY KEY, changed TEXT NOT NULL, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS trees (tree TEXT PRIMARY KEY, changed TEXT NOT NULL, heading TEXT NOT NULL,
  value TEXT NOT NULL, report TEXT NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS uploads (upload TEXT PRIMARY KEY, name TEXT NOT NULL, added TEXT NOT NULL);
"""
SHOWN_ROOMS = 200  # length of the list of games; older rooms can still be entered
SECRET, PORT = "secret", "port"
GONE = Message("there is no such game any more; begin a new one")


def default_path() -> Path:
    """The path of the store in the user's data folder (XDG_DATA_HOME)."""
    if base := os.environ.get("XDG_DATA_HOME"):
        return Path(base) / "tengen" / "games.db"
    return Path.home() / ".local" / "share" / "tengen" / "games.db"


class RoomStore:
    """An open store, made by `open_store`. Any thread may call its methods, which raise RunnerError if SQLite fails.

    `set_aside`: the new path of a damaged store that was found at `path`; None if there was none.
    """

    def __init__(self, path: Path, database: sqlite3.Connection, set_aside: Path | None = None) -> None:
        self.path = path
        self.set_aside = set_aside
        self._database = database
        self._opened = os.stat(path)
        self._lock = threading.Lock()

    @property
    def folder(self) -> Path:
        """The folder with the uploads of this store."""
        return self.path.with_name(self.path.name + ".uploads")

    def write(self, room: StoredRoom) -> None:
        """Write a room."""
        self._write("REPLACE INTO rooms VALUES (?, ?, ?)", room.room, room.changed, room.model_dump_json())

    def delete(self, room: str) -> None:
        """Delete a room and its analysis if they are in the store."""
        self._write("DELETE FROM rooms WHERE room = ?", room)
        self.delete_tree(room)

    def room(self, room: str) -> StoredRoom | None:
        """One room; None if there is no such room. Raises RunnerError if the room cannot be read."""
        rows = self._read("SELECT value FROM rooms WHERE room = ?", room)
        try:
            return StoredRoom.model_validate_json(rows[0][0]) if rows else None
        except ValidationError as error:
            raise RunnerError(_("this game was kept by another version or is damaged; begin a new one")) from error

    def existing_room(self, room: str) -> StoredRoom:
        """One room. Raises RunnerError if there is no such room or it cannot be read."""
        if (stored := self.room(room)) is None:
            raise RunnerError(shown(GONE))
        return stored

    def rooms(self) -> list[StoredRoom]:
        """The newest `SHOWN_ROOMS` rooms, newest first. Rooms that cannot be read are left out."""
        rows = self._read("SELECT value FROM rooms ORDER BY changed DESC, room LIMIT ?", SHOWN_ROOMS)
        rooms = []
        for [value] in rows:
            with contextlib.suppress(ValidationError):
                rooms.append(StoredRoom.model_validate_json(value))
        return rooms

    def write_tree(self, tree: str, heading: str, value: str) -> None:
        """Write a tree of an analysis board, and its entry in the list, both as JSON. Its report stays."""
        self._write("INSERT INTO trees (tree, changed, heading, value) VALUES (?, ?, ?, ?) ON CONFLICT (tree) "
                    "DO UPDATE SET changed = excluded.changed, heading = excluded.heading, value = excluded.value",
                    tree, now(), heading, value)  # fmt: skip

    def write_report(self, tree: str, report: str) -> None:
        """Write the analysis of a tree's game, as JSON."""
        self._write("UPDATE trees SET report = ? WHERE tree = ?", report, tree)

    def tree(self, tree: str) -> tuple[str, str] | None:
        """A tree and its report as JSON; the report is "" if there is none. None if there is no such tree."""
        rows = self._read("SELECT value, report FROM trees WHERE tree = ?", tree)
        return (rows[0][0], rows[0][1]) if rows else None

    def tree_headings(self) -> list[tuple[str, str]]:
        """The entries in the list of trees as JSON, each with the time of the last change, newest first."""
        rows = self._read("SELECT heading, changed FROM trees ORDER BY changed DESC, tree LIMIT ?", SHOWN_ROOMS)
        return [(heading, changed) for heading, changed in rows]

    def delete_tree(self, tree: str) -> None:
        """Delete a tree if it is in the store."""
        self._write("DELETE FROM trees WHERE tree = ?", tree)

    def add_upload(self, upload: str, name: str) -> None:
        """Write the name of an upload."""
        self._write("REPLACE INTO uploads VALUES (?, ?, ?)", upload, name, now())

    def upload_name(self, upload: str) -> str | None:
        """The name of an upload; None if no upload has this id."""
        rows = self._read("SELECT name FROM uploads WHERE upload = ?", upload)
        return str(rows[0][0]) if rows else None

    def uploads(self) -> list[tuple[str, str, str]]:
        """Id, name and time (UTC) of all uploads, the newest first."""
        rows = self._read("SELECT upload, name, added FROM uploads ORDER BY added DESC, upload")
        return [(upload, name, added) for upload, name, added in rows]

    def delete_upload(self, upload: str) -> None:
        """Forget the name of an upload."""
        self._write("DELETE FROM uploads WHERE upload = ?", upload)

    def about(self, key: str, value: str | None = None) -> str | None:
        """The value of a key, None if it has none. If `value` is given, `value` is stored as the key's value first."""
        if value is not None:
            self._write("REPLACE INTO about VALUES (?, ?)", key, value)
            return value
        rows = self._read("SELECT value FROM about WHERE key = ?", key)
        return str(rows[0][0]) if rows else None

    def secret(self) -> str:
        """The secret in the address, kept in the store so that open pages work after a restart of the server."""
        return self.about(SECRET) or str(self.about(SECRET, secrets.token_urlsafe(24)))

    def _write(self, command: str, *values: str) -> None:
        sentence = _("cannot write {path}: {error}")
        with self._lock:
            if not self._is_there():
                raise RunnerError(_("the file {path} has been moved or deleted; start the server again")
                                  .format(path=self.path))  # fmt: skip
            try:
                self._database.execute(command, values)
            except sqlite3.Error as error:
                raise RunnerError(sentence.format(path=self.path, error=error)) from error

    def _is_there(self) -> bool:
        """Whether the path still leads to the opened file; SQLite would write a deleted file without an error."""
        with contextlib.suppress(OSError):
            return os.path.samestat(os.stat(self.path), self._opened)
        return False

    def _read(self, query: str, *values: str | int) -> list[tuple[str, ...]]:
        with self._lock:
            try:
                return self._database.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise RunnerError(_("cannot read {path}: {error}").format(path=self.path, error=error)) from error


def now() -> str:
    """The time in UTC as ISO 8601 with milliseconds. Sorting such texts sorts them by time."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()) + f".{time.time_ns() // 1_000_000 % 1000:03}Z"


@contextlib.contextmanager
def open_store(path: Path) -> Iterator[RoomStore]:
    """Open the store in a file. The file and its folder are made if they are missing.

    Raises RunnerError if another server uses the store, the file cannot be written, or the file is no store.
    """
    sentence = _("cannot write {path}: {error}; give --store another file")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            raise RunnerError(_("{path} is no file; give --store another file").format(path=path))
        # The lock is on a file of its own, because a damaged store is renamed.
        lock = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise RunnerError(sentence.format(path=path, error=reason(error))) from error
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            busy = _("another server has {path}; use its page, stop it, or give --store another file")
            raise RunnerError(busy.format(path=path)) from None
        set_aside = None
        if path.exists() and (why := _damage(path)):
            set_aside = _renamed(path, why)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        try:
            database = _connected(path)
        except sqlite3.Error as error:
            raise RunnerError(sentence.format(path=path, error=error)) from error
        with contextlib.closing(database):
            yield RoomStore(path, database, set_aside)
    except OSError as error:
        raise RunnerError(sentence.format(path=path, error=reason(error))) from error
    finally:
        os.close(lock)


def _connected(path: Path) -> sqlite3.Connection:
    # Every statement is a transaction. WAL with synchronous=NORMAL does not wait for the disk: a crash of the process
    # loses nothing; a power cut may lose the last moves.
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
    for command in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL"):
        database.execute(command)
    database.executescript(TABLES)
    return database


def _damage(path: Path) -> str:
    """The damage of a store, "" if there is none. Raises RunnerError for an intact database that is no such store."""
    if path.stat().st_size == 0:
        return ""
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=5)) as database:
            application, version, check = (
                database.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("application_id", "user_version", "quick_check(1)")
            )
    except sqlite3.Error as error:
        return str(error)
    if application != APPLICATION:
        raise RunnerError(_("{path} is not a store of games; give --store another file").format(path=path))
    if version != FORMAT:
        raise RunnerError(_("{path} was made by another version; give --store another file").format(path=path))
    return "" if check == "ok" else str(check)


def _renamed(path: Path, why: str) -> Path:
    number = 1
    while (place := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    for ending in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.rename(f"{path}{ending}", f"{place}{ending}")
    return place
