"""The connection to one page: reads its requests from the WebSocket and sends the answers. Runs in the event loop.

A message that cannot be read is answered with a Refusal. Any thread may queue messages to the page; a task empties the
queue. uvicorn disconnects a page that reads nothing, since such a page answers no ping.
"""

import asyncio
import itertools
import sys
import threading
import traceback
from collections.abc import Hashable
from contextlib import suppress
from typing import Any

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from env_adapter import EnvError
from local_runner.errors import RunnerError
from local_runner.language.languages import COMMA, _, shown, speaking
from local_runner.server.answers import Refusal
from local_runner.server.requests import Command, Enter, Hello, Leave, NewGame, Play, from_page
from local_runner.server.services import Services
from local_runner.server.tools import PageTools
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
            message = from_page.validate_json(text)
        except ValidationError as error:
            places = [".".join(map(str, each["loc"])) for each in error.errors(include_url=False)[:SHOWN_ERRORS]]
            where = shown(COMMA).join(filter(None, places))[:MOST_PLACES] or "JSON"
            raise RunnerError(_("this message cannot be read ({where}); reload the page").format(where=where)) from None
        if not self._greeted and not isinstance(message, Hello):
            raise RunnerError(_("the first message must be Hello; reload the page"))
        return message

    async def _execute(self, message: Any) -> None:
        rooms = self._services.rooms
        match message:
            case Hello():
                await self._greet(message)
            case NewGame():
                await rooms.new(message, self)
            case Enter():
                (await rooms.room(message.room, self)).pages.enter(self, message.tag)
            case Leave():
                rooms.leave(message.room, self)
            case Play() | Command():
                await rooms.order(message, self)
            case _:
                await self._tools.use(message)

    async def _greet(self, message: Hello) -> None:
        if message.version != VERSION:
            sentence = _("this page is of version {theirs}, the server of {ours}; reload the page")
            raise RunnerError(sentence.format(theirs=message.version, ours=VERSION))
        self.language, self._greeted = message.language, True
        with speaking(self.language):
            self.send(await asyncio.to_thread(self._services.welcome))
