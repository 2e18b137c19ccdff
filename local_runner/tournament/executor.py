"""Plays pairs of games, several at once, and hands over every game as it ends.

One thread for each game at a time, with a CPU core of its own that both of its agents are pinned to: an agent that is
not asked does not think. Threads do, because the agents are processes; they live as long as the executor, because on
Linux agents die with the thread that started them.
"""

import contextlib
import os
import platform
import queue
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from local_runner import files
from local_runner.fixture import Core, Fixture, play_fixture
from local_runner.play import Watcher
from local_runner.processes.cores import claimed
from local_runner.processes.load import Load, running
from local_runner.records import COLOURS, GameRecord, as_json
from local_runner.tournament.plan import Pair
from local_runner.tournament.store import PlayedGame

PRINTED_BYTES = 4000  # kept of what the agents of a game that was lost by a fault have printed


class Job(NamedTuple):
    """A pair, and those of its games that are still to be played."""

    pair: Pair
    fixtures: Sequence[Fixture]


class Done(NamedTuple):
    """A job is done: `error` says why it could not be played to its end, or, without a job, why nothing can."""

    job: Job | None
    error: Exception | None


class Cancelled(Exception):
    """The executor is being closed."""


class LocalExecutor:
    """`slots` games at a time on this machine; closing it ends the games that are being played.

    `load`: what keeps each of their cores busy besides.
    """

    def __init__(self, slots: int, load: Load = Load.ALONE) -> None:
        self.slots = slots
        self._load = load
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[PlayedGame | Done] = queue.SimpleQueue()
        self._closing = threading.Event()
        self._threads = [threading.Thread(target=self._work, args=(slot,), daemon=True) for slot in range(slots)]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Job) -> None:
        """Have it played as soon as a slot is free."""
        self._jobs.put(job)

    def next(self, seconds: float) -> PlayedGame | Done | None:
        """What ended first, waiting at most so long."""
        try:
            return self._results.get(timeout=seconds)
        except queue.Empty:
            return None

    def close(self) -> None:
        """End all games and wait until nothing is left of them."""
        self._closing.set()
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()

    def __enter__(self) -> "LocalExecutor":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _work(self, slot: int) -> None:
        load = Load.ALONE if self._load is Load.MEMORY and slot else self._load  # the memory is one for all slots
        try:
            with (
                claimed(1) as [core],
                tempfile.TemporaryDirectory(prefix="tengen-games-") as folder,
                running(load, core),
            ):
                if core is not None:
                    os.sched_setaffinity(0, {core})  # this thread: it works while its agents wait, and the reverse
                while (job := self._jobs.get()) is not None and not self._closing.is_set():
                    self._results.put(Done(job, self._play(job, Path(folder), core)))
        except Exception as error:
            self._results.put(Done(None, error))

    def _play(self, job: Job, folder: Path, core: Core) -> Exception | None:
        """Play the games of a job; what keeps it from being played to its end."""
        try:
            for game in job.fixtures:
                self._results.put(play(job.pair, game, folder, core, _Canceller(self._closing)))
        except Exception as error:
            return error
        return None


class _Canceller(Watcher):
    """Breaks a game off between two calls."""

    def __init__(self, closing: threading.Event) -> None:
        self._closing = closing

    def asks(self, player: int, turn: bool) -> None:
        if self._closing.is_set():
            raise Cancelled


def play(pair: Pair, game: Fixture, folder: Path, core: Core, watcher: Watcher | None = None) -> PlayedGame:
    """Play one game of a pair on one core; what its agents print goes into `folder` and is deleted."""
    started, clock = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), time.perf_counter()
    record = play_fixture(game, folder, (core, core), watcher)
    first = game.number % 2 == 1
    return PlayedGame(
        number=game.number,
        pair=pair.number,
        black=pair.pairing.a if first else pair.pairing.b,
        white=pair.pairing.b if first else pair.pairing.a,
        winner=record.result.winner,
        reason=record.result.reason.value,
        detail=record.result.detail,
        moves=" ".join(f"{cell[0]},{cell[1]}" if cell else "-" for cell in record.cells),
        seed=record.seed,
        machine=platform.node(),
        started=started,
        seconds=time.perf_counter() - clock,
        record={**as_json(replace(record, log={})), "printed": _printed(record)},
    )


def _printed(record: GameRecord) -> dict[str, str]:
    """The end of what both agents have printed, by colour; the files are removed."""
    kept = {}
    for colour, agent in zip(COLOURS, record.agents, strict=True):
        if record.result.fault is not None:
            kept[colour] = (files.tail(Path(agent.output), PRINTED_BYTES) or b"").decode("utf-8", "replace")
        with contextlib.suppress(OSError):  # the agent may have done it, or worse
            Path(agent.output).unlink()
    return kept
