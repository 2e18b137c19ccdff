"""Rooms from inside: they end when left alone and come back, errors of our own end the game, twenty at once."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from local_runner.errors import RunnerError
from local_runner.processes.sandbox import SandboxMode
from local_runner.server import room as room_module
from local_runner.server import rooms
from local_runner.server.answers import State
from local_runner.server.game import RoomGame
from local_runner.server.keeping import Keeper
from local_runner.server.pages import RoomPages
from local_runner.server.parts import AgentSeat, HumanSeat, PagePosition
from local_runner.server.requests import Command, NewGame, Play
from local_runner.server.room import CLOSED
from local_runner.server.services import Services
from local_runner.server.store import open_store
from local_runner.server.stored_room import RoomView
from tests.local_runner.server.test_store import stored

HUMAN, GREEDY = HumanSeat(), AgentSeat(name="greedy")


class Guest:
    """A visitor that keeps what it is sent."""

    language = "en"

    def __init__(self):
        self.heard = []

    def send(self, message, key=None):
        self.heard.append(message)

    async def state(self, fits=lambda state: True):
        """The newest state, once it fits."""
        for _time in range(600):
            states = [each for each in self.heard if isinstance(each, State)]
            if states and fits(states[-1]):
                return states[-1]
            await asyncio.sleep(0.05)
        raise AssertionError(self.heard[-3:])


def begin(env="tictactoe_1v1", black=HUMAN, white=GREEDY, moves=()):
    return NewGame(tag=1, position=PagePosition(env=env, moves=list(moves)), seats=(black, white))


def play(state, cell):
    return Play(tag=2, room=state.room, ply=len(state.moves["moves"]), cell=cell)


def limited(store, more):
    """Let the store's file grow by `more` pages at most, as on a disk that is nearly full; None: without a limit."""
    pages = store._database.execute("PRAGMA page_count").fetchone()[0]
    store._database.execute(f"PRAGMA max_page_count = {2**31 if more is None else pages + more}")


@pytest.fixture
def inside(tmp_path):
    """Runs a coroutine function with the services of a server."""

    def run(body):
        async def whole():
            services = Services(store, [], SandboxMode.AUTO)
            try:
                await body(services)
            finally:
                services.rooms.end()
                await asyncio.to_thread(services.rooms.join, 10)

        with open_store(tmp_path / "games.db") as store, ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, whole()).result()  # this thread may have the browser's loop

    return run


def test_a_room_is_kept_later_if_it_cannot_be_written_now():
    class Store:
        why, kept = "no room", ()

        def write(self, room):
            if self.why:
                raise RunnerError(self.why)
            self.kept = (*self.kept, room.changed)

    def view(changed):
        return RoomView(stored(moves=(0, 1)).model_copy(update={"changed": changed}), {}, {}, None)

    store = Store()
    keeper = Keeper(stored(), store)
    assert "not kept: no room" in keeper.keep(view("1")).unkept and store.kept == ()
    store.why = ""
    assert keeper.keep(view("2")).unkept == "" and store.kept == ("2",)
    assert keeper.keep(view("3")).unkept == "" and store.kept == ("2",)  # nothing but the time has changed


@pytest.mark.slow
def test_on_a_full_disk_the_game_goes_on_and_is_kept_when_there_is_room(inside, monkeypatch):
    monkeypatch.setattr(room_module, "RETRY_SECONDS", 0.02)
    monkeypatch.setattr(rooms, "ALONE_SECONDS", 0.0)
    monkeypatch.setattr(rooms, "LOOK_SECONDS", 0.02)

    async def body(services):
        store, tidying = services.store, asyncio.create_task(services.rooms.tidy())
        limited(store, 0)
        begun = []
        while True:  # rows still fit into the pages that are there
            guest = Guest()
            await services.rooms.new(begin(), guest)
            begun.append(await guest.state())
            if begun[-1].unkept:
                break
        assert "disk is full; the game goes on" in begun[-1].unkept and len(begun) < 50
        await services.rooms.order(play(begun[-1], 4), guest)
        state = await guest.state(lambda state: len(state.moves["moves"]) == 2)
        assert state.unkept and store.room(state.room) is None
        services.rooms.disconnected(guest)
        await asyncio.sleep(0.1)
        assert state.room in services.rooms._running  # a room that is not kept stays
        limited(store, None)
        for _time in range(200):
            if (kept := store.room(state.room)) is not None:
                break
            await asyncio.sleep(0.02)
        assert kept.position.moves == state.moves["moves"]
        tidying.cancel()

    inside(body)


