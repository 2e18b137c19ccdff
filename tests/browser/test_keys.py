"""The page without a mouse: a game is played, analysed and replayed by keys alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import samples
from tests.browser.app import App

pytestmark = pytest.mark.slow


def tab_to(app: App, selector: str) -> None:
    """Press Tab until the focus is on an element."""
    for _ in range(80):
        app.page.keyboard.press("Tab")
        if app.page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab does not reach {selector}")


def open_by_keys(app: App, view: str) -> None:
    tab_to(app, f"#nav a[data-view={view}]")
    app.page.keyboard.press("Enter")
    app.expect_view(view)
    tab_to(app, "#paste")
    app.page.keyboard.type(samples.BLUNDER)
    tab_to(app, "#paste-go")
    app.page.keyboard.press("Enter")


def test_a_game_is_begun_and_played(app: App) -> None:
    tab_to(app, "input[name=game]")
    app.page.keyboard.press("ArrowUp")  # from the first game to the last one
    expect(app.page.locator("#game-tictactoe_1v1")).to_be_checked()
    tab_to(app, "#begin")
    app.page.keyboard.press("Enter")
    app.expect_view("room")
    app.until(app.may_move)
    app.page.keyboard.press("ArrowUp")
    app.page.keyboard.press("Enter")
    app.until(lambda: len(app.moves()) >= 1)


def test_a_game_is_analysed(app: App) -> None:
    open_by_keys(app, "analyse")
    expect(app.page.locator("#mistake-next")).to_be_enabled()
    plies = len(app.stones())
    app.page.keyboard.press("Home")
    app.expect_stones({})
    app.page.keyboard.press("End")
    app.until(lambda: len(app.stones()) == plies)
    app.page.keyboard.press("n")
    expect(app.page.locator("#verdict .word")).not_to_be_empty()
    tab_to(app, ".line")
    app.until(lambda: app.board.locator(".ghosts > *").count() > 0)


def test_a_game_is_replayed(app: App) -> None:
    open_by_keys(app, "replay")
    app.until(lambda: len(app.stones()) > 2)
    plies = len(app.stones())
    app.page.keyboard.press("ArrowLeft")
    app.until(lambda: len(app.stones()) == plies - 1)
    app.page.keyboard.press("Home")
    app.expect_stones({})
