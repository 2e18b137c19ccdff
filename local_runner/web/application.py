"""The routes of the server: the page's files, uploads, files to open, exports, and the socket."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket

from env_adapter import EnvError
from local_runner.errors import RunnerError
from local_runner.languages import CHINESE, ENGLISH, LANGUAGES, _, speaking
from local_runner.processes.sandbox import SandboxMode
from local_runner.web.assets import INDEX, Asset, Assets
from local_runner.web.connection import Connection
from local_runner.web.security import Application, Guard
from local_runner.web.services import Services
from local_runner.web.store import RoomStore
from local_runner.web.uploads import MOST_BYTES

MOST_PAGES = 100  # connected at once
NO_SUCH, BAD, TOO_LARGE = 404, 400, 413
END_SECONDS = 0.7  # for the rooms to end


class WebApplication:
    """The application of one server. `services` is there while it runs."""

    def __init__(self, store: RoomStore, port: int, files: Sequence[Path] = (),
                 mode: SandboxMode = SandboxMode.AUTO) -> None:  # fmt: skip
        self._making: Callable[[], Services] = lambda: Services(store, files, mode)
        self._assets = Assets()
        self._pages = 0
        self.services: Services | None = None
        inner = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=self._life)
        inner.add_api_route("/", self._index, methods=["GET"], include_in_schema=False)
        inner.add_api_route("/page/{name:path}", self._asset, methods=["GET"])
        inner.add_api_route("/upload", self._upload, methods=["POST"])
        inner.add_api_websocket_route("/ws", self._socket)
        self.guarded: Application = Guard(inner, store.secret(), port)

    def end(self) -> None:
        """Let all rooms end soon, without waiting."""
        if self.services is not None:
            self.services.rooms.end()

    @asynccontextmanager
    async def _life(self, _inner: FastAPI) -> AsyncIterator[None]:
        self.services = services = self._making()
        tidying = asyncio.create_task(services.rooms.tidy())
        try:
            yield
        finally:
            tidying.cancel()
            services.rooms.end()
            await asyncio.to_thread(services.rooms.join, END_SECONDS)

    @property
    def _here(self) -> Services:
        assert self.services is not None  # requests come only while it runs
        return self.services

    async def _index(self, request: Request) -> Response:
        return _answer(request, self._assets.get(INDEX))

    async def _asset(self, request: Request, name: str) -> Response:
        return _answer(request, self._assets.get(name))

    async def _upload(self, request: Request) -> Response:
        with speaking(_language(request)):
            return await _answered(lambda: self._kept(request))

    async def _kept(self, request: Request) -> dict[str, Any]:
        content = await _body(request, MOST_BYTES)
        name = request.query_params.get("name", "")[:200]
        upload, shown = await asyncio.to_thread(self._here.uploads.add, content, name)
        return {"upload": upload, "name": shown}

    async def _socket(self, socket: WebSocket) -> None:
        if self._pages >= MOST_PAGES:
            await socket.close()
            return
        self._pages += 1
        try:
            await Connection(socket, self._here).run()
        finally:
            self._pages -= 1


class TooLarge(RunnerError):
    """A body with more bytes than are taken."""


async def _body(request: Request, most: int) -> bytes:
    sentence = _("this file is larger than {most:,} bytes").format(most=most)
    said = request.headers.get("content-length", "0")
    if said.isdecimal() and int(said) > most:
        raise TooLarge(sentence)
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise TooLarge(sentence)
        parts.append(part)
    return b"".join(parts)


async def _answered(work: Callable[[], Any]) -> Response:
    """The result of the work as JSON, or the sentence of its error."""
    try:
        return Response(json.dumps(await work()), media_type="application/json")
    except TooLarge as error:
        return _problem(str(error), TOO_LARGE)
    except (RunnerError, EnvError) as error:
        return _problem(str(error), BAD)


def _problem(sentence: str, code: int) -> Response:
    return Response(json.dumps({"problem": sentence}), code, media_type="application/json")


def _answer(request: Request, asset: Asset | None) -> Response:
    if asset is None:
        return Response("there is no such file\n", NO_SUCH, media_type="text/plain")
    headers = {"cache-control": "no-cache", "etag": asset.tag, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == asset.tag:
        return Response(status_code=304, headers=headers)
    content = asset.content
    if asset.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        content, headers["content-encoding"] = asset.packed, "gzip"
    return Response(content, media_type=asset.kind, headers=headers)


def _language(request: Request) -> str:
    """The language of an answer: what the page says, else what the browser prefers."""
    said = request.query_params.get("language", "")
    if said in LANGUAGES:
        return said
    return CHINESE if request.headers.get("accept-language", "").lower().startswith(CHINESE) else ENGLISH
