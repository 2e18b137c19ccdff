"""The analysis board: moves from any position, variations, comments, marks, the live search; storing and saving."""

from __future__ import annotations

import secrets

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import App
from tests.browser.fixtures import PHONE, OpenPage, findings, too_wide
from tests.serving import Serving

pytestmark = pytest.mark.slow
FILE = """(;FF[4]GM[4]SZ[15]CA[UTF-8]PB[Ann]PW[Bo]C[first]AB[aa]AW[ba]XY[kept];B[hh]TR[hh][aa](;W[ih]C[a \\] b];B[jh])
(;W[gh]LB[aa:A];B[gg](;W[ff])(;W[ee]))(;W[hi]))"""


COUNT = """(list) => {
  globalThis.added = 0;
  new MutationObserver((changes) => changes.forEach((one) => { added += one.addedNodes.length; })).observe(list,
    {childList: true, subtree: true});
}"""


def fresh() -> str:
    """The SGF file with new players' names, so that the server has no analysis of it from an earlier test."""
    return FILE.replace("Ann", secrets.token_hex(4))


def begin(app: App, game: str = "gobang_1v1") -> None:
    """A new analysis from the start of a game."""
    app.go("analyse")
    app.page.select_option("#paste-game", game)
    app.page.click("#from-start")
    expect(app.page.locator("#turn")).to_contain_text("to move")


def moves(app: App) -> list[str]:
    return app.page.locator("#moves [data-ply]").evaluate_all("(all) => all.map((one) => one.lastChild.textContent)")


def keys(app: App, *names: str) -> None:
    for name in names:
        app.page.keyboard.press(name)


def expect_tree(app: App, *names: str) -> None:
    app.until(lambda: moves(app) == list(names))


def current(app: App) -> str:
    return app.page.locator("#moves [aria-current]").inner_text().split()[-1]


def saved(page: Page) -> str:
    page.click("#act-export > button")
    with page.expect_download() as download:
        page.click("#act-export [data-format=sgf]")
    return download.value.path().read_text("utf-8")


def test_variations_are_played_walked_promoted_and_deleted(app: App) -> None:
    begin(app)
    app.click("h8", "i9", "h9")
    expect_tree(app, "h8", "i9", "h9")
    keys(app, "ArrowLeft", "ArrowLeft")
    app.until(lambda: len(app.stones()) == 1)
    app.click("g9")
    expect_tree(app, "h8", "i9", "g9", "h9")  # a variation is listed below the move of the main line that it replaces
    app.click("g10")
    expect_tree(app, "h8", "i9", "g9", "g10", "h9")
    keys(app, "ArrowLeft", "ArrowUp")
    app.until(lambda: current(app) == "i9")
    keys(app, "ArrowDown", "v")
    expect_tree(app, "h8", "g9", "i9", "h9", "g10")
    keys(app, "End")
    app.until(lambda: current(app) == "g10")
    keys(app, "Home", "ArrowRight", "Delete")
    expect_tree(app)
    keys(app, "u")
    expect_tree(app, "h8", "g9", "i9", "h9", "g10")


def test_the_analysis_stays_after_a_reload_and_in_a_second_tab_until_it_is_deleted(
    app: App, open_page: OpenPage
) -> None:
    begin(app)
    app.click("h8", "i9")
    expect_tree(app, "h8", "i9")
    app.page.fill("#comment", "why not?")
    app.page.locator("#comment").blur()
    app.page.check("#tools [value=TR]")
    app.click("a1")
    app.until(lambda: app.board.locator(".mark.user").count() == 1)
    other = App(open_page(app.page.url, beside=app.page))
    expect_tree(other, "h8", "i9")
    expect(other.page.locator("#comment")).to_have_value("why not?")
    expect(other.board.locator(".mark.user")).to_have_count(1)
    other.click("j10")
    expect_tree(app, "h8", "i9", "j10")
    other.page.close()
    app.page.reload()
    expect_tree(app, "h8", "i9", "j10")
    app.until(lambda: current(app) == "i9")
    app.page.goto(app.page.url.partition("#")[0] + "#analyse")
    items = app.page.locator("#trees li")
    expect(items.first).to_contain_text("moves: 3")
    assert items.first.locator("b").evaluate("(game) => game.scrollWidth <= game.offsetWidth")  # it ends before them
    before = items.count()
    items.first.locator("button").click()
    app.page.click("#confirm-yes")
    expect(items).to_have_count(before - 1)


def test_a_file_comes_in_with_all_its_variations_and_goes_out_changed(app: App) -> None:
    app.go("analyse")
    app.choose_file("game.sgf", fresh().encode())
    expect_tree(app, "h8", "i8", "g8", "g7", "f6", "e5", "h9", "j8")
    app.until(lambda: len(app.stones()) == 5)
    expect(app.page.locator("#progress")).to_be_hidden()
    app.page.locator("#moves").evaluate(COUNT)
    app.click("k9")
    expect_tree(app, "h8", "i8", "g8", "g7", "f6", "e5", "h9", "j8", "k9")
    assert app.page.evaluate("added") <= 3  # new elements: the move, the one before, a variation; others are kept
    text = saved(app.page)
    assert ";W[ki]" in text and "C[a \\] b]" in text and "XY[kept]" in text


