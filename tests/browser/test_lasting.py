"""A game outlives a reload, a lost connection and a restart of the server, and is shown on two pages at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.app import HUMAN_SEAT, App, Seat
from tests.browser.fixtures import OpenPage, Watched
from workshop.page.serving import Serving

GREEDY: Seat = {"kind": "agent", "name": "greedy"}
GOBANG = {"env": "gobang_1v1"}
GONE = ("WebSocket connection", "ERR_CONNECTION_REFUSED")  # what Chromium says while the server is away


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Serving]:
    """A server that a test may end."""
    with Serving(tmp_path) as found:
        yield found


def played(app: App, *cells: str) -> None:
    """Play against an agent that answers each move."""
    for cell in cells:
        plies = len(app.moves())
        app.click(cell)
        assert app.my_turn(plies + 2)


def test_a_reload_in_the_middle_of_a_game(open_page: OpenPage, serving: Serving) -> None:
    app = App(open_page(serving.address))
    room = app.start(GOBANG, HUMAN_SEAT, GREEDY)
    played(app, "h8", "a1")
    moves, stones = app.moves(), app.stones()
    app.page.reload()
    app.expect_view("room")
    app.expect_stones(stones)
    assert (app.room, app.moves()) == (room, moves)
    played(app, "o15")
    assert len(app.moves()) == 6


@pytest.mark.parametrize("end", [
    pytest.param(Serving.stop, marks=pytest.mark.slow, id="Ctrl-C"), pytest.param(Serving.kill, id="killed"),
])  # fmt: skip
def test_a_restart_of_the_server_in_the_middle_of_a_game(
    end: object, mortal: Serving, open_page: OpenPage, watched: Watched,
) -> None:  # fmt: skip
    watched.allowed += GONE
    app = App(open_page(mortal.address))
    app.start(GOBANG, HUMAN_SEAT, GREEDY)
    played(app, "h8", "a1")
    stones = app.stones()
    end(mortal)  # type: ignore[operator]
    expect(app.page.locator("#offline")).to_be_visible()
    assert app.stones() == stones
    mortal.start()
    expect(app.page.locator("#offline")).to_be_hidden()
    app.until(app.may_move)
    app.expect_stones(stones)
    played(app, "o15")
    assert len(app.moves()) == 6


def test_two_pages_show_one_game(open_page: OpenPage, serving: Serving) -> None:
    one = App(open_page(serving.address))
    one.start({"env": "tictactoe_1v1"})
    other = App(open_page(one.page.url, beside=one.page))
    cells = [(one, "b2"), (other, "a1"), (one, "a2"), (other, "c2"), (one, "b1"), (other, "b3")]
    for at, (app, cell) in enumerate(cells, start=1):
        app.until(app.may_move)
        app.click(cell)
        for each in (one, other):
            each.until(lambda each=each, at=at: len(each.moves()) == at)  # type: ignore[misc]
    assert one.stones() == other.stones() == {4: 1, 0: 2, 3: 1, 5: 2, 1: 1, 7: 2}
    other.page.click("#act-resign")
    other.page.click("#confirm-yes")
    for each in (one, other):
        each.until(each.is_over)
    assert one.winner == other.winner


def test_the_list_of_games_leads_back_to_one_and_deletes_one(open_page: OpenPage, serving: Serving) -> None:
    app = App(open_page(serving.address))
    room = app.start({"env": "tictactoe_1v1"})
    app.click("c3")
    app.until(lambda: len(app.moves()) == 1)
    app.go("play")
    app.page.click(f"#rooms li[data-room='{room}'] a")
    app.expect_view("room")
    app.expect_stones({8: 1})
    app.go("play")
    app.page.click(f"#rooms li[data-room='{room}'] button")
    app.page.click("#confirm-yes")
    expect(app.page.locator(f"#rooms li[data-room='{room}']")).to_have_count(0)


@pytest.mark.slow
def test_a_stranger_without_the_secret_sees_nothing(open_page: OpenPage, serving: Serving, watched: Watched) -> None:
    watched.allowed.append("403")
    page = open_page(serving.root)
    assert "tengen serve" in page.inner_text("body")
    assert page.locator("#main").count() == 0
