"""A game outlives a reload and a lost connection; the list of games leads to it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.app import HUMAN_SEAT, App, Seat

GREEDY: Seat = {"kind": "agent", "name": "greedy"}
CUT_OFF = """async () => {
  const {connection} = await import("/page/connection.js");
  const lost = new Promise((resolve) => connection.on("lost", resolve));
  connection.tell({type: "nothing", text: "x".repeat(2_000_000)});
  await lost;
  return document.querySelector("#offline").checkVisibility();
}"""  # the server closes the connection at such a message; returns whether the page shows "offline"
GONE = ("WebSocket connection", "ERR_CONNECTION_REFUSED", "establish a connection")  # while the server is away


def played(app: App, *cells: str) -> None:
    """Play against an agent that answers each move."""
    for cell in cells:
        plies = len(app.moves())
        app.click(cell)
        assert app.my_turn(plies + 2)


@pytest.mark.slow
def test_a_reload_and_a_lost_connection_in_the_middle_of_a_game(app: App) -> None:
    room = app.start({"env": "gobang_1v1"}, HUMAN_SEAT, GREEDY)
    played(app, "h8")
    moves, stones = app.moves(), app.stones()
    app.page.reload()
    app.expect_view("room")
    app.expect_stones(stones)
    assert (app.room, app.moves()) == (room, moves)
    assert app.page.evaluate(CUT_OFF)
    expect(app.page.locator("#offline")).to_be_hidden()
    app.until(app.may_move)
    played(app, "a1")
    assert len(app.moves()) == 4


@pytest.mark.slow
def test_the_list_of_games_leads_to_a_game_and_deletes_it(app: App) -> None:
    room = app.start({"env": "tictactoe_1v1", "moves": [4, 0, 3, 5, 1, 7]})
    app.go("play")
    row = app.page.locator(f"#rooms li[data-room='{room}']")
    row.locator("a").click()
    app.expect_view("room")
    app.expect_moves(6)
    app.go("play")
    row.locator("button").click()
    app.page.click("#confirm-yes")
    expect(row).to_have_count(0)
