"""The look inside a position: reports of a page's own engine, or of the engine that thinks in a room.

A page has one such engine, which ends with the page. All pages together have at most 16. An engine reports at most ten
times a second, and a slow page gets only the newest report.
"""

import threading
from collections.abc import Callable
from typing import Literal

from local_runner.analysis.engine import EngineProcess, Question
from local_runner.analysis.engine_info import EngineInfo
from local_runner.analysis.game import GameAnalysis, analyse
from local_runner.errors import RunnerError
from local_runner.formats.saved_game import SavedGame
from local_runner.game.codec import as_json
from local_runner.game.setup import GameSetup
from local_runner.language.languages import _
from local_runner.processes.sandbox import SandboxMode
from local_runner.server.answers import Analysed, Looked, Refusal
from local_runner.server.jobs import BackgroundJob
from local_runner.server.pages import Page
from local_runner.server.positions import Cells
from local_runner.server.room import GameRoom

ENGINES = threading.BoundedSemaphore(16)  # of all pages together, besides those on seats
LOOK_SECONDS = 120.0  # longest look at one position; then the machine rests


class EngineJobs:
    """One engine of a page and the one thing that it does: a new job ends the one before."""

    def __init__(self, page: Page, mode: SandboxMode) -> None:
        self._page, self._mode = page, mode
        self._job: BackgroundJob | None = None
        self._engine: EngineProcess | None = None

    def start(self, tag: int, work: Callable[[EngineProcess, BackgroundJob], None]) -> None:
        """Do this now. Raises RunnerError if all engines are in use."""
        if self._engine is None:
            if not ENGINES.acquire(blocking=False):
                raise RunnerError(_("too many pages look and analyse now; close one, or wait"))
            self._engine = EngineProcess(self._mode)
        engine = self._engine

        def run(job: BackgroundJob) -> None:
            job.on_stop = engine.stop
            if not job.stopped:
                work(engine, job)

        self._job = BackgroundJob(run, self._page, tag, after=self._job)

    def stop(self) -> None:
        """End what is done, without waiting."""
        if self._job is not None:
            self._job.stop()

    def close(self) -> None:
        """End the engine, without waiting."""
        self.stop()
        engine, self._engine = self._engine, None

        def end(engine: EngineProcess) -> None:
            engine.close()
            ENGINES.release()

        if engine is not None:
            threading.Thread(target=end, args=(engine,), daemon=True).start()


class PageLook:
    """The LookAt of a page: a position, or a room whose moves it follows. It is an `EngineListener` of the room."""

    def __init__(self, page: Page, jobs: EngineJobs, tag: int, lines: int) -> None:
        self.lines = lines
        self._page, self._jobs, self._tag = page, jobs, tag
        self._room: GameRoom | None = None
        self._position: tuple[GameSetup, Cells] | None = None  # what the page's engine looks at
        self._lock = threading.Lock()
        self._ended = False

    def follow(self, room: GameRoom) -> None:
        """Look at each position of a room."""
        self._room = room
        room.listen(self)

    def end(self) -> None:
        """Look no more."""
        with self._lock:
            self._ended = True
        self._jobs.stop()
        if self._room is not None:
            self._room.unlisten(self)

    def moved(self, setup: GameSetup, cells: Cells, ply: int, *, engine: bool, over: bool) -> None:
        """Look at the room's position, unless the room's own engine does; called in the room's thread."""
        with self._lock:
            if self._ended:
                return
            if engine or over:
                self._position = None
                self._jobs.stop()
            elif self._position != (setup, cells):
                self.look_at(setup, cells, ply)

    def on_info(self, info: EngineInfo, ply: int, player: int) -> None:
        """The room's engine sees this; called in the room's thread."""
        self._send(info, ply, "white" if player else "black")

    def look_at(self, setup: GameSetup, cells: Cells, ply: int) -> None:
        """Let the page's engine look at a position."""
        self._position = (setup, cells)

        def work(engine: EngineProcess, job: BackgroundJob) -> None:
            def show(info: EngineInfo) -> None:
                if job.stopped:
                    engine.stop()
                else:
                    self._send(info, ply, "engine")

            show(engine.think(Question(setup, cells, lines=self.lines, seconds=LOOK_SECONDS), show))

        try:
            self._jobs.start(self._tag, work)
        except RunnerError as error:
            self._page.send(Refusal(tag=self._tag, sentence=str(error)))

    def _send(self, info: EngineInfo, ply: int, who: Literal["engine", "black", "white"]) -> None:
        if not self._ended:
            self._page.send(Looked(tag=self._tag, ply=ply, who=who, look=as_json(info)), key="looked")


def analysing(page: Page, tag: int, game: SavedGame, seconds: float) -> Callable[[EngineProcess, BackgroundJob], None]:
    """The work of Analyse."""

    def work(engine: EngineProcess, job: BackgroundJob) -> None:
        def progress(analysis: GameAnalysis, done: int, positions: int) -> bool:
            if not job.stopped:
                message = Analysed(tag=tag, done=done, all=positions, analysis=as_json(analysis))
                page.send(message, key=None if analysis.finished else "analysed")
            return job.stopped

        analyse(engine, game, seconds=seconds, progress=progress)

    return work
