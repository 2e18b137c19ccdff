"""Plays games on this machine: `play` one game in this thread, `LocalExecutor` several at once.

`LocalExecutor` has one thread per concurrent game. Each thread claims a CPU core and pins both agents to it, because
only one agent of a game computes at a time. Threads suffice here, because the agents are processes.
"""

import os
import platform
import queue
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

from env_adapter import Cell
from local_runner.game.platform_log import write_log
from local_runner.game.records import DRAW, Call, Verdict
from local_runner.game.session import GameSession, Watcher, play_game
from local_runner.game.wording import COLOURS
from local_runner.language.languages import _
from local_runner.matches.games import PlayedGame, moves_text
from local_runner.matches.plan import Adjudication, PlannedGame
from local_runner.processes import claims
from local_runner.processes.engine.levels import EngineContestant, level
from local_runner.processes.process import AgentProcess
from local_runner.system import files
from local_runner.terminal.progress import Playing

Core = int | None

MOST_KEPT = 1_000_000  # most bytes that are kept from the end of an agent's output in a temporary folder
PRINTED_BYTES = 4000  # bytes that a record keeps from the end of each agent's output if a fault ended the game


class Cancelled(Exception):
    """Ends a game in a worker thread, because the executor is being closed."""


class Executor(AbstractContextManager["Executor"]):
    """The base of executors that play in other threads, which put finished games and errors into the queue `results`.

    `slots`: the number of games at a time, which may change. `playing`: the games that the executor knows to be in
    progress, by number.
    """

    slots: int

    def __init__(self) -> None:
        self.playing: dict[int, Playing] = {}
        self.results: queue.SimpleQueue[PlayedGame | BaseException] = queue.SimpleQueue()

    def submit(self, games: Sequence[PlannedGame]) -> None:
        """Add the games of a pair, which are played one after another once a slot is free."""
        raise NotImplementedError

    def next(self, seconds: float) -> PlayedGame | None:
        """The next finished game; None if none arrives within `seconds`.

        Raises the error of a game that could not be played.
        """
        try:
            game = self.results.get(timeout=seconds)
        except queue.Empty:
            return None
        if isinstance(game, BaseException):
            raise game
        return game

    def rest(self) -> Iterator[PlayedGame]:
        """Stop all games in progress, and return the finished games that `next` has not returned."""
        self.close()
        while not self.results.empty():
            if isinstance(game := self.results.get(), PlayedGame):
                yield game

    def close(self) -> None:
        """Stop all games in progress; may be called twice."""
        raise NotImplementedError

    def __exit__(self, *exception: object) -> None:
        self.close()


class LocalExecutor(Executor):
    """Plays `slots` games at a time on this machine."""

    def __init__(self, slots: int) -> None:
        super().__init__()
        self.slots = slots
        self._waiting: queue.SimpleQueue[Sequence[PlannedGame] | None] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _slot in range(slots)]
        for thread in self._threads:
            thread.start()

    def submit(self, games: Sequence[PlannedGame]) -> None:
        self._waiting.put(games)

    def close(self) -> None:
        """Stop all games between two calls, and wait until their processes have ended."""
        self._closing.set()
        for _thread in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        """Play games until the executor is closed, or a game cannot be played; that error is put into `results`."""
        try:
            with claims.cores(1) as [core]:
                if core is not None:
                    os.sched_setaffinity(0, {core})  # pins this thread, too: it works only while the agents wait
                while (games := self._waiting.get()) is not None and not self._closing.is_set():
                    for game in games:
                        black, white = (seat.agent for seat in game.seats)
                        moves: list[Cell | None] = list(game.setup.opening)
                        self.playing[game.number] = Playing(black.name, white.name, time.perf_counter(), moves)
                        try:
                            self.results.put(play_and_tidy(game, core, [_GameWatcher(moves, self._closing)]))
                        finally:
                            del self.playing[game.number]
        except Exception as error:
            self.results.put(error)


class _GameWatcher(Watcher):
    """Appends a game's moves to `moves`, which other threads read. Ends the game if the executor is closing."""

    def __init__(self, moves: list[Cell | None], closing: threading.Event) -> None:
        self._moves, self._closing = moves, closing

    def asked(self, player: int, turn: bool) -> None:
        if self._closing.is_set():
            raise Cancelled

    def moved(self, cell: Cell | None) -> None:
        self._moves.append(cell)


