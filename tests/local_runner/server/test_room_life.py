"""Rooms from inside: they end when left alone and come back, errors of our own end the game, twenty at once."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from local_runner.errors import RunnerError
from local_runner.processes.sandbox import SandboxMode
from local_runner.server import room as room_module
from local_runner.server import services as services_module
from local_runner.server.game import RoomGame
from local_runner.server.pages import RoomPages
from local_runner.server.room import CLOSED, Order
from local_runner.server.services import Services
from local_runner.server.store import KeptFiles, open_store
from local_runner.server.wire import AgentSeat, HumanSeat, PagePosition
from tests.local_runner.server.pages import grown

HUMAN, GREEDY = HumanSeat(), AgentSeat(name="greedy")


class Guest:
    """A page connected to a room, which keeps the messages that it gets."""

    language = "en"

    def __init__(self):
        self.heard = []

    def send(self, message, key=None):
        if message["type"] == "moved":
            message = grown(next(each for each in reversed(self.heard) if each["type"] == "state"), message)
        self.heard.append(message)

    async def state(self, fits=lambda state: True):
        """Wait for a newest state for which `fits` is true, and return this state."""
        for _time in range(600):
            states = [each for each in self.heard if each["type"] == "state"]
            if states and fits(states[-1]):
                return states[-1]
            await asyncio.sleep(0.05)
        raise AssertionError(self.heard[-3:])


async def begin(services, guest, env="tictactoe_1v1", black=HUMAN, white=GREEDY, moves=()):
    await services.rooms.new(guest, 1, PagePosition(env=env, moves=list(moves)), (black, white))


async def order(services, guest, state, command="play", **more):
    room = await services.rooms.room(state["room"], guest)
    room.order(Order(guest, 2, len(state["moves"]["moves"]), command, **more))


@pytest.fixture
def inside(tmp_path):
    """Runs a coroutine function with the services of a server."""

    def run(body):
        with open_store(tmp_path) as store, ThreadPoolExecutor(1) as thread:  # this thread may have the browser's loop
            services = Services(store, [], SandboxMode.AUTO)
            try:
                thread.submit(asyncio.run, body(services)).result()
            finally:
                services.close()
                services.rooms.join(10)

    return run


def test_a_room_that_cannot_be_written_goes_on_and_is_written_later(inside, monkeypatch):
    monkeypatch.setattr(room_module, "RETRY_SECONDS", 0.02)
    monkeypatch.setattr(services_module, "ALONE_SECONDS", 0.0)
    monkeypatch.setattr(services_module, "LOOK_SECONDS", 0.02)

    def full(*given):
        raise RunnerError("no space")

    async def body(services):
        guest, tidying = Guest(), asyncio.create_task(services.rooms.tidy())
        await begin(services, guest)
        state = await guest.state()
        with monkeypatch.context() as patch:
            patch.setattr(KeptFiles, "write", full)
            await order(services, guest, state, cell=4)
            state = await guest.state(lambda state: len(state["moves"]["moves"]) == 2 and state["unkept"])
            assert state["unkept"].startswith("not kept: no space; the game goes on")
            services.rooms.disconnected(guest)
            await asyncio.sleep(0.1)
            assert len(threads()) == 1  # a room that is not written does not end
        for _time in range(200):
            if (kept := services.store.room(state["room"])).position.moves == state["moves"]["moves"]:
                break
            await asyncio.sleep(0.02)
        assert kept.position.moves == state["moves"]["moves"]
        tidying.cancel()

    inside(body)


def threads():
    return [each for each in threading.enumerate() if each.name.startswith("room ")]


def test_a_room_without_a_page_ends_and_comes_back(inside, monkeypatch):
    monkeypatch.setattr(services_module, "ALONE_SECONDS", 0.2)
    monkeypatch.setattr(services_module, "LOOK_SECONDS", 0.05)

    async def body(services):
        tidying, guest = asyncio.create_task(services.rooms.tidy()), Guest()
        await begin(services, guest)
        await order(services, guest, await guest.state(), cell=4)
        before = await guest.state(lambda state: len(state["moves"]["moves"]) == 2)
        await asyncio.sleep(0.5)
        assert len(threads()) == 1  # a page is there
        services.rooms.disconnected(guest)
        end = time.monotonic() + 10
        while threads() and time.monotonic() < end:
            await asyncio.sleep(0.05)
        assert not threads()
        other = Guest()
        (await services.rooms.room(before["room"], other)).pages.enter(other, 9)
        back = await other.state()
        assert back["tag"] == 9 and back["moves"] == before["moves"] and back["seconds"] == before["seconds"]
        tidying.cancel()

    inside(body)


def test_an_error_of_our_own_ends_the_game_and_the_room_still_obeys(inside, monkeypatch):
    async def body(services):
        guest = Guest()
        await begin(services, guest, white=HUMAN)
        state = await guest.state()
        with monkeypatch.context() as patch:
            patch.setattr(RoomGame, "play", lambda *given: 1 // 0)
            await order(services, guest, state, cell=4)
            broken = await guest.state(lambda each: each["result"])
        assert "server made a mistake" in broken["result"] and "ZeroDivisionError" in broken["fault"]
        assert broken["moves"]["legal"] == []
        await order(services, guest, broken, "restart")
        state = await guest.state(lambda each: not each["result"])
        await order(services, guest, state, cell=4)
        await guest.state(lambda each: each["moves"]["moves"] == [4])

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
        await begin(services, guest, "gobang_1v1", moves=(0, 0))
        assert [(each["tag"], "cannot be played" in each["sentence"]) for each in guest.heard] == [(1, True)]

    inside(body)


def test_an_order_that_comes_after_the_last_one_is_refused(inside):
    async def body(services):
        guest = Guest()
        await begin(services, guest, white=HUMAN)
        state = await guest.state()
        room = await services.rooms.room(state["room"], guest)
        room.end()
        await asyncio.to_thread(room.join, 30)
        room.order(Order(guest, 2, 0, "play", 4))
        assert (guest.heard[-1]["tag"], guest.heard[-1]["sentence"]) == (2, CLOSED)

    inside(body)


def test_twenty_games_and_pages_at_once(inside):
    async def one(services, number):
        guest = Guest()
        await begin(services, guest, white=HUMAN if number % 4 else GREEDY)
        state = await guest.state()
        while not state["result"]:
            await order(services, guest, state, cell=state["moves"]["legal"][0])
            before = len(state["moves"]["moves"])
            state = await guest.state(
                lambda each, n=before: len(each["moves"]["moves"]) > n and each["thinking"] is None
            )
        return state["room"]

    async def body(services):
        names = await asyncio.gather(*(one(services, number) for number in range(20)))
        assert len(set(names)) == 20 == len(services.store.rooms.listed()[0])

    inside(body)
