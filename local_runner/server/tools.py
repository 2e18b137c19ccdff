"""Answers a page's requests that do not belong to a running room: looks, analyses, trees, checks, files, Watch.

A check of an upload does the same as `tengen check`, in the sandbox, and reports the progress to the page.
"""

import asyncio
import functools
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_runner import formats
from local_runner.errors import RunnerError
from local_runner.formats.files.moves import read as read_games
from local_runner.formats.source import Source
from local_runner.game.board_data import BoardData, MovesData
from local_runner.game.records import COLOURS
from local_runner.game.setup import GameSetup
from local_runner.language import languages
from local_runner.language.amounts import STEPS, amount
from local_runner.language.languages import _, shown, speaking
from local_runner.language.text import ending, printable
from local_runner.processes.sandbox import SandboxMode
from local_runner.server.answers import Checked, Finding, Opened, ShownPosition, TreeMade, Uploaded
from local_runner.server.looking import EngineJobs, PageLook, analysing
from local_runner.server.opened_files import opened, saved_game
from local_runner.server.pages import BackgroundJob, Page
from local_runner.server.positions import position_game, shown_position
from local_runner.server.requests import (
    Analyse,
    Check,
    DeleteUpload,
    EditTree,
    EnterTree,
    LeaveTree,
    ListTrees,
    LookAt,
    NewTree,
    OpenGame,
    ReadMoves,
    Show,
    Stop,
    Watch,
)
from local_runner.server.watching import watching
from local_runner.upload.check import check
from local_runner.upload.check.progress import Progress
from local_runner.upload.check.report import CheckReport, Verdict

if TYPE_CHECKING:
    from local_runner.server.services import Services

CHECKS = threading.BoundedSemaphore(2)  # checks at once; each check plays several games at once
MOST_DETAIL = 20_000  # characters of a traceback
SEVERITY = {Verdict.PASSED: "ok", Verdict.NOTED: "note", Verdict.OPEN: "open", Verdict.FAILED: "failed"}


class PageTools:
    """The tools of one page. Used in the event loop; texts are in the page's language."""

    def __init__(self, services: "Services", page: Page) -> None:
        self._services, self._page = services, page
        self._looks, self._analyses = EngineJobs(page, services.mode), EngineJobs(page, services.mode)
        self._look: PageLook | None = None
        self._jobs: dict[str, BackgroundJob] = {}  # by the type of the request

    async def use(self, message: Any) -> None:
        """Execute a request. Raises RunnerError or EnvError if it cannot be executed."""
        match message:
            case LookAt():
                await self._look_at(message)
            case Show():
                board, moves, problem = await asyncio.to_thread(self._show, message)
                self._page.send(ShownPosition(tag=message.tag, board=dict(board), moves=dict(moves), problem=problem))
            case DeleteUpload():
                self._page.send(await asyncio.to_thread(self._delete, message))
            case ReadMoves():
                self._page.send(await asyncio.to_thread(_read, message))
            case Analyse():
                game = await asyncio.to_thread(saved_game, message.position, COLOURS)
                keep = functools.partial(self._services.trees.keep_report, message.tree) if message.tree else _forget
                self._analyses.start(message.tag, analysing(self._page, message, game, keep))
            case Check():
                uploads = self._services.uploads
                path, name = uploads.path(message.upload), uploads.name(message.upload)
                work = checking(self._page, message, path, name, self._services.mode)
                self._start("check", message.tag, work)
            case OpenGame():
                self._page.send(await asyncio.to_thread(self._opened, message))
            case NewTree():
                tree = await asyncio.to_thread(self._services.trees.make, message)
                self._page.send(TreeMade(tag=message.tag, tree=tree))
            case EnterTree():
                await asyncio.to_thread(self._services.trees.enter, self._page, message.tag, message.tree)
            case LeaveTree():
                self._services.trees.leave(self._page, message.tree)
            case EditTree():
                await asyncio.to_thread(self._services.trees.edit, self._page, message)
            case ListTrees():
                self._page.send(await asyncio.to_thread(self._services.trees.listed, message.tag, message.forget))
            case Watch():
                path, name = self._services.opened.tournament(message.file)
                work = watching(self._page, message.tag, path, name, message.games)
                self._start("watch", message.tag, work)
            case Stop():
                self._stop(message.what)

    def close(self) -> None:
        """Stop all jobs and close the engines, because the page has disconnected."""
        for what in ("look_at", "analyse", *self._jobs):
            self._stop(what)
        self._looks.close()
        self._services.trees.leave(self._page)

    def _start(self, what: str, tag: int, work: Callable[[BackgroundJob], None]) -> None:
        self._jobs[what] = BackgroundJob(work, self._page, tag, after=self._jobs.get(what))

    def _stop(self, what: str) -> None:
        if what == "look_at":
            self._stop_looking()
        elif what == "analyse":
            self._analyses.close()
        elif what in self._jobs:
            self._jobs[what].stop()

    async def _look_at(self, message: LookAt) -> None:
        self._stop_looking()
        if (message.room is None) == (message.position is None):
            raise RunnerError(_("look at a room or at a position, not at both"))
        look = PageLook(self._page, self._looks, message.tag, message.lines)
        if message.room is not None:
            look.follow(await self._services.rooms.room(message.room, self._page))
        elif message.position is not None:
            start = await asyncio.to_thread(position_game, message.position)
            look.look_at(start.setup, start.cells, len(message.position.moves))
        self._look = look

    def _stop_looking(self) -> None:
        if self._look is not None:
            self._look.end()
            self._look = None

    def _show(self, message: Show) -> tuple[BoardData, MovesData, str]:
        if (message.room is None) == (message.position is None):
            raise RunnerError(_("look at a room or at a position, not at both"))
        stored = message.position or self._services.store.existing_room(message.room or "").position
        return shown_position(stored)

    def _delete(self, message: DeleteUpload) -> Uploaded:
        uploads = self._services.uploads
        uploads.delete(message.upload)
        return Uploaded(tag=message.tag, uploads=uploads.headings())

    def _opened(self, message: OpenGame) -> Opened:
        try:
            shown = opened(self._services.opened.game(message.file, message.number), message.tag)
            tree = self._services.opened.games(message.file)[1].tree(message.number)
            return shown.model_copy(update={"variations": tree is not None and tree.root.has_variations()})
        except ValueError as error:
            raise RunnerError(_("this game cannot be shown: {error}").format(error=error)) from error


