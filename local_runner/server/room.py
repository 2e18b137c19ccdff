"""A running room: a game and its thread. Only this thread uses the session and the agents' processes.

The event loop puts requests (an `Order` each) into a queue and never waits. The thread executes them between two plies,
sends the change to the room's pages, and then writes it to the store; if writing fails, it tries again later. A call
of an agent is abandoned if a request makes its answer useless. A bug in our code ends the game; the room still
takes requests.
"""

import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from env_adapter import EnvError
from local_runner.errors import RunnerError, Unplayable
from local_runner.language.languages import Message, _, shown, speaking
from local_runner.processes import claims
from local_runner.processes.engine.engine_info import EngineInfo
from local_runner.processes.engine.engine_process import EngineProcess
from local_runner.server.jobs import PageLook
from local_runner.server.room_game import RoomGame
from local_runner.server.seats import Abandoned, SeatedEngine, Seating
from local_runner.server.store import RoomStore
from local_runner.server.wire import GONE, Page, RoomPages, StoredRoom, refusal

ABANDONING = {"undo", "resign", "swap", "restart", "delete"}  # commands that make the answer of a running call useless
RETRY_SECONDS = 5.0  # time between two attempts to write a room
AHEAD_SLOTS = threading.BoundedSemaphore(max(1, (os.cpu_count() or 1) - 1))  # most engines that ponder at once
UNKEPT = Message("not kept: {why}; the game goes on, and is kept as soon as it can be written")
BROKEN = Message("the server made a mistake, so this game cannot go on; undo, or begin again")


@dataclass(frozen=True)
class Order:
    """A page's request `play` or `command` to a room. `at`: when it came, by `time.perf_counter`.

    An order without a page only wakes the thread, which then reports to the looks and checks whether the room ends.
    """

    page: Page | None = None
    tag: int = 0
    ply: int = 0
    command: str = ""
    cell: int = -1
    seconds: float | None = None
    at: float = field(default_factory=time.perf_counter)


