"""The folder in which the server keeps games, as files that a user can read, copy and delete.

    server.json                          the secret of the address, and the port; the running server locks this file
    rooms/ROOM.jsonl                     a game, in one line
    analyses/NAME.jsonl                  the tree of an analysis board, and the analysis of its game
    uploads/ID/submission.py, ID.name    an upload, and the name that the browser gave it

The lines are those of json_lines.py. Every change writes a file anew, so a killed server leaves the old or the new
file. A damaged file stays as it is, and is named in the list of games or analyses.
"""

import contextlib
import fcntl
import hashlib
import itertools
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from local_runner.agents.source import MAIN
from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _, shown
from local_runner.language.text import shortened
from local_runner.server.wire import GONE, StoredRoom
from local_runner.system import files, json_lines

NAME = re.compile(r"[a-z0-9]{12}")  # name of a room or a tree; other texts of a page never get into a path
UPLOAD = re.compile(r"[0-9a-f]{32}")
MOST_SHOWN = 200  # most games in the list "My games"; older rooms can still be entered
ADVICE = Message("give --store another folder")
MOST_BYTES = 100_000_000  # largest size of an upload, as on the site
Made = TypeVar("Made")
Lines = Iterator[dict[str, Any]]  # the objects of a file


def default_folder() -> Path:
    """The folder of the store in the user's data folder (XDG_DATA_HOME)."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "tengen" / "games"


class KeptFiles:
    """A folder of files. `damaged`: the sentence about a damaged file. Any thread may call the methods, which raise
    RunnerError if a file cannot be read or written.
    """

    def __init__(self, folder: Path, damaged: str) -> None:
        self._folder, self._damaged = folder, damaged
        folder.mkdir(mode=0o700, exist_ok=True)

    def write(self, name: str, lines: Iterable[Mapping[str, Any]]) -> None:
        """Write a file, in place of the one before."""
        files.write_whole(self._path(name), b"".join(map(json_lines.encoded, lines)))

    def read(self, name: str, of: Callable[[Lines], Made]) -> Made | None:
        """The result of `of` for the objects of a file's lines; None if there is no such file.

        Raises RunnerError if a line is damaged, or `of` raises ValueError.
        """
        path = self._path(name)
        if not NAME.fullmatch(name) or not path.exists():
            return None
        try:
            return of(_values(path))
        except ValueError as error:
            raise RunnerError(shown(Message(self._damaged, path=str(path)))) from error

    def delete(self, name: str) -> None:
        """Delete a file if it is there."""
        if NAME.fullmatch(name):
            with _deleting(path := self._path(name)):
                path.unlink(missing_ok=True)

    @property
    def changed(self) -> int:
        """The time of the last change of any file, in nanoseconds."""
        return self._folder.stat().st_mtime_ns

    def listed(self, of: Callable[[Lines], Made],
               most: int | None = MOST_SHOWN) -> tuple[list[tuple[str, str, Made]], list[str]]:  # fmt: skip
        """Name, time of the last change and the result of `of` for the newest `most` files, newest first, and the paths
        of those that cannot be read. 200 games of 100 moves are read in 0.05 s.
        """
        found, good, damaged = list[tuple[int, Path]](), [], []
        for path in self._folder.glob("*.jsonl"):
            with contextlib.suppress(OSError):  # deleted meanwhile
                found.append((path.stat().st_mtime_ns, path))
        for changed, path in sorted(found, reverse=True)[:most]:
            try:
                good.append((path.stem, utc(changed), of(_values(path))))
            except (ValueError, RunnerError):
                damaged.append(str(path))
        return good, damaged

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.jsonl"


def _values(path: Path) -> Lines:
    """The objects of a file. Raises ValueError at a damaged line, and if there is no line."""
    line = None
    for line in json_lines.read(path):
        if (value := line.value) is None:
            raise ValueError(f"line {line.number} is damaged")
        yield value
    if line is None:
        raise ValueError("the file has no line")


@contextlib.contextmanager
def _deleting(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RunnerError(_("cannot delete {path}: {error}").format(path=path, error=files.reason(error))) from error


def utc(nanoseconds: int) -> str:
    """A time of the system's clock in UTC, as ISO 8601 with milliseconds. Such texts sort by time."""
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest // 1_000_000:03}Z"


def room_of(lines: Lines) -> StoredRoom:
    """The room of a file. Raises ValueError if the line is none of a room."""
    return msgspec.convert(next(lines), StoredRoom)