def test_a_variation_far_below_comes_into_sight(app: App) -> None:
    app.go("analyse")
    app.choose_file("game.sgf", fresh().replace("(;W[hi])", "(;W[hi])" * 99).encode())
    app.expect_moves(106)
    app.page.locator("#moves .variation .move").last.evaluate("(move) => move.click()")
    expect(app.page.locator("#moves [aria-current]")).to_be_in_viewport(ratio=1)


def test_a_comment_waits_for_the_connection(app: App) -> None:
    begin(app)
    app.click("h8")
    expect_tree(app, "h8")
    app.lose_connection()
    app.page.fill("#comment", "typed offline")
    app.page.locator("#comment").blur()
    expect(app.page.locator("#comment-unsent")).to_be_visible()
    keys(app, "ArrowLeft", "ArrowRight")
    expect(app.page.locator("#comment")).to_have_value("typed offline")
    app.connect_again()
    expect(app.page.locator(".tree-comment")).to_have_text("typed offline")
    expect(app.page.locator("#comment-unsent")).to_be_hidden()


ARROWS = "(board) => [...board.querySelectorAll('.arrow.drawn title')].map((one) => one.textContent)"


def test_arrows_are_drawn_by_mouse_keys_and_touch_and_kept(open_page: OpenPage, serving: Serving) -> None:
    app = App(open_page(f"{serving.address}#analyse", touch=True, size=(800, 600)))
    begin(app)
    app.page.mouse.move(*app.place("c3"))
    app.page.mouse.down(button="right")
    app.page.mouse.move(*app.place("d4"))
    app.page.mouse.move(*app.place("e5"))
    app.page.mouse.up(button="right")
    app.until(lambda: app.board.evaluate(ARROWS) == ["Arrow from c3 to e5"])
    app.page.check("[name=tool][value=AR]")
    app.board.focus()
    keys(app, "ArrowUp", "Enter", "ArrowRight", "Enter")
    app.until(lambda: "Arrow from h8 to i8" in app.board.evaluate(ARROWS))
    keys(app, "ArrowLeft")
    expect(app.page.locator(".board-live")).to_contain_text("Arrow from h8 to i8")
    app.page.check("[name=tool][value='']")
    touch = app.page.context.new_cdp_session(app.page)
    for name, kind in (("a1", "touchStart"), ("b1", "touchMove"), ("c1", "touchMove"), ("", "touchEnd")):
        points = [dict(zip("xy", app.place(name), strict=True))] if name else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        expect(app.board.locator("circle.mark.user")).to_have_count(1 if name == "a1" else 0)  # a long press draws
    app.until(lambda: "Arrow from a1 to c1" in app.board.evaluate(ARROWS))
    assert app.stones() == {} and "AR[cc:ee][hh:ih][aa:ca]" in saved(app.page)


def corner(app: App) -> str:
    """The cell at the top left."""
    return min(("a1", "o15"), key=app.place)


def test_a_turned_board_has_its_coordinates_cells_and_keys_turned(app: App) -> None:
    begin(app)
    keys(app, "f")
    app.until(lambda: corner(app) == "o15")
    app.click("b3")
    app.expect_stones({31: 1})
    app.board.focus()
    keys(app, "ArrowUp", "ArrowRight", "Enter")
    expect_tree(app, "b3", "a4")
    app.page.reload()
    app.until(lambda: corner(app) == "o15")
    app.page.click("#turned")
    app.until(lambda: corner(app) == "a1")


def test_the_engine_looks_at_each_position_and_its_lines_are_played(app: App) -> None:
    begin(app)
    app.page.click("#act-look")
    for cell in ("h8", "i9"):
        app.click(cell)
        app.until(lambda: app.board.locator(".mark.line").count() > 0)
    first = app.page.locator("#look-lines button").first.evaluate(
        "(line) => { const name = line.querySelector('b').textContent; line.click(); return name; }"
    )
    app.until(lambda: moves(app)[2:] == [first])
    app.page.click("#act-look")


def test_reversi_has_legal_cells_passes_and_a_side_that_begins(app: App) -> None:
    begin(app, "reversi_8x8_1v1")
    expect(app.board.locator(".may")).to_have_count(4)
    app.click("a1")
    assert len(app.stones()) == 4
    app.page.click("#tree-turn")
    app.expect_text("#turn", "White to move")
    app.click("e3")
    app.until(lambda: len(app.stones()) == 5)


@pytest.mark.parametrize(("language", "dark"), [("en-GB", False), ("zh-CN", True)])
def test_it_is_accessible_and_fits(language: str, dark: bool, open_page: OpenPage, serving: Serving) -> None:
    app = App(open_page(f"{serving.address}#analyse", language=language, dark=dark))
    app.choose_file("game.sgf", fresh().encode())
    app.until(lambda: len(moves(app)) == 8)
    expect(app.page.locator("#progress")).to_be_hidden()
    app.page.click("#act-look")
    app.page.locator("#look-lines li").first.wait_for()
    for size in ((1440, 900), (1280, 720), PHONE):
        app.page.set_viewport_size({"width": size[0], "height": size[1]})
        assert too_wide(app.page) <= 0
        assert not findings(app.page)
        if size[0] > 1000:  # in a wide window, everything is visible without scrolling
            assert app.page.evaluate("document.scrollingElement.scrollHeight - innerHeight") <= 0
            assert app.page.locator("#graph").evaluate("(graph) => graph.clientHeight") > 50
