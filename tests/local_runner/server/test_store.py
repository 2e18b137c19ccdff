"""Games outlive the page, the connection and the server, also one that is killed; damaged stores are set aside."""

import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from local_runner.errors import RunnerError
from local_runner.processes.sandbox import SandboxMode
from local_runner.server import serve
from local_runner.server.parts import AgentSeat, HumanSeat, PagePosition
from local_runner.server.store import open_store
from local_runner.server.stored_room import StoredRoom
from tests.local_runner.server.pages import HUMAN, Visit, agent
from tests.serving import Serving


def stored(room="a" * 12, moves=(0,)):
    seats = (HumanSeat(), AgentSeat(name="random"))
    return StoredRoom(room=room, position=PagePosition(env="tictactoe_1v1", moves=list(moves)), start=0, seats=seats,
                    names=("human", "random"), seconds=(0.5,), changed="2026-01-01T00:00:00Z")  # fmt: skip


def test_a_room_comes_back_as_it_was_kept(tmp_path):
    path = tmp_path / "new" / "games.db"
    with open_store(path) as store:
        store.write(stored())
        store.write(stored("b" * 12))
        store.delete("b" * 12)
        secret = store.secret()
    assert path.stat().st_mode & 0o077 == 0
    with open_store(path) as store:
        assert store.room("a" * 12) == stored() and store.room("b" * 12) is None
        assert [each.room for each in store.rooms()] == ["a" * 12] and store.secret() == secret


@pytest.mark.parametrize(("changes", "to_move"), [
    ({}, 2), ({"problem": "broken"}, 0), ({"position": PagePosition(env="reversi_1v1", first=2, moves=[1, -1])}, 2),
])  # fmt: skip
def test_a_heading_says_whose_turn_it_is(changes, to_move):
    assert stored().model_copy(update=changes).heading.to_move == to_move


def test_a_second_server_is_told_of_the_first(tmp_path):
    with open_store(tmp_path / "games.db"), pytest.raises(RunnerError, match="another server has"), \
            open_store(tmp_path / "games.db"):  # fmt: skip
        pass


@pytest.mark.parametrize("damage", ["text", "middle", "head"])
def test_a_damaged_store_is_set_aside(tmp_path, damage):
    path = tmp_path / "games.db"
    with open_store(path) as store:
        for number in range(200):
            store.write(stored(f"{number:012}"))
    content = path.read_bytes()
    changed = {"text": b"no database", "middle": content[:5000] + b"\xff" * 20_000 + content[25_000:],
               "head": bytes(200) + content[200:]}[damage]  # fmt: skip
    path.write_bytes(changed)
    with open_store(path) as store:
        assert store.set_aside == tmp_path / "games.db.damaged-1" and store.rooms() == []
        store.write(stored())
    assert (tmp_path / "games.db.damaged-1").read_bytes() == changed
    with open_store(path) as store:
        assert store.set_aside is None and len(store.rooms()) == 1


def test_another_database_is_left_alone(tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE games (number INTEGER)")
    database.close()
    with pytest.raises(RunnerError, match="is not a store"), open_store(path):
        pass


def test_a_row_that_cannot_be_read_harms_no_other(tmp_path):
    with open_store(tmp_path / "games.db") as store:
        store.write(stored())
    with sqlite3.connect(tmp_path / "games.db") as database:
        database.execute("INSERT INTO rooms VALUES ('bbbbbbbbbbbb', '', '{}')")
    database.close()
    with open_store(tmp_path / "games.db") as store:
        assert [each.room for each in store.rooms()] == ["a" * 12]
        with pytest.raises(RunnerError, match="another version"):
            store.room("b" * 12)


def test_a_store_that_is_moved_takes_no_writes_until_it_is_back(tmp_path):
    """SQLite itself would write a deleted file without an error."""
    path, away = tmp_path / "games.db", tmp_path / "away.db"
    with open_store(path) as store:
        path.rename(away)
        with pytest.raises(RunnerError, match="has been moved or deleted"):
            store.write(stored())
        away.rename(path)
        store.write(stored())
        assert store.room("a" * 12) == stored()


@pytest.mark.parametrize("given", ["games.db", "sub/../games.db", "~/games.db"])
def test_the_path_of_the_store_is_made_whole(given, tmp_path, monkeypatch):
    """The browser opens a file beside the store, by an address that no relative path has."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    seen = []

    def opened(path):
        seen.append(path)
        raise RunnerError("enough")

    monkeypatch.setattr(serve, "open_store", opened)
    with pytest.raises(RunnerError, match="enough"):
        serve.serve([], 0, True, Path(given), SandboxMode.AUTO)
    assert seen == [tmp_path / "games.db"]
    assert seen[0].as_uri()


@pytest.mark.slow
@pytest.mark.parametrize("how", ["stop", "kill"])
def test_games_outlive_the_page_and_the_server(tmp_path, how):
    """A game that goes on, a resignation, and a fault."""
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
        getattr(serving, how)()
        serving.start()
        again = Visit(serving.address)
        assert again.key == first.key and again.cookie == first.cookie  # an open page comes back by itself
        with first.page() as page:
            assert {each["room"]: each["plies"] for each in page.welcome["rooms"]}[state["room"]] == 2
            back = page.ask("state", type="enter", room=state["room"])
            assert {**back, "tag": None, "clock": None} == {**state, "tag": None, "clock": None}
            page.play(back, back["moves"]["legal"][0])
            page.until(lambda each: len(each["moves"]["moves"]) == 4)
            for state in (resigned, failed):
                back = page.ask("state", type="enter", room=state["room"])
                assert (back["result"], back["fault"]) == (state["result"], state["fault"])
            assert "ValueError" in back["fault"]


@pytest.mark.slow
def test_ctrl_c_ends_everything_soon(tmp_path):
    command = [sys.executable, "-m", "local_runner", "serve", "--no-open", "--store", str(tmp_path / "games.db")]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    address = server.stdout.readline().split()[-1]
    with Visit(address).page() as page:
        page.begin("gobang_1v1", {"kind": "level", "level": 5}, agent("montecarlo"))
        page.until(lambda each: len(each["moves"]["moves"]) >= 1)
        family = psutil.Process(server.pid).children(recursive=True)
        assert family
        begun = time.monotonic()
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 130
        assert time.monotonic() - begun < 6  # it takes one second; a busy machine needs more
        _gone, alive = psutil.wait_procs(family, timeout=2)
        assert not alive


def test_a_used_port_and_a_missing_file_are_told(tengen, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as used:
        port = used.getsockname()[1]
        for arguments, says in ((["--port", str(port)], "cannot be used"), (["no.db"], "there is no tournament file")):
            code, _out, err = tengen("serve", "--no-open", "--store", tmp_path / "other.db", *arguments)
            assert code == 2 and says in err
