"""Rooms of a server in this process: they end when left alone and come back; errors of our own end the game."""

import socket
import threading
import time

import pytest
import uvicorn

from local_runner.errors import RunnerError
from local_runner.processes.sandbox import SandboxMode
from local_runner.server import room as room_module
from local_runner.server import services as services_module
from local_runner.server.application import application
from local_runner.server.room import GameRoom
from local_runner.server.room_game import RoomGame
from local_runner.server.services import Services
from local_runner.server.store import KeptFiles, open_store
from tests.local_runner.server.pages import Visit, agent


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path) as store:
        yield store


@pytest.fixture
def page(store, monkeypatch):
    """A page of a server in this process; the server often checks for rooms without a page."""
    monkeypatch.setattr(services_module, "LOOK_SECONDS", 0.02)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        served = application(Services(store, [], SandboxMode.AUTO), port)
        server = uvicorn.Server(uvicorn.Config(served, log_level="warning", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        with Visit(f"http://127.0.0.1:{port}/?key={store.secret}").page() as page:
            yield page
        server.should_exit = True
        thread.join()


def rooms():
    return [each for each in threading.enumerate() if each.name.startswith("room ")]


def wait_for(true):
    end = time.monotonic() + 20
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    assert true()


def moves(state):
    return state["moves"]["moves"]


def test_a_room_that_cannot_be_written_goes_on_and_is_written_later(page, store, monkeypatch):
    monkeypatch.setattr(room_module, "RETRY_SECONDS", 0.02)
    monkeypatch.setattr(services_module, "ALONE_SECONDS", 0.05)

    def full(*given):
        raise RunnerError("no space")

    state = page.begin(white=agent("greedy"))
    with monkeypatch.context() as patch:
        patch.setattr(KeptFiles, "write", full)
        page.play(state, 4)
        state = page.until(lambda each: len(moves(each)) == 2 and each["unkept"])
        assert state["unkept"].startswith("not kept: no space; the game goes on")
        tree = page.ask("tree", type="enter_tree", tree=state["room"])
        assert [node["plies"] for node in tree["nodes"]] == [[], *([move] for move in moves(state))]
        page.say(type="leave", room=state["room"])
        time.sleep(0.1)
        assert len(rooms()) == 1  # a room that is not written does not end
    wait_for(lambda: store.room(state["room"]).position.moves == moves(state))


def test_a_room_without_a_page_ends_and_comes_back(page, store, monkeypatch):
    monkeypatch.setattr(services_module, "ALONE_SECONDS", 0.4)
    page.play(page.begin(white=agent("greedy")), 4)
    before = page.until(lambda each: len(moves(each)) == 2)
    time.sleep(0.6)
    assert len(rooms()) == 1  # a page is there
    kept = store.rooms.listed()
    page.say(type="leave", room=before["room"])
    time.sleep(0.1)
    assert len(rooms()) == 1
    wait_for(lambda: not rooms())
    back = page.ask("state", type="enter", room=before["room"])
    assert back["moves"] == before["moves"] and back["seconds"] == before["seconds"]
    page.ask("state", type="play", room=before["room"], ply=0, cell=0)  # late; answered after the room may be written
    assert store.rooms.listed() == kept


def test_an_error_of_our_own_ends_the_game_and_the_room_still_obeys(page, monkeypatch):
    state = page.begin()
    with monkeypatch.context() as patch:
        patch.setattr(RoomGame, "play", lambda *given: 1 // 0)
        page.say(type="play", tag=90, room=state["room"], ply=0, cell=4)
        broken = page.until(lambda each: each["result"])
    assert "server made a mistake" in broken["result"] and "ZeroDivisionError" in broken["fault"]
    assert broken["moves"]["legal"] == []
    state = page.do(broken, "restart")
    assert moves(page.play(state, 4)) == [4] and not state["result"]


def test_an_order_that_comes_after_the_last_one_is_refused(page, monkeypatch):
    state, order = page.begin(), GameRoom.order

    def late(room, given):
        room.end()
        room.thread.join(30)
        order(room, given)

    monkeypatch.setattr(GameRoom, "order", late)
    assert page.refused(type="play", room=state["room"], ply=0, cell=4).startswith("this game has been closed")
