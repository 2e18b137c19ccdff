"""Fixtures of the tests of the page: one server for all, with an empty store and an SPRT; one tab for each module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.app import App
from tests.browser.fixtures import browser, open_page, tab, window, window_size  # noqa: F401
from tests.local_runner.server.page.conftest import PLANS, write_tournament
from tests.serving import Serving


@pytest.fixture(scope="session")
def test_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SPRT that has ended."""
    path = tmp_path_factory.mktemp("test") / "test.jsonl"
    write_tournament(path, PLANS["sprt"])
    return path


@pytest.fixture(scope="session")
def serving(test_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server with an empty store."""
    with Serving(tmp_path_factory.mktemp("serving"), str(test_file)) as running:
        yield running


@pytest.fixture
def app(tab: Page, serving: Serving) -> App:  # noqa: F811
    """The page as a new user sees it."""
    if tab.url.startswith(serving.root):
        tab.evaluate("localStorage.clear(), sessionStorage.clear(), history.replaceState(null, '', '#play')")
        tab.reload()
    else:
        tab.goto(serving.address)
    return App(tab)
