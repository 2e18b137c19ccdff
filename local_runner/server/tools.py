"""What one page does besides playing: it looks inside, sets up, analyses, checks, opens games and watches."""

import asyncio
from typing import TYPE_CHECKING, Any

from local_runner.errors import RunnerError
from local_runner.game.records import COLOURS
from local_runner.language.languages import _
from local_runner.server import messages
from local_runner.server.checking import checking
from local_runner.server.jobs import BackgroundJob
from local_runner.server.looking import EngineJobs, PageLook, analysing
from local_runner.server.messages import Refusal
from local_runner.server.opened_files import opened, saved_game
from local_runner.server.positions import begun, looks
from local_runner.server.visitors import Visitor
from local_runner.server.watching import watching

if TYPE_CHECKING:
    from local_runner.server.services import Services


class PageTools:
    """The tools of one page; used in the event loop, in the page's language."""

    def __init__(self, services: "Services", page: Visitor) -> None:
        self._services, self._page = services, page
        self._looks, self._analyses = EngineJobs(page, services.mode), EngineJobs(page, services.mode)
        self._look: PageLook | None = None
        self._check: BackgroundJob | None = None
        self._watch: BackgroundJob | None = None

    async def use(self, message: Any) -> None:
        """Do what a message asks. Raises RunnerError or EnvError if that cannot be done."""
        match message:
            case messages.LookAt():
                await self._look_at(message)
            case messages.StopLooking():
                self._stop_looking()
            case messages.Show():
                board, moves, problem = await asyncio.to_thread(looks, message.position)
                shown = messages.ShownPosition(tag=message.tag, board=dict(board), moves=dict(moves), problem=problem)
                self._page.send(shown)
            case messages.Analyse():
                game = await asyncio.to_thread(saved_game, message.position, COLOURS)
                self._analyses.start(message.tag, analysing(self._page, message.tag, game, message.seconds))
            case messages.StopAnalysing():
                self._analyses.close()
            case messages.Check():
                self._start_check(message)
            case messages.OpenGame():
                self._page.send(await asyncio.to_thread(self._opened, message))
            case messages.Watch():
                path, name = self._services.opened.tournament(message.file)
                self._watch = self._job(message.tag, watching(self._page, message.tag, path, name), self._watch)
            case messages.StopWatching():
                if self._watch is not None:
                    self._watch.stop()

    def close(self) -> None:
        """The page has gone."""
        self._stop_looking()
        self._looks.close()
        self._analyses.close()
        for job in (self._check, self._watch):
            if job is not None:
                job.stop()

    async def _look_at(self, message: messages.LookAt) -> None:
        self._stop_looking()
        if (message.room is None) == (message.position is None):
            raise RunnerError(_("look at a room or at a position, not at both"))
        look = PageLook(self._page, self._looks, message.tag, message.lines)
        if message.room is not None:
            look.at_room(await self._services.rooms.room(message.room, self._page))
        elif message.position is not None:
            start = await asyncio.to_thread(begun, message.position)
            look.at_position(start.setup, start.cells, len(message.position.moves))
        self._look = look

    def _stop_looking(self) -> None:
        if self._look is not None:
            self._look.end()
            self._look = None

    def _opened(self, message: messages.OpenGame) -> messages.Opened:
        try:
            return opened(self._services.opened.game(message.file, message.number), message.tag)
        except ValueError as error:
            raise RunnerError(_("this game cannot be shown: {error}").format(error=error)) from error

    def _start_check(self, message: messages.Check) -> None:
        path, name = self._services.uploads.path(message.upload), self._services.uploads.name(message.upload)
        work = checking(self._page, message, path, name, self._services.mode)
        self._check = self._job(message.tag, work, self._check)

    def _job(self, tag: int, work: Any, after: BackgroundJob | None) -> BackgroundJob:
        def failed(sentence: str) -> None:
            self._page.send(Refusal(tag=tag, sentence=sentence))

        return BackgroundJob(work, failed, self._page.language, after=after)
