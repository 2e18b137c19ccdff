"""A running server that all tests share, and a client that speaks its messages as a page does.

Rooms that a test begins end with it, so that no engine thinks on.
"""

import http.client
import json
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from websockets.sync.client import connect

from local_runner.game.setup import GameSetup
from local_runner.matches.plan import Terms
from local_runner.matches.run import open_or_create
from local_runner.server.wire import VERSION
from tests.local_runner.matches.small import plan_of, play_instantly
from tests.serving import Serving

SPECIMENS = Path(__file__).parents[1] / "specimens"
OPENING = ((1, 1), (0, 0), (0, 1), (2, 1), (1, 0))
PATIENCE = 60.0  # seconds to wait for an answer; the machine may be busy
HUMAN = {"kind": "human"}


def agent(name):
    return {"kind": "agent", "name": name}


def moves(state):
    return state["moves"]["moves"]


class Visit:
    """The cookie of a server, got by its address as a browser gets it."""

    def __init__(self, address):
        self.root, self.key = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/\?key=(.*)", address).groups()
        self.place = self.root.removeprefix("http://")
        status, headers, _body = self.request("GET", f"/?key={self.key}", cookie=None)
        assert status in (200, 404)
        self.cookie = headers["set-cookie"].partition(";")[0]

    def request(self, method, path, body=None, cookie="", **headers):
        """(status, headers, body) of an answer; `cookie`: "" the right one, None for none."""
        connection = http.client.HTTPConnection(self.place, timeout=PATIENCE)
        sent = {key.replace("_", "-"): value for key, value in headers.items()}
        if cookie is not None:
            sent["Cookie"] = cookie or self.cookie
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            return answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def json(self, method, path, body=None, **headers):
        """The JSON of an answer with the code 200."""
        status, _headers, answer = self.request(method, path, body, **headers)
        assert status == 200, answer
        return json.loads(answer.rstrip().split(b"\n\n")[-1].removeprefix(b"data: "))

    def open(self, name, content, **headers):
        return self.json("POST", f"/open?name={quote(name)}", content, **headers)

    def upload(self, content, name="submission.py"):
        return self.json("POST", f"/upload?name={quote(name)}", content)["upload"]

    def page(self, language="en"):
        return Page(self, language)


def grown(state, moved):
    """The state after new moves."""
    assert moved["version"] == state["version"] + 1
    moves = {**moved["moves"], **{name: state["moves"][name] + moved["moves"][name] for name in ("moves", "turned")}}
    return {**state, **moved, "type": "state", "moves": moves, "seconds": state["seconds"] + moved["seconds"],
            "position": {**state["position"], "moves": moves["moves"]}}  # fmt: skip


class Page:
    """A page that is connected, and has said Hello."""

    def __init__(self, visit, language="en", hello=True):
        self._connection = connect(visit.root.replace("http", "ws") + "/ws", origin=visit.root, max_size=None,
                                   additional_headers={"Cookie": visit.cookie}, open_timeout=PATIENCE)  # fmt: skip
        self.socket = self._connection.__enter__()
        self.tag, self.begun = 0, []
        self.changes = {}  # the last message, as it arrived
        self.states = {}  # room -> its newest state
        if hello:
            self.say(type="hello", version=VERSION, language=language)
            self.welcome = self.hear("welcome")

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self._connection.__exit__(*exception)

    def say(self, **message):
        self.socket.send(json.dumps(message))

    def next(self, timeout=PATIENCE):
        """The next message, with all fields of a state: new moves and changes are added to the state before."""
        message = self.changes = json.loads(self.socket.recv(timeout))
        if message["type"] == "moved":
            message = grown(self.states[message["room"]], message)
        if message["type"] == "watched":
            message = self.states["watched"] = {**self.states.get("watched", {}), **message}
        if message["type"] == "state":
            self.states[message["room"]] = message
        return message

    def hear(self, kind, until=lambda message: True):
        """The next message of a type that fits; a refusal fails, unless it is waited for."""
        while True:
            message = self.next()
            if message["type"] == kind and until(message):
                return message
            assert message["type"] != "refusal", message["sentence"]

    def follow(self, **message):
        """Send a request that gets many answers."""
        self.tag += 1
        self.say(tag=self.tag, **message)

    def ask(self, kind, **message):
        """A request, and the answer with its tag."""
        self.follow(**message)
        return self.hear(kind, lambda answer: answer["tag"] == self.tag)

    def refused(self, **message):
        """The sentence that refuses a request."""
        self.follow(**message)
        return self.hear("refusal")["sentence"]

    def begin(self, env="tictactoe_1v1", black=HUMAN, white=HUMAN, moves=(), **more):
        position = {"env": env, "moves": list(moves), **more.pop("position", {})}
        state = self.ask("state", type="new_game", position=position, seats=[black, white], **more)
        self.begun.append(state["room"])
        return state

    def play(self, state, cell):
        return self.ask("state", type="play", room=state["room"], ply=len(state["moves"]["moves"]), cell=cell)

    def do(self, state, command, answer="state", **more):
        ply = len(state["moves"]["moves"])
        return self.ask(answer, type="command", room=state["room"], ply=ply, command=command, **more)

    def end(self, room):
        """Delete a room; try again if an agent has moved in the meantime."""
        while (state := self.answer(type="enter", room=room))["type"] == "state":
            ply = len(state["moves"]["moves"])
            if self.answer(type="command", room=room, ply=ply, command="delete")["type"] == "state":
                return

    def answer(self, **message):
        """The answer with the tag of a request, which may be a refusal."""
        self.follow(**message)
        while (answer := self.next()).get("tag") != self.tag:
            pass
        return answer

    def until(self, fits):
        """The next state for which `fits(state)` is true."""
        return self.hear("state", fits)


def play(path, *agents, rounds=1, **settings):
    """A tournament of tic-tac-toe of these agents. The agent that is named first wins its games."""
    plan = plan_of(*agents, rounds=rounds, book=(OPENING,), **settings)
    with open_or_create(path, replace(plan, terms=Terms(GameSetup("tictactoe_1v1", "stated")))) as store:
        play_instantly(store)
    return path


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """A finished tournament of tic-tac-toe."""
    return play(tmp_path_factory.mktemp("watched") / "pool.jsonl", "greedy", "random:seed=1", "random:seed=2")


@pytest.fixture(scope="session")
def given(tmp_path_factory):
    """Programs of others: a brain of Gomocup and an engine of GTP."""
    folder = tmp_path_factory.mktemp("given")
    shutil.copy(SPECIMENS / "engine.py", folder)
    return [f"{protocol}:{sys.executable} {folder}/engine.py plain" for protocol in ("gomocup", "gtp")]


@pytest.fixture(scope="session")
def serving(tmp_path_factory, played, given):
    """A server with the agents of `given` that shows two tournament files: running.jsonl and pool.jsonl."""
    running = played.with_name("running.jsonl")
    running.write_bytes(played.read_bytes())
    options = [word for spec in given for word in ("--agent", spec)]
    with Serving(tmp_path_factory.mktemp("serving"), str(running), str(played), *options) as serving:
        yield serving


@pytest.fixture
def visit(serving):
    return Visit(serving.address)


@pytest.fixture
def page(visit):
    with visit.page() as page:
        yield page
        for room in page.begun:
            page.end(room)
