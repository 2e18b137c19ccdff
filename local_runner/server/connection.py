"""The connection to one page: reads its requests from the WebSocket and sends the answers. Runs in the event loop.

A message that cannot be read is answered with a Refusal. Any thread may queue messages to the page; a task empties the
queue. uvicorn disconnects a page that reads nothing, since such a page answers no ping. `PageTools` answers the
requests that do not belong to a running room: looks, analyses, trees, checks, files and Watch.
"""

import asyncio
import functools
import itertools
import sys
import threading
import traceback
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from env_adapter import EnvError
from local_runner import formats
from local_runner.errors import RunnerError
from local_runner.formats.files.moves import read as read_games
from local_runner.formats.source import Source
from local_runner.game.board_data import BoardData, MovesData
from local_runner.game.records import COLOURS
from local_runner.game.setup import GameSetup
from local_runner.language.languages import COMMA, _, shown, speaking
from local_runner.server import requests
from local_runner.server.answers import Opened, Refusal, ShownPosition, TreeMade, Uploaded
from local_runner.server.jobs import BackgroundJob, EngineJobs, PageLook, analyse_game, check_upload, watch_file
from local_runner.server.opened_files import opened, saved_game
from local_runner.server.pages import Page
from local_runner.server.positions import position_game, shown_position
from local_runner.server.services import Services
from local_runner.server.wire import VERSION, Wire

SHOWN_ERRORS = 3  # unreadable fields that a refusal names, at most
MOST_PLACES = 200  # most characters of the names of these fields


class Connection:
    """A page that is connected. `send` may be called from any thread."""

    def __init__(self, socket: WebSocket, services: Services) -> None:
        self.language = "en"
        self._socket, self._services = socket, services
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._waiting: dict[Hashable, str] = {}  # messages in order, those without a key by a number
        self._numbers = itertools.count()
        self._filled = asyncio.Event()
        self._greeted = False
        self._tools = PageTools(services, self)

    def send(self, message: Wire, key: str | None = None) -> None:
        """Queue a message. A message with a key replaces a queued message that has the same key.

        A slow page therefore skips old looks. The new message goes to the end, so that no older message about the same
        game comes after it.
        """
        text = message.model_dump_json()
        with self._lock:
            place: Hashable = next(self._numbers) if key is None else key
            self._waiting.pop(place, None)
            self._waiting[place] = text
            first = len(self._waiting) == 1
        if first and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._filled.set)

    async def run(self) -> None:
        """Serve the page until it disconnects."""
        await self._socket.accept()
        sending = asyncio.create_task(self._send_all())
        try:
            while not sending.done():
                event = await self._socket.receive()
                if event["type"] == "websocket.disconnect":
                    break
                with speaking(self.language):
                    await self._receive(event)
        finally:
            sending.cancel()
            self._services.rooms.disconnected(self)
            self._tools.close()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await sending

    async def _send_all(self) -> None:
        while True:
            await self._filled.wait()
            self._filled.clear()
            with self._lock:
                texts, self._waiting = list(self._waiting.values()), {}
            for text in texts:
                await self._socket.send_text(text)

    async def _receive(self, event: Any) -> None:
        tag: int | None = None
        try:
            message = self._read(event)
            tag = getattr(message, "tag", None)
            await self._execute(message)
        except (RunnerError, EnvError) as error:
            self.send(Refusal(tag=tag, sentence=str(error)))
        except WebSocketDisconnect:
            raise
        except Exception:
            sys.stderr.write(traceback.format_exc())
            self.send(Refusal(tag=tag, sentence=_("the server made a mistake; its window shows which")))

    def _read(self, event: Any) -> Any:
        text = event.get("text")
        if text is None:
            raise RunnerError(_("messages are JSON, not binary"))
        try:
            message = requests.from_page.validate_json(text)
        except ValidationError as error:
            places = [".".join(map(str, each["loc"])) for each in error.errors(include_url=False)[:SHOWN_ERRORS]]
            where = shown(COMMA).join(filter(None, places))[:MOST_PLACES] or "JSON"
            raise RunnerError(_("this message cannot be read ({where}); reload the page").format(where=where)) from None
        if not self._greeted and not isinstance(message, requests.Hello):
            raise RunnerError(_("the first message must be Hello; reload the page"))
        return message

    async def _execute(self, message: Any) -> None:
        rooms = self._services.rooms
        match message:
            case requests.Hello():
                await self._greet(message)
            case requests.NewGame():
                await rooms.new(message, self)
            case requests.Enter():
                (await rooms.room(message.room, self)).pages.enter(self, message.tag)
            case requests.Leave():
                rooms.leave(message.room, self)
            case requests.Play() | requests.Command():
                await rooms.order(message, self)
            case _:
                await self._tools.use(message)

    async def _greet(self, message: requests.Hello) -> None:
        if message.version != VERSION:
            sentence = _("this page is of version {theirs}, the server of {ours}; reload the page")
            raise RunnerError(sentence.format(theirs=message.version, ours=VERSION))
        self.language, self._greeted = message.language, True
        with speaking(self.language):
            self.send(await asyncio.to_thread(self._services.welcome))


class PageTools:
    """The tools of one page. Used in the event loop; texts are in the page's language."""

    def __init__(self, services: Services, page: Page) -> None:
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
        stored = message.position or self._services.store.room(message.room or "").position
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
