"""The connection to one page: reads its requests from the WebSocket and sends the answers. Runs in the event loop.

A message that cannot be read is answered with a Refusal. Any thread may queue messages to the page; a task empties the
queue. uvicorn disconnects a page that reads nothing, since such a page answers no ping.
"""

import asyncio
import itertools
import json
import sys
import threading
import traceback
from collections.abc import Hashable
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from env_adapter import EnvError
from local_runner.errors import RunnerError
from local_runner.language.languages import _, speaking
from local_runner.server.requests import PageRequests, read
from local_runner.server.services import Services
from local_runner.server.wire import Answer, refusal


class Connection:
    """A page that is connected. `send` may be called from any thread."""

    def __init__(self, socket: WebSocket, services: Services) -> None:
        self.language = "en"
        self._socket = socket
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._waiting: dict[Hashable, str] = {}  # messages in order, those without a key by a number
        self._numbers = itertools.count()
        self._filled = asyncio.Event()
        self._greeted = False
        self._requests = PageRequests(services, self)

    def send(self, answer: Answer, key: str | None = None) -> None:
        """Queue a message. A message with a key replaces a queued message that has the same key.

        A slow page therefore skips old looks. The new message goes to the end, so that no older message about the same
        game comes after it.
        """
        text = json.dumps(answer, separators=(",", ":"))
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
                    await self._receive(event.get("text"))
        finally:
            sending.cancel()
            self._requests.close()
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

    async def _receive(self, text: str | None) -> None:
        tag: int | None = None
        try:
            name, fields = read(text)
            if not self._greeted and name != "hello":
                raise RunnerError(_("the first message must be Hello; reload the page"))
            tag = fields.get("tag")
            answer = await getattr(self._requests, name)(**fields)
            self._greeted = True
            if answer is not None:
                self.send({"type": "answer", "tag": tag, **answer})
        except (RunnerError, EnvError) as error:
            self.send(refusal(tag, str(error)))
        except WebSocketDisconnect:
            raise
        except Exception:
            sys.stderr.write(traceback.format_exc())
            self.send(refusal(tag, _("the server made a mistake; its window shows which")))
