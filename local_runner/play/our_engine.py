"""Our engine in this process: it finds moves within limits of seconds, nodes, depth and memory."""

import contextlib
import functools
import importlib
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import perf_counter
from types import ModuleType
from typing import Any, NamedTuple

from local_runner.agents.catalogue import SUBMISSION
from local_runner.play.console import Line
from local_runner.processes.agent_side import engine_worker, loading
from local_runner.processes.agent_side.engine_worker import resident_bytes

MB = 1_000_000  # bytes
WATCH_SECONDS = 0.05  # interval at which the memory is measured during a search
MOST_USED = 0.9  # share of the memory limit at which a search ends and the tables are emptied
ENTRY_BYTES = 1000  # bytes of memory for an entry of one generation of the transposition table
SPARE_BYTES = 20 * MB  # memory for the tables of the threat search and of the evaluation
LEAST_ENTRIES, USUAL_ENTRIES = 1000, 40_000  # positions of one generation of the transposition table
RESERVE, RESERVED_SHARE = 0.03, 0.05  # seconds, and share of a limit, that are left for the answer's way
POLL_SECONDS = 0.01  # interval at which an analysis checks whether it is to end


class Found(NamedTuple):
    """A result of a search: the best move, its value for the side to move, and the line; cells by row-major number."""

    move: int
    value: int
    depth: int
    nodes: int
    line: Sequence[int]
    seconds: float


class Analysed(NamedTuple):
    """Results of an analysis so far: the lines in the form of engine_host.py, best first."""

    lines: Sequence[Mapping[str, Any]]
    nodes: int


@functools.cache
def _package(name: str) -> ModuleType:
    """A module of the engine."""
    if "algo.tengen.submission" not in sys.modules:
        loading.load_agent(str(SUBMISSION), "tengen", {})
    return importlib.import_module(f"algo.tengen.{name}")


class OurEngine:
    """Our engine for one game; only `stop` may be called from another thread.

    family, rows, cols, in_a_row: the game, as in submission/variant.py
    memory: most bytes of resident memory of this process; 0: no limit
    """

    def __init__(self, family: str, rows: int, cols: int, in_a_row: int | None, memory: int = 0) -> None:
        self._variant = _package("variant").Variant(family, rows, cols, in_a_row)
        self._engine: Any = _package("engine").engine_for(self._variant)
        self._stopped = False
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
        self, stones: bytes, side: int, seconds: float, nodes: int | None = None, depth: int | None = None,
        found: Callable[[Found], object] = lambda found: None, line: Line | None = None,
    ) -> Found | None:  # fmt: skip
        """The best move; None if the game is over. Arguments as in submission/engine.py.

        `found` is called with the result of every iteration. `line`: the command; the seconds count from its arrival,
        and the search ends when it is stopped.
        """
        self._stopped = False

        def progress(thoughts: Sequence[Any]) -> bool:
            found(_found(thoughts[0]))
            return self._stopped or (line is not None and line.stopped.is_set())

        limits = _package("search.clock").Limits(seconds, nodes, depth)
        with self._memory_watched():
            thought = self._engine.think(stones, side, limits, None if line is None else line.arrived, progress)
        return _found(thought) if thought.move >= 0 else None

    def analyse(self, stones: bytes, side: int, lines: int, line: Line, every: float = 1.0) -> Iterator["Analysed"]:
        """Search the best `lines` moves until `line` is stopped; yield results every `every` seconds, and the last."""
        worker = engine_worker.EngineWorker(_package)
        worker.engine = self._engine
        worker.begin()
        question = {"variant": self._variant, "stones": stones, "side": side, "lines": lines, "wins": False,
                    "seconds": None, "nodes": None, "depth": None, "use_book": self._engine.use_book}  # fmt: skip
        thread = threading.Thread(target=worker.answer, args=(question,), daemon=True)
        thread.start()
        due = perf_counter() + every
        try:
            while thread.is_alive() and not line.stopped.wait(POLL_SECONDS):
                if perf_counter() >= due and worker.lines:
                    due = perf_counter() + every
                    yield Analysed(worker.lines, worker.nodes())
        finally:
            worker.stopped = True
            while thread.is_alive():
                self._engine.stop()
                thread.join(POLL_SECONDS)
        yield Analysed(worker.lines, worker.nodes())

    def value_after(self, stones: bytes, side: int, cell: int) -> int:
        """The static value of a free cell for the side to move."""
        return engine_worker.value_after(_package, self._engine.position(stones, side), cell)

    def stop(self) -> None:
        """End the search that is running, at the latest after its first iteration."""
        self._stopped = True
        self._engine.stop()

    @contextlib.contextmanager
    def _memory_watched(self) -> Iterator[None]:
        """End the search inside a `with` when it uses MOST_USED of the memory, and empty the tables afterwards."""
        if not self.memory:
            yield
            return
        over, done = threading.Event(), threading.Event()

        def watch() -> None:
            while not done.wait(WATCH_SECONDS):
                if resident_bytes() > MOST_USED * self.memory:
                    over.set()
                    self.stop()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
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


def _found(thought: Any) -> Found:
    return Found(thought.move, thought.value, thought.depth, thought.nodes, list(thought.pv), thought.seconds)
