"""One room: a game with its thread, which alone drives the session and owns the agents' processes.

The event loop gives orders and never waits. The thread obeys them between two plies, keeps the room in the store, and
then shows it to its pages. An agent's call whose answer is no longer wanted is abandoned. An error of the server's own
code ends the game with a sentence; the room still obeys.
"""

import queue
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from env_adapter import EnvError
from local_runner.analysis.engine import EngineProcess
from local_runner.analysis.look import Look
from local_runner.errors import RunnerError
from local_runner.language.languages import Message, shown, speaking
from local_runner.processes import scratch
from local_runner.processes.sandbox import SandboxMode
from local_runner.server.engine_seat import SeatedEngine
from local_runner.server.game import RoomGame
from local_runner.server.messages import Do, Hint, Play, Player, Refusal, Seat
from local_runner.server.room_looks import AHEAD_SLOTS, RoomLookers
from local_runner.server.seats import Abandoned, SeatedAgent, is_human
from local_runner.server.store import RoomStore
from local_runner.server.stored_room import StoredRoom
from local_runner.server.visitors import RoomVisitors, Visitor, tell

PACE_SECONDS = 0.4  # least time of a ply if no human plays, so that the game can be watched
IGNORING = {"undo", "resign", "swap", "restart", "delete"}  # these make the answer of a thinking agent useless
BROKEN = Message("the server made a mistake, so this game cannot go on; undo, or begin again")


@dataclass(frozen=True)
class Order:
    """What a page wants of a room, and when that came; without `wish`, the thread only looks whether to end."""

    visitor: Visitor | None = None
    wish: Play | Do | None = None
    at: float = field(default_factory=time.perf_counter)


@dataclass(frozen=True)
class RoomNeeds:
    """What a room needs of the server.

    `seated`: makes the contestant of a seat, whose output goes into the folder. `ended`: called in the room's thread
    when it ends.
    """

    store: RoomStore
    mode: SandboxMode
    seated: Callable[[Seat, Path], SeatedAgent | SeatedEngine | str]
    ended: Callable[["GameRoom"], None]


