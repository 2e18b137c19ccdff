"""Links and pictures of games: made by the menu "Share", opened by the page, its text fields and saved games."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from local_runner.formats.files.html import replay_page
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from tests.browser.app import App, stones_of
from tests.browser.fixtures import OpenPage
from tests.local_runner.formats.making import with_a_pass
from tests.local_runner.server.page.games import DRAWN, saved

CLIP = "navigator.clipboard.readText()"


def passing() -> dict[str, Any]:
    """A position of Reversi with a pass."""
    cells = with_a_pass().cells
    return {"env": "reversi_8x8_1v1", "moves": [-1 if cell is None else cell[0] * 8 + cell[1] for cell in cells]}


POSITIONS: dict[str, dict[str, Any]] = {
    "m=h8i9a15": {"env": "gobang_1v1", "moves": [112, 128, 210]},
    "m=e5a1&n=9": {"env": "gobang_1v1", "size": 9, "moves": [40, 0]},
    "m=b2&g=tictactoe": {"env": "tictactoe_1v1", "moves": [4]},
    "m=e6&g=reversi_8x8&w=1&b=8-8-8-3xo3-3xx3-8-8-7o": {
        "env": "reversi_8x8_1v1", "moves": [44], "first": 2,
        "stones": [{27: 1, 28: 2, 35: 1, 36: 1, 63: 2}.get(cell, 0) for cell in range(64)]},
}  # fmt: skip


def copied(page: Page, row: int = 0) -> str:
    """What the menu "Share" copies: by its opening, or by a row."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#act-share > button")
    told = page.locator("#share-list [role=status]")
    expect(told).to_contain_text("Copied: ")
    if row:
        before = told.inner_text()
        page.locator("#share-list button").nth(row - 1).click()
        expect(told).not_to_have_text(before)
    page.keyboard.press("Escape")
    return str(page.evaluate(CLIP))


def saved_page(folder: Path) -> str:
    """The address of a page with a saved game of tic-tac-toe."""
    path = folder / "page.html"
    path.write_text(replay_page([saved("tictactoe")]), "utf-8")
    return path.as_uri()


def expect_game(app: App, stones: dict[int, int], problem: str = "") -> None:
    app.expect_view("replay")
    app.expect_stones(stones)
    expect(app.page.locator("#damage")).to_have_text(problem)


@pytest.mark.parametrize("link", [*list(POSITIONS)[:1], *(pytest.param(link, marks=pytest.mark.slow)
                                                          for link in [*list(POSITIONS)[1:], ""])])  # fmt: skip
def test_a_link_leads_back_to_its_game(link: str, app: App, open_page: OpenPage, tmp_path: Path) -> None:
    position = POSITIONS[link] if link else passing()
    app.start(position)
    app.until(lambda: len(app.moves()) == len(position["moves"]))
    address = copied(app.page)
    assert address.partition("#")[2] == link if link else "pass" in address
    stones = app.stones()
    app.page.goto(address)
    expect_game(app, stones)
    app.page.click("#act-continue")  # the address of the form has the same link
    app.expect_view("play")
    app.expect_stones(stones)
    alone = open_page(f"{saved_page(tmp_path)}#{address.partition('#')[2]}")
    expect(alone.locator(".board .stones [data-cell]")).to_have_count(len(stones))
    assert dict(alone.evaluate(DRAWN)) == stones and not alone.locator(".damage").inner_text()
    assert copied(alone) == "#" + address.partition("#")[2]


