"""Every view of the page: no finding of axe-core, no wider than a phone, both themes, both languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import expect

from tests.browser.app import BLUNDER, HUMAN_SEAT, App
from tests.browser.fixtures import DESK, PHONE, OpenPage, findings, too_wide
from tests.browser.test_files import log_with_a_pass
from tests.serving import Serving

PICTURES = Path(__file__).parent / "pictures"
SQUARE = 8  # pixels
UNLIKE = 64  # of 255: allowed difference of a square's mean; another font changes less, a missing stone more
PROJECTOR, SMALL_DESK, BIG, LANDSCAPE = (1920, 1080), (1280, 720), (2560, 1440), (844, 390)
HEIGHT = "(board) => board.getBoundingClientRect().height / innerHeight"
TOO_HIGH = "document.scrollingElement.scrollHeight - innerHeight"
PICTURED = (344, 740)  # the board is as wide as a phone
DARK, LIGHT = "rgb(33, 31, 28)", "rgb(255, 255, 255)"  # colours of a panel
CHINESE = re.compile(r"[\u4e00-\u9fff]")
WON = {"env": "gobang_1v1", "moves": [112, 0, 113, 1, 114, 2, 115, 3, 116]}
REVERSI = {"env": "reversi_8x8_1v1", "moves": [19, 18, 17]}  # d3 c3 b3


# ---- name of a view -> the steps that lead there


def _new_game(app: App) -> None:
    app.choose("gomoku_11x11_1v1", "human", "level-3")
    app.page.evaluate("document.querySelector('.rooms').hidden = true")
    app.page.click("#more > summary")


def _openings(app: App) -> None:
    app.choose("gobang_1v1", "human", "level-3")
    app.page.select_option("#from", "opening")
    expect(app.page.locator(".opening .thumbnail").first).to_be_visible()


def _room(app: App) -> None:
    app.start(WON, HUMAN_SEAT, {"kind": "agent", "name": "random"})
    app.until(app.is_over)


def _inside(app: App) -> None:
    app.start(REVERSI)
    app.page.click("#act-look")
    expect(app.page.locator("#look-lines li").first).to_be_visible()


def _analysis(app: App) -> None:
    app.analyse(BLUNDER)
    app.page.select_option("#seconds", "0.05")
    expect(app.page.locator("#progress")).to_be_hidden()
    app.page.click("#mistake-next")
    app.page.emulate_media(media="print")
    expect(app.page.locator("header, #tools, #act-look, #go-back, #better").filter(visible=True)).to_have_count(0)
    app.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(app.page.locator(".diagrams figure, #moves, #board").filter(visible=True)).to_have_count(3)  # of ten moves
    expect(app.page.locator(".diagrams .numbers text")).to_have_count(10)
    app.page.evaluate("dispatchEvent(new Event('afterprint'))")
    app.page.emulate_media(media="screen")


def _explorer(app: App) -> None:
    app.go("replay")
    app.choose_file("two.txt", b"h8i9\nh8h9\n")
    app.page.click("#to-explorer")
    expect(app.page.locator("#explore-moves .played")).to_have_count(1)


def _exercise(app: App) -> None:
    app.page.click("#learn")
    expect(app.page.locator("#task")).to_contain_text("o15")
    app.click("b15")
    expect(app.page.locator("#learn-again")).to_be_visible()


def _games(app: App) -> None:
    app.go("replay")
    content, _ = log_with_a_pass()
    app.choose_file("two.json", content * 2)
    expect(app.page.locator("#games tbody tr")).to_have_count(2)


def _replay(app: App) -> None:
    app.page.locator("#games tbody tr a").first.click()
    app.until(lambda: len(app.stones()) == 64)


def _test(app: App) -> None:
    app.go("watch")
    app.page.locator("#files a").first.click()
    expect(app.page.locator("#llr")).to_be_visible()


def _proof(app: App) -> None:
    app.go("play")
    app.page.click("#to-proof")
    expect(app.page.locator(".proof-tile")).to_have_count(35)


def _help(app: App) -> None:
    app.page.click("#switch-help")
    expect(app.page.locator("dialog[open]")).to_be_visible()


VIEWS: dict[str, Callable[[App], None]] = {
    "new game": _new_game, "openings": _openings, "game that is over": _room, "look inside": _inside,
    "analysis": _analysis, "exercise": _exercise, "mistakes": lambda app: app.go("learn"),
    "explorer": _explorer, "games": _games, "replay": _replay,
    "replay, empty": lambda app: app.go("replay"), "watch": lambda app: app.go("watch"), "test": _test,
    "check": lambda app: app.go("check"), "proof": _proof, "help": _help,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("dark", "language"), [(False, "en-GB"), (True, "zh-CN")], ids=["light", "dark"])
def test_the_views(dark: bool, language: str, open_page: OpenPage, serving: Serving) -> None:
    app = App(open_page(serving.address, dark=dark, language=language))
    wrong: dict[str, object] = {}
    for name, lead in VIEWS.items():
        lead(app)
        found = findings(app.page)
        wide, high = {}, {}
        for size in (PROJECTOR, SMALL_DESK, PHONE, LANDSCAPE, BIG, DESK):
            app.page.set_viewport_size({"width": size[0], "height": size[1]})
            wide[size], high[size] = too_wide(app.page), app.page.evaluate(TOO_HIGH)
            if size in (PHONE, LANDSCAPE):
                found += findings(app.page)
            if size == BIG and name in ("new game", "game that is over", "look inside", "analysis", "replay", "proof"):
                found += [] if app.board.evaluate(HEIGHT) >= 0.95 else ["the board is low"]
        tall = name in ("new game", "look inside", "analysis") and max(high[PROJECTOR], high[SMALL_DESK]) > 0
        if found or max(wide.values()) > 0 or tall:
            wrong[name] = found, wide, high
    assert not wrong, "\n".join(f"{name}: {what}" for name, what in wrong.items())


@pytest.mark.slow
def test_language_and_theme_follow_the_browser_and_the_switches(open_page: OpenPage, serving: Serving) -> None:
    app = App(open_page(serving.address, language="zh-CN", dark=True))
    html, links, begin = app.page.locator("html"), app.page.locator("#nav a"), app.page.locator("#begin")
    assert all(CHINESE.search(text) for text in links.all_inner_texts())
    expect(html).to_have_attribute("lang", "zh-CN")
    assert "Start the game" not in app.page.locator("#main").inner_text()
    assert CHINESE.search(app.page.locator("#drop").text_content() or "")
    app.go("replay")
    app.choose_file("log.json", log_with_a_pass()[0])
    expect(app.page.locator("#main h1")).to_have_text("黑方 – 白方")
    expect(app.page.locator(".told")).not_to_contain_text("White")
    app.go("play")
    ground = "getComputedStyle(document.querySelector('header')).backgroundColor"
    dark = app.page.evaluate(ground)
    assert dark == DARK
    app.page.click("#switch-theme")
    light = app.page.evaluate(ground)
    assert light == LIGHT
    app.page.click("#switch-language")
    expect(html).to_have_attribute("lang", "en")
    app.page.reload()
    expect(begin).to_have_text("Start the game")
    assert app.page.evaluate(ground) == light
    assert not CHINESE.search("".join(links.all_inner_texts()))


POSITIONS = {
    "gobang": {"env": "gobang_1v1", "moves": [112, 96, 113, 111, 97, 127, 128, 81, 98]},
    "gomoku": {"env": "gomoku_11x11_1v1", "moves": [49, 50, 72, 38]},
    "reversi": {"env": "reversi_8x8_1v1", "moves": [19, 18, 17, 11]},
    "tictactoe": {"env": "tictactoe_1v1", "moves": [4, 0, 2, 6, 3, 5, 1, 7, 8]},
    "won": WON,
}


@pytest.mark.parametrize(("name", "dark"), [
    ("gobang", False), *(pytest.param(name, name in ("reversi", "won"), marks=pytest.mark.slow)
                         for name in POSITIONS if name != "gobang"),
])  # fmt: skip
def test_a_board_looks_as_it_is_kept(
    name: str, dark: bool, open_page: OpenPage, serving: Serving, tmp_path: Path,
) -> None:  # fmt: skip
    app = App(open_page(serving.address, size=PICTURED, dark=dark))
    app.start(POSITIONS[name])
    app.until(lambda: len(app.moves()) == len(POSITIONS[name]["moves"]))
    app.page.mouse.move(0, 0)
    app.page.evaluate("document.activeElement.blur()")
    file = f"{name}-{'dark' if dark else 'light'}.png"
    app.board.screenshot(animations="disabled", scale="css", path=tmp_path / file)
    seen, kept = (Image.open(folder / file).convert("RGB") for folder in (tmp_path, PICTURES))
    assert abs(seen.width - kept.width) <= 2 and abs(seen.height - kept.height) <= 2
    means = (picture.reduce(SQUARE) for picture in (seen.resize(kept.size), kept))  # means hide smoothed edges
    assert max(high for _, high in ImageChops.difference(*means).getextrema()) < UNLIKE  # type: ignore[misc,operator]
