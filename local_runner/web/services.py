"""What all pages share: the store, the rooms, the uploads and the files that were named at the start."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from local_runner.errors import RunnerError
from local_runner.languages import _
from local_runner.processes.sandbox import SandboxMode
from local_runner.web import welcome
from local_runner.web.messages import Welcome
from local_runner.web.rooms import Rooms
from local_runner.web.seating import Seating
from local_runner.web.store import RoomStore
from local_runner.web.uploads import Uploads


class Services:
    """Made in the event loop. `files`: what was named on the command line."""

    def __init__(self, store: RoomStore, files: Sequence[Path], mode: SandboxMode) -> None:
        self.store = store
        self.mode = mode
        self.uploads = Uploads(store)
        self.rooms = Rooms(store, Seating(self.uploads, mode))
        self.files = {path.name: path for path in files}

    def welcome(self) -> Welcome:
        """The answer to Hello, in the language that is used."""
        return Welcome(
            games=welcome.game_kinds(), levels=welcome.levels(), rooms=[room.heading for room in self.store.rooms()],
            files=list(self.files),
        )  # fmt: skip

    def tools(self, page: Any) -> PageTools:
        """What one page uses besides rooms."""
        return PageTools(self, page)


class PageTools:
    """What one page uses besides rooms."""

    def __init__(self, services: Services, page: Any) -> None:
        self._services, self._page = services, page

    async def use(self, message: Any) -> None:
        """Do what a message asks."""
        raise RunnerError(_("this cannot be done yet"))

    def close(self) -> None:
        """The page has gone."""