class GameRoom:
    """A running room. `language`: of the page that began it, in which it writes what is kept."""

    def __init__(self, kept: StoredRoom, needs: RoomNeeds, language: str) -> None:
        self.name = kept.room
        self.visitors = RoomVisitors()
        self.lookers = RoomLookers()
        self._kept, self._needs, self._language = kept, needs, language
        self._orders: queue.SimpleQueue[Order] = queue.SimpleQueue()
        self._thinking: Player | None = None
        self._calling = False  # an agent is being called
        self._hurry: Callable[[], None] | None = None  # ends a thought that should not keep an order waiting
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

    def order(self, visitor: Visitor, wish: Play | Do) -> None:
        """Let the thread do what a page wants; the page gets an answer."""
        view = self.visitors.view
        if isinstance(wish, Play) and view is not None and (view.ply != wish.ply or view.thinking is not None):
            tell(view, visitor, wish.tag)  # late, or sent twice
            return
        self._orders.put(Order(visitor, wish))
        self._interrupt(give_up=isinstance(wish, Do) and wish.what in IGNORING)
        if isinstance(wish, Do) and wish.what == "move_now" and (game := self._game) is not None:
            for agent in game.agents:
                if isinstance(agent, SeatedEngine):
                    agent.hurry()

    def look_again(self) -> None:
        """Somebody looks inside from now on, or does not any more."""
        self._orders.put(Order())
        self._interrupt(give_up=False)

    def end(self) -> None:
        """Let the thread end soon; the room stays in the store."""
        self._leaving = True
        self._orders.put(Order())
        self._interrupt(give_up=True)

    def join(self, seconds: float) -> None:
        """Wait until the thread has ended, at most so long."""
        self._thread.join(seconds)

    def _interrupt(self, *, give_up: bool) -> None:
        """End what keeps the thread from obeying; `give_up`: also a call of an agent."""
        if (hurry := self._hurry) is not None:
            hurry()
        game = self._game
        if give_up and game is not None and self._calling:
            for agent in game.agents:  # in a thread of its own: to end a process may take a moment
                threading.Thread(target=agent.abandon, daemon=True).start()

    # ---- in the thread

    def _drive(self) -> None:
        try:
            hints = EngineProcess(self._needs.mode)  # its process starts with the first hint
            with speaking(self._language), scratch.folder(scratch.GAMES) as folder, hints:
                self._run(folder, hints)
        except (RunnerError, EnvError) as error:
            self.visitors.refuse(str(error))
        except Exception:
            self.visitors.refuse(f"{shown(BROKEN)}\n{traceback.format_exc()}")
        finally:
            self._leaving = True
            self._needs.ended(self)

    def _run(self, folder: Path, hint: EngineProcess) -> None:
        self._game = game = RoomGame(self._kept, lambda seat: self._needs.seated(seat, folder))
        for seat in game.agents:
            if isinstance(seat, SeatedEngine):
                seat.looked = partial(self._looked, game, seat)
        try:
            self._changed()
            while not self.ending:
                try:
                    self._once(game, hint)
                except Exception:
                    game.problem, game.printed = shown(BROKEN), traceback.format_exc()
                    self._thinking = None
                    self._changed()
        finally:
            game.close()

    def _once(self, game: RoomGame, hint: EngineProcess) -> None:
        """Obey an order, or let an agent move."""
        order = self._next_order(game)
        if order is not None:
            if order.visitor is not None and order.wish is not None:
                self._obey(game, order.visitor, order.wish, order.at, hint)
            else:
                self._tell_lookers(game, engine=False)
            return
        self._thinking = 0 if game.session.to_move == 0 else 1
        self._show()
        try:
            with self._call():
                game.step()
        except Abandoned:
            game.give_up()
            return  # the order that made the answer useless waits
        except RunnerError as error:  # the agent cannot be played at all
            game.problem = str(error)
        finally:
            self._thinking = None
        self._changed()

    @contextmanager
    def _call(self) -> Iterator[None]:
        self._calling = True
        try:
            yield
        finally:
            self._calling = False

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
            with self._call():
                game.ask_ahead()
            if game.is_over():  # an agent could not be loaded
                self._changed()
            else:
                self._think_ahead(game)
        except Abandoned:
            game.give_up()
        except RunnerError as error:
            game.problem = str(error)
            self._changed()

    def _think_ahead(self, game: RoomGame) -> None:
        """Let our engine think while no order comes."""
        engine = game.engine(1 - game.session.to_move)
        if engine is None or not engine.thinks_ahead or not game.terms.ponder or game.session.must_pass:
            return
        if not AHEAD_SLOTS.acquire(blocking=False):
            return
        try:
            self._hurry = engine.hurry
            self._tell_lookers(game, engine=True)
            engine.think_ahead(self.lookers.lines, self._orders.empty)
        finally:
            self._hurry = None
            AHEAD_SLOTS.release()

    def _obey(self, game: RoomGame, visitor: Visitor, wish: Play | Do, at: float, hint: EngineProcess) -> None:
        with speaking(visitor.language):
            try:
                if isinstance(wish, Play) and (wish.ply != game.ply or not game.human_to_move):
                    view = self.visitors.view
                    assert view is not None
                    tell(view, visitor, wish.tag)
                    return
                if isinstance(wish, Play):
                    game.play(wish.cell, at)
                elif wish.what == "hint":
                    self._give_hint(game, visitor, wish.tag, hint)
                    return
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

    def _give_hint(self, game: RoomGame, visitor: Visitor, tag: int, engine: EngineProcess) -> None:
        self._hurry = engine.stop
        try:
            cell, sentence = game.hint(engine)
        finally:
            self._hurry = None
        visitor.send(Hint(tag=tag, room=self.name, cell=cell, sentence=sentence))

    # ---- keeping and showing

    def _changed(self, visitor: Visitor | None = None, tag: int | None = None) -> None:
        """Keep the room and show it to all; `visitor` asked for the change by `tag`."""
        assert self._game is not None
        self._kept = self._game.kept()
        if self._deleted:
            self._needs.store.delete(self.name)
        else:
            self._needs.store.keep(self._kept)
        self._show(visitor, tag)

    def _show(self, visitor: Visitor | None = None, tag: int | None = None) -> None:
        assert self._game is not None
        self._shown_at = time.monotonic()
        self.visitors.show(self._game.view(self._kept, self._thinking), visitor, tag)
        thinks = self._thinking is not None and self._game.engine(self._thinking) is not None
        self._tell_lookers(self._game, engine=thinks)

    def _tell_lookers(self, game: RoomGame, *, engine: bool) -> None:
        for looker in self.lookers.now():
            looker.moved(game.session.setup, game.cells, game.ply, engine=engine, over=game.is_over())

    def _looked(self, game: RoomGame, engine: SeatedEngine, look: Look) -> None:
        player = game.contestants.index(engine)
        for looker in self.lookers.now():
            looker.looked(look, game.ply, player)
