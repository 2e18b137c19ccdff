"""One room: a game with its thread, which alone drives the session and owns the agents' processes.

The event loop gives orders and never waits. The thread obeys them between two plies, keeps the room in the store, and
then shows it to its pages. An agent's call whose answer is no longer wanted is abandoned. An error of the server's own
code ends the game with a sentence; the room still obeys.
"""

import queue
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from env_adapter import EnvError
from local_runner.errors import RunnerError
from local_runner.languages import Message, _, shown, speaking
from local_runner.processes import scratch
from local_runner.web.game import RoomGame
from local_runner.web.kept import KeptRoom, RoomView
from local_runner.web.messages import Do, Play, Player, Refusal, Seat, Wire
from local_runner.web.seats import Abandoned, SeatedAgent, is_human
from local_runner.web.store import RoomStore

PACE_SECONDS = 0.4  # least time of a ply if no human plays, so that the game can be watched
IGNORING = {"undo", "resign", "swap", "restart", "delete"}  # these make the answer of a thinking agent useless
BROKEN = Message("the server made a mistake, so this game cannot go on; undo, or begin again")


class Visitor(Protocol):
    """A page that looks at rooms; `send` may be called from any thread."""

    language: str

    def send(self, message: Wire, key: str | None = None) -> None:
        """Send a message; one with a key may replace an older one with the same key that still waits."""


@dataclass(frozen=True)
class Order:
    """What a page wants of a room; without `wish`, the thread ends."""

    visitor: Visitor | None = None
    wish: Play | Do | None = None
    at: float = field(default_factory=time.perf_counter)


