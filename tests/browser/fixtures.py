"""Fixtures of all tests in a real browser, controlled by Playwright (Debian's Chromium), and checks of a page's looks.

Each folder's conftest.py imports the fixtures that the folder's tests need. `open_page` opens windows; each test fails
at its end on any message on the console, on an error in a page, and on a request to any place but the server of the
test or a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Request, sync_playwright

from tests.serving import FLAGS, chromium

LOCAL = {"127.0.0.1", "", None}  # allowed hosts; about:, blob:, data: and file addresses have none
DESK, PHONE = (1280, 900), (360, 740)
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice", "experimental"]}
PATIENCE = 30_000  # ms: longest wait; a busy machine may need it
OpenPage = Callable[..., Page]
WIDER = "(all) => Math.max(...all.map((one) => one.scrollWidth - one.clientWidth))"


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest) -> Browser:
    """One Chromium for all tests of a process, whichever folders import this."""
    path = chromium()
    if path is None:
        pytest.skip("no Chromium (install chromium): no page was looked at")
    return _launched(path, request.config)


@cache
def _launched(path: str, config: pytest.Config) -> Browser:
    playwright = sync_playwright().start()
    config.add_cleanup(playwright.stop)
    return playwright.chromium.launch(executable_path=path, args=list(FLAGS))


def new_context(browser: Browser, problems: list[str], size: tuple[int, int] = DESK, dark: bool = False,
                language: str = "en-GB", touch: bool = False) -> BrowserContext:  # fmt: skip
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light",
        locale=language, has_touch=touch, is_mobile=touch,
        reduced_motion="reduce",
    )  # fmt: skip
    context.set_default_timeout(PATIENCE)

    def requested(request: Request) -> None:
        if urlsplit(request.url).hostname not in LOCAL:
            problems.append(f"request to {request.url}")

    context.on("console", lambda message: problems.append(f"console, {message.type}: {message.text}"))
    context.on("weberror", lambda error: problems.append(f"error: {error.error}"))
    context.on("request", requested)
    return context


@pytest.fixture(scope="module")
def window_size() -> tuple[int, int]:
    return DESK


@pytest.fixture(scope="module")
def window(browser: Browser, window_size: tuple[int, int]) -> Iterator[tuple[Page, list[str]]]:
    """A tab that the tests of a module share: to load a page there again takes a third of the time."""
    problems: list[str] = []
    context = new_context(browser, problems, size=window_size)
    yield context.new_page(), problems
    context.close()


@pytest.fixture
def tab(window: tuple[Page, list[str]]) -> Iterator[Page]:
    """The shared tab; the test fails on any problem there."""
    page, problems = window
    problems.clear()
    yield page
    assert not problems, problems


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens an address in a new window: `open_page(address, size=DESK, dark=False, language="en-GB", touch=False)`.

    Windows of one test share nothing, except with `beside=PAGE`, which opens another tab beside that page.
    """
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def opened(address: str, *, beside: Page | None = None, **window: Any) -> Page:
        if beside is None:
            contexts.append(new_context(browser, problems, **window))
        page = (beside.context if beside else contexts[-1]).new_page()
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not problems, problems


def findings(page: Page) -> list[str]:
    """The findings of axe-core, one line each."""
    violations = Axe().run(page, options=RULES).response["violations"]
    return [f"{one['id']}: {one['help']}: {node['html'][:150]}" for one in violations for node in one["nodes"]]


def too_wide(page: Page) -> float:
    """By how many pixels the page, the column beside the board or a figure is wider than its place."""
    return float(page.locator("html, .side, .chance-text").evaluate_all(WIDER))
