"""The services that all pages use: rooms, analyses, files, and the Welcome message.

A room that runs has a thread; the others are only in the store. A room that no page has shown for a minute ends. The
next page that enters an ended room loads the room again.
"""

import asyncio
import functools
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from env_adapter import kind_of, make, names
from local_runner.agents.declared_games import games_of, players, plays
from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.formats.writing import WRITERS
from local_runner.game.move_text import read_moves
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup, title
from local_runner.language.languages import _, shown
from local_runner.matches.openings.books import Purpose, shipped
from local_runner.processes.engine.engine_process import EngineProcess, Question
from local_runner.processes.engine.levels import LEVELS
from local_runner.processes.sandbox import SandboxMode
from local_runner.server.explorer import Explorer
from local_runner.server.games import Cells, OpenedFiles, numbers, position_game
from local_runner.server.room import GameRoom
from local_runner.server.seats import Seating
from local_runner.server.store import RoomStore, room_of
from local_runner.server.trees import BoardTrees
from local_runner.server.wire import MOST_NAME, Answer, Page, PagePosition, Seats, StoredRoom

ALONE_SECONDS = 60.0  # a room that no page has shown for this time ends
LOOK_SECONDS = 5.0  # time between two checks for rooms without a page
ENDING_SECONDS = 5.0  # longest wait for an ending room, before it is loaded again
ANY_BOARD = "mnk_7_7_4_1v1"  # an m,n,k-game; all have the same agents, formats and rules, except for their numbers
MOST_OPENINGS = 40  # most openings of a game that a page gets


class Services:
    """The services. `files`, `agents`: those that the command line names."""

    def __init__(self, store: RoomStore, files: Sequence[Path], mode: SandboxMode,
                 agents: Sequence[AgentSpec] = ()) -> None:  # fmt: skip
        self.store, self.uploads = store, store.uploads
        self.mode = mode
        self.agents = {agent.name[:MOST_NAME]: agent for agent in agents}
        self.rooms = Rooms(store, Seating(self.uploads, mode, self.agents))
        self.opened = OpenedFiles({path.name: path for path in files})
        self.trees = BoardTrees(store, self.opened, self.rooms.now)
        self._prover, self._proving = EngineProcess(mode), threading.Lock()  # answers one question at a time
        self.explorer = Explorer(self.opened, store, self.prepared)

    def welcome(self) -> Answer:
        """The answer to `hello`, in the current language."""
        rooms, damaged = self.store.rooms.listed(room_of)
        *games, any_board = game_kinds(self.agents)
        by_worth = sorted(WRITERS.values(), key=lambda each: (each.read is None, len(each.loses)))  # pictures last
        return {
            "type": "welcome", "games": games, "any_board": any_board,
            "levels": [{"level": each.number, "name": shown(each.name), "about": shown(each.about)} for each in LEVELS],
            "formats": {each.ending: shown(each.about) for each in by_worth},
            "rooms": [room.heading(changed) for _name, changed, room in rooms], "damaged": damaged,
            "uploads": self.uploads.headings(), "files": list(self.opened.named),
        }  # fmt: skip

    def proof(self, moves: str) -> dict[str, Any]:
        """The proof's answer after these moves of gobang (page/proof/proof_walk.js). RunnerError: illegal moves."""
        from local_runner.formats.proof_page import GAME, numbered  # here, because few pages show it

        cells = read_moves(moves).cells
        session = GameSession(GAME, cells=cells)
        with self._proving:
            return {**self._prover.proof(numbered(cells)), "five": numbered(session.env.winning_line())}

    def prepared(self, setup: GameSetup, cells: Cells) -> dict[int, Answer]:
        """The moves of gobang that our engine has stored, by cell: `why`, "proof" for Black's answer in the proof,
        "reply" for a reply of White to which the proof has an answer, "book" for the opening book; `chance`, Black's.
        """
        from local_runner.formats.proof_page import GAME, numbered  # here, because few pages show it

        if (setup.env, setup.board_size or 15, setup.board) != (GAME.env, 15, None):
            return {}
        with self._proving:
            proof = self._prover.proof(numbered(cells))
            book = self._prover.ask(Question(setup, cells, nodes=1, use_book=True))
        found = {cell: {"why": "reply", "chance": 1.0} for cell in proof["replies"]}
        if proof["cell"] is not None:
            found[proof["cell"]] = {"why": "proof", "chance": 1.0}
        for line in book.lines if book.source == "book" else ():
            found[line.moves[0]] = {"chance": line.chance, **found.get(line.moves[0], {}), "why": "book"}
        return found

    def close(self, seconds: float) -> None:
        """End all rooms, waiting at most this many seconds, and the process that answers about the proof."""
        self.rooms.end(seconds)
        self._prover.close()


