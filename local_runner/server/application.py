"""The routes of the server: the page's files, uploads, files to open, exports, and the socket."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI, Request, Response, WebSocket
from pydantic import ValidationError

from env_adapter import EnvError
from local_runner.errors import RunnerError
from local_runner.formats import writing
from local_runner.formats.saved_game import SavedGame
from local_runner.language.languages import CHINESE, ENGLISH, LANGUAGES, _, page_catalogue, shown, speaking, used
from local_runner.language.text import in_file_name
from local_runner.processes.sandbox import SandboxMode
from local_runner.server.assets import INDEX, Asset, Assets, packed
from local_runner.server.connection import Connection
from local_runner.server.messages import LONGEST, PagePosition
from local_runner.server.opened_files import headings, saved_game
from local_runner.server.security import Application, Guard
from local_runner.server.services import Services
from local_runner.server.store import RoomStore
from local_runner.server.uploads import MOST_BYTES

MOST_PAGES = 100  # connected at once
OK, BAD, NO_SUCH, TOO_LARGE = 200, 400, 404, 413
MOST_NAME = 200  # characters of a file's name
ROOM = re.compile(r"[a-z0-9]{12}")
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
        inner.add_api_route("/messages/{language}.json", self._messages, methods=["GET"])
        inner.add_api_route("/upload", self._upload, methods=["POST"])
        inner.add_api_route("/open", self._open, methods=["POST"])
        inner.add_api_route("/export/{name}.{ending}", self._export, methods=["GET"])
        inner.add_api_route("/export.{ending}", self._export_position, methods=["POST"])
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

    async def _messages(self, request: Request, language: str) -> Response:
        if language not in LANGUAGES:
            return _answer(request, None)
        texts = json.dumps(page_catalogue(language), ensure_ascii=False).encode()
        return _answer(request, await asyncio.to_thread(packed, texts, ".json"))

    async def _open(self, request: Request) -> Response:
        with speaking(_language(request)):
            return await _answered(lambda: self._read(request))

    async def _read(self, request: Request) -> dict[str, Any]:
        content = await _body(request, MOST_BYTES)
        name = request.query_params.get("name", "")[:MOST_NAME]

        def read() -> dict[str, Any]:
            file, games = self._here.opened.add(name, content)
            return {"file": file, "kind": games.kind, "games": headings(games), "problem": shown(games.problem)}

        return await asyncio.to_thread(read)

    async def _export(self, request: Request, name: str, ending: str) -> Response:
        number = request.query_params.get("number", "0")

        def game() -> SavedGame:
            if ROOM.fullmatch(name) and (self._here.store.room(name)) is not None:
                return self._here.room(name)
            return self._here.opened.game(name, int(number) if number.isdecimal() and len(number) < 9 else 0)

        with speaking(_language(request)):
            return await _exported(game, name, ending)

    async def _export_position(self, request: Request, ending: str) -> Response:
        with speaking(_language(request)):
            try:
                position = PagePosition.model_validate_json(await _body(request, LONGEST))
            except ValidationError:
                return _problem(_("this is no position; reload the page"), BAD)
            except TooLarge as error:
                return _problem(str(error), TOO_LARGE)
            return await _exported(lambda: saved_game(position, (_("Black"), _("White"))), position.env, ending)

    async def _upload(self, request: Request) -> Response:
        with speaking(_language(request)):
            return await _answered(lambda: self._kept(request))

    async def _kept(self, request: Request) -> dict[str, Any]:
        content = await _body(request, MOST_BYTES)
        name = request.query_params.get("name", "")[:MOST_NAME]
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
    """The result of the work as JSON, or only "problem", the sentence of its error.

    That a user's file is wrong is a good answer: for another code the browser would write an error on its console.
    """
    try:
        return Response(json.dumps(await work()), media_type="application/json")
    except TooLarge as error:
        return _problem(str(error), TOO_LARGE)
    except (RunnerError, EnvError) as error:
        return _problem(str(error), OK)


async def _exported(game: Callable[[], SavedGame], name: str, ending: str) -> Response:
    """A game as a file to download, or the sentence of the error."""

    def made() -> tuple[bytes, str]:
        if ending == "html":
            from local_runner.formats.replay_page import replay_page  # here, because the import is slow

            return replay_page([game()], language=used()).encode(), "text/html; charset=utf-8"
        return writing.write(game(), ending), writing.format_of(ending).media

    try:
        content, media = await asyncio.to_thread(made)
    except (RunnerError, EnvError, ValueError) as error:
        return _problem(str(error), BAD)
    file = f"{in_file_name(name) or 'game'}.{ending}"
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(file)}"}
    return Response(content, media_type=media, headers=headers)


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
