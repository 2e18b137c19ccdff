"""The proof in the app: what a room of gobang says of it, and the walk through it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.app import App
from tests.serving import Serving

EMPTY = {"env": "gobang_1v1", "size": None, "first": 1, "moves": []}
RANDOM = {"kind": "agent", "name": "random"}


@pytest.mark.slow
def test_a_room_says_whether_black_has_won_and_leads_into_the_walk(app: App) -> None:
    app.start(EMPTY)
    proved = app.page.locator("#proved")
    app.click("h8")
    expect(proved).to_contain_text("Each of White's 224 replies has a prepared answer.")
    app.click("h7")
    expect(proved).to_contain_text("Black has an answer from here to the five.")
    app.click("g7", "i9", "f8")
    expect(proved).to_contain_text(
        "White has 220 replies: 11 have a prepared answer, and after 209 Black wins by threats."
    )
    app.page.click("#walk-proof")
    told = app.page.locator(".told")
    expect(told).to_contain_text("Move 5 of 5: Black plays f8")
    app.click("i8")
    expect(told).to_contain_text("Move 7 of 7: Black plays")
    address = app.page.url
    assert address.endswith(app.page.evaluate("location.hash")) and "#proof/h8h7g7i9f8i8" in address
    app.page.reload()
    expect(told).to_contain_text("Move 7 of 7: Black plays")
    expect(app.page.locator(".proof-tile")).to_have_count(35)


@pytest.mark.slow
def test_a_move_of_blacks_own_leaves_the_proof(app: App) -> None:
    app.start(EMPTY)
    app.click("h8", "h7")
    expect(app.page.locator("#proved")).to_be_visible()
    app.click("a1")
    expect(app.page.locator("#moves [data-ply]")).to_have_count(3)
    expect(app.page.locator("#proved")).to_be_hidden()


@pytest.mark.slow
def test_two_agents_are_paused_by_space_and_stones_have_numbers(app: App, serving: Serving) -> None:
    assert "key=" in serving.address and "key=" not in app.page.url
    app.start(EMPTY, RANDOM, RANDOM)
    app.until(lambda: len(app.moves()) > 1)
    app.page.keyboard.press("Space")
    expect(app.page.locator("#status")).to_have_text("The game is paused.")
    app.page.click("#numbers")
    plies = len(app.moves())
    expect(app.board.locator(".numbers text")).to_have_count(plies)
    app.page.wait_for_timeout(1000)
    assert len(app.moves()) == plies
    app.page.select_option("#pace", "0")
    app.page.locator("#act-pause").click()
    app.until(lambda: len(app.moves()) > plies + 3)
