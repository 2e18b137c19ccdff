"""Playing by clicks, by keys and by touch, what a player can do in a game, and the positions a game can start from."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from local_runner.game.coordinates import cell as cell_of
from local_runner.game.coordinates import name
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup
from tests.browser.app import BOARD, HUMAN_SEAT, App, Seat, stones_of
from tests.browser.fixtures import WIDER, OpenPage
from tests.serving import Serving

RANDOM: Seat = {"kind": "agent", "name": "random"}
CELL = """(board, columns) => {
  const names = board.querySelectorAll(".coordinates text");
  const [left, right] = [0, columns - 1].map((at) => names[at].getBoundingClientRect());
  return (right.x + right.width / 2 - left.x - left.width / 2) / (columns - 1);
}"""  # the width of a cell in pixels
WAY = """(selector) => {
  const here = document.activeElement, before = Node.DOCUMENT_POSITION_PRECEDING;
  if (here.matches(selector)) return "";
  return here.compareDocumentPosition(document.querySelector(selector)) & before ? "Shift+Tab" : "Tab";
}"""  # the key by which the focus comes nearer to an element; "" if the element has it
SHAKEN = """(board) => {
  globalThis.shaken = 0;
  new MutationObserver((changes) => changes.forEach(({target}) => { shaken += target.matches(".shaking"); }))
    .observe(board, {subtree: true, attributeFilter: ["class"]});
}"""  # counts the stones that shake, each for a third of a second
ORDER = ("b2", "a1", "c1", "a3", "c3", "a2", "b1", "b3", "c2")  # the human plays the first of these that is free


def number(name: str, cols: int = 3) -> int:
    cell = cell_of(name)
    assert cell is not None
    return cell[0] * cols + cell[1]


def first_free(app: App) -> str:
    taken = app.stones()
    return next(name for name in ORDER if number(name) not in taken)


# ---- whole games


@pytest.mark.parametrize(("env", "white"), [
    ("tictactoe_1v1", False),
    *(pytest.param(*more, marks=pytest.mark.slow)
      for more in (("gobang_1v1", True), ("gomoku_11x11_1v1", False), ("reversi_8x8_1v1", False))),
])  # fmt: skip
def test_a_whole_game_by_clicks(env: str, white: bool, app: App) -> None:
    """Against an agent that plays at random, on each board. The referee says what the board must show."""
    app.choose(env, *(("agent-random", "human") if white else ("human", "agent-random")))
    app.begin()
    setup, plies, goes_on = GameSetup(env, rules="stated"), 0, True
    session = GameSession(setup)
    while goes_on:
        goes_on = app.my_turn(plies)
        cells = [None if cell < 0 else divmod(cell, session.env.board_width) for cell in app.moves()]
        session, plies = GameSession(setup, cells=cells), len(cells) + 1
        app.expect_stones(stones_of(session))
        if goes_on and session.must_pass:
            app.page.evaluate("document.querySelector('#pass:not([hidden])')?.click()")  # it passes alone after a while
        elif goes_on:
            app.click(name(session.env.legal_moves()[0]))
    assert session.result is not None and app.winner == session.result.winner
    if session.env.turns_discs:
        stones = list(stones_of(session).values())
        app.expect_text("#result", f"{stones.count(1)} to {stones.count(2)}")


@pytest.mark.slow
def test_the_board_of_a_phone_stays_in_view_and_a_tap_may_be_confirmed(open_page: OpenPage, serving: Serving) -> None:
    app = App(open_page(serving.address, size=(390, 844), touch=True))
    app.start({"env": "gobang_1v1"})
    app.page.locator("#act-new").scroll_into_view_if_needed()
    app.page.mouse.wheel(0, 2000)
    app.until(lambda: app.board.evaluate("(board) => board.getBoundingClientRect().top") == 0)
    app.page.locator("#act-twice").tap()
    app.tap("h8")
    expect(app.board.locator(".frame")).to_be_visible()
    app.tap("h9")
    app.tap("h9")
    app.expect_stones({number("h9", 15): 1})
    app.page.locator("#act-twice").tap()
    app.tap("a1")
    app.expect_moves(2)
    app.page.locator("#act-look").tap()
    expect(app.page.locator("#look-heading")).to_be_in_viewport(ratio=1)


def test_on_small_cells_a_tap_is_confirmed(open_page: OpenPage, serving: Serving) -> None:
    app = App(open_page(serving.address, size=(360, 740), touch=True))
    app.start({"env": "reversi_1v1", "size": 26})
    app.until(lambda: app.board.locator(".coordinates text").count() == 52)
    for first in ("m12", "l13"):
        app.tap(first)
        app.expect_moves(0)
    app.tap("l13")
    app.expect_moves(1)


def test_any_board_is_chosen_by_its_numbers(app: App) -> None:
    app.choose("mnk_7_7_4_1v1", white="human")
    for field, typed in (("rows", "3"), ("cols", "12"), ("in_a_row", "13")):
        app.page.press(f"#size-{field}", "Control+a")
        app.page.keyboard.type(typed)
    app.expect_text("#problem", "on a board of 3x12, 3 to 12 in a row can win, not 13")
    expect(app.page.locator("#begin")).to_be_disabled()
    app.page.get_by_role("spinbutton", name="In a row").fill("3")
    app.begin()
    expect(app.board.locator(".coordinates text")).to_have_count(3 + 12)
    app.click("a1", "l3", "b1", "l2", "c1")
    app.until(app.is_over)
    app.page.click("#act-analyse")
    app.expect_view("analyse")
    expect(app.board.locator(".coordinates text")).to_have_count(3 + 12)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(360, 740), (740, 360), (390, 844), (844, 390)])
def test_cells_of_a_phone_are_large(size: tuple[int, int], open_page: OpenPage, serving: Serving) -> None:
    app = App(open_page(serving.address, size=size, touch=True))
    app.start({"env": "gobang_1v1"})
    app.until(lambda: app.board.locator(".coordinates text").count() == 30)
    app.until(lambda: app.board.evaluate(CELL, 15) > 23.99)
    expect(app.board).to_be_in_viewport(ratio=1)
    app.start({"env": "reversi_8x8_1v1"})
    app.until(lambda: app.board.locator(".coordinates text").count() == 16 and app.board.evaluate(CELL, 8) >= 40)
    if size[0] < size[1]:
        app.go("play")
        app.choose("gobang_1v1")
        app.page.evaluate("location.hash = '#proof'")
        app.until(lambda: app.page.locator("#main .replay-view > .board").count() == 1)
        app.until(lambda: app.page.locator(".replay-view > .board").evaluate(CELL, 15) > 23.99)


@pytest.mark.slow
@pytest.mark.parametrize("high", [320, 360, 390, 430, 500, 700])
def test_the_menu_is_whole_in_every_window(high: int, open_page: OpenPage, serving: Serving) -> None:
    page = open_page(serving.address)
    for wide in range(320, 1200, 20):
        page.set_viewport_size({"width": wide, "height": high})
        assert page.locator(".top").evaluate_all(WIDER) <= 0, wide


def test_an_occupied_cell_shakes_and_nothing_covers_the_board(app: App) -> None:
    app.start({"env": "gobang_1v1"})
    app.board.evaluate(SHAKEN)
    app.click("h8", "h8")
    app.until(lambda: app.page.evaluate("shaken") == 1)
    expect(app.page.locator("#toasts")).to_be_empty()
    expect(app.board.locator(".shaking")).to_have_count(0)
    app.expect_moves(1)


@pytest.mark.slow
def test_my_games_tell_result_turn_and_position_in_the_words_of_each_board_and_are_deleted(app: App) -> None:
    app.start({"env": "tictactoe_1v1", "moves": [4, 0]}, HUMAN_SEAT, RANDOM)
    room = app.start({"env": "tictactoe_1v1", "moves": [4, 0]})
    app.start({"env": "gobang_1v1"})
    for env in ("tictactoe_1v1", "gobang_1v1"):  # the game that is chosen in the form must not matter
        app.choose(env)
        rows = app.page.locator("#rooms li")
        expect(rows.nth(0)).to_contain_text("Black – White")
        expect(rows.nth(0)).to_contain_text("to move: Black")
        expect(rows.nth(1)).to_contain_text("Cross – Nought")
        expect(rows.nth(1)).to_contain_text("to move: Cross")
        expect(rows.nth(2)).to_contain_text("your turn · moves: 2")
        expect(rows.nth(2).locator(".thumbnail :is(.thumbnail-cross, .thumbnail-nought)")).to_have_count(2)
    rows.nth(1).locator("a").click()
    app.expect_view("room")
    app.expect_moves(2)
    app.go("play")
    row = app.page.locator(f"#rooms li[data-room='{room}']")
    row.locator("button").click()
    app.page.click("#confirm-yes")
    expect(row).to_have_count(0)


# ---- keys alone


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


@pytest.mark.slow
def test_without_a_mouse_one_game_is_chosen_played_and_analysed(app: App) -> None:
    keys = app.page.keyboard
    tab_to(app, "input[name=game]")
    keys.press("ArrowUp")  # from the first game to "Any board"
    keys.press("ArrowUp")
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


# ---- a player's commands


@pytest.mark.slow
def test_undo_swap_restart_and_resign(app: App) -> None:
    app.start({"env": "tictactoe_1v1"}, HUMAN_SEAT, RANDOM)
    app.click("b2")
    assert app.my_turn(2)
    app.click(first_free(app))
    app.my_turn(4)
    after = app.stones()
    app.page.click("#act-undo")
    app.expect_moves(2)
    assert app.stones().items() < after.items() and len(app.stones()) == 2
    app.page.click("#act-swap")
    app.my_turn(3)
    assert sorted(app.stones().values()) == [1, 1, 2] and app.stones()[number("b2")] == 1
    app.page.click("#act-restart")
    app.page.click("#confirm-yes")
    app.expect_moves(1)  # the agent has Black now
    expect(app.page.locator("#act-undo")).to_be_disabled()
    app.page.click("#act-resign")
    app.page.click("#confirm-no")
    assert not app.is_over()
    app.page.click("#act-resign")
    app.page.click("#confirm-yes")
    app.until(app.is_over)
    assert app.winner == 1
    app.expect_text("#result", "You lose.")
    expect(app.page.locator("#result")).not_to_contain_text("Black wins")
    app.page.click("#act-look")
    app.expect_text("#look-facts", "The game is over")
    app.page.click("#act-again")
    app.until(lambda: not app.is_over() and app.may_move())
    assert app.moves() == []  # the human has Black again


def test_a_hint_is_shown_on_the_board_and_in_words(app: App) -> None:
    app.start({"env": "gobang_1v1", "moves": [112, 0, 113, 1, 114, 2, 115, 3]}, HUMAN_SEAT, RANDOM)  # h8 to k8
    app.until(app.may_move)
    app.page.keyboard.press("h")
    expect(app.board.locator(".mark.hint").first).to_be_visible()
    assert app.page.locator("#status").inner_text()
    app.click("l8")
    app.until(app.is_over)
    assert app.winner == 1 and app.board.locator(".hint").count() == 0


@pytest.mark.slow
def test_a_wrong_answer_loses_the_turn_where_that_is_wanted(app: App) -> None:
    app.choose("reversi_8x8_1v1", "human", "human")
    app.page.check("#lose-turn")
    app.begin()
    start = app.stones()
    app.click("a1")
    app.until(lambda: app.moves() == [-1])
    app.expect_text("#toasts", "a1 is no legal move: the turn is lost.")
    assert app.stones() == start


# ---- the start of a game


@pytest.mark.slow
def test_a_position_that_was_set_up_on_the_analysis_board_is_played(app: App) -> None:
    app.page.click("#more > summary")
    app.page.click("#set-up")
    app.expect_view("analyse")
    app.page.click("#from-start")
    expected: dict[int, int] = {}
    for tool, side, cells in (("B", 1, ("h8", "h9", "i10")), ("W", 2, ("g7", "a1"))):
        app.page.check(f"#tools input[value='{tool}']")
        for cell in cells:
            app.click(cell)
            expected[number(cell, 15)] = side
            app.expect_stones(expected)
    app.page.click("#act-continue")
    app.expect_view("play")
    app.expect_stones(expected)
    app.page.select_option("#seat-white", "human")
    app.begin()
    app.expect_stones(expected)
    app.click("b2")
    app.expect_stones({**expected, number("b2", 15): 2})  # Black has one stone more, so White is to move


@pytest.mark.slow
def test_at_gomoku_black_begins_and_a_button_swaps_the_players(app: App) -> None:
    app.choose("gomoku_11x11_1v1", "human", "agent-random")
    start = app.stones()
    assert sorted(start.values()) == [1, 1, 2, 2]
    app.page.click("#exchange")
    assert app.page.locator("#seat-white").input_value() == "human"
    app.begin()
    assert app.my_turn(1)
    assert app.stones().items() > start.items() and sorted(app.stones().values()) == [1, 1, 1, 2, 2]


def test_a_move_is_drawn_before_the_server_answers_and_goes_back_if_it_came_late(
    app: App, open_page: OpenPage, serving: Serving
) -> None:
    app.start({"env": "gobang_1v1"})
    other = App(open_page(app.page.url, beside=app.page))
    other.until(other.may_move)
    with serving.held():
        for page, cell in ((app, "h8"), (other, "a1")):
            page.click(cell)
            page.expect_stones({number(cell, 15): 1})
            page.expect_moves(0)
    for page in (app, other):
        page.expect_moves(1)
        page.until(page.may_move)
    assert app.moves() == other.moves() and app.stones() == other.stones() and len(app.stones()) == 1
