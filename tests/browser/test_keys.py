"""The page without a mouse: a game is chosen, played and analysed by keys alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.app import BOARD, App
from tests.browser.test_play import first_free

pytestmark = pytest.mark.slow
WAY = """(selector) => {
  const here = document.activeElement, before = Node.DOCUMENT_POSITION_PRECEDING;
  if (here.matches(selector)) return "";
  return here.compareDocumentPosition(document.querySelector(selector)) & before ? "Shift+Tab" : "Tab";
}"""  # the key that leads from the focus to an element


def tab_to(app: App, selector: str) -> None:
    """Press Tab, or Shift+Tab, until the focus is on an element."""
    expect(app.page.locator(selector).first).to_be_enabled()
    for _ in range(80):
        way = app.page.evaluate(WAY, selector)
        if not way:
            return
        app.page.keyboard.press(way)
    raise AssertionError(f"Tab does not reach {selector}")


def play_by_keys(app: App, target: str) -> None:
    """Move the cursor to a cell, one arrow at a time, and play there."""
    press, live = app.page.keyboard.press, app.board.locator(".board-live")
    press("ArrowUp")  # the cursor appears
    here = live.inner_text().split(",")[0]
    right, down = ord(target[0]) - ord(here[0]), int(target[1:]) - int(here[1:])
    for key, steps in {"ArrowRight": right, "ArrowLeft": -right, "ArrowDown": down, "ArrowUp": -down}.items():
        for _ in range(steps):
            press(key)
    assert live.inner_text().startswith(target)
    press("Enter")


def test_one_game_is_chosen_played_and_analysed(app: App) -> None:
    keys = app.page.keyboard
    tab_to(app, "input[name=game]")
    keys.press("ArrowUp")  # from the first game to the last one
    expect(app.page.locator("#game-tictactoe_1v1")).to_be_checked()
    tab_to(app, "#seat-white")
    keys.type("random")
    expect(app.page.locator("#seat-white")).to_have_value("agent-random")
    tab_to(app, "#begin")
    keys.press("Enter")
    app.expect_view("room")
    app.until(app.may_move)
    tab_to(app, f"{BOARD}")
    plies = 0
    while app.my_turn(plies):
        plies = len(app.moves()) + 1
        play_by_keys(app, first_free(app))
    assert app.winner in (1, 2, 3)
    room, stones = app.room, app.stones()
    for _ in range(3):  # a stray Enter at the end begins nothing
        keys.press("Enter")
    app.page.wait_for_timeout(300)
    assert app.room == room and app.is_over()

    tab_to(app, "#act-analyse")
    keys.press("Enter")
    app.expect_view("analyse")
    app.expect_stones(stones)
    keys.press("Home")
    app.expect_stones({})
