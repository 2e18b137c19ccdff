"""Games survive the end of the page, of the connection and of a killed server; a damaged file harms no other.

Rooms that no page shows end, and start again when a page enters; a bug in our code ends the game.
"""

import signal
import socket
import threading
import time
from pathlib import Path
from unittest.mock import Mock

import msgspec
import psutil
import pytest
import uvicorn
from msgspec.structs import replace

from local_runner.errors import RunnerError
from local_runner.game.faults import Fault, FaultKind
from local_runner.game.records import Result
from local_runner.processes.sandbox import SandboxMode
from local_runner.server import application, room, room_game, services
from local_runner.server.room import GameRoom
from local_runner.server.store import KeptFiles, RoomStore, open_store, room_of
from local_runner.server.wire import PagePosition, Seat, StoredRoom
from local_runner.system import json_lines
from tests.local_runner.processes.naughty import within
from tests.local_runner.server.conftest import HUMAN, Visit, agent, moves
from tests.serving import Serving

SEATS = (Seat("human"), Seat("agent", name="random"))


def stored(room="a" * 12, moves=(0,), **more):
    values = {"seats": SEATS, "names": ("human", "random"), "seconds": (0.5,) * len(moves), "start": 0}
    position = PagePosition(env="tictactoe_1v1", moves=list(moves))
    return StoredRoom(room=room, position=position, **{**values, **more})


def write(store, room):
    store.rooms.write(room.room, [msgspec.to_builtins(room)])


def path_of(folder, room="a" * 12):
    return folder / "rooms" / f"{room}.jsonl"


@pytest.mark.parametrize("more", [
    {"seconds": (None, 0.7, 1.5), "start": 1}, {"seats": SEATS[::-1], "names": ("random", "human"), "ponder": False},
    {"problem": "broken", "printed": "x\n"},
    {"result": Result(winner=1, fault=Fault(FaultKind.EXITED, {"code": 3}, "Traceback"))},
])  # fmt: skip
def test_a_room_comes_back(tmp_path, more):
    room = stored(moves=(4, 0, -1), **more)
    with open_store(tmp_path) as store:
        write(store, room)
    with open_store(tmp_path) as store:
        [(name, _changed, listed)], damaged = store.rooms.listed(room_of)
        assert store.room(room.room) == listed == room and name == room.room and damaged == []


def test_the_list_has_the_newest_first_without_the_deleted(tmp_path):
    with open_store(tmp_path) as store:
        for changes, listed in (("abc", "cba"), ("a", "acb")):
            for name in changes:
                write(store, stored(name * 12))
                time.sleep(0.01)
            assert "".join(name[0] for name, *_ in store.rooms.listed(room_of)[0]) == listed
        for _time in range(2):
            store.rooms.delete("c" * 12)
        (tmp_path / "x.jsonl").touch()
        store.rooms.delete("../x")
        assert len(store.rooms.listed(room_of)[0]) == 2 and store.rooms.read("c" * 12, room_of) is None
        assert (tmp_path / "x.jsonl").exists()


def test_only_the_user_can_read_the_store_and_the_secret_stays(tmp_path):
    folder = tmp_path / "new" / "games"
    with open_store(folder) as store:
        store.keep_port(4000)
        secret = store.secret
    assert [path.stat().st_mode & 0o077 for path in (folder, folder / "server.json", folder / "uploads")] == [0, 0, 0]
    with open_store(folder) as store:
        assert (store.secret, store.port) == (secret, 4000)
    (folder / "server.json").write_text("{")
    with open_store(folder) as store:
        assert store.secret != secret and store.port == 0
    sentence = "No space left on device; give --store another folder"
    with open("/dev/full", "r+b", buffering=0) as full, pytest.raises(RunnerError, match=sentence):
        RoomStore(folder, full.fileno()).keep_port(4000)


def test_a_second_server_is_told_of_the_first_and_a_file_is_no_store(tmp_path):
    with open_store(tmp_path), pytest.raises(RunnerError, match="another server has"), open_store(tmp_path):
        pass
    (tmp_path / "games.db").write_bytes(b"SQLite format 3")
    with pytest.raises(RunnerError, match="File exists; give --store"), open_store(tmp_path / "games.db"):
        pass


@pytest.mark.parametrize("damage", [
    lambda content: content.replace(b"[0]", b"[1]", 1), lambda content: content[:-10], lambda _content: b"",
    lambda _content: b"\x00" * 500, lambda _content: json_lines.encoded({"env": "none"}),
])  # fmt: skip
def test_a_damaged_file_is_named_and_harms_no_other(tmp_path, damage):
    with open_store(tmp_path) as store:
        for name in "ab":
            write(store, stored(name * 12))
        content = damage(path_of(tmp_path).read_bytes())
        path_of(tmp_path).write_bytes(content)
        rooms, damaged = store.rooms.listed(room_of)
        assert [name for name, *_ in rooms] == ["b" * 12] and damaged == [str(path_of(tmp_path))]
        with pytest.raises(RunnerError, match="this game is damaged"):
            store.room("a" * 12)
        assert path_of(tmp_path).read_bytes() == content


def test_a_store_that_is_moved_takes_no_writes_until_it_is_back(tmp_path):
    folder, away, room = tmp_path / "games", tmp_path / "away", stored()
    with open_store(folder) as store:
        folder.rename(away)
        with pytest.raises(RunnerError, match="cannot write"):
            write(store, room)
        away.rename(folder)
        write(store, room)
        assert store.room("a" * 12) == room