def threads():
    return [each for each in threading.enumerate() if each.name.startswith("room ")]


def test_a_room_without_a_page_ends_and_comes_back(inside, monkeypatch):
    monkeypatch.setattr(rooms, "ALONE_SECONDS", 0.2)
    monkeypatch.setattr(rooms, "LOOK_SECONDS", 0.05)

    async def body(services):
        tidying, guest = asyncio.create_task(services.rooms.tidy()), Guest()
        await services.rooms.new(begin(), guest)
        await services.rooms.order(play(await guest.state(), 4), guest)
        before = await guest.state(lambda state: len(state.moves["moves"]) == 2)
        await asyncio.sleep(0.5)
        assert len(threads()) == 1  # a page is there
        services.rooms.disconnected(guest)
        end = time.monotonic() + 10
        while threads() and time.monotonic() < end:
            await asyncio.sleep(0.05)
        assert not threads()
        other = Guest()
        (await services.rooms.room(before.room, other)).pages.enter(other, 9)
        back = await other.state()
        assert back.tag == 9 and back.moves == before.moves and back.seconds == before.seconds
        tidying.cancel()

    inside(body)


def test_an_error_of_our_own_ends_the_game_and_the_room_still_obeys(inside, monkeypatch):
    async def body(services):
        guest = Guest()
        await services.rooms.new(begin(white=HUMAN), guest)
        state = await guest.state()
        with monkeypatch.context() as patch:
            patch.setattr(RoomGame, "play", lambda *given: 1 // 0)
            await services.rooms.order(play(state, 4), guest)
            broken = await guest.state(lambda each: each.result)
        assert "server made a mistake" in broken.result and "ZeroDivisionError" in broken.fault
        assert broken.moves["legal"] == []
        await services.rooms.order(Command(tag=5, room=state.room, ply=0, command="restart"), guest)
        state = await guest.state(lambda each: not each.result)
        await services.rooms.order(play(state, 4), guest)
        await guest.state(lambda each: each.moves["moves"] == [4])

    inside(body)


def test_a_game_that_fails_before_its_page_enters_is_refused(inside, monkeypatch):
    enter = RoomPages.enter

    def late(pages, *given):
        for room in threads():
            room.join(30)
        enter(pages, *given)

    async def body(services):
        guest = Guest()
        monkeypatch.setattr(RoomPages, "enter", late)
        await services.rooms.new(begin("gobang_1v1", moves=(0, 0)), guest)
        assert [(each.tag, "cannot be played" in each.sentence) for each in guest.heard] == [(1, True)]

    inside(body)


def test_an_order_that_comes_after_the_last_one_is_refused(inside):
    async def body(services):
        guest = Guest()
        await services.rooms.new(begin(white=HUMAN), guest)
        state = await guest.state()
        room = await services.rooms.room(state.room, guest)
        room.end()
        await asyncio.to_thread(room.join, 30)
        room.order(guest, play(state, 4))
        assert (guest.heard[-1].tag, guest.heard[-1].sentence) == (2, CLOSED)

    inside(body)


def test_loading_a_room_does_not_write_it(inside):
    async def body(services):
        first, guest = Guest(), Guest()
        await services.rooms.new(begin(), first)
        state = await first.state()
        room = await services.rooms.room(state.room, first)
        room.end()
        await asyncio.to_thread(room.join, 10)
        written = services.store.room(state.room)
        (await services.rooms.room(state.room, guest)).pages.enter(guest, 3)
        await guest.state()
        assert services.store.room(state.room) == written and written.changed

    inside(body)


def test_twenty_games_and_pages_at_once(inside):
    async def one(services, number):
        guest = Guest()
        await services.rooms.new(begin(white=HUMAN if number % 4 else GREEDY), guest)
        state = await guest.state()
        while not state.result:
            await services.rooms.order(play(state, state.moves["legal"][0]), guest)
            before = len(state.moves["moves"])
            state = await guest.state(lambda each, n=before: len(each.moves["moves"]) > n and each.thinking is None)
        return state.room

    async def body(services):
        names = await asyncio.gather(*(one(services, number) for number in range(20)))
        assert len(set(names)) == 20 == len(services.store.rooms())

    inside(body)


def test_more_rooms_than_there_may_be_are_refused(inside, monkeypatch):
    monkeypatch.setattr(rooms, "MOST_ROOMS", 2)

    async def body(services):
        guest = Guest()
        for _time in range(2):
            await services.rooms.new(begin(), guest)
        with pytest.raises(Exception, match="close one"):
            await services.rooms.new(begin(), guest)

    inside(body)
