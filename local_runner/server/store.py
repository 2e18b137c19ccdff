"""The folder in which the server keeps games, as files that a user can read, copy and delete.

    server.json                          the secret of the address, and the port; the running server locks this file
    rooms/ROOM.jsonl                     a game: its settings, then a line for each change
    analyses/NAME.jsonl                  the tree of an analysis board, and the analysis of its game
    uploads/ID/submission.py, ID.name    an upload, and the name that the browser gave it

The lines are those of json_lines.py. A change of a room is appended, a tree is written anew; so a killed server leaves
only whole lines. A damaged file stays as it is, and is named in the list of games or analyses.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from local_runner.agents.files import MAIN
from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _, shown
from local_runner.language.text import shortened
from local_runner.server.answers import UploadHeading
from local_runner.server.stored_room import StoredRoom, change_line, room_of, settings_line
from local_runner.system import json_lines
from local_runner.system.files import reason

NAME = re.compile(r"[a-z0-9]{12}")  # of a room or a tree; a page's text becomes part of a path only if it fits
UPLOAD = re.compile(r"[0-9a-f]{32}")
MOST_SHOWN = 200  # length of the list of games; older rooms can still be entered
MOST_BYTES = 100_000_000  # size of one upload, as on the site
EARLIER = "games.db"  # the file of earlier versions
GONE = Message("there is no such game any more; begin a new one")
CANNOT_WRITE = Message("cannot write {path}: {error}")
Kept = TypeVar("Kept")


def default_folder() -> Path:
    """The folder of the store in the user's data folder (XDG_DATA_HOME)."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "tengen" / "games"


class RoomStore:
    """An open store, made by `open_store`. Any thread may call its methods, which raise RunnerError if a file fails.

    `secret`: the secret in the address, kept so that open pages work after a restart of the server. `port`: that of
    the last run, 0 if there was none.
    """

    def __init__(self, folder: Path, handle: int) -> None:
        self.folder, self._handle = folder, handle
        for name in ("rooms", "analyses", "uploads"):
            (folder / name).mkdir(mode=0o700, exist_ok=True)
        self.uploads = Uploads(folder / "uploads")
        self._rooms: dict[Path, tuple[object, StoredRoom | None]] = {}  # with the state of the file that was read
        self._trees: dict[Path, tuple[object, dict[str, Any] | None]] = {}
        try:
            about = json.loads(os.pread(handle, 10_000, 0))
            self.secret, self.port = str(about["secret"]), int(about["port"]) % 65536
        except (ValueError, KeyError, TypeError):  # a new store, or a damaged file
            self.secret, self.port = secrets.token_urlsafe(24), 0

    def keep_port(self, port: int) -> None:
        """Write the secret and the port of this run."""
        self.port = port
        content = json.dumps({"secret": self.secret, "port": port}).encode()
        os.pwrite(self._handle, content, 0)
        os.ftruncate(self._handle, len(content))

    # ---- rooms

    def write(self, room: StoredRoom, before: StoredRoom | None) -> bool:
        """Write what has changed in a room; returns whether anything but the time has.

        `before`: the room as it was written last, None for a new one.
        """
        path = self._path("rooms", room.room)
        if before is None or not path.exists():
            lines = [settings_line(room), change_line(room_of([settings_line(room)]), room)]
            _replace(path, filter(None, lines))
            return True
        if line := change_line(before, room):
            _append(path, line)
        return bool(line)

    def delete(self, room: str) -> None:
        """Delete a room and its analysis if they are in the store."""
        _remove(self._path("rooms", room))
        self.delete_tree(room)

    def room(self, name: str) -> StoredRoom | None:
        """One room; None if there is no such room. Raises RunnerError if the room cannot be read."""
        path = self._path("rooms", name)
        if not NAME.fullmatch(name) or not path.exists():
            return None
        try:
            return room_of(_values(path))
        except ValueError as error:
            raise RunnerError(_("the file of this game is damaged: {path}").format(path=path)) from error

    def existing_room(self, name: str) -> StoredRoom:
        """One room. Raises RunnerError if there is no such room or it cannot be read."""
        if (stored := self.room(name)) is None:
            raise RunnerError(shown(GONE))
        return stored

    def rooms(self) -> tuple[list[StoredRoom], list[str]]:
        """The newest `MOST_SHOWN` rooms, newest first, and the paths of damaged files among them."""
        rooms, damaged = _listed(self.folder / "rooms", self._rooms, lambda path: room_of(_values(path)))
        return sorted((room for _name, _changed, room in rooms), key=lambda room: room.changed, reverse=True), damaged

    # ---- trees of analysis boards

    def write_tree(self, name: str, lines: Iterable[Mapping[str, Any]]) -> None:
        """Write a tree. The first line is its entry in the list."""
        _replace(self._path("analyses", name), lines)

    def add_to_tree(self, name: str, line: Mapping[str, Any]) -> None:
        """Append a line to a tree."""
        _append(self._path("analyses", name), line)

    def tree(self, name: str) -> list[dict[str, Any]] | None:
        """The lines of a tree; None if there is no such tree. Raises RunnerError if a line is damaged."""
        path = self._path("analyses", name)
        if not NAME.fullmatch(name) or not path.exists():
            return None
        try:
            return list(_values(path))
        except ValueError as error:
            raise RunnerError(_("the file of this analysis is damaged: {path}").format(path=path)) from error

    def tree_headings(self) -> tuple[list[tuple[str, str, dict[str, Any]]], list[str]]:
        """Name, time of the last change and first line of the newest trees, and the paths of damaged files."""
        return _listed(self.folder / "analyses", self._trees, lambda path: next(_values(path)))

    def delete_tree(self, name: str) -> None:
        """Delete a tree if it is in the store."""
        _remove(self._path("analyses", name))

    def _path(self, folder: str, name: str) -> Path:
        return self.folder / folder / f"{name}.jsonl"


