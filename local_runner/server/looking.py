"""The panel "look inside": reports of the search of a page's own engine, or of the engine on a seat of a room.

A page has one engine for LookAt and one for Analyse; both are closed with the page. An engine reports at most ten times
a second. A slow page gets only the newest report.
"""

import threading
from collections.abc import Callable
from typing import Any, Literal

from local_runner.analysis.game import GameAnalysis, analyse
from local_runner.formats.saved_game import SavedGame
from local_runner.game.codec import as_json
from local_runner.game.setup import GameSetup
from local_runner.processes.engine.engine_info import EngineInfo
from local_runner.processes.engine.engine_process import EngineProcess, Question
from local_runner.processes.sandbox import SandboxMode
from local_runner.server.answers import Analysed, Looked
from local_runner.server.pages import BackgroundJob, Page
from local_runner.server.positions import Cells
from local_runner.server.requests import Analyse
from local_runner.server.room import GameRoom

LOOK_SECONDS = 120.0  # longest search of one position, so that a page left open does not load the machine


class EngineJobs:
    """One engine of a page, with at most one job at a time. A new job stops the job before it."""

    def __init__(self, page: Page, mode: SandboxMode) -> None:
        self._page, self._mode = page, mode
        self._job: BackgroundJob | None = None
        self._engine: EngineProcess | None = None

    def start(self, tag: int, work: Callable[[EngineProcess, BackgroundJob], None]) -> None:
        """Start a job, and the engine with the first job."""
        engine = self._engine = self._engine or EngineProcess(self._mode)

        def run(job: BackgroundJob) -> None:
            job.on_stop = engine.stop
            if not job.stopped:
                work(engine, job)

        self._job = BackgroundJob(run, self._page, tag, after=self._job)

    def stop(self) -> None:
        """Tell the job to stop; does not wait for its end."""
        if self._job is not None:
            self._job.stop()

    def close(self) -> None:
        """Stop the job and close the engine, in a thread of its own."""
        self.stop()
        engine, self._engine = self._engine, None
        if engine is not None:
            threading.Thread(target=engine.close, daemon=True).start()


class PageLook:
    """Answers a page's LookAt, at a position or at each new position of a room, as an `EngineListener` of that room."""

    def __init__(self, page: Page, jobs: EngineJobs, tag: int, lines: int) -> None:
        self.lines = lines
        self._page, self._jobs, self._tag = page, jobs, tag
        self._room: GameRoom | None = None
        self._position: tuple[GameSetup, Cells] | None = None  # searched by the page's engine, None without a search
        self._lock = threading.Lock()
        self._ended = False

    def follow(self, room: GameRoom) -> None:
        """Look at each position of a room."""
        self._room = room
        room.listen(self)

    def end(self) -> None:
        """Stop the search, and follow the room no more."""
        with self._lock:
            self._ended = True
        self._jobs.stop()
        if self._room is not None:
            self._room.unlisten(self)

    def moved(self, setup: GameSetup, cells: Cells, ply: int, *, engine: bool, over: bool) -> None:
        """Search the room's position, unless the game is over or the room's engine searches. In the room's thread."""
        with self._lock:
            if self._ended:
                return
            if engine or over:
                self._position = None
                self._jobs.stop()
            elif self._position != (setup, cells):
                self.look_at(setup, cells, ply)

    def on_info(self, info: EngineInfo, ply: int, player: int) -> None:
        """Send the page a report of the room's engine. Called in the room's thread."""
        self._send(info, ply, "white" if player else "black")

    def look_at(self, setup: GameSetup, cells: Cells, ply: int) -> None:
        """Let the page's engine search a position."""
        self._position = (setup, cells)

        def work(engine: EngineProcess, job: BackgroundJob) -> None:
            def show(info: EngineInfo) -> None:
                if job.stopped:
                    engine.stop()
                else:
                    self._send(info, ply, "engine")

            show(engine.think(Question(setup, cells, lines=self.lines, seconds=LOOK_SECONDS), show))

        self._jobs.start(self._tag, work)

    def _send(self, info: EngineInfo, ply: int, who: Literal["engine", "black", "white"]) -> None:
        if not self._ended:
            self._page.send(Looked(tag=self._tag, ply=ply, who=who, look=as_json(info)), key="looked")


def analysing(page: Page, message: Analyse, game: SavedGame,
              keep: Callable[[dict[str, Any]], None]) -> Callable[[EngineProcess, BackgroundJob], None]:  # fmt: skip
    """The job for the request Analyse. `keep` is called with the finished analysis as JSON."""
    lead, tag = len(game.cells) - len(message.position.moves), message.tag

    def work(engine: EngineProcess, job: BackgroundJob) -> None:
        def progress(analysis: GameAnalysis, done: int, positions: int) -> bool:
            if not job.stopped:
                found = {**as_json(analysis), "lead": lead}
                if analysis.finished:
                    keep(found)
                answer = Analysed(tag=tag, done=done, all=positions, analysis=found)
                page.send(answer, key=None if analysis.finished else "analysed")
            return job.stopped

        analyse(engine, game, seconds=message.seconds, progress=progress)

    return work
