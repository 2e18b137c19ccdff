"""All rooms: those that run, each with a thread, and those that wait in the store until a page comes back.

Runs in the event loop. A room without a page ends after a minute; entering it loads it again.
"""

import asyncio
import secrets
import string
import time

from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.server.pages import Page
from local_runner.server.positions import position_game
from local_runner.server.requests import Command, NewGame, Play
from local_runner.server.room import GameRoom, RoomServices
from local_runner.server.seating import Seating
from local_runner.server.store import RoomStore, now
from local_runner.server.stored_room import StoredRoom
from local_runner.server.welcome import openings_of

MOST_ROOMS = 100  # that run at once
ALONE_SECONDS = 60.0  # without a page until a room ends
LOOK_SECONDS = 5.0  # between two looks for such rooms
ENDING_SECONDS = 5.0  # longest wait for a room that is ending, before it is loaded again
NAME_LENGTH, LETTERS = 12, string.ascii_lowercase + string.digits


class Rooms:
    """The rooms of a server. Its methods are called in the event loop."""

    def __init__(self, store: RoomStore, seating: Seating) -> None:
        self.store = store
        self._seating = seating
        self._running: dict[str, GameRoom] = {}
        self._loop = asyncio.get_running_loop()

    async def new(self, request: NewGame, page: Page) -> None:
        """Begin a game and let the page enter it. Raises RunnerError or EnvError if that cannot be."""
        self._check_number()
        room = await asyncio.to_thread(self._new_room, request)
        self._run(room, page).pages.enter(page, request.tag)

    def _new_room(self, request: NewGame) -> StoredRoom:
        position = request.position
        if request.opening is not None:
            openings = openings_of(position.env)
            if request.opening >= len(openings):
                sentence = _("there is no opening {number}; {game} has {all}")
                raise RunnerError(sentence.format(number=request.opening, game=position.env, all=len(openings)))
            position = position.model_copy(update={"moves": openings[request.opening]})
        position_game(position)  # refuses what cannot be set up
        for seat in request.seats:
            self._seating.check(seat, position.env)
        name = "".join(secrets.choice(LETTERS) for _letter in range(NAME_LENGTH))
        names = (self._seating.name(request.seats[0]), self._seating.name(request.seats[1]))
        return StoredRoom(
            room=name, position=position, start=len(position.moves), seats=request.seats, names=names,
            lose_turn=request.lose_turn, ponder=request.ponder, changed=now(),
        )  # fmt: skip

    def leave(self, name: str, page: Page) -> None:
        """A page does not show a room any more."""
        if (room := self._running.get(name)) is not None:
            room.pages.leave(page)

    def disconnected(self, page: Page) -> None:
        """A page has gone."""
        for room in self._running.values():
            room.pages.leave(page)

    async def order(self, request: Play | Command, page: Page) -> None:
        """Do in a room what a page asks for. Raises RunnerError if there is no such room."""
        (await self.room(request.room, page)).order(page, request)

    async def tidy(self) -> None:
        """End rooms without a page, again and again."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for room in list(self._running.values()):
                if room.pages.alone and time.monotonic() - room.pages.alone_since > ALONE_SECONDS:
                    room.end()

    def end(self) -> None:
        """Let all rooms end soon, without waiting."""
        for room in list(self._running.values()):
            room.end()

    def join(self, seconds: float) -> None:
        """Wait for all rooms to end, at most so long."""
        end = time.monotonic() + seconds
        for room in list(self._running.values()):
            room.join(max(0.0, end - time.monotonic()))

    async def room(self, name: str, page: Page) -> GameRoom:
        """A running room; it is loaded if need be. Raises RunnerError if there is no such room."""
        while (room := self._running.get(name)) is not None:
            if not room.ending:
                return room
            await asyncio.to_thread(room.join, ENDING_SECONDS)
            self._forget(room)
        stored = await asyncio.to_thread(self.store.existing_room, name)
        if name in self._running:  # another page was faster
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
        """A room's thread has ended; called in that thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._forget, room)

    def _forget(self, room: GameRoom) -> None:
        if self._running.get(room.name) is room:
            del self._running[room.name]
