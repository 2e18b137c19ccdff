"""The connection to one page: reads its requests from the WebSocket and sends the answers. Runs in the event loop.

A message that cannot be read is answered with a Refusal. A page that sends `MOST_ABUSES` unreadable or superfluous
messages is disconnected. rooms.py, looking.py and checking.py limit the work that requests may cause.
"""

import asyncio
import sys
import time
import traceback
from contextlib import suppress
from typing import Any

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from env_adapter import EnvError
from local_runner.errors import RunnerError
from local_runner.language.languages import COMMA, _, shown, speaking
from local_runner.server.answers import Refusal
from local_runner.server.outbox import Outbox
from local_runner.server.parts import VERSION, Wire
from local_runner.server.requests import LONGEST, Command, Enter, Hello, Leave, NewGame, Play, from_page
from local_runner.server.services import Services
from local_runner.server.tools import PageTools

BURST, A_SECOND = 200, 100  # token bucket for a page's messages: its size, and tokens added per second
MOST_ABUSES = 30  # unreadable or superfluous messages after which a page is disconnected
CUT_OFF = 1008  # close code: policy violation
SHOWN_ERRORS = 3  # unreadable fields that a refusal names, at most
MOST_PLACES = 200  # most characters of the names of these fields


class Abuse(Exception):
    """A message that our page never sends. The error's text says what is wrong with the message."""


class Connection:
    """A page that is connected. `send` may be called from any thread."""

    def __init__(self, socket: WebSocket, services: Services) -> None:
        self.language = "en"
        self._socket, self._services = socket, services
        self._outbox = Outbox(asyncio.get_running_loop())
        self._greeted = False
        self._abuses = 0
        self._allowance, self._counted = float(BURST), time.monotonic()
        self._tools = PageTools(services, self)

    def send(self, message: Wire, key: str | None = None) -> None:
        """Queue a message. A message with a key replaces a queued message that has the same key."""
        self._outbox.put(message.model_dump_json(), key)

    async def run(self) -> None:
        """Serve the page until it disconnects or is disconnected."""
        await self._socket.accept()
        sending = asyncio.create_task(self._send_all())
        try:
            while self._abuses < MOST_ABUSES and not sending.done():
                event = await self._socket.receive()
                if event["type"] == "websocket.disconnect":
                    break
                with speaking(self.language):
                    await self._receive(event)
            else:
                await self._close()
        finally:
            sending.cancel()
            self._services.rooms.disconnected(self)
            self._tools.close()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await sending

    async def _send_all(self) -> None:
        while True:
            for text in await self._outbox.next():
                await self._socket.send_text(text)
            if self._outbox.overflowed:
                await self._close()
                return

    async def _close(self) -> None:
        if self._socket.client_state is WebSocketState.CONNECTED:
            with suppress(RuntimeError, WebSocketDisconnect):
                await asyncio.sleep(0.05)  # so that the last refusal is sent before the socket closes
                await self._socket.close(CUT_OFF)

    async def _receive(self, event: Any) -> None:
        tag: int | None = None
        try:
            self._count()
            message = self._read(event)
            tag = getattr(message, "tag", None)
            await self._execute(message)
        except (RunnerError, EnvError, Abuse) as error:
            self._abuses += isinstance(error, Abuse)
            self.send(Refusal(tag=tag, sentence=str(error)))
        except WebSocketDisconnect:
            raise
        except Exception:
            sys.stderr.write(traceback.format_exc())
            self.send(Refusal(tag=tag, sentence=_("the server made a mistake; its window shows which")))

    def _count(self) -> None:
        now = time.monotonic()
        self._allowance = min(BURST, self._allowance + A_SECOND * (now - self._counted))
        self._counted = now
        if self._allowance < 1:
            raise Abuse(_("too many messages; wait a moment"))
        self._allowance -= 1

    def _read(self, event: Any) -> Any:
        text = event.get("text")
        if text is None:
            raise Abuse(_("messages are JSON, not binary"))
        if len(text) > LONGEST or len(text.encode("utf-8", "replace")) > LONGEST:
            raise Abuse(_("this message is longer than {most} bytes").format(most=LONGEST))
        try:
            message = from_page.validate_json(text)
        except ValidationError as error:
            places = [".".join(map(str, each["loc"])) for each in error.errors(include_url=False)[:SHOWN_ERRORS]]
            where = shown(COMMA).join(filter(None, places))[:MOST_PLACES] or "JSON"
            raise Abuse(_("this message cannot be read ({where}); reload the page").format(where=where)) from None
        if not self._greeted and not isinstance(message, Hello):
            raise Abuse(_("the first message must be Hello; reload the page"))
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