class Uploads:
    """Uploaded submissions, each in a folder of its own that only the user can read, named by the hash of its content.

    The name that the browser gives is never used as a path. Uploading the same content again stores no second copy.
    Methods may be called from any thread.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(mode=0o700, exist_ok=True)

    def add(self, content: bytes, name: str) -> dict[str, str]:
        """Store a submission.py; returns its id as `upload`, and its `name` to show.

        The name gets a number if another upload has the same name.

        Raises RunnerError if the file is empty or the folder cannot be written.
        """
        if not content:
            raise RunnerError(_("this file is empty"))
        upload, given = hashlib.sha256(content).hexdigest()[:32], shortened(name) or MAIN
        taken = {each["name"] for each in self.headings() if each["upload"] != upload}
        stem, ending = os.path.splitext(given)
        numbered = (f"{stem} ({number}){ending}" for number in itertools.count(2))
        shown_name = next(each for each in itertools.chain([given], numbered) if each not in taken)
        place = self._folder / upload / MAIN
        try:
            place.parent.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            sentence = _("cannot keep the upload in {folder}: {error}")
            raise RunnerError(sentence.format(folder=self._folder, error=files.reason(error))) from error
        if not place.is_file():
            files.write_whole(place, content)
        files.write_whole(self._name(upload), shown_name)
        return {"upload": upload, "name": shown_name}

    def headings(self) -> list[dict[str, str]]:
        """All uploads, the newest first: id, name and time of the last upload."""
        found = []
        for path in self._folder.glob("*.name"):
            with contextlib.suppress(OSError, RunnerError):  # deleted meanwhile
                added = utc(path.stat().st_mtime_ns)
                found.append({"upload": path.stem, "name": self.name(path.stem), "added": added})
        return sorted(found, key=lambda heading: heading["added"], reverse=True)

    def delete(self, upload: str) -> None:
        """Delete an upload; games against it can still be looked at. Raises RunnerError if it cannot be deleted."""
        place = self.path(upload).parent
        with _deleting(place):
            shutil.rmtree(place)
            self._name(upload).unlink(missing_ok=True)

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

    def _name(self, upload: str) -> Path:
        return self._folder / f"{upload}.name"


class RoomStore:
    """An open store, made by `open_store`.

    `trees`: trees of analysis boards; the first line of a file is its entry in the list. `secret`: the secret in the
    address, stored so that open pages work after a restart of the server. `port`: the port of the last run, 0 if there
    was none.
    """

    def __init__(self, folder: Path, handle: int) -> None:
        self._folder, self._handle = folder, handle
        self.rooms = KeptFiles(folder / "rooms", Message("the file of this game is damaged: {path}"))
        self.trees = KeptFiles(folder / "analyses", Message("the file of this analysis is damaged: {path}"))
        self.uploads = Uploads(folder / "uploads")
        try:
            about = json.loads(os.pread(handle, 10_000, 0))
            self.secret, self.port = str(about["secret"]), int(about["port"]) % 65536
        except (ValueError, KeyError, TypeError):  # a new store, or a damaged file
            self.secret, self.port = secrets.token_urlsafe(24), 0

    def keep_port(self, port: int) -> None:
        """Write the secret and the port of this run. Raises RunnerError if the disk is full."""
        self.port = port
        content = json.dumps({"secret": self.secret, "port": port}).encode()
        with files.explained(self._folder, shown(ADVICE)):
            os.pwrite(self._handle, content, 0)
            os.ftruncate(self._handle, len(content))

    def room(self, name: str) -> StoredRoom:
        """One room. Raises RunnerError if there is no such room or it cannot be read."""
        if (stored := self.rooms.read(name, room_of)) is None:
            raise RunnerError(shown(GONE))
        return stored


@contextlib.contextmanager
def open_store(folder: Path) -> Iterator[RoomStore]:
    """Open the store in a folder, which is made if it is missing. Only the user can read a folder that is made.

    Raises RunnerError if another server uses the folder, or the folder cannot be written.
    """
    with contextlib.ExitStack() as stack:
        with files.explained(folder, shown(ADVICE)):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(folder / "server.json", os.O_RDWR | os.O_CREAT, 0o600)
            stack.callback(os.close, handle)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                busy = _("another server has {path}; use its page, stop it, or give --store another folder")
                raise RunnerError(busy.format(path=folder)) from None
            store = RoomStore(folder, handle)
        yield store