class Rooms:
    """The rooms of a server. All methods but `now` and `end` are called in the event loop."""

    def __init__(self, store: RoomStore, seating: Seating) -> None:
        self.store = store
        self._seating = seating
        self._running: dict[str, GameRoom] = {}

    def now(self, name: str) -> StoredRoom | None:
        """The room as pages show it, maybe not yet stored; None if there is no such room. Any thread may call this."""
        room = self._running.get(name)
        return (room and room.now) or self.store.rooms.read(name, room_of)

    async def new(self, page: Page, tag: int, position: PagePosition, seats: Seats, lose_turn: bool = False,
                  ponder: bool = True, opening: int | None = None) -> None:  # fmt: skip
        """Begin a game and let the page enter its room. The arguments are the fields of the request `new_game`.

        Raises RunnerError or EnvError if the position or a seat is impossible.
        """

        def made() -> StoredRoom:
            begun = position
            if opening is not None:
                if opening >= len(openings := openings_of(position.env)):
                    sentence = _("there is no opening {number}; {game} has {all}")
                    raise RunnerError(sentence.format(number=opening, game=title(position.env), all=len(openings)))
                begun = replace(position, moves=openings[opening])
            position_game(begun)  # raises if the position is impossible
            black, white = (self._seating.name(seat, begun.env) for seat in seats)
            return StoredRoom(
                room=secrets.token_hex(6), position=begun, start=len(begun.moves), seats=seats,
                names=(black, white), lose_turn=lose_turn, ponder=ponder, seconds=(None,) * len(begun.moves),
            )  # fmt: skip

        room = await self._ready(self._run(await asyncio.to_thread(made), page, new=True))
        room.pages.enter(page, tag)

    def leave(self, page: Page, name: str | None = None) -> None:
        """Send a page no more states of a room, of all rooms without a name."""
        for room in self._running.values():
            if name in (None, room.name):
                room.pages.leave(page)

    async def tidy(self) -> None:
        """End the stored rooms that had no page for `ALONE_SECONDS`, and forget ended rooms, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for room in list(self._running.values()):
                if not room.thread.is_alive():
                    self._forget(room)
                elif room.now and not room.unkept and room.pages.alone_seconds > ALONE_SECONDS:
                    room.end()

    def end(self, seconds: float) -> None:
        """End all rooms, waiting at most this many seconds in all. Any thread may call this."""
        rooms, end = list(self._running.values()), time.monotonic() + seconds
        for room in rooms:
            room.end()
        for room in rooms:
            room.thread.join(max(0.0, end - time.monotonic()))

    async def room(self, name: str, page: Page) -> GameRoom:
        """A room, which is loaded from the store if it does not run.

        Raises RunnerError if there is no such room.
        """
        while (room := self._running.get(name)) is not None and room.ending:
            await asyncio.to_thread(room.thread.join, ENDING_SECONDS)
            self._forget(room)
        if room is None:
            stored = await asyncio.to_thread(self.store.room, name)
            room = self._running.get(name) or self._run(stored, page)  # another page may have loaded the room by now
        return await self._ready(room)

    async def _ready(self, room: GameRoom) -> GameRoom:
        """Return a room as soon as it has a state to show. Raises RunnerError if its game cannot be set up."""
        if not room.ready.done():
            await asyncio.shield(asyncio.wrap_future(room.ready))
        room.ready.result()
        return room

    def _run(self, stored: StoredRoom, page: Page, *, new: bool = False) -> GameRoom:
        room = GameRoom(stored, self.store, self._seating, page.language, new=new)
        self._running[stored.room] = room
        return room

    def _forget(self, room: GameRoom) -> None:
        if self._running.get(room.name) is room:
            del self._running[room.name]


def game_kinds(given: Mapping[str, AgentSpec]) -> list[Answer]:
    """All games with titles in the current language, last ANY_BOARD. `given`: the command line's agents by name."""
    declared = {name: games_of(agent) for name, agent in given.items()}

    def given_of(env: str) -> list[str]:
        return [name for name, games in declared.items() if plays(games, make(env))]

    return [_kind(env) | {"title": title(env), "given": given_of(env)} for env in (*names(), ANY_BOARD)]


@functools.cache
def _kind(env: str) -> Answer:
    kind, rules = kind_of(env), kind_of(env).rules
    rows, cols = kind.board
    return {
        "env": env, "style": kind.style.value, "rows": rows, "cols": cols, "sizes": list(kind.sizes) or [rows],
        "in_a_row": kind.setup.in_a_row, "has_pass": rules.has_pass, "takes_board": rules.takes_board,
        "start": "stones" if kind.setup.start else "discs" if rules.turns_discs else "empty",
        "formats": [each.ending for each in WRITERS.values() if each.takes(kind)], "agents": players(make(env)),
        "openings": openings_of(env),
    }  # fmt: skip


def openings_of(env: str) -> list[list[int]]:
    """The first openings of the game's test book, as the page's numbers; [] if the game has no book.

    The moves are not checked here, because a book is checked when it is made.
    """
    path, cols = shipped(env, Purpose.TEST), kind_of(env).board[1]
    if not path.is_file():
        return []
    lines = (line.partition("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines())
    return [numbers(read_moves(line).cells, cols) for line in lines if line][:MOST_OPENINGS]
