"""A tournament that runs is watched: its standings grow, and its games open."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from local_runner.matches.tournament.store import create
from tests.browser.app import App
from tests.browser.fixtures import OpenPage
from tests.local_runner.matches.tournament.small import plan_of, play_all
from tests.local_runner.processes.naughty import path_of
from workshop.page.serving import TENGEN, Serving


def tournament(path: Path, *more: str) -> subprocess.Popen[str]:
    """Begin a tournament of quick agents on tic-tac-toe; one of them raises an error in every game."""
    raiser = path_of("raiser")
    command = [TENGEN, "tournament", "greedy", "random", str(raiser), "--env", "tictactoe_1v1", "--recover", "--out",
               str(path), *more]  # fmt: skip
    return subprocess.Popen(command, cwd=path.parent, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)  # fmt: skip


@pytest.fixture
def showing(tmp_path: Path) -> Iterator[Serving]:
    """A server that shows a running tournament."""
    pool = tmp_path / "pool.db"
    running = tournament(pool, "--rounds", "10000", "--jobs", "1")  # it runs as long as the test does
    while not pool.exists() and running.poll() is None:
        time.sleep(0.02)
    try:
        with Serving(tmp_path, str(pool)) as found:
            yield found
    finally:
        running.terminate()
        running.wait()


def test_the_standings_of_a_file_that_is_chosen(open_page: OpenPage, serving: Serving, tmp_path: Path) -> None:
    path = tmp_path / "ended.db"
    with create(path, plan_of("greedy", "random", path_of("raiser"), rounds=1, recover=True), {}) as store:
        play_all(store)
    app = App(open_page(serving.address))
    app.go("watch")
    app.page.set_input_files("#file", path)
    expect(app.page.locator("#standings tbody tr")).to_have_count(3)
    app.go("replay")
    app.page.set_input_files("#file", path)
    app.page.click("#to-standings")
    expect(app.page.locator("#standings tbody tr")).to_have_count(3)


@pytest.mark.slow
def test_a_running_tournament(showing: Serving, open_page: OpenPage) -> None:
    app = App(open_page(showing.address))
    app.go("watch")
    app.page.locator("#files a").first.click()
    expect(app.page.locator("#standings tbody tr")).to_have_count(3)

    def played() -> int:
        return app.page.locator("#games tbody tr").count()

    app.until(lambda: played() > 1)
    before = played()
    app.until(lambda: played() > before)
    expect(app.page.locator("#faults")).to_be_visible()
    cut = "(box) => box.scrollWidth > box.clientWidth"
    assert not app.page.locator(".table-box:has(#games)").evaluate(cut)  # what a fault was is read without scrolling
    app.page.locator("#games tbody tr:not(.bad) a").first.click()
    app.until(lambda: app.page.locator("#main .board").count() == 1 and len(app.stones()) > 0)
