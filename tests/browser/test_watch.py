"""A tournament that runs is watched: its standings grow, and its games open."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.app import App
from tests.browser.fixtures import OpenPage
from tests.local_runner.processes.naughty import path_of
from tests.serving import TENGEN, Serving


@pytest.mark.slow
def test_the_standings_of_a_file_that_is_chosen(app: App, test_file: Path) -> None:
    app.go("watch")
    app.page.set_input_files("#file", test_file)
    expect(app.page.locator("#standings tbody tr")).to_have_count(2)
    app.go("replay")
    app.page.set_input_files("#file", test_file)
    app.page.click("#to-standings")
    expect(app.page.locator("#standings tbody tr")).to_have_count(2)
    expect(app.page.locator("#llr")).to_be_visible()


@pytest.fixture
def showing(tmp_path: Path) -> Iterator[Serving]:
    """A server that shows a running tournament of tic-tac-toe; one of its agents raises an error in every game."""
    pool = tmp_path / "pool.jsonl"
    command = [TENGEN, "tournament", "greedy", "random", str(path_of("raiser")), "--env", "tictactoe_1v1", "--recover",
               "--out", str(pool), "--rounds", "10000", "--jobs", "1"]  # fmt: skip
    running = subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)  # fmt: skip
    while not pool.exists() and running.poll() is None:
        time.sleep(0.02)
    try:
        with Serving(tmp_path, str(pool)) as serving:
            yield serving
    finally:
        running.terminate()
        running.wait()


@pytest.mark.slow
def test_a_running_tournament(showing: Serving, open_page: OpenPage) -> None:
    app = App(open_page(showing.address))
    app.go("watch")
    app.page.locator("#files a").first.click()
    expect(app.page.locator("#standings tbody tr")).to_have_count(3)
    games = app.page.locator("#games tbody tr")
    app.until(lambda: games.count() > 1)
    before = games.count()
    app.until(lambda: games.count() > before)
    expect(app.page.locator("#faults")).to_be_visible()
    cut = "(box) => box.scrollWidth > box.clientWidth"
    assert not app.page.locator(".table-box:has(#games)").evaluate(cut)  # the fault's name is visible without scrolling
    app.page.locator("#games tbody tr:not(.bad) a").first.click()
    app.until(lambda: app.page.locator("#main .board").count() == 1 and len(app.stones()) > 0)