@pytest.mark.slow
def test_a_link_holds_the_game_at_a_move_or_the_position_alone(app: App) -> None:
    app.start(POSITIONS["m=h8i9a15"])
    app.until(lambda: len(app.moves()) == 3)
    app.page.click("#go-back")
    assert copied(app.page).endswith("#m=h8i9a15&p=2")
    assert copied(app.page, row=2).endswith("#m=h8i9")
    assert copied(app.page, row=5) == "h8 i9"
    assert copied(app.page, row=6).split("\n")[7:9] == [".......x.......", "........o......"]
    app.page.click("#act-analyse")
    app.expect_view("analyse")
    app.until(lambda: len(app.stones()) == 3)
    app.page.click("#go-back")
    app.until(lambda: len(app.stones()) == 2)
    link = copied(app.page)
    assert link.endswith("#m=h8i9a15&p=2")
    app.paste("replay", link)  # as another user does, whose server has another address
    expect_game(app, {112: 1, 128: 2})
    app.page.keyboard.press("End")
    app.until(lambda: len(app.stones()) == 3)


@pytest.mark.parametrize(("link", "stones", "sentence"), [
    ("m=h8i9a", {112: 1, 128: 2}, "cannot be read from “a” on"),
    ("m=h8i9z99", {112: 1, 128: 2}, "cannot be read from “z99” on"),
    ("m=h8h8", {112: 1}, "move 2, h8, cannot be played"), ("m=h8&g=chess", None, "does not have: chess."),
    ("m=h8&g=reversi_8x8&b=8-8", None, "board of this link is damaged"),
    ("m=h8&n=999", None, "does not have: gobang 999"),
])  # fmt: skip
def test_a_damaged_link_gets_a_sentence(link: str, stones: dict[int, int] | None, sentence: str, app: App,
                                        open_page: OpenPage, tmp_path: Path) -> None:  # fmt: skip
    app.page.evaluate("(link) => { location.hash = link; }", link)
    if stones is None:
        expect(app.page.locator(".toast.bad")).to_contain_text(sentence)
    else:
        app.expect_stones(stones)
        expect(app.page.locator("#damage")).to_contain_text(sentence)
    expect(open_page(f"{saved_page(tmp_path)}#{link}").locator(".damage")).to_contain_text(sentence)


@pytest.mark.slow
def test_a_page_of_saved_games_plays_links_by_the_rules(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(saved_page(tmp_path))
    for setup, link in [(GameSetup("reversi_8x8_1v1"), "&g=reversi_8x8"),
                        (GameSetup("gomoku_11x11_1v1"), "&g=gomoku_11x11"),
                        (GameSetup("reversi_1v1", board_size=6), "&g=reversi&n=6")]:  # fmt: skip
        session = GameSession(setup)
        while session.result is None:
            session.ply(session.env.legal_moves()[0] if session.env.legal_moves() else None)
        names = "".join("pass" if cell is None else "abcdefghijk"[cell[1]] + str(cell[0] + 1) for cell in session.cells)
        page.evaluate("(hash) => { location.hash = hash; }", f"m={names}{link}")
        expect(page.locator(".result")).to_contain_text({1: "Black", 2: "White", 3: "draw"}[session.result.winner])
        expect(page.locator(".told")).to_contain_text(f"of {len(session.cells)}")
        assert dict(page.evaluate(DRAWN)) == stones_of(session)


def test_a_picture_is_made_and_nothing_is_copied_from_a_game_without_moves(app: App) -> None:
    app.start({"env": "tictactoe_1v1"})
    app.page.click("#act-share > button")
    expect(app.page.locator("#share-list")).to_contain_text("Whole game, at move 0")
    expect(app.page.locator("#share-list [role=status]")).to_be_empty()
    app.page.keyboard.press("Escape")
    app.start(POSITIONS["m=b2&g=tictactoe"])
    app.until(lambda: len(app.moves()) == 1)
    for ending in ("PNG", "SVG"):
        app.page.click("#act-share > button")
        with app.page.expect_download() as download:
            app.page.locator("#share-list button", has_text=ending).click()
        content = download.value.path().read_bytes()
        assert Image.open(io.BytesIO(content)).width >= 1200 if ending == "PNG" else b"<svg" in content
        app.page.keyboard.press("Escape")