class GameRoom:
    """A running room. `language`: the language of the page that began or loaded it, used for the texts it stores.

    `ready`: done when the room has a state to show; fails with RunnerError if the game cannot be set up. `thread`: ends
    after `end`, after the room is deleted, and if the game cannot be set up.
    """

    def __init__(self, room: StoredRoom, store: RoomStore, seating: Seating, language: str, *, new: bool) -> None:
        self.name = room.room
        self.pages = RoomPages()
        self.ready = Future[None]()
        self.looks = set[PageLook]()  # changed in the event loop; the thread reads a copy
        self._store, self._seating, self._language = store, seating, language
        self._orders: queue.SimpleQueue[Order] = queue.SimpleQueue()
        self._lock = threading.Lock()  # no order comes after `ending`
        self._calling = False  # whether an agent is being called
        self._stop_search: Callable[[], None] | None = None  # stops a search that would delay a page's request
        self.ending = False  # whether the room takes no more requests
        self._game: RoomGame | None = None
        self._written = None if new else room  # the room as it was written last
        self.now: StoredRoom | None = None  # the room as its pages show it; None if it is not ready, or deleted
        self.unkept: str = ""  # why the last change could not be written; "" if it was
        self._shown_at = 0.0
        self.thread = threading.Thread(target=self._drive, args=(room,), name=f"room {self.name}", daemon=True)
        self.thread.start()

    # ---- in the event loop

    def order(self, order: Order) -> None:
        """Queue a page's request for the thread, which sends the answer. Raises RunnerError if the room is ending."""
        with self._lock:
            if self.ending:
                raise RunnerError(_("this game has been closed meanwhile; open it again"))
            self._orders.put(order)
        game = self._game
        late = game is not None and game.is_late(order.ply)
        self._interrupt(abandon=order.command in ABANDONING and not late)
        if order.command == "move_now" and game is not None and not late:
            for engine in game.engines:
                engine.stop_search()

    def follow(self, look: PageLook) -> None:
        """Let a look follow the room: it gets each new position and each report of the engines on the seats."""
        self.looks.add(look)
        self._orders.put(Order())
        self._interrupt(abandon=False)

    def end(self) -> None:
        """Tell the thread to end; does not wait for it. The room stays in the store."""
        with self._lock:
            self.ending = True
        self._orders.put(Order())
        self._interrupt(abandon=True)

    def _interrupt(self, *, abandon: bool) -> None:
        """End a search that delays the thread's next order. `abandon`: also give up the running call of an agent."""
        if (stop := self._stop_search) is not None:
            stop()
        game = self._game
        if abandon and game is not None and self._calling:
            for agent in game.agents:  # each agent in a thread of its own, since ending a process may take time
                threading.Thread(target=agent.abandon, daemon=True).start()

    # ---- in the thread

    def _drive(self, room: StoredRoom) -> None:
        try:
            hints = EngineProcess(self._seating.mode)  # the process starts at the first hint
            with speaking(self._language), claims.folder() as folder, hints:
                self._run(room, folder, hints)
        except Exception as error:
            known = isinstance(error, (RunnerError, EnvError, OSError))
            sentence = str(error) if known else f"{shown(BROKEN)}\n{traceback.format_exc()}"
            if self.ready.done():
                sys.stderr.write(f"tengen: {self.name}: {sentence}\n")
            else:
                self.ready.set_exception(RunnerError(sentence))
        finally:
            with self._lock:
                self.ending = True
            with suppress(queue.Empty):
                while True:
                    order = self._orders.get_nowait()
                    if order.page is not None:
                        order.page.send(refusal(order.tag, GONE))

    def _run(self, room: StoredRoom, folder: Path, hints: EngineProcess) -> None:
        self._game = game = RoomGame(room, lambda seat: self._seating.contestant(seat, folder))
        for engine in game.engines:
            engine.on_info = partial(self._on_info, game, engine)
        try:
            if self._written is None:
                self._keep(game)  # written first, so that "My games" has a new game as soon as its page shows it
            self._changed(game)
            self.ready.set_result(None)
            while not self.ending:
                try:
                    self._once(game, hints)
                except Abandoned:
                    game.give_up()  # the next order is the request that made the agent's answer useless
                except (RunnerError, OSError) as error:  # the agent cannot be played, or the disk is full
                    game.problem = str(error)
                    self._changed(game)
                except Exception:
                    game.problem, game.printed = shown(BROKEN), traceback.format_exc()
                    self._changed(game)
        finally:
            for agent in game.agents:
                agent.close()
            if self.unkept:
                self._keep(game)
                sys.stderr.write(f"tengen: {self.name}: {shown(self.unkept)}\n" if self.unkept else "")

    def _once(self, game: RoomGame, hints: EngineProcess) -> None:
        """Execute the next order. If there is none and an agent is to move, let it move."""
        order = self._next_order(game)
        if order is None:
            with self._call():
                game.step()
            self._changed(game)
        elif order.page is None:
            self._tell_looks(game)
        else:
            with speaking(order.page.language):
                self._execute(game, order.page, order, hints)

    @contextmanager
    def _call(self) -> Iterator[None]:
        self._calling = True
        try:
            yield
        finally:
            self._calling = False

    def _next_order(self, game: RoomGame) -> Order | None:
        """The next order; None if an agent is to move and no order waits. Tries again to write an unwritten change."""
        least, wait = game.least_seconds, None
        if least is not None and game.thinking is not None:
            wait = max(0.0, self._shown_at + least - time.monotonic())
        elif least is not None and self._orders.empty() and not game.is_over():
            with self._call():
                game.ask_ahead()
            if game.is_over():  # an agent could not be loaded
                self._changed(game)
            else:
                self._think_ahead(game)
        agent_moves = wait is not None
        if self.unkept and not agent_moves:
            wait = RETRY_SECONDS
        with suppress(queue.Empty):
            return self._orders.get(timeout=wait)
        if agent_moves:
            return None
        self._keep(game)
        return Order()

    def _think_ahead(self, game: RoomGame) -> None:
        """Let our engine search in the human's time, until an order comes."""
        engine = game.contestants[1 - game.session.to_move]
        if not isinstance(engine, SeatedEngine) or not engine.thinks_ahead or not game.room.ponder:
            return
        if game.session.must_pass or not AHEAD_SLOTS.acquire(blocking=False):
            return
        try:
            self._stop_search = engine.stop_search
            self._tell_looks(game, ahead=True)
            lines = max((look.lines for look in self.looks.copy()), default=1)
            engine.think_ahead(lines, self._orders.empty)
        finally:
            self._stop_search = None
            AHEAD_SLOTS.release()

    def _execute(self, game: RoomGame, page: Page, order: Order, hints: EngineProcess) -> None:
        try:
            if order.command == "play":
                if order.ply != game.ply or game.is_over() or game.thinking is not None:  # too late, or a repeat
                    assert self.pages.state is not None
                    page.send({**self.pages.state, "tag": order.tag})
                    return
                game.play(order.cell, order.at)
            elif game.is_late(order.ply):
                raise Unplayable(_("the game has gone on meanwhile, so this was not done; look at the board again"))
            elif order.command == "hint":
                self._give_hint(game, page, order.tag, hints)
                return
            elif order.command == "delete":
                self._delete(game, page, order.tag)
                return
            elif order.command == "pace":
                game.pace = order.seconds
            elif order.command != "move_now":  # for "move_now", the method `order` has already stopped the search
                commands = {"undo": game.undo, "resign": game.resign, "swap": game.swap, "restart": game.restart}
                commands[order.command]()
        except (RunnerError, EnvError) as error:
            page.send(refusal(order.tag, str(error)))
            return
        self._changed(game, page, order.tag)

    def _give_hint(self, game: RoomGame, page: Page, tag: int, engine: EngineProcess) -> None:
        self._stop_search = engine.stop
        try:
            cell, sentence = game.hint(engine)
        finally:
            self._stop_search = None
        page.send({"type": "answer", "tag": tag, "cell": cell, "sentence": sentence})

    # ---- the store and the pages

    def _delete(self, game: RoomGame, page: Page, tag: int) -> None:
        """Delete the room. The page that asked gets the last state; the other pages in the room are refused."""
        self._store.rooms.delete(self.name)
        self._store.trees.delete(self.name)
        self.unkept, self.now = "", None
        self.pages.leave(page)
        self.pages.delete()
        with self._lock:
            self.ending = True
        page.send({**game.state(), "tag": tag})

    def _changed(self, game: RoomGame, page: Page | None = None, tag: int | None = None) -> None:
        """Send the room to all its pages, then write it. `page`: the page whose request `tag` made the change."""
        self._shown_at = time.monotonic()
        self.now = game.stored()
        self.pages.show({**game.state(), "unkept": self.unkept}, page, tag)
        self._tell_looks(game)
        self._keep(game)

    def _keep(self, game: RoomGame) -> None:
        """Write the room if it has changed. Pages get a message when writing fails, and when it succeeds again.

        A room that was only loaded is not written, so that it keeps its place in the list of games.
        """
        unkept, room = "", game.stored()
        try:
            if room != self._written:
                self._store.rooms.write(self.name, [msgspec.to_builtins(room, enc_hook=str)])
                self._written = room
        except RunnerError as error:
            unkept = Message(UNKEPT, why=str(error))
        if unkept != self.unkept:
            self.unkept = unkept
            self.pages.show({**game.state(), "unkept": unkept})

    def _tell_looks(self, game: RoomGame, *, ahead: bool = False) -> None:
        """Tell all looks the position. `ahead`: our engine searches this position while the human is to move."""
        engine = ahead or (game.thinking is not None and isinstance(game.contestants[game.thinking], SeatedEngine))
        for look in self.looks.copy():
            look.moved(game.session.setup, game.cells, game.ply, engine=engine, over=game.is_over())

    def _on_info(self, game: RoomGame, engine: SeatedEngine, info: EngineInfo) -> None:
        who: Literal["black", "white"] = "black" if engine is game.contestants[0] else "white"
        for look in self.looks.copy():
            look.report(info, game.ply, who)