def _values(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file. Raises ValueError at a damaged line, and if there is no line."""
    line = None
    for line in json_lines.read(path):
        if (value := line.value) is None:
            raise ValueError(f"line {line.number} is damaged")
        yield value
    if line is None:
        raise ValueError("the file has no line")


def _listed(folder: Path, known: dict[Path, tuple[object, Kept | None]], read: Callable[[Path], Kept]) -> tuple[
        list[tuple[str, str, Kept]], list[str]]:  # fmt: skip
    """Name, time of the last change and what `read` returns, for the newest files of a folder, newest first; and the
    paths of those that it cannot read. A file is read again only if it has changed; `known` has the others.
    """
    states = {}
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):  # deleted meanwhile
                if entry.name.endswith(".jsonl"):
                    states[Path(entry.path)] = (entry.stat().st_mtime_ns, entry.stat().st_size)
    newest = sorted(states, key=lambda path: (states[path][0], path.name), reverse=True)[:MOST_SHOWN]
    good, damaged = [], []
    for path in newest:
        state, value = known.get(path, (None, None))
        if state != states[path]:
            value = None
            with contextlib.suppress(ValueError, RunnerError):
                value = read(path)
            known[path] = states[path], value
        if value is None:
            damaged.append(str(path))
        else:
            good.append((path.stem, utc(states[path][0]), value))
    for path in list(known):  # a copy, since other threads change `known`
        if path not in states:
            known.pop(path, None)
    return good, damaged


def _replace(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    part = path.with_suffix(".part")
    try:
        part.write_bytes(b"".join(map(json_lines.encoded, lines)))
        os.replace(part, path)
    except OSError as error:
        raise _failed(path, error) from error


def _append(path: Path, line: Mapping[str, Any]) -> None:
    try:
        with json_lines.writing(path) as writer:
            writer.append(line)
    except RunnerError as error:
        if isinstance(error.__cause__, OSError):
            raise _failed(path, error.__cause__) from error
        raise


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _failed(path, error) from error


def _failed(path: Path, error: OSError) -> RunnerError:
    return RunnerError(shown(Message(CANNOT_WRITE, path=str(path), error=reason(error))))


def utc(nanoseconds: int | None = None) -> str:
    """A time of the system's clock, now without one, in UTC as ISO 8601 with milliseconds. Such texts sort by time."""
    seconds, rest = divmod(time.time_ns() if nanoseconds is None else nanoseconds, 1_000_000_000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest // 1_000_000:03}Z"


class Uploads:
    """Uploaded submissions, each in a folder of its own that only the user can read, named by the hash of its content.

    The name that the browser gives is never used as a path. Uploading the same content again stores no second copy.
    Methods may be called from any thread.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add(self, content: bytes, name: str) -> tuple[str, str]:
        """Store a submission.py; returns its id and the name to show.

        Raises RunnerError if the file is empty or the folder cannot be written.
        """
        if not content:
            raise RunnerError(_("this file is empty"))
        upload, shown_name = hashlib.sha256(content).hexdigest()[:32], shortened(name) or MAIN
        place = self._folder / upload / MAIN
        try:
            if not place.is_file():
                place.parent.mkdir(mode=0o700, exist_ok=True)
                part = place.with_name(f"{secrets.token_hex(4)}.part")
                part.write_bytes(content)
                os.replace(part, place)
            self._name(upload).write_text(shown_name, "utf-8")
        except OSError as error:
            sentence = _("cannot keep the upload in {folder}: {error}")
            raise RunnerError(sentence.format(folder=self._folder, error=reason(error))) from error
        return upload, shown_name

    def headings(self) -> list[UploadHeading]:
        """All uploads, the newest first."""
        found = []
        for path in self._folder.glob("*.name"):
            with contextlib.suppress(OSError, RunnerError):  # deleted meanwhile
                added = utc(path.stat().st_mtime_ns)
                found.append(UploadHeading(upload=path.stem, name=self.name(path.stem), added=added))
        return sorted(found, key=lambda heading: heading.added, reverse=True)

    def delete(self, upload: str) -> None:
        """Delete an upload; games against it can still be looked at. Raises RunnerError if it cannot be deleted."""
        place = self.path(upload).parent
        try:
            shutil.rmtree(place)
            self._name(upload).unlink(missing_ok=True)
        except OSError as error:
            raise RunnerError(_("cannot delete {path}: {error}").format(path=place, error=reason(error))) from error

    def path(self, upload: str) -> Path:
        """The file of an upload. Raises RunnerError if no upload has this id."""
        path = self._folder / upload / MAIN
        if not UPLOAD.fullmatch(upload) or not path.is_file():
            raise RunnerError(_("this upload is not there any more; upload the file again"))
        return path

    def name(self, upload: str) -> str:
        """The name that the browser gave. Raises RunnerError if no upload has this id."""
        self.path(upload)
        try:
            return shortened(self._name(upload).read_text("utf-8")) or MAIN
        except (OSError, UnicodeDecodeError):
            return MAIN

    def spec(self, upload: str) -> AgentSpec:
        """The upload as an agent. Raises RunnerError if no upload has this id."""
        return AgentSpec(self.name(upload), self.path(upload), {})

    def _name(self, upload: str) -> Path:
        return self._folder / f"{upload}.name"


@contextlib.contextmanager
def open_store(folder: Path) -> Iterator[RoomStore]:
    """Open the store in a folder, which is made if it is missing. Only the user can read a folder that is made.

    Raises RunnerError if another server uses the folder, or the folder cannot be written.
    """
    if folder.is_file():
        sentence = _("{path} is a file; give --store a folder. Games in a file of an earlier version are not read")
        raise RunnerError(sentence.format(path=folder))
    with contextlib.ExitStack() as stack:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(folder / "server.json", os.O_RDWR | os.O_CREAT, 0o600)
            stack.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            store = RoomStore(folder, handle)
        except BlockingIOError:
            busy = _("another server has {path}; use its page, stop it, or give --store another folder")
            raise RunnerError(busy.format(path=folder)) from None
        except OSError as error:
            sentence = _("cannot write {path}: {error}; give --store another folder")
            raise RunnerError(sentence.format(path=folder, error=reason(error))) from error
        yield store
