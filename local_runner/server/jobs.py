"""The background jobs of a page: live searches, analyses, checks of uploads, and the watching of tournaments.

A job has a thread of its own, can be stopped, and can wait for the job that it replaces. Nothing here blocks the event
loop. A page has one engine for `look_at` and one for `analyse`; both are closed with the page. An engine reports at
most ten times a second. A slow page gets only the newest report. A check does the same as `tengen check`, in the
sandbox. The files of a tournament are never written.
"""

import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from env_adapter import EnvError
from local_runner.analysis.game import analyse
from local_runner.analysis.shown import GameAnalysis
from local_runner.errors import RunnerError
from local_runner.formats.saved_game import SavedGame
from local_runner.game.codec import as_json
from local_runner.game.setup import GameSetup
from local_runner.language.languages import STEPS, Message, _, amount, current, shown, speaking
from local_runner.language.text import ending, printable
from local_runner.matches.games import read
from local_runner.matches.standings import Overview, games_now
from local_runner.processes.engine.engine_info import EngineInfo
from local_runner.processes.engine.engine_process import EngineProcess, Question
from local_runner.processes.sandbox import SandboxMode
from local_runner.server.games import Cells
from local_runner.server.wire import MOST_FAULT, Answer, Page
from local_runner.system import manual
from local_runner.terminal.progress import Playing
from local_runner.upload.check import check
from local_runner.upload.check.report import Verdict

LOOK_SECONDS = 120.0  # longest search of one position, so that a page left open does not load the machine
WATCH_SECONDS = 0.5  # time between two looks at the files of a tournament
CHECKS = threading.BoundedSemaphore(2)  # checks at once; each check plays several games at once
SEVERITY = {Verdict.PASSED: "ok", Verdict.NOTED: "note", Verdict.OPEN: "open", Verdict.FAILED: "failed"}


@dataclass(frozen=True, eq=False)
class Job:
    """A job for the request `tag` of a page. The work of a job must look at `stopped` often."""

    page: Page
    tag: int
    stopped: threading.Event = field(default_factory=threading.Event)

    def send(self, kind: str, fields: Answer, key: str | None = None) -> None:
        """Send the page an answer of this type, unless the job is stopped. `key`: as for Page.send."""
        if not self.stopped.is_set():
            self.page.send({"type": kind, "tag": self.tag, **fields}, key)


class Jobs:
    """The jobs of a page for one type of request, one at a time. A new job stops the job before, and waits for its end.

    `mode`: the sandbox of the engine that the jobs may use. `engine`: kept from job to job until `close`.
    """

    def __init__(self, page: Page, mode: SandboxMode) -> None:
        self._page, self._mode = page, mode
        self._job, self._thread = Job(page, 0), threading.Thread()
        self.engine = EngineProcess(mode)  # a process starts at the first question

    def start(self, tag: int, work: Callable[[Job], None]) -> None:
        """Start a job for the request `tag`. An error in its work is answered with a refusal."""
        self.stop()
        before, self._job = self._thread, Job(self._page, tag)
        self._thread = threading.Thread(target=self._run, args=(self._job, work, before), daemon=True)
        self._thread.start()

    def _run(self, job: Job, work: Callable[[Job], None], before: threading.Thread) -> None:
        if before.ident is not None:
            before.join()
        with speaking(self._page.language):
            try:
                if not job.stopped.is_set():
                    work(job)
                return
            except (RunnerError, EnvError) as error:
                sentence = str(error)
            except Exception:
                sys.stderr.write(traceback.format_exc())
                sentence = _("the server made a mistake; its window shows which")
            job.send("refusal", {"sentence": sentence})

    def stop(self) -> None:
        """Tell the job to stop; does not wait for its end."""
        self._job.stopped.set()
        self.engine.stop()

    def close(self) -> None:
        """Stop the job and close the engine, in a thread of its own."""
        self.stop()
        threading.Thread(target=self.engine.close, daemon=True).start()
        self.engine = EngineProcess(self._mode)


