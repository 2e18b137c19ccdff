"""Writes a room to the store after every change. If that fails, the game goes on, and the room is written later.

A room that was only loaded is not written, so that it keeps its place in the list of games.
"""

from dataclasses import replace

from local_runner.errors import RunnerError
from local_runner.language.languages import Message
from local_runner.server.store import RoomStore
from local_runner.server.stored_room import RoomView, StoredRoom

RETRY_SECONDS = 5.0  # time between two attempts to write a room
UNKEPT = Message("not kept: {why}; the game goes on, and is kept as soon as it can be written")


class Keeper:
    """Keeps one room. `room`: the room as it is in the store; `unkept`: why the last change is not there, else ""."""

    def __init__(self, room: StoredRoom, store: RoomStore) -> None:
        self.unkept: str = ""
        self._stored, self._store = room, store

    def keep(self, view: RoomView) -> RoomView:
        """Write the room if it has changed; returns the view with the sentence why it could not be written, if so."""
        last = self._stored
        if not last.changed or view.room.model_copy(update={"changed": last.changed}) != last:
            try:
                self._store.write(view.room)
                self._stored, self.unkept = view.room, ""
            except RunnerError as error:
                self.unkept = Message(UNKEPT, why=str(error))
        else:
            self.unkept = ""
        return replace(view, unkept=self.unkept)
