"""The page's modules in a real browser, from a plain server of files with a policy like that of our server."""

import functools
import http.server
import shutil
import threading
from pathlib import Path

import pytest

from tests.browser.fixtures import browser, chromium_only, open_page, tab, watched, window  # noqa: F401

PAGE = Path(__file__).parents[4] / "local_runner" / "html" / "page"
EMPTY = """<!DOCTYPE html><html lang="en"><head><title>test</title><link rel="icon" href="data:,">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; img-src 'self' data:">
<meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/board/board.css"><link rel="stylesheet" href="/replay/replay.css"></head>
<body><main><h1>test</h1><div id="holder"></div></main></body></html>"""


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """Of an empty page beside the modules."""
    folder = tmp_path_factory.mktemp("page")
    shutil.copytree(PAGE, folder, dirs_exist_ok=True)
    (folder / "index.html").write_text(EMPTY, "utf-8")
    handler = functools.partial(Files, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def window_size():
    return 700, 850  # as high as a whole board