@pytest.mark.parametrize(("changes", "to_move"), [
    ({}, 2), ({"problem": "broken"}, 0), ({"position": PagePosition(env="reversi_1v1", first=2, moves=[1, -1])}, 2),
])  # fmt: skip
def test_a_heading_says_whose_turn_it_is(changes, to_move):
    assert replace(stored(), **changes).heading("")["to_move"] == to_move


@pytest.mark.parametrize("given", ["games", "sub/../games", "~/games"])
def test_the_path_of_the_store_is_made_whole(given, tmp_path, monkeypatch):
    """The browser opens a file beside the store. Its file: address needs an absolute path."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    opened = Mock(side_effect=RunnerError("enough"))
    monkeypatch.setattr(application, "open_store", opened)
    with pytest.raises(RunnerError, match="enough"):
        application.serve([], 0, True, Path(given), SandboxMode.AUTO)
    opened.assert_called_once_with(tmp_path / "games")


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_games_outlive_the_page_and_the_server(tmp_path, how):
    """An unfinished game, a resigned game, and a game that ended by a fault."""
    with Serving(tmp_path) as serving:
        first = Visit(serving.address)
        with first.page() as page:
            resigned = page.do(page.begin(), "resign")
            source = b"def my_controller(a, b, c=False):\n    raise ValueError('mine')\n"
            page.begin("tictactoe_1v1", {"kind": "upload", "upload": first.upload(source)}, HUMAN)
            failed = page.until(lambda each: each["result"])
            state = page.begin("reversi_8x8_1v1", HUMAN, agent("greedy"))
            page.play(state, state["moves"]["legal"][0])
            state = page.until(lambda each: len(each["moves"]["moves"]) == 2 and each["thinking"] is None)
        serving.stop(how)
        serving.start()
        again = Visit(serving.address)
        assert again.key == first.key and again.cookie == first.cookie  # an open page comes back by itself
        with first.page() as page:
            assert {each["room"]: each["plies"] for each in page.welcome["rooms"]}[state["room"]] == 2
            back, same = page.ask("state", type="enter", room=state["room"]), {"tag": 0, "clock": 0, "version": 0}
            assert {**back, **same} == {**state, **same}
            page.play(back, back["moves"]["legal"][0])
            page.until(lambda each: len(each["moves"]["moves"]) == 4)
            for state in (resigned, failed):
                back = page.ask("state", type="enter", room=state["room"])
                assert (back["result"], back["fault"]) == (state["result"], state["fault"])
            assert "ValueError" in back["fault"]


@pytest.mark.slow
def test_ctrl_c_ends_everything_soon(tmp_path):
    with Serving(tmp_path) as serving, Visit(serving.address).page() as page:
        page.begin("gobang_1v1", {"kind": "level", "level": 5}, agent("montecarlo"))
        page.until(lambda each: len(each["moves"]["moves"]) >= 1)
        family, begun = psutil.Process(serving.pid).children(recursive=True), time.monotonic()
        assert family and serving.stop() == 130
        assert time.monotonic() - begun < 6  # seconds; an idle machine needs one second
        _gone, alive = psutil.wait_procs(family, timeout=2)
        assert not alive


def test_a_used_port_and_a_missing_file_are_told(tengen, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as used:
        port = used.getsockname()[1]
        for arguments, says in ((["--port", str(port)], "cannot be used"), (["no.db"], "there is no tournament file")):
            code, _out, err = tengen("serve", "--no-open", "--store", tmp_path / "other", *arguments)
            assert code == 2 and says in err


# ---- rooms of a server in this process


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path) as store:
        yield store


@pytest.fixture
def page(store, monkeypatch):
    """A page of a server in this process; the server often checks for rooms without a page."""
    monkeypatch.setattr(services, "LOOK_SECONDS", 0.02)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        served = application.application(services.Services(store, [], SandboxMode.AUTO), port)
        server = uvicorn.Server(uvicorn.Config(served, log_level="warning", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        with Visit(f"http://127.0.0.1:{port}/?key={store.secret}").page() as page:
            yield page
        server.should_exit = True
        thread.join()


def rooms():
    return [each for each in threading.enumerate() if each.name.startswith("room ")]


def test_a_room_that_cannot_be_written_goes_on_and_is_written_later(page, store, monkeypatch):
    monkeypatch.setattr(room, "RETRY_SECONDS", 0.02)
    monkeypatch.setattr(services, "ALONE_SECONDS", 0.05)

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
    assert within(20, lambda: store.room(state["room"]).position.moves == moves(state))


def test_a_room_without_a_page_ends_and_comes_back(page, store, monkeypatch):
    monkeypatch.setattr(services, "ALONE_SECONDS", 0.4)
    page.play(page.begin(white=agent("greedy")), 4)
    before = page.until(lambda each: len(moves(each)) == 2)
    time.sleep(0.6)
    assert len(rooms()) == 1  # the room still runs, since a page shows it
    kept = store.rooms.listed(room_of)
    page.say(type="leave", room=before["room"])
    time.sleep(0.1)
    assert len(rooms()) == 1
    assert within(20, lambda: not rooms())
    back = page.ask("state", type="enter", room=before["room"])
    assert back["moves"] == before["moves"] and back["seconds"] == before["seconds"]
    page.ask("state", type="play", room=before["room"], ply=0, cell=0)  # late; answered after the room may be written
    assert store.rooms.listed(room_of) == kept


def test_an_error_of_our_own_ends_the_game_and_the_room_still_obeys(page, monkeypatch):
    state = page.begin()
    with monkeypatch.context() as patch:
        patch.setattr(room_game.RoomGame, "play", lambda *given: 1 // 0)
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
