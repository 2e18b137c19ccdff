"""Answers a page's requests that do not belong to a running room: looks, analyses, trees, checks, files, Watch."""

import asyncio
import functools
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from local_runner import formats
from local_runner.errors import RunnerError
from local_runner.formats.files.moves import read as read_games
from local_runner.formats.source import Source
from local_runner.game.board_data import BoardData, MovesData
from local_runner.game.records import COLOURS
from local_runner.game.setup import GameSetup
from local_runner.language.languages import _
from local_runner.server import requests
from local_runner.server.answers import Opened, ShownPosition, TreeMade, Uploaded
from local_runner.server.jobs import (
    BackgroundJob,
    EngineJobs,
    PageLook,
    analyse_game,
    check_upload,
    watch_file,
)
from local_runner.server.opened_files import opened, saved_game
from local_runner.server.pages import Page
from local_runner.server.positions import position_game, shown_position

if TYPE_CHECKING:
    from local_runner.server.services import Services


class PageTools:
    """The tools of one page. Used in the event loop; texts are in the page's language."""

    def __init__(self, services: "Services", page: Page) -> None:
        self._services, self._page = services, page
        self._looks, self._analyses = EngineJobs(page, services.mode), EngineJobs(page, services.mode)
        self._look: PageLook | None = None
        self._jobs: dict[str, BackgroundJob] = {}  # by the type of the request

    async def use(self, message: Any) -> None:
        """Execute a request. Raises RunnerError or EnvError if it cannot be executed."""
        services, page = self._services, self._page
        match message:
            case requests.LookAt():
                await self._look_at(message)
            case requests.Show():
                board, moves, problem = await asyncio.to_thread(self._show, message)
                page.send(ShownPosition(tag=message.tag, board=dict(board), moves=dict(moves), problem=problem))
            case requests.DeleteUpload():
                page.send(await asyncio.to_thread(self._delete, message))
            case requests.ReadMoves():
                page.send(await asyncio.to_thread(_read, message))
            case requests.Analyse():
                game = await asyncio.to_thread(saved_game, message.position, COLOURS)
                keep = functools.partial(services.trees.keep_report, message.tree) if message.tree else _forget
                self._analyses.start(
                    message.tag, lambda engine, job: analyse_game(job, engine, page, message, game, keep)
                )
            case requests.Check():
                path, name = services.uploads.path(message.upload), services.uploads.name(message.upload)
                self._start(message, lambda job: check_upload(job, page, message, path, name, services.mode))
            case requests.OpenGame():
                page.send(await asyncio.to_thread(self._opened, message))
            case requests.NewTree():
                tree = await asyncio.to_thread(services.trees.make, message)
                page.send(TreeMade(tag=message.tag, tree=tree))
            case requests.EnterTree():
                await asyncio.to_thread(services.trees.enter, page, message.tag, message.tree)
            case requests.LeaveTree():
                services.trees.leave(page, message.tree)
            case requests.EditTree():
                await asyncio.to_thread(services.trees.edit, page, message)
            case requests.ListTrees():
                page.send(await asyncio.to_thread(services.trees.listed, message.tag, message.forget))
            case requests.Watch():
                path, name = services.opened.tournament(message.file)
                self._start(message, lambda job: watch_file(job, page, message, path, name))
            case requests.Stop():
                self._stop(message.what)

    def close(self) -> None:
        """Stop all jobs and close the engines, because the page has disconnected."""
        for what in ("look_at", "analyse", *self._jobs):
            self._stop(what)
        self._looks.close()
        self._services.trees.leave(self._page)

    def _start(self, message: requests.Check | requests.Watch, work: Callable[[BackgroundJob], None]) -> None:
        self._jobs[message.type] = BackgroundJob(work, self._page, message.tag, after=self._jobs.get(message.type))

    def _stop(self, what: str) -> None:
        if what == "look_at":
            self._stop_looking()
        elif what == "analyse":
            self._analyses.close()
        elif what in self._jobs:
            self._jobs[what].stop()

    async def _look_at(self, message: requests.LookAt) -> None:
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

    def _show(self, message: requests.Show) -> tuple[BoardData, MovesData, str]:
        if (message.room is None) == (message.position is None):
            raise RunnerError(_("look at a room or at a position, not at both"))
        stored = message.position or self._services.store.existing_room(message.room or "").position
        return shown_position(stored)

    def _delete(self, message: requests.DeleteUpload) -> Uploaded:
        uploads = self._services.uploads
        uploads.delete(message.upload)
        return Uploaded(tag=message.tag, uploads=uploads.headings())

    def _opened(self, message: requests.OpenGame) -> Opened:
        try:
            shown = opened(self._services.opened.game(message.file, message.number), message.tag)
            tree = self._services.opened.games(message.file)[1].tree(message.number)
            return shown.model_copy(update={"variations": tree is not None and tree.root.has_variations()})
        except ValueError as error:
            raise RunnerError(_("this game cannot be shown: {error}").format(error=error)) from error


def _forget(_report: dict[str, Any]) -> None:
    """Keep an analysis nowhere."""


def _read(message: requests.ReadMoves) -> Opened:
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