def _forget(_report: dict[str, Any]) -> None:
    """Keep an analysis nowhere."""


def _read(message: ReadMoves) -> Opened:
    """The game of a pasted text: moves of the chosen game, or any format of files, which may name another game."""
    setup = GameSetup(message.env, rules="stated", board_size=message.size)
    name, content = _("the text"), message.text.encode("utf-8", "replace")
    games = read_games(Source(name, content, setup))
    if not any(games.game(0).cells):
        with suppress(RunnerError):
            games = formats.read(name, content)
            try:
                games.game(0)
            except RunnerError:
                games = formats.read(name, content, setup)
    if len(games) > 1:
        raise RunnerError(_("this text has {number} games; open it as a file in Replay").format(number=len(games)))
    return opened(games.game(0), message.tag)


class _Stopped(Exception):
    """The page no longer wants the check."""


class PageProgress(Progress):
    """Tells a page how many steps each game has made. Several threads of the check call its methods.

    Raises _Stopped, which ends the check, when the page no longer wants the check.
    """

    def __init__(self, page: Page, tag: int, job: BackgroundJob) -> None:
        self._page, self._tag, self._job, self._language = page, tag, job, languages.current()
        self._lock, self._done, self._all = threading.Lock(), 0, 0

    def planned(self, games: int) -> None:
        self._all = games

    def reached(self, game: str, steps: int) -> None:
        if self._job.stopped:
            raise _Stopped
        with speaking(self._language):
            text = _("{game}: step {number}").format(game=shown(game), number=steps)
            self._page.send(Checked(tag=self._tag, text=text, done=self._done, all=self._all), key=f"check {game}")

    def ended(self, game: str, steps: int) -> None:
        with self._lock, speaking(self._language):
            self._done += 1
            text = _("{game}: {steps}").format(game=shown(game), steps=shown(amount(steps, STEPS)))
            self._page.send(Checked(tag=self._tag, text=text, done=self._done, all=self._all))


def checking(page: Page, request: Check, path: Path, name: str, mode: SandboxMode) -> Callable[[BackgroundJob], None]:
    """The background job for the request Check. `path`: the upload's file. `name`: its name in the browser."""

    def work(job: BackgroundJob) -> None:
        if not CHECKS.acquire(blocking=False):
            raise RunnerError(_("other uploads are being checked; wait until they are done"))
        try:
            page.send(Checked(tag=request.tag, text=_("reading {file}").format(file=name)))
            report = check(
                path, quick=request.quick, progress=PageProgress(page, request.tag, job), mode=mode, name=name
            )
        except _Stopped:
            return
        finally:
            CHECKS.release()
        page.send(_answer(request.tag, report))

    return work


def _answer(tag: int, report: CheckReport) -> Checked:
    findings = tuple(
        Finding.model_validate({
            "severity": SEVERITY[row.verdict],
            "title": printable(_("{question}: {found}").format(question=shown(row.name), found=shown(row.found))),
            "mend": printable(shown(row.mend)),
            "detail": ending(row.traceback, MOST_DETAIL),
        })
        for row in sorted(report.merged, key=lambda row: -list(Verdict).index(row.verdict))
    )  # fmt: skip
    verdict = printable(shown(report.verdict))
    return Checked(tag=tag, text="", finished=True, ready=report.good, few_moves=report.few_moves, verdict=verdict,
                   findings=findings)  # fmt: skip