class PageLook:
    """Answers a page's `look_at`, at a position, or at each new position of a room, which then calls `moved` and
    `report` in its thread. `lines`: number of best moves to report. `leave`: called at the end.
    """

    def __init__(self, page: Page, jobs: Jobs, tag: int, lines: int) -> None:
        self.lines = lines
        self.leave: Callable[[], None] = lambda: None
        self._page, self._jobs, self._tag = page, jobs, tag
        self._position: tuple[GameSetup, Cells] | None = None  # searched by the page's engine, None without a search
        self._lock = threading.Lock()
        self._ended = False

    def end(self) -> None:
        """Stop the search, and follow the room no more."""
        with self._lock:
            self._ended = True
        self._jobs.stop()
        self.leave()

    def moved(self, setup: GameSetup, cells: Cells, ply: int, *, engine: bool, over: bool) -> None:
        """Search the room's position, unless the game is over or a player's engine searches it (`engine`)."""
        with self._lock:
            if self._ended:
                return
            if engine or over:
                self._position = None
                self._jobs.stop()
            elif self._position != (setup, cells):
                self.look_at(setup, cells, ply)

    def report(self, info: EngineInfo, ply: int, who: Literal["engine", "black", "white"]) -> None:
        """Send the page a report about the position after `ply` plies, of its own engine or of that of a seat."""
        if not self._ended:
            looked = {"type": "looked", "tag": self._tag, "ply": ply, "who": who, "look": as_json(info)}
            self._page.send(looked, key="looked")

    def look_at(self, setup: GameSetup, cells: Cells, ply: int) -> None:
        """Let the page's engine search a position."""
        self._position = (setup, cells)
        engine = self._jobs.engine

        def work(job: Job) -> None:
            def show(info: EngineInfo) -> None:
                if job.stopped.is_set():
                    engine.stop()
                else:
                    self.report(info, ply, "engine")

            show(engine.ask(Question(setup, cells, lines=self.lines, seconds=LOOK_SECONDS), show))

        self._jobs.start(self._tag, work)


def analyse_game(engine: EngineProcess, game: SavedGame, seconds: float, lead: int, since: int,
                 keep: Callable[[dict[str, Any]], None] | None, job: Job) -> None:  # fmt: skip
    """Execute the request `analyse`. `lead`: number of set-up stones. `keep` gets the finished analysis as JSON."""

    def progress(analysis: GameAnalysis, done: int, positions: int) -> bool:
        if not job.stopped.is_set():
            found = {**as_json(analysis), "lead": lead}
            if analysis.finished and keep is not None:
                keep(found)
            key = None if analysis.finished else "analysed"
            job.send("analysed", {"done": done, "all": positions, "analysis": found}, key)
        return job.stopped.is_set()

    analyse(engine, game, seconds=seconds, since=min(lead + since, len(game.cells)), progress=progress)


class PageProgress:
    """Tells a page how many steps each game has made. Several threads of the check call it."""

    def __init__(self, job: Job) -> None:
        self._job, self._lock, self._done = job, threading.Lock(), 0

    def __call__(self, game: str, steps: int, ended: bool, games: int) -> None:
        text, key = Message("{game}: step {number}", game=game, number=steps), f"check {game}"
        with self._lock:
            if ended:
                self._done += 1
                text, key = Message("{game}: {steps}", game=game, steps=amount(steps, STEPS)), ""
            self._job.send("checked", {"text": text, "done": self._done, "all": games, "finished": False}, key or None)


def check_upload(path: Path, name: str, quick: bool, mode: SandboxMode, job: Job) -> None:
    """Execute the request `check`. `path`: the upload's file. `name`: its name in the browser."""
    if not CHECKS.acquire(blocking=False):
        raise RunnerError(_("other uploads are being checked; wait until they are done"))
    try:
        job.send("checked", {"text": Message("reading {file}", file=name), "done": 0, "all": 0, "finished": False})
        report = check(path, quick=quick, progress=PageProgress(job), sandbox=mode, name=name, given_up=job.stopped)
    finally:
        CHECKS.release()
    findings = [
        {
            "severity": SEVERITY[row.verdict], "mend": printable(shown(row.mend)),
            "title": Message("{question}: {found}", question=row.name, found=row.found),
            "detail": ending(row.traceback, MOST_FAULT),
            "about": f"/docs/{current()}/reference/check.html#{row.topic}" if manual.site() else "",
        }
        for row in sorted(report.merged, key=lambda row: -list(Verdict).index(row.verdict))
    ]  # fmt: skip
    job.send("checked", {
        "text": "", "finished": True, "ready": report.good, "few_moves": report.few_moves,
        "verdict": printable(shown(report.verdict)), "findings": findings,
    })  # fmt: skip


def watch_file(path: Path, name: str, games: int, job: Job) -> None:
    """Execute the request `watch`. `name`: the tournament's name on the page.

    The first answer has all fields, the others those that have changed. Fields are computed again for new games only.
    """
    overview = Overview(read(path), name)
    counted: object = None  # the figures from which `state` was computed
    state, live = dict[str, Any](), dict[int, Playing]()
    while not job.stopped.is_set():
        overview.refresh()
        before, boards, now = state, state.get("live", []), games_now(path)
        if counted != (counted := (overview.games.plan, len(overview.games), overview.standings.played, len(now))):
            state = overview.state(games, len(now))
        drawn = {board["number"]: board for board in boards if live.get(board["number"]) == now.get(board["number"])}
        live = now
        state = {**state, "live": [drawn.get(number) or overview.board(number, game) for number, game in now.items()]}
        changes = {field: value for field, value in state.items() if field not in before or before[field] != value}
        if changes:
            job.send("watched", changes)
        job.stopped.wait(WATCH_SECONDS)
