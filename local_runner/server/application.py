"""The server of `tengen serve`: its routes, who may use them, and the run from the start to Ctrl-C.

The browser opens a private file that redirects to the address, because other users can see the arguments of programs.
Only a browser that opened the address with the secret may use the server. Three checks keep other pages in that browser
out. A foreign Origin is refused. A Host other than `HOSTS` is refused. The browser sends the cookie with same-site
requests only (SameSite=Strict). Every answer forbids the browser to run or load foreign content.
"""

import asyncio
import contextlib
import gc
import hmac
import html
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import quote

import msgspec
import typer
import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from env_adapter import EnvError
from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.formats import self_contained, writing
from local_runner.formats.files.html import replay_page
from local_runner.formats.saved_game import SavedGame
from local_runner.game.wording import COLOURS
from local_runner.language import languages
from local_runner.language.languages import _, current, shown, speaking
from local_runner.language.text import ERROR, in_file_name, shortened
from local_runner.matches.games import read
from local_runner.processes.sandbox import SandboxMode
from local_runner.server.games import saved_game, saved_room
from local_runner.server.requests import LONGEST, Connection
from local_runner.server.services import Services
from local_runner.server.store import MOST_BYTES, RoomStore, open_store
from local_runner.server.wire import MOST_NAME, PagePosition, without_options
from local_runner.system import manual
from local_runner.system.files import reason
from local_runner.terminal.output import ExitCode

OK, BAD, FORBIDDEN, NOT_FOUND, MISDIRECTED = 200, 400, 403, 404, 421
HOST = "127.0.0.1"
SWITCH_SECONDS = 0.001  # the interpreter's thread switch interval, so that no room waits long for another
BACKLOG = 512  # connections that may wait to be accepted
GRACE_SECONDS = 1  # longest wait for open connections when the server ends
TOLD_SECONDS = 0.25  # time between two reports to the page on how much of a file has been read
END_SECONDS = 0.7  # longest wait for the rooms to end, when the server ends
HOSTS = (HOST, "localhost")
USUAL_PORT = 80  # the default port of http, which browsers leave out of Host and Origin
REFUSED_SOCKET = 1008  # close code: policy violation
NO_ENTRY = (
    "Open the address that `tengen serve` has printed; it holds a secret that belongs to it.\n"
    "If a link is another person's: start tengen serve on your computer, and paste the link into Replay there.\n"
    "请打开 `tengen serve` 打印的地址，其中含有进入所需的密钥。\n"
    "如果链接来自别人：请在自己的电脑上启动 tengen serve，再把链接粘贴到那里的“回放”中。\n"
)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "media-src 'self' data: blob:; connect-src 'self' ws://127.0.0.1:{port} ws://localhost:{port}; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)