class GameRoom:
    """A running room. Its methods are called in the event loop; `_drive` and what it calls run in the room's thread.

    `seated`: makes the contestant of a seat, whose output goes into the folder. `ended`: called in the thread when it
    ends. `language`: of the page that began it.
    """

    def __init__(
        self, kept: KeptRoom, store: RoomStore, seated: Callable[[Seat, Path], SeatedAgent | str],
        ended: Callable[["GameRoom"], None], language: str,
    ) -> None:  # fmt: skip
        self.name = kept.room
        self.alone_since = time.monotonic()  # since when no page has been there
        self._kept, self._store, self._seated, self._ended, self._language = kept, store, seated, ended, language
        self._orders: queue.SimpleQueue[Order] = queue.SimpleQueue()
        self._visitors: dict[Visitor, None] = {}
        self._waiting: list[tuple[Visitor, int]] = []  # those who entered before there was anything to see
        self._lock = threading.Lock()
        self._view: RoomView | None = None
        self._thinking: Player | None = None
        self._leaving = self._deleted = False
        self._game: RoomGame | None = None
        self._shown_at = 0.0
        self._thread = threading.Thread(target=self._drive, name=f"room {self.name}", daemon=True)
        self._thread.start()

    # ---- in the event loop

    @property
    def ending(self) -> bool:
        """Whether it takes no more orders."""
        return self._leaving

    @property
    def alone(self) -> bool:
        """Whether no page is there."""
        return not self._visitors

    def enter(self, visitor: Visitor, tag: int) -> None:
        """Show the room to a page from now on."""
        with self._lock:
            self._visitors[visitor] = None
            view = self._view
            if view is None:
                self._waiting.append((visitor, tag))
        if view is not None:
            _show(view, visitor, tag)

    def leave(self, visitor: Visitor) -> None:
        """Do not show it to that page any more."""
        with self._lock:
            self._visitors.pop(visitor, None)
        self.alone_since = time.monotonic()

    def order(self, visitor: Visitor, wish: Play | Do) -> None:
        """Let the thread do what a page wants; the page gets an answer."""
        view = self._view
        if isinstance(wish, Play) and view is not None and (view.ply != wish.ply or view.thinking is not None):
            _show(view, visitor, wish.tag)  # late, or sent twice
            return
        self._orders.put(Order(visitor, wish))
        if isinstance(wish, Do) and wish.what in IGNORING:
            self._abandon()

    def end(self) -> None:
        """Let the thread end soon; the room stays in the store."""
        self._leaving = True
        self._orders.put(Order())
        self._abandon()

    def join(self, seconds: float) -> None:
        """Wait until the thread has ended, at most so long."""
        self._thread.join(seconds)

    def _abandon(self) -> None:
        game = self._game
        if game is not None and self._thinking is not None:
            for agent in game.agents:
                agent.abandon()

    # ---- in the thread

    def _drive(self) -> None:
        try:
            with speaking(self._language), scratch.folder(scratch.GAMES) as folder:
                self._run(folder)
        except (RunnerError, EnvError) as error:
            self._refuse_all(str(error))
        except Exception:
            self._refuse_all(f"{shown(BROKEN)}\n{traceback.format_exc()}")
        finally:
            self._leaving = True
            self._ended(self)

    def _run(self, folder: Path) -> None:
        self._game = game = RoomGame(self._kept, lambda seat: self._seated(seat, folder))
        try:
            self._changed()
            while not self.ending:
                try:
                    self._once(game)
                except Exception:
                    game.problem, game.printed = BROKEN, traceback.format_exc()
                    self._thinking = None
                    self._changed()
        finally:
            game.close()

    def _once(self, game: RoomGame) -> None:
        """Obey an order, or let an agent move."""
        order = self._next_order(game)
        if order is not None:
            if order.visitor is not None and order.wish is not None:
                self._obey(game, order.visitor, order.wish, order.at)
            return
        self._thinking = 0 if game.session.to_move == 0 else 1
        self._show()
        try:
            game.step()
        except Abandoned:
            game.give_up()
            return  # the order that made the answer useless waits
        except RunnerError as error:  # the agent cannot be played at all
            game.problem = str(error)
        finally:
            self._thinking = None
        self._changed()

    def _next_order(self, game: RoomGame) -> Order | None:
        """The next order; None if an agent is to move and no order waits."""
        agents_turn = not game.is_over() and not game.human_to_move
        if not agents_turn and self._orders.empty():
            self._use_the_humans_time(game)
        wait: float | None = None
        if agents_turn:
            wait = 0.0 if any(map(is_human, game.seats)) else max(0.0, self._shown_at + PACE_SECONDS - time.monotonic())
        with suppress(queue.Empty):
            return self._orders.get(timeout=wait) if wait != 0.0 else self._orders.get_nowait()
        return None

    def _use_the_humans_time(self, game: RoomGame) -> None:
        if game.is_over():
            return
        try:
            game.ask_ahead()
        except Abandoned:
            game.give_up()
        except RunnerError as error:
            game.problem = str(error)
            self._changed()
        else:
            if game.is_over():  # an agent could not be loaded
                self._changed()

    def _obey(self, game: RoomGame, visitor: Visitor, wish: Play | Do, at: float) -> None:
        with speaking(visitor.language):
            try:
                if isinstance(wish, Play):
                    if wish.ply != game.ply or not game.human_to_move:
                        self._show_to(visitor, wish.tag)
                        return
                    game.play(wish.cell, at)
                else:
                    self._do(game, wish)
            except (RunnerError, EnvError) as error:
                visitor.send(Refusal(tag=wish.tag, sentence=str(error)))
                return
        self._changed(visitor, wish.tag)

    def _do(self, game: RoomGame, wish: Do) -> None:
        deeds = {"undo": game.undo, "resign": game.resign, "swap": game.swap, "restart": game.restart}
        if wish.what in deeds:
            deeds[wish.what]()
        elif wish.what == "delete":
            self._deleted = self._leaving = True
        elif wish.what == "hint":
            raise RunnerError(_("there is no hint now"))

    # ---- keeping and showing

    def _changed(self, visitor: Visitor | None = None, tag: int | None = None) -> None:
        """Keep the room and show it to all; `visitor` asked for the change by `tag`."""
        assert self._game is not None
        self._kept = self._game.kept()
        if self._deleted:
            self._store.delete(self.name)
        else:
            self._store.keep(self._kept)
        self._show(visitor, tag)

    def _show(self, asker: Visitor | None = None, tag: int | None = None) -> None:
        assert self._game is not None
        self._shown_at = time.monotonic()
        view = self._game.view(self._kept, self._thinking)
        with self._lock:
            self._view = view
            waiting, self._waiting = self._waiting, []
            others = [each for each in self._visitors if each is not asker and each not in dict(waiting)]
        for visitor, number in [*waiting, *([(asker, tag)] if asker is not None else [])]:
            _show(view, visitor, number)
        for visitor in others:
            _show(view, visitor, None)

    def _show_to(self, visitor: Visitor, tag: int) -> None:
        if self._view is not None:
            _show(self._view, visitor, tag)

    def _refuse_all(self, sentence: str) -> None:
        with self._lock:
            waiting, self._waiting = dict(self._waiting), []
            visitors = list(self._visitors)
        for visitor in visitors:
            visitor.send(Refusal(tag=waiting.get(visitor), sentence=sentence))


def _show(view: RoomView, visitor: Visitor, tag: int | None) -> None:
    with speaking(visitor.language):
        state = view.state(tag)
    visitor.send(state, key=f"state {view.kept.room}" if tag is None else None)
