"""The page's modules in a real browser, from a plain server of files with the policy that our server has."""

import functools
import http.server
import threading
from pathlib import Path

import pytest

from tests.browser.fixtures import Watched, browser, new_context, open_page, watched  # noqa: F401

PAGE = Path(__file__).parents[4] / "local_runner" / "html" / "page"
EMPTY = b"""<!DOCTYPE html><html lang="en"><head><title>test</title><link rel="icon" href="data:,">
<meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/board.css"><link rel="stylesheet" href="/replay.css"></head>
<body><main><h1>test</h1><div id="holder"></div></main></body></html>"""


class Files(http.server.SimpleHTTPRequestHandler):
    """The folder of the page, and an empty page."""

    def do_GET(self):
        if self.path != "/":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Security-Policy", "default-src 'self'; img-src 'self' data:")
        self.end_headers()
        self.wfile.write(EMPTY)

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="session")
def address():
    """Of the empty page."""
    handler = functools.partial(Files, directory=PAGE)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def window(browser):  # noqa: F811
    """A tab that the tests of a module share, and what went wrong in it."""
    shared = Watched()
    context = new_context(browser, shared, size=(700, 850))  # as high as a whole board
    yield context.new_page(), shared
    context.close()


@pytest.fixture
def tab(window):
    page, shared = window
    yield page
    shared.check()
