"""Our engine in this process: it finds moves within limits of seconds, nodes, depth and memory."""

import contextlib
import functools
import importlib
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from time import perf_counter
from types import ModuleType
from typing import Any

from local_runner.agents.catalogue import SUBMISSION
from local_runner.processes.agent_side import engine_worker, loading
from local_runner.processes.agent_side.engine_worker import resident_bytes

MB = 1_000_000  # bytes
MOST_USED = 0.9  # share of the memory limit at which a search ends and the tables are emptied
ENTRY_BYTES = 1000  # bytes of memory for an entry of one generation of the transposition table
SPARE_BYTES = 20 * MB  # memory for the tables of the threat search and of the evaluation
LEAST_ENTRIES, USUAL_ENTRIES = 1000, 40_000  # positions of one generation of the transposition table
RESERVE, RESERVED_SHARE = 0.03, 0.05  # seconds, and share of a limit, that are left for the answer's way
POLL_SECONDS = 0.02  # interval at which a search that runs is checked: whether to end it, and for its memory


@functools.cache
def _package(name: str) -> ModuleType:
    """A module of the engine."""
    if "algo.tengen.submission" not in sys.modules:
        loading.load_agent(str(SUBMISSION), "tengen", {})
    return importlib.import_module(f"algo.tengen.{name}")


class OurEngine:
    """Our engine for one game.

    family, rows, cols, in_a_row: the game, as in submission/boards.py
    memory: most bytes of resident memory of this process; 0: no limit
    """

    def __init__(self, family: str, rows: int, cols: int, in_a_row: int | None, memory: int = 0) -> None:
        self._variant = _package("boards").Variant(family, rows, cols, in_a_row)
        self._engine: Any = _package("engine").engine_for(self._variant)
        self.memory = 0
        self.limit_memory(memory)
        self._engine.position(bytes(rows * cols), 0)  # made before a clock runs

    @property
    def too_small(self) -> bool:
        """Whether the limit of the memory is below what the process uses without a search."""
        return 0 < self.memory < resident_bytes()

    def new_game(self) -> None:
        """Empty the tables."""
        self._engine.new_game()

    def limit_memory(self, most: int) -> None:
        """Choose the size of the transposition table by the memory limit in bytes; 0: no limit."""
        self.memory = most
        left = most - resident_bytes() - SPARE_BYTES
        entries = min(USUAL_ENTRIES, max(LEAST_ENTRIES, left // ENTRY_BYTES)) if most else USUAL_ENTRIES
        if entries != self._engine.parameters.table_entries:
            parameters = self._engine.parameters.changed(table_entries=int(entries))
            self._engine.close()
            self._engine = _package("engine").engine_for(self._variant, parameters)

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
        worker = engine_worker.EngineWorker(_package)
        worker.engine = self._engine
        question = {"variant": self._variant, "stones": stones, "side": side, "lines": lines, "wins": False,
                    "seconds": seconds, "nodes": None, "depth": None, "use_book": self._engine.use_book}  # fmt: skip
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
        return engine_worker.value_after(_package, self._engine.position(stones, side), cell)

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

    `period`, `moves`: the period of each group of moves after the game's time, in seconds; 0 for none.
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
