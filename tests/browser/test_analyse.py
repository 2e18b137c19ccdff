"""The analysis of a game by our engine in the page, and the look inside while it thinks."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser import samples
from tests.browser.app import App


@pytest.mark.slow
def test_a_planted_blunder_is_found(app: App) -> None:
    app.paste("analyse", samples.BLUNDER)
    app.page.select_option("#seconds", "0.05")
    expect(app.page.locator("#progress")).to_be_hidden(timeout=60_000)
    app.page.keyboard.press("Home")
    app.expect_stones({})
    for _ in range(10):
        app.page.keyboard.press("n")
        if "o15" in app.page.locator("#verdict").inner_text():
            break
    assert app.page.locator("#moves [aria-current]").get_attribute("data-ply") == str(samples.BLUNDER_PLY + 1)
    app.page.click("#better")
    app.until(lambda: app.board.locator(".ghosts text").count() > 0)
    assert "h12" in app.page.locator("#better").inner_text() or "h7" in app.page.locator("#better").inner_text()
    app.page.click("#act-look")
    app.page.locator("#better[aria-pressed=true]").wait_for()
    expect(app.board.locator(".mark")).to_have_count(0)  # marks belong to the position after the move, not to the line
    app.page.click("#act-look")
    for ply in range(1, 11):
        app.page.click(f"#moves [data-ply='{ply}']")
        before, after = re.findall(r"(\d+) %", app.page.locator("#verdict .note").inner_text())
        assert before != after or app.page.locator("#better").count() == 0
    black = app.page.locator("#accuracy tr[data-player='1'] td")
    assert "1" in black.all_inner_texts()[1:]
    assert app.page.locator("#graph circle, #graph [data-ply]").count() > 0


@pytest.mark.slow
def test_an_analysis_is_stopped(app: App) -> None:
    app.paste("analyse", samples.BLUNDER)
    app.page.select_option("#seconds", "1")
    app.page.click("#stop")
    expect(app.page.locator("#progress")).to_be_hidden()
    expect(app.page.locator("#stop")).to_be_hidden()
    app.page.select_option("#seconds", "0.05")
    expect(app.page.locator("#stop")).to_be_hidden(timeout=60_000)
    expect(app.page.locator("#mistake-next")).to_be_enabled()


def test_a_game_goes_from_its_room_to_the_analysis_with_its_times(app: App) -> None:
    app.start({"env": "tictactoe_1v1"})
    app.click("b2", "a1", "c1")
    app.expect_moves(3)
    app.page.click("#act-analyse")
    app.expect_view("analyse")
    expect(app.page.locator("#times rect")).to_have_count(3)
    app.expect_moves(3)
    heading = app.page.locator(".times-box h3").inner_text()
    assert re.fullmatch(r"Time per move, at most ([1-9]\d*(\.\d)? ms|\d+\.\d s)", heading)


@pytest.mark.slow
def test_looking_inside_a_gobang_position(app: App) -> None:
    app.start({"env": "gobang_1v1", "moves": [112, 96]})
    app.page.click("#act-look")
    lines = app.page.locator("#look-lines li")
    expect(lines.first).to_be_visible()
    app.page.select_option("#look-count", "5")
    expect(lines).to_have_count(5)
    expect(app.page.locator("#look-facts")).not_to_be_empty()
    expect(app.page.locator("#look-more [data-layer=threats]")).to_be_visible()
    expect(app.page.locator("#look-more [data-layer=stable]")).to_be_hidden()
    app.page.check("#look-more [data-layer=heat]")
    expect(app.board.locator(".mark.heat").first).to_be_attached()
    lines.first.hover()
    app.until(lambda: app.board.locator(".ghosts .stone").count() > 0)
    app.page.click("#look-close")
    expect(app.page.locator("#look")).to_be_hidden()
    expect(app.board.locator(".mark")).to_have_count(0)


@pytest.mark.slow
def test_the_last_move_stays_in_sight_when_the_list_becomes_lower(app: App) -> None:
    cells = [row * 15 + col for row in range(0, 15, 3) for col in range(0, 15, 2)]
    app.start({"env": "gobang_1v1", "moves": cells})
    expect(app.page.locator("#moves [aria-current]")).to_be_in_viewport(ratio=1)
    app.page.click("#act-look")
    expect(app.page.locator("#look-lines li").first).to_be_visible()
    expect(app.page.locator("#moves [aria-current]")).to_be_in_viewport(ratio=1)
