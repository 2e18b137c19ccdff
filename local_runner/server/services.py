"""What all pages share: the store, the rooms, the uploads and the files that were named at the start."""

from collections.abc import Sequence
from pathlib import Path

from local_runner.errors import RunnerError
from local_runner.formats.saved_game import SavedGame
from local_runner.language.languages import _
from local_runner.processes.sandbox import SandboxMode
from local_runner.server import welcome
from local_runner.server.messages import Welcome
from local_runner.server.opened_files import OpenedFiles, saved_room
from local_runner.server.rooms import Rooms
from local_runner.server.seating import Seating
from local_runner.server.store import RoomStore
from local_runner.server.stored_room import in_words
from local_runner.server.uploads import Uploads


class Services:
    """Made in the event loop. `files`: what was named on the command line."""

    def __init__(self, store: RoomStore, files: Sequence[Path], mode: SandboxMode) -> None:
        self.store = store
        self.mode = mode
        self.uploads = Uploads(store)
        self.rooms = Rooms(store, Seating(self.uploads, mode))
        self.files = {path.name: path for path in files}
        self.opened = OpenedFiles(self.files)

    def welcome(self) -> Welcome:
        """The answer to Hello, in the language that is used."""
        return Welcome(
            games=welcome.game_kinds(), levels=welcome.levels(), rooms=[room.heading for room in self.store.rooms()],
            files=list(self.files),
        )  # fmt: skip

    def room(self, name: str) -> SavedGame:
        """A room as a saved game. Raises RunnerError if there is no such room."""
        kept = self.store.room(name)
        if kept is None:
            raise RunnerError(_("there is no such game any more; begin a new one"))
        return saved_room(kept, in_words(kept.names))
