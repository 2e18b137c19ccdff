"""Our side of a line protocol: our engine, with limits of seconds, nodes, depth and memory, and the lines in and out.

A thread reads the lines, so that a command can end a search that is running. Every answer is flushed at once. A line
may come in parts, end with CRLF, or hold bytes that are no text.
"""

import contextlib
import functools
import importlib
import os
import queue
import signal
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from time import perf_counter
from types import ModuleType
from typing import Any, BinaryIO

from local_runner.agents.catalogue import SUBMISSION
from local_runner.processes.agent_side import engine_worker, loading
from local_runner.processes.agent_side.loading import resident_bytes
from local_runner.processes.engine.engine_process import engine_choice
from local_runner.terminal.output import ExitCode

MB = 1_000_000  # bytes
MOST_USED = 0.9  # share of the memory limit at which a search ends and the tables are emptied
ENTRY_BYTES = {False: 1000, True: 160}  # compiled or not -> bytes for an entry of one generation of the table
SPARE_BYTES = 20 * MB  # memory left for the tables of the threat search and of the evaluation
LEAST_ENTRIES = 1000  # least number of entries of one generation of the transposition table
RESERVE, RESERVED_SHARE = 0.03, 0.05  # seconds, and share of a limit, left for sending the answer to the manager
POLL_SECONDS = 0.02  # how often a running search is checked: whether it must end, and how much memory it uses


@functools.cache
def _package(name: str) -> ModuleType:
    if "algo.tengen.submission" not in sys.modules:
        loading.load_agent(str(SUBMISSION), "tengen", {})
    return importlib.import_module(f"algo.tengen.{name}")