def guarded(inner: ASGIApp, secret: str, port: int) -> ASGIApp:
    """The application with the checks before it. `port`: the server's port. `secret`: the secret in its address."""
    cookie = f"tengen_{port}"  # browsers share cookies among ports, so each server needs its own name
    hosts = [f"{host}:{port}" for host in HOSTS] + (list(HOSTS) if port == USUAL_PORT else [])
    origins = [[], *([f"http://{host}"] for host in hosts)]
    armour = {
        "content-security-policy": POLICY.format(port=port),
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
    }

    def is_secret(given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())

    async def checked(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await inner(scope, receive, send)
            return
        asked = HTTPConnection(scope)
        opens_page = scope["type"] == "http" and scope["path"] == "/"
        enters = opens_page and is_secret(asked.query_params.get("key", ""))
        refusal = 0
        if asked.headers.getlist("host") not in [[host] for host in hosts]:  # a repeated Host is refused, too
            refusal = MISDIRECTED
        elif asked.headers.getlist("origin") not in origins or not (enters or is_secret(asked.cookies.get(cookie, ""))):
            refusal = FORBIDDEN

        async def send_guarded(event: Message) -> None:
            if event["type"] == "http.response.start":
                headers = MutableHeaders(scope=event)
                headers.update(armour)
                headers.setdefault("cache-control", "no-cache")  # the browser must ask whether a file has changed
                if enters and not refusal:
                    headers.append("set-cookie", f"{cookie}={secret}; Path=/; HttpOnly; SameSite=Strict")
            await send(event)

        if not refusal:
            with speaking(_language(asked)):
                await inner(scope, receive, send_guarded)
        elif scope["type"] == "http":
            await PlainTextResponse(NO_ENTRY, refusal)(scope, receive, send_guarded)
        else:
            await send({"type": "websocket.close", "code": REFUSED_SOCKET, "reason": ""})

    return checked


class Routes:
    """The HTTP routes of the server. A RunnerError or EnvError becomes {"problem": its sentence}."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.routes: list[BaseRoute] = [
            Route("/", _page_file),
            Route("/proof", self._proof),
            Route("/proof/{moves}", self._proof),
            Route("/upload", self._upload, methods=["POST"]),
            Route("/open", self._open, methods=["POST"]),
            Route("/open/{file}", self._opened),
            Route("/export/{name}.{ending}", self._export),
            Route("/export.{ending}", self._export_position, methods=["POST"]),
            WebSocketRoute("/ws", lambda page: Connection(page, services).run()),
            Route("/made/{file}", _page_file),
            Mount("/page", StaticFiles(directory=self_contained.PAGE)),
        ]
        if docs := manual.site():
            self.routes.append(Mount("/docs", StaticFiles(directory=docs)))

    async def _proof(self, request: Request) -> Response:
        """The proof that Black wins gobang, or the proof's answer after moves such as h8h7g7."""
        from local_runner.formats import proof_page  # here, because few pages show it

        if moves := request.path_params.get("moves"):
            return await _answer(self._services.proof, moves)
        return await _answer(proof_page.proof_data)

    async def _open(self, request: Request) -> Response:
        """Read a file. If reading takes long, the answer is a stream of events: the part that has been read, 0 to 1,
        again and again, and at last the usual answer. If the page breaks off the request, reading ends.
        """
        opened, name, content = self._services.opened, _name(request), await _body(request, MOST_BYTES)
        read, stopped = 0.0, False

        def tell(part: float) -> None:
            nonlocal read
            read = part
            if stopped:
                raise RunnerError("the page no longer wants the file")  # ends the reading; the page has gone

        async def answered() -> Response:
            try:
                return await _answer(lambda: opened.listing(opened.add(name, content, tell)))
            except (RunnerError, EnvError) as error:
                return _problem(request, error)

        async def events() -> AsyncIterator[bytes]:
            nonlocal stopped
            try:
                while not (await asyncio.wait({work}, timeout=TOLD_SECONDS))[0]:
                    yield f"data: {read}\n\n".encode()
                yield b"data: %s\n\n" % (await work).body
            finally:
                stopped = True

        work = asyncio.ensure_future(answered())
        if (await asyncio.wait({work}, timeout=TOLD_SECONDS))[0]:
            return await work
        return StreamingResponse(events(), media_type="text/event-stream")

    async def _opened(self, request: Request) -> Response:
        """The listing of an open file, for another window of the browser, or of a file of the command line."""
        return await _answer(self._services.opened.listing, request.path_params["file"])

    async def _upload(self, request: Request) -> Response:
        return await _answer(self._services.uploads.add, await _body(request, MOST_BYTES), _name(request))

    async def _export(self, request: Request) -> Response:
        name, number = request.path_params["name"], request.query_params.get("number", "0")

        def game() -> SavedGame:
            if (room := self._services.rooms.now(name)) is not None:
                return saved_room(room)
            return self._services.opened.game(name, int(number) if number.isdecimal() and len(number) < 9 else 0)

        return await _exported(game, name, request.path_params["ending"])

    async def _export_position(self, request: Request) -> Response:
        """A position as a file; the line of a tree with the tree's headers, and as SGF the whole tree."""
        try:
            position = msgspec.json.decode(await _body(request, LONGEST), type=PagePosition)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise RunnerError(_("this is no position; reload the page")) from error
        tree, trees, ending = request.query_params.get("tree"), self._services.trees, request.path_params["ending"]
        game = partial(trees.saved, tree) if tree else partial(saved_game, names=COLOURS)
        whole = partial(trees.sgf, tree) if tree and ending == "sgf" else None
        return await _exported(partial(game, position), position.env, ending, whole)


def _page_file(request: Request) -> Response:
    """A file of `app_files`. Browsers keep script, style sheet and source map, as their hash is in the address."""
    file = request.path_params.get("file", "")
    if (content := self_contained.app_files().get(file)) is None:
        return PlainTextResponse("", NOT_FOUND)
    headers = {"cache-control": "private, max-age=31536000, immutable", "sourcemap": f"/made/{file}.map"}
    media = "text/css" if file.endswith(".css") else "text/javascript"
    return Response(content, media_type=media, headers=headers) if file else HTMLResponse(content)


def application(services: Services, port: int) -> ASGIApp:
    """The application of a server that listens at this port."""

    @contextlib.asynccontextmanager
    async def life(_application: Starlette) -> AsyncIterator[None]:
        # The page's files and the Welcome are made before a page asks for them.
        first = (asyncio.to_thread(make) for make in (self_contained.app_files, services.welcome))
        tasks = [asyncio.create_task(each) for each in (services.rooms.tidy(), *first)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.to_thread(services.close, END_SECONDS)

    inner = Starlette(
        routes=Routes(services).routes, lifespan=life, middleware=[Middleware(GZipMiddleware, compresslevel=1)],
        exception_handlers={RunnerError: _problem, EnvError: _problem,
                            ClientDisconnect: lambda _request, _error: Response()},  # nobody reads this answer
    )  # fmt: skip
    return guarded(inner, services.store.secret, port)


def _problem(request: Request, error: Exception) -> Response:
    """The answer to a request that cannot be done.

    The code is 200 for a file that is sent, because browsers log other codes as errors of the page.
    """
    code = BAD if request.url.path.startswith("/export") else OK
    return JSONResponse({"problem": without_options(str(error))}, code)


async def _body(request: Request, most: int) -> bytes:
    sentence = _("this file is larger than {most:,} bytes").format(most=most)
    announced = request.headers.get("content-length", "0")
    if announced.isdecimal() and int(announced) > most:
        raise RunnerError(sentence)
    content = bytearray()
    async for part in request.stream():
        content += part
        if len(content) > most:
            raise RunnerError(sentence)
    return bytes(content)


def _name(request: Request) -> str:
    return request.query_params.get("name", "")[:MOST_NAME]


async def _answer(take: Callable[..., Mapping[str, object]], *arguments: object) -> Response:
    """The result of a function as JSON. The function runs in a thread."""
    return JSONResponse(await asyncio.to_thread(take, *arguments))


async def _exported(
    game: Callable[[], SavedGame], name: str, ending: str, whole: Callable[[], str] | None = None
) -> Response:
    """A game as a file. `whole`: makes the text of the file, if it is not that of the game alone."""

    def written() -> bytes:
        if whole is not None:
            return whole().encode("utf-8", "replace")
        return replay_page([game()], language=current()).encode() if ending == "html" else writing.write(game(), ending)

    try:
        content = await asyncio.to_thread(written)
    except ValueError as error:
        raise RunnerError(str(error)) from error
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(f'{in_file_name(name)}.{ending}')}"}
    return Response(content, media_type=writing.format_of(ending).media, headers=headers)


def _language(request: HTTPConnection) -> str:
    """The language of an answer: the request's `language`, without one the first language that the browser prefers."""
    asked = request.query_params.get("language", "")
    if asked in languages.LANGUAGES:
        return asked
    preferred = request.headers.get("accept-language", "").lower()
    return next(filter(preferred.startswith, languages.LANGUAGES), languages.ENGLISH)


def serve(
    files: Sequence[Path], port: int, show: bool, folder: Path, mode: SandboxMode, agents: Sequence[AgentSpec] = ()
) -> ExitCode:
    """Serve until Ctrl-C. Raises RunnerError if none of the files can be watched, or the port or the store be used."""
    files, folder = _watchable(files), Path(os.path.abspath(folder.expanduser()))
    with open_store(folder) as store, _bound(port, store) as listening:
        real_port = listening.getsockname()[1]
        address = f"http://{HOST}:{real_port}/?key={store.secret}"
        services = Services(store, files, mode, agents)
        server = uvicorn.Server(uvicorn.Config(
            application(services, real_port), log_level="warning", access_log=False, server_header=False,
            date_header=False, ws_max_size=LONGEST, ws_per_message_deflate=False, ws_ping_interval=20,
            ws_ping_timeout=20, timeout_graceful_shutdown=GRACE_SECONDS, timeout_keep_alive=60, lifespan="on",
            loop="asyncio", h11_max_incomplete_event_size=16_384, proxy_headers=False,
        ))  # fmt: skip
        typer.echo(_("the page is at {address}").format(address=address))
        typer.echo(_("Ctrl-C ends the server; games are kept in {path}").format(path=folder))
        sys.stdout.flush()
        sys.setswitchinterval(SWITCH_SECONDS)
        gc.freeze()  # otherwise a full collection visits the imported modules, and stops all rooms for 0.1 to 0.2 s
        signal.signal(signal.SIGHUP, server.handle_exit)
        with _opening(address, folder) if show else contextlib.nullcontext():
            try:
                server.run(sockets=[listening])
            except KeyboardInterrupt:
                return ExitCode.INTERRUPTED
    return ExitCode.INTERRUPTED if server.should_exit else ExitCode.USAGE


def _watchable(files: Sequence[Path]) -> list[Path]:
    """The files that are tournaments' files. A sentence on stderr names each of the others.

    Raises RunnerError if there are only others.
    """
    watchable, refused = [], []
    for path in files:
        try:
            read(path)
            watchable.append(path)
        except RunnerError as error:
            refused.append(str(error))
    if refused and not watchable:
        raise RunnerError(shown(languages.SEMICOLON).join(refused))
    for sentence in refused:
        typer.echo(f"tengen: {shortened(sentence, ERROR)}", err=True)
    return watchable


@contextlib.contextmanager
def _bound(port: int, store: RoomStore) -> Iterator[socket.socket]:
    """A listening socket. For port 0, the port of the last run is used if it is free, so that open pages reconnect."""
    wanted = [port] if port else [store.port, 0]
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        for number in wanted:
            try:
                listening.bind((HOST, number))
                break
            except OSError as error:
                if number == wanted[-1]:
                    sentence = _("port {port} cannot be used: {error}; give another --port, or leave it out")
                    raise RunnerError(sentence.format(port=port, error=reason(error))) from error
        listening.listen(BACKLOG)  # before the browser opens, so that an early connection waits instead of failing
        store.keep_port(listening.getsockname()[1])
        yield listening


@contextlib.contextmanager
def _opening(address: str, folder: Path) -> Iterator[None]:
    """Open the browser with a file that redirects to the address. Only the user can read the file."""
    path = folder / f"open-{os.getpid()}.html"
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(f'<!doctype html><meta http-equiv="refresh" content="0;url={html.escape(address)}">\n')
        threading.Timer(0.3, webbrowser.open, [path.as_uri()]).start()
        yield
    finally:
        path.unlink(missing_ok=True)
