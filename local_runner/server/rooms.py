"""All rooms of a server: the running ones, each with a thread, and the others, which are only in the store.

Runs in the event loop. A room that no page has shown for a minute ends. The next page that enters an ended room loads
the room again.
"""

import asyncio
import secrets
import string
import time

from local_runner.errors import RunnerError
from local_runner.game.setup import title
from local_runner.language.languages import _
from local_runner.server.pages import Page
from local_runner.server.positions import position_game
from local_runner.server.requests import Command, NewGame, Play
from local_runner.server.room import GameRoom, RoomServices
from local_runner.server.seating import Seating
from local_runner.server.store import RoomStore
from local_runner.server.stored_room import StoredRoom
from local_runner.server.welcome import openings_of

MOST_ROOMS = 100  # rooms that may run at once
ALONE_SECONDS = 60.0  # time without a page after which a room ends
LOOK_SECONDS = 5.0  # time between two checks for rooms without a page
ENDING_SECONDS = 5.0  # longest wait for an ending room, before it is loaded again
NAME_LENGTH, LETTERS = 12, string.ascii_lowercase + string.digits


class Rooms:
    """The rooms of a server. All methods are called in the event loop."""

    def __init__(self, store: RoomStore, seating: Seating) -> None:
        self.store = store
        self._seating = seating
        self._running: dict[str, GameRoom] = {}
        self._loop = asyncio.get_running_loop()

    async def new(self, request: NewGame, page: Page) -> None:
        """Begin a game and let the page enter its room.

        Raises RunnerError or EnvError if the position or a seat is impossible, or too many rooms run.
        """
        self._check_number()
        room = await asyncio.to_thread(self._new_room, request)
        self._run(room, page).pages.enter(page, request.tag)

    def _new_room(self, request: NewGame) -> StoredRoom:
        position = request.position
        if request.opening is not None:
            openings = openings_of(position.env)
            if request.opening >= len(openings):
                sentence = _("there is no opening {number}; {game} has {all}")
                raise RunnerError(sentence.format(number=request.opening, game=title(position.env), all=len(openings)))
            position = position.model_copy(update={"moves": openings[request.opening]})
        position_game(position)  # raises if the position is impossible
        for seat in request.seats:
            self._seating.check(seat, position.env)
        name = "".join(secrets.choice(LETTERS) for _letter in range(NAME_LENGTH))
        names = (self._seating.name(request.seats[0]), self._seating.name(request.seats[1]))
        return StoredRoom(
            room=name, position=position, start=len(position.moves), seats=request.seats, names=names,
            lose_turn=request.lose_turn, ponder=request.ponder,
        )  # fmt: skip

    def leave(self, name: str, page: Page) -> None:
        """Send a page no more states of a room."""
        if (room := self._running.get(name)) is not None:
            room.pages.leave(page)

    def disconnected(self, page: Page) -> None:
        """Remove a page from all rooms."""
        for room in self._running.values():
            room.pages.leave(page)

    async def order(self, request: Play | Command, page: Page) -> None:
        """Pass a page's request to its room. Raises RunnerError if there is no such room."""
        (await self.room(request.room, page)).order(page, request)

    async def tidy(self) -> None:
        """End the rooms that had no page for `ALONE_SECONDS` and are kept. Runs until it is cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for room in list(self._running.values()):
                if room.kept and room.pages.alone and time.monotonic() - room.pages.alone_since > ALONE_SECONDS:
                    room.end()

    def end(self) -> None:
        """Tell all rooms to end; does not wait for them."""
        for room in list(self._running.values()):
            room.end()

    def join(self, seconds: float) -> None:
        """Wait for all rooms to end, at most this many seconds in all."""
        end = time.monotonic() + seconds
        for room in list(self._running.values()):
            room.join(max(0.0, end - time.monotonic()))

    async def room(self, name: str, page: Page) -> GameRoom:
        """A room, which is loaded from the store if it does not run.

        Raises RunnerError if there is no such room, or too many rooms run.
        """
        while (room := self._running.get(name)) is not None:
            if not room.ending:
                return room
            await asyncio.to_thread(room.join, ENDING_SECONDS)
            self._forget(room)
        stored = await asyncio.to_thread(self.store.existing_room, name)
        if name in self._running:  # another page has loaded it meanwhile
            return await self.room(name, page)
        self._check_number()
        return self._run(stored, page)

    def _check_number(self) -> None:
        if len(self._running) >= MOST_ROOMS:
            raise RunnerError(_("{number} games are open, which is the most; close one").format(number=MOST_ROOMS))

    def _run(self, stored: StoredRoom, page: Page) -> GameRoom:
        services = RoomServices(self.store, self._seating.mode, self._seating.contestant, self._ended)
        room = self._running[stored.room] = GameRoom(stored, services, page.language)
        return room

    def _ended(self, room: GameRoom) -> None:
        """Remove a room whose thread is about to end. Called in that thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._forget, room)

    def _forget(self, room: GameRoom) -> None:
        if self._running.get(room.name) is room:
            del self._running[room.name]