class Adjudicator(Watcher):
    """Ends a game early, as an Adjudication says. Must be the last watcher: the others see a move before the game ends.

    A score is the entry `value` of an agent's last_thought() for its move, from the agent's own view. A count of
    moves in a row begins again after a move without a score or a search (`depth` 0). Forced passes are skipped.
    """

    _session: GameSession

    def __init__(self, rules: Adjudication) -> None:
        self._rules = rules
        self._near = 0  # moves in a row, of both sides, with a score near 0
        self._low = [0, 0]  # moves of Black's and of White's in a row with a low score

    def began(self, session: GameSession) -> None:
        self._session = session

    def answered(self, call: Call) -> None:
        if call.turn and not self._session.must_pass:
            score, draw, resign = score_in(call.thought), self._rules.draw, self._rules.resign
            near = score is not None and draw is not None and abs(score) <= draw[1]
            low = score is not None and resign is not None and score <= -resign[1]
            self._near = self._near + 1 if near else 0
            self._low[call.player] = self._low[call.player] + 1 if low else 0

    def moved(self, cell: Cell | None) -> None:
        session, rules = self._session, self._rules
        if session.result is not None:
            return
        if rules.resign is not None and (most := max(self._low)) >= rules.resign[0]:
            session.adjudicate(2 - self._low.index(most), Verdict.RESIGN)
        elif rules.draw is not None and self._near >= 2 * rules.draw[0]:
            session.adjudicate(DRAW, Verdict.DRAW)
        elif rules.draw_after is not None and len(session.cells) >= rules.draw_after:
            session.adjudicate(DRAW, Verdict.DRAW_AFTER)


def score_in(thought: Mapping[str, Any] | None) -> float | None:
    """The score in a thought; None if the thought has no score, or one without a search.

    >>> score_in({"value": -35, "depth": 4}), score_in({"value": 0, "depth": 0}), score_in({"value": "good"})
    (-35, None, None)
    """
    value = (thought or {}).get("value")
    if isinstance(value, bool) or not isinstance(value, (int, float)) or (thought or {}).get("depth") == 0:
        return None
    return value


def play(
    game: PlannedGame, folder: Path, cores: tuple[Core, Core] = (None, None), watchers: Iterable[Watcher] = (),
    *, logged: bool = False, checked: bool = True,
) -> PlayedGame:  # fmt: skip
    """Play one game, each agent in its own process on its core. The agents' output goes into files in `folder`.

    cores: Black's and White's CPU core, None for any core; levels of our engine run on any core, without limits
    logged: write the game's log into `folder` and its path into the details; otherwise only the last `MOST_KEPT` bytes
        of the output stay
    checked: both agents were loaded before, so an agent that has no controller or refuses its options loses the game;
        otherwise AgentError is raised

    Raises as `play_game` and `write_log` do.
    """
    started, clock, terms = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), time.perf_counter(), game.terms
    with ExitStack() as stack:
        seats = list[AgentProcess | EngineContestant]()
        for (spec, copy), colour, seed, core in zip(game.seats, COLOURS, game.agent_seeds, cores, strict=True):
            if spec.level:
                seats.append(EngineContestant(level(spec.level), terms.limits.sandbox, seed, spec.name))
            else:
                name, advice = f"game{game.number:03}_{colour.lower()}", _("choose another --out")
                output = files.write_new(folder, name, ".txt", "", advice)
                seats.append(AgentProcess(spec, output, terms.limits, seed=seed, python=terms.python, core=core,
                                          checked=checked, copy=copy))  # fmt: skip
            stack.callback(seats[-1].close)
        levels = [seat for seat in seats if isinstance(seat, EngineContestant)]  # a level needs the moves of both sides
        black, white = seats
        every = [*watchers, *levels]
        if terms.adjudication != Adjudication():
            every.append(Adjudicator(terms.adjudication))
        record = play_game(game.setup, (black, white), strict=terms.strict, watchers=every)
    seconds = time.perf_counter() - clock
    printed = {}
    if record.result.fault is not None:
        for colour, agent, (spec, copy) in zip(COLOURS, record.agents, game.seats, strict=True):
            text = (files.tail(Path(agent.output), PRINTED_BYTES) or b"").decode("utf-8", "replace")
            printed[colour] = text.replace(str(copy.parent), str(spec.path.parent)) if copy else text
    if not logged:
        for agent in record.agents:
            files.keep_tail(Path(agent.output), MOST_KEPT)
    log = str(write_log(dict(record.log), folder, f"game{game.number:03}")) if logged else None
    return PlayedGame(
        game.number, *game.players, record.result, moves_text(record.cells), game.setup.seed,
        platform.node(), started, seconds, record.details(printed, log),
    )  # fmt: skip


def play_and_tidy(game: PlannedGame, core: Core, watchers: Iterable[Watcher] = ()) -> PlayedGame:
    """Play one game with both agents on one core, in a temporary folder, which is deleted afterwards."""
    with claims.folder() as folder:
        return play(game, folder, (core, core), watchers)