class OurEngine:
    """Our engine for one game.

    family, rows, cols, in_a_row: the game, as in submission/boards.py
    memory: most bytes of resident memory of this process; 0: no limit
    """

    def __init__(self, family: str, rows: int, cols: int, in_a_row: int | None, memory: int = 0) -> None:
        self._variant, self._kind = _package("boards").Variant(family, rows, cols, in_a_row), engine_choice()
        self._make()
        self._most_entries = self._engine.parameters.table_entries
        self.memory = 0
        self.limit_memory(memory)
        self._engine.position(bytes(rows * cols), 0)  # makes the tables now, while no time counts

    @property
    def too_small(self) -> bool:
        """Whether the memory limit is below the memory that the process uses without a search."""
        return 0 < self.memory < resident_bytes()

    def new_game(self) -> None:
        """Empty the tables."""
        self._engine.new_game()

    def _make(self, parameters: Any = None) -> None:
        self._engine: Any = _package("engine").engine_for(self._variant, parameters, engine=self._kind)
        self._plain = engine_worker.plain(_package, self._engine)

    def limit_memory(self, most: int) -> None:
        """Choose the size of the transposition table by the memory limit in bytes; 0: no limit."""
        self.memory = most
        left = most - resident_bytes() - SPARE_BYTES
        fitting = max(LEAST_ENTRIES, left // ENTRY_BYTES[self._engine.native])
        entries = min(self._most_entries, fitting) if most else self._most_entries
        if entries != self._engine.parameters.table_entries:
            parameters = self._engine.parameters.changed(table_entries=int(entries))
            self._engine.close()
            self._make(parameters)

    def find(
        self, stones: bytes, side: int, seconds: float, nodes: int | None = None, depth: int | None = None, *,
        found: Callable[[Any], object] = lambda found: None, started: float | None = None,
        stopped: threading.Event | None = None,
    ) -> Any:  # fmt: skip
        """The Thought with the best move; None if the game is over. Arguments as in submission/engine.py.

        `found` is called with the Thought of every iteration. The search ends when `stopped` is set.
        """

        def progress(thoughts: Sequence[Any]) -> bool:
            found(thoughts[0])
            return stopped is not None and stopped.is_set()

        limits = _package("search.clock").Limits(seconds, nodes, depth)
        with self._watched(stopped):
            thought = self._engine.think(stones, side, limits, started, progress)
        return thought if thought.move >= 0 else None

    def analyse(
        self, stones: bytes, side: int, lines: int, every: float, stopped: threading.Event,
        seconds: float | None = None,
    ) -> Iterator[engine_worker.EngineWorker]:  # fmt: skip
        """Search the best `lines` moves for `seconds`, or until `stopped` is set.

        Yields the worker with the results so far every `every` seconds and at the end.
        """
        worker = engine_worker.EngineWorker(_package, self._engine, self._plain)
        question = {"stones": stones, "side": side, "lines": lines, "wins": False, "seconds": seconds, "nodes": None,
                    "depth": None, "use_book": self._engine.use_book}  # fmt: skip
        thread = threading.Thread(target=worker.answer, args=(question,), daemon=True)
        thread.start()
        due = perf_counter() + every
        try:
            while thread.is_alive() and not stopped.wait(POLL_SECONDS / 2):
                if perf_counter() >= due and worker.lines:
                    due = perf_counter() + every
                    yield worker
        finally:
            worker.stopped = True
            while thread.is_alive():
                self._engine.stop()
                thread.join(POLL_SECONDS / 2)
        yield worker

    def value_after(self, stones: bytes, side: int, cell: int) -> int:
        """The static value of a free cell for the side to move."""
        return engine_worker.value_after(_package, self._plain.position(stones, side), cell)

    @contextlib.contextmanager
    def _watched(self, stopped: threading.Event | None) -> Iterator[None]:
        """End the search inside a `with` when `stopped` is set, or the search uses MOST_USED of the memory.

        A search that was ended by its memory leaves the tables empty.
        """
        over, done = threading.Event(), threading.Event()

        def watch() -> None:
            while not done.wait(POLL_SECONDS):
                if self.memory and resident_bytes() > MOST_USED * self.memory:
                    over.set()
                if over.is_set() or (stopped is not None and stopped.is_set()):
                    self._engine.stop()

        watcher = threading.Thread(target=watch, daemon=True)
        if self.memory or stopped is not None:
            watcher.start()
        try:
            yield
        finally:
            done.set()
            if watcher.is_alive():
                watcher.join()
            if over.is_set():
                self._engine.new_game()


def share_of_time(turn: float, left: float | None, to_go: int) -> float:
    """The seconds for the next move.

    turn: limit of a move in seconds; left: seconds left for the game, None for no limit; to_go: own moves that are left

    >>> share_of_time(5.0, None, 40), share_of_time(5.0, 0.5, 30)
    (4.75, 0.015666666666666666)
    """
    share = min(turn - RESERVE, turn * (1 - RESERVED_SHARE))
    if left is not None:
        share = min(share, (left - RESERVE) / max(1, to_go))
    return max(0.0, share)


@dataclass
class Clock:
    """The time of one side: `left` seconds, for the game if `stones` is 0, else for the next `stones` moves.

    `period`, `moves`: after that time, each `moves` moves get `period` seconds (Canadian byo-yomi); 0 for none.
    """

    left: float
    period: float
    moves: int
    stones: int = 0

    def share(self, to_go: int) -> float:
        """The seconds for the next move; `to_go`: own moves that are left.

        >>> round(Clock(600, 0, 0).share(30), 1), Clock(0, 20, 5).share(30)
        (20.0, 3.8)
        """
        if self.stones:
            return share_of_time(self.left / self.stones, None, to_go)
        periods = share_of_time(self.period / self.moves, None, to_go) if self.moves else 0.0
        return max(periods, share_of_time(inf, self.left, to_go))

    def spend(self, seconds: float) -> None:
        """Take the seconds of a move from the time."""
        self.left -= seconds
        if self.stones > 1:
            self.stones -= 1
        elif self.moves and (self.stones or self.left <= 0):
            self.left, self.stones = self.period, self.moves


# ---- lines in and out

MOST_LINE = 1 << 16  # bytes; a longer line is read as several lines


class Refused(Exception):
    """A command cannot be obeyed; the text is the reason for the manager."""


@dataclass(frozen=True)
class Line:
    """A line without its line break, and when its time began: at its arrival, or at the end of the answer before.

    `stopped` is set when a later line that interrupts has arrived, even if this line is not answered yet.
    """

    text: str
    arrived: float
    stopped: threading.Event = field(default_factory=threading.Event)


class EngineSide(ABC):
    """The engine's side of a protocol: answers the lines of a match manager by our engine, and raises nothing.

    turn_seconds: time of a move if the manager gives none. `ended` is set after the last command. `engine` plays on a
    board of `size` cells on a side.
    """

    family: str
    in_a_row: int | None = None

    def __init__(self, make_engine: Callable[..., OurEngine] = OurEngine, turn_seconds: float = 5.0) -> None:
        self.ended = False
        self.engine: OurEngine | None = None
        self.size = 0
        self.turn_seconds = turn_seconds
        self._make_engine = make_engine

    def answer(self, line: Line) -> Iterator[str]:
        """The lines that answer a line; they are sent as they come."""
        try:
            yield from self.obey(line)
        except Refused as refused:
            yield from self.refusal(str(refused))
        except Exception as error:  # a manager can read one line, and no traceback
            yield from self.refusal(f"internal error: {type(error).__name__}")

    @abstractmethod
    def interrupts(self, text: str | None) -> bool:
        """Whether a line, or the end of the input (None), sets `stopped` of the lines before."""

    @abstractmethod
    def obey(self, line: Line) -> Iterator[str]:
        """The lines that answer a line. Raises Refused."""

    @abstractmethod
    def refusal(self, why: str) -> Iterator[str]:
        """The lines that refuse the last line."""

    def engine_for(self, size: int, memory: int = 0) -> OurEngine:
        """Our engine for this size of board; `memory` as in OurEngine."""
        if self.engine is None or self.size != size:
            self.engine = None  # frees the memory of the engine before
            self.engine = self._make_engine(self.family, size, size, self.in_a_row, memory)
            self.size = size
        return self.engine


def run(side: EngineSide, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer the lines of `source` until `side` has ended, or `source` has; a `sink` that is closed ends it, too."""
    lines: queue.SimpleQueue[Line | None] = queue.SimpleQueue()
    answered = 0.0  # perf_counter() value at the end of the last answer
    threading.Thread(target=_read, args=(side, source, lines), daemon=True).start()
    with suppress(BrokenPipeError):
        while not side.ended and (line := lines.get()) is not None:
            for answer in side.answer(replace(line, arrived=max(line.arrived, answered))):
                sink.write(answer.encode("utf-8", "replace") + b"\n")
                sink.flush()
            answered = perf_counter()


def run_here(side: EngineSide) -> None:
    """Run a side on this process's standard input and output, then end the process without waiting for the reader.

    A signal that acts as Ctrl-C ends the process at once, with exit code 130, also during a search.
    """
    for mark in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):  # Windows has no SIGHUP
        if signal.getsignal(mark) is signal.default_int_handler:
            signal.signal(mark, lambda *_signal: os._exit(ExitCode.INTERRUPTED))
    sink = os.fdopen(os.dup(1), "wb")
    sys.stdout.flush()
    os.dup2(2, 1)  # other output goes to stderr, so that it does not come between the answers
    run(side, sys.stdin.buffer, sink)
    with suppress(OSError):
        sys.stderr.flush()
    os._exit(0)  # the reader may be waiting for a line


def _read(side: EngineSide, source: BinaryIO, lines: "queue.SimpleQueue[Line | None]") -> None:
    stopped = threading.Event()  # the event `stopped` of all lines since the last one that interrupts
    while data := source.readline(MOST_LINE):
        text = data.decode("utf-8", "replace").strip("\ufeff \t\r\n\0")
        if side.interrupts(text):
            stopped.set()
            stopped = threading.Event()
        lines.put(Line(text, perf_counter(), stopped))
    lines.put(None)
    if side.interrupts(None):
        stopped.set()
