"""Unusual actions of users: wrong addresses, drags, double clicks, reloads, two tabs, no connection."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.app import HUMAN_SEAT, App

UNDO = """async () => {
  const {connection} = await import(document.querySelector("[type=module]").src);
  return connection.ask({type: "command", room: "aaaaaaaaaaaa", ply: 0, command: "undo"}).catch(({message}) => message);
}"""

OTHER_VERSION = """() => {
  const {send} = WebSocket.prototype;
  WebSocket.prototype.send = function (text) { send.call(this, text.replace(/"version":[0-9]+/, '"version":0')); };
}"""


# ---- addresses


@pytest.mark.slow
@pytest.mark.parametrize(("address", "view", "says"), [
    ("room/short", "play", "names no game"),
    ("room/%E0%A4%A", "play", "names no game"),
    ("room/" + "x" * 300, "play", "names no game"),
    ("room", "play", "names no game"),
    ("room/aaaaaaaaaaaa", "play", "no such game"),
    ("play/gone", "play", "names no game"),
    ("analyse/gone", "analyse", "no such analysis"),
    ("replay/gone", "replay", "not open any more"),
    ("replay/gone/0", "replay", "not open any more"),
    ("replay/%ff/%", "replay", "not open any more"),
    ("replay/test.jsonl/x", "replay", "names no game of the file"),
    ("replay/test.jsonl/-1", "replay", "names no game of the file"),
    ("replay/test.jsonl/999", "replay", "there is no game 1000"),
    ("watch/gone.jsonl", "watch", "no open tournament"),
])  # fmt: skip
def test_a_wrong_address_says_so_and_leads_on(address: str, view: str, says: str, app: App) -> None:
    app.page.evaluate("(address) => { location.hash = address; }", address)
    expect(app.page.locator("#toasts")).to_contain_text(says)
    app.page.wait_for_url(lambda url: url.partition("#")[2] in (view, address))
    app.expect_view(view)
    app.go("check")
    expect(app.page.locator("#toasts")).to_be_empty()  # a message does not stay in the next part


def test_a_notice_of_an_error_stays_until_it_is_closed(app: App) -> None:
    app.page.evaluate("""async () => {
      const {toast} = await import(document.querySelector("[type=module]").src), later = globalThis.setTimeout;
      globalThis.setTimeout = (act) => act();  // all waits are over at once
      for (const kind of ["", "bad"]) toast(`stays if ${kind}`, kind);
      globalThis.setTimeout = later;
    }""")
    expect(app.page.locator("#toasts span")).to_have_text(["stays if bad"])
    app.page.locator("#toasts button").click()
    expect(app.page.locator("#toasts")).to_be_empty()


@pytest.mark.slow
def test_the_link_to_the_content_stays_in_the_part(app: App) -> None:
    app.go("watch")
    app.page.locator("#skip").focus()
    app.page.keyboard.press("Enter")
    assert app.page.evaluate("document.activeElement.id") == "main" and app.page.url.endswith("#watch")


# ---- files and pasted moves


@pytest.mark.slow
@pytest.mark.parametrize("part", ["analyse", "replay"])
def test_nothing_pasted_is_no_game(part: str, app: App) -> None:
    for text in ("", " \n "):
        app.paste(part, text)
        app.expect_text("#toasts", "Nothing is pasted yet")
    app.paste(part, "h8" * 5000)
    app.expect_text("#toasts", "too long for one game")
    assert app.page.url.endswith(f"#{part}")


# ---- the board


@pytest.mark.slow
def test_a_drag_and_the_second_click_of_a_double_click_play_nothing(app: App) -> None:
    app.start({"env": "tictactoe_1v1"})
    app.until(app.may_move)
    app.page.mouse.move(*app.place("a1"))
    app.page.mouse.down()
    app.page.mouse.move(*app.place("c3"))
    app.page.mouse.up()
    app.page.mouse.dblclick(*app.place("b2"))
    app.click("c1")
    app.expect_moves(2)
    assert app.moves() == [4, 2]
    expect(app.page.locator("#toasts")).to_be_empty()


@pytest.mark.slow
def test_a_reload_draws_no_frame_and_keys_bring_it(app: App) -> None:
    app.start({"env": "tictactoe_1v1"})
    app.page.reload()
    app.expect_view("room")
    app.until(app.may_move)
    framed = app.page.locator(".board.keyed, .board .frame")
    expect(framed).to_have_count(0)
    app.page.keyboard.press("ArrowUp")
    expect(framed).to_have_count(2)
    app.click("a1")
    app.expect_moves(1)
    expect(framed).to_have_count(0)


# ---- the form of a new game


@pytest.mark.slow
def test_swapped_sides_keep_the_start(app: App) -> None:
    app.choose("gobang_1v1", "human", "agent-random")
    app.page.select_option("#from", "opening")
    app.page.check("input[name=opening][value='3']")
    app.page.click("#exchange")
    expect(app.page.locator("input[name=opening]:checked")).to_have_value("3")
    assert app.board.get_attribute("role") == "img"  # the start board takes no keys
    app.go("analyse")
    app.page.select_option("#paste-game", "tictactoe_1v1")
    app.page.fill("#paste", "x..\n.o.\n..x")
    app.page.click("#paste-go")
    app.page.click("#act-continue")
    app.page.click("#exchange")
    app.expect_stones({0: 1, 4: 2, 8: 1})


# ---- two tabs, and no connection


@pytest.mark.slow
def test_nothing_is_done_later_that_was_clicked_without_a_connection(app: App) -> None:
    app.start({"env": "tictactoe_1v1", "moves": []}, HUMAN_SEAT, HUMAN_SEAT)
    app.click("b2", "a1")
    app.expect_moves(2)
    app.lose_connection()
    for name in ("undo", "resign", "hint", "restart"):
        expect(app.page.locator(f"#act-{name}")).to_be_disabled()
        app.page.keyboard.press(name[0])
    assert "no connection" in app.page.evaluate(UNDO)
    app.paste("analyse", "h8")
    app.expect_text("#toasts", "no connection")
    app.page.go_back()
    app.page.wait_for_url("**#room/*")
    app.connect_again()
    app.expect_view("room")
    expect(app.page.locator("#act-undo")).to_be_enabled()
    assert len(app.moves()) == 2
    app.click("c1")
    app.expect_moves(3)
    app.page.reload()
    app.expect_view("room")
    app.expect_moves(3)


def test_a_page_of_another_version_than_its_server_says_what_to_do(app: App) -> None:
    app.page.evaluate(OTHER_VERSION)
    app.lose_connection()
    app.page.evaluate("again()")
    app.expect_text("#offline", "This page does not fit its server. Reload the page")
    expect(app.page.locator("#toasts")).to_be_empty()


def test_the_page_loads_by_few_requests(app: App) -> None:
    loaded = app.page.evaluate("performance.getEntriesByType('resource').map(({name}) => name)")
    assert len(loaded) <= 6, loaded  # resources; the page itself and its WebSocket are not in this list
