"""`tengen serve`: listens on 127.0.0.1, opens the page in the browser, and runs the server until Ctrl-C.

The browser opens a private file that redirects to the address, because other users can see the arguments of programs.
"""

import contextlib
import gc
import html
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer
import uvicorn
from starlette.types import ASGIApp

from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.language.languages import SEMICOLON, _, shown
from local_runner.language.text import ERROR, shortened
from local_runner.matches.games import read
from local_runner.processes.sandbox import SandboxMode
from local_runner.server.application import application
from local_runner.server.requests import LONGEST
from local_runner.server.services import Services
from local_runner.server.store import RoomStore, open_store
from local_runner.system.exit_codes import ExitCode
from local_runner.system.files import reason

HOST = "127.0.0.1"
SWITCH_SECONDS = 0.001  # the interpreter's thread switch interval, so that no room waits long for another
BACKLOG = 512  # connections that may wait to be accepted
GRACE_SECONDS = 1  # longest wait for open connections when the server ends


def serve(
    files: Sequence[Path], port: int, show: bool, folder: Path, mode: SandboxMode, agents: Sequence[AgentSpec] = ()
) -> ExitCode:
    """Serve until Ctrl-C. Raises RunnerError if none of the files can be watched, or the port or the store be used."""
    files, folder = _watchable(files), Path(os.path.abspath(folder.expanduser()))
    with open_store(folder) as store, _bound(port, store) as listening:
        real_port = listening.getsockname()[1]
        address = f"http://{HOST}:{real_port}/?key={store.secret}"
        services = Services(store, files, mode, agents)
        server = uvicorn.Server(_config(application(services, real_port)))
        typer.echo(_("the page is at {address}").format(address=address))
        typer.echo(_("Ctrl-C ends the server; games are kept in {path}").format(path=folder))
        sys.stdout.flush()
        sys.setswitchinterval(SWITCH_SECONDS)
        gc.freeze()  # else each full collection visits the imported modules too, and stops all rooms for 0.1 to 0.2 s
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
        raise RunnerError(shown(SEMICOLON).join(refused))
    for sentence in refused:
        typer.echo(f"tengen: {shortened(sentence, ERROR)}", err=True)
    return watchable


def _config(served: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        served, log_level="warning", access_log=False, server_header=False, date_header=False,
        ws_max_size=LONGEST, ws_per_message_deflate=False, ws_ping_interval=20, ws_ping_timeout=20,
        timeout_graceful_shutdown=GRACE_SECONDS, timeout_keep_alive=60, lifespan="on", loop="asyncio",
        h11_max_incomplete_event_size=16_384, proxy_headers=False,
    )  # fmt: skip


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
