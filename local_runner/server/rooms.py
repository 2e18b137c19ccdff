"""All rooms: those that run, each with a thread, and those that wait in the store until a page comes back.

Runs in the event loop. A room without a page ends after a minute; entering it loads it again.
"""

import asyncio
import secrets
import string
import time

from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.server.messages import Do, Enter, NewGame, Play
from local_runner.server.positions import begun
from local_runner.server.room import GameRoom, RoomNeeds
from local_runner.server.seating import Seating
from local_runner.server.store import RoomStore, now
from local_runner.server.stored_room import StoredRoom
from local_runner.server.visitors import Visitor
from local_runner.server.welcome import openings_of

MOST_ROOMS = 100  # that run at once
ALONE_SECONDS = 60.0  # without a page until a room ends
LOOK_SECONDS = 5.0  # between two looks for such rooms
ENDING_SECONDS = 5.0  # longest wait for a room that is ending, before it is loaded again
NAME_LENGTH, LETTERS = 12, string.ascii_lowercase + string.digits


class Rooms:
    """The rooms of a server. Its methods are called in the event loop."""

    def __init__(self, store: RoomStore, seats: Seating) -> None:
        self.store = store
        self._seats = seats
        self._running: dict[str, GameRoom] = {}
        self._loop = asyncio.get_running_loop()

    async def new(self, wish: NewGame, visitor: Visitor) -> None:
        """Begin a game and let the page enter it. Raises RunnerError or EnvError if that cannot be."""
        self._check_room_for_one()
        kept = await asyncio.to_thread(self._kept, wish)
        self._run(kept, visitor).visitors.enter(visitor, wish.tag)

    def _kept(self, wish: NewGame) -> StoredRoom:
        position = wish.position
        if wish.opening is not None:
            openings = openings_of(position.env)
            if wish.opening >= len(openings):
                sentence = _("there is no opening {number}; {game} has {all}")
                raise RunnerError(sentence.format(number=wish.opening, game=position.env, all=len(openings)))
            position = position.model_copy(update={"moves": openings[wish.opening]})
        begun(position)
        for seat in wish.seats:
            self._seats.check(seat, position.env)
        name = "".join(secrets.choice(LETTERS) for _letter in range(NAME_LENGTH))
        names = (self._seats.name(wish.seats[0]), self._seats.name(wish.seats[1]))
        return StoredRoom(
            room=name, position=position, start=len(position.moves), seats=wish.seats, names=names,
            lose_turn=wish.lose_turn, ponder=wish.ponder, changed=now(),
        )  # fmt: skip

    async def enter(self, wish: Enter, visitor: Visitor) -> None:
        """Let a page look at a room. Raises RunnerError if there is no such room."""
        (await self.room(wish.room, visitor)).visitors.enter(visitor, wish.tag)

    def leave(self, name: str, visitor: Visitor) -> None:
        """A page does not look at a room any more."""
        if (room := self._running.get(name)) is not None:
            room.visitors.leave(visitor)

    def left(self, visitor: Visitor) -> None:
        """A page has gone."""
        for room in self._running.values():
            room.visitors.leave(visitor)

    async def order(self, wish: Play | Do, visitor: Visitor) -> None:
        """Do in a room what a page wants. Raises RunnerError if there is no such room."""
        (await self.room(wish.room, visitor)).order(visitor, wish)

    async def tidy(self) -> None:
        """End rooms that no page looks at, again and again."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for room in list(self._running.values()):
                if room.visitors.alone and time.monotonic() - room.visitors.alone_since > ALONE_SECONDS:
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

    async def room(self, name: str, visitor: Visitor) -> GameRoom:
        """A running room; it is loaded if need be. Raises RunnerError if there is no such room."""
        while (room := self._running.get(name)) is not None:
            if not room.ending:
                return room
            await asyncio.to_thread(room.join, ENDING_SECONDS)
            self._forget(room)
        kept = await asyncio.to_thread(self.store.room, name)
        if kept is None:
            raise RunnerError(_("there is no such game any more; begin a new one"))
        if name in self._running:  # another page was faster
            return await self.room(name, visitor)
        self._check_room_for_one()
        return self._run(kept, visitor)

    def _check_room_for_one(self) -> None:
        if len(self._running) >= MOST_ROOMS:
            raise RunnerError(_("{number} games are open, which is the most; close one").format(number=MOST_ROOMS))

    def _run(self, kept: StoredRoom, visitor: Visitor) -> GameRoom:
        room = GameRoom(kept, RoomNeeds(self.store, self._seats.mode, self._seats.taken, self._ended), visitor.language)
        self._running[kept.room] = room
        return room

    def _ended(self, room: GameRoom) -> None:
        """A room's thread has ended; called in that thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._forget, room)

    def _forget(self, room: GameRoom) -> None:
        if self._running.get(room.name) is room:
            del self._running[room.name]
