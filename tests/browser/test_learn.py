"""Learn from your mistakes: after a lost game, on later days, in a file, and from the games of a player."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from playwright.sync_api import expect

from tests.browser.app import BLUNDER, HUMAN_SEAT, App

NOON = datetime(2026, 12, 1, 12)
LOST = {"env": "gobang_1v1", "moves": [112, 0, 127, 1, 142, 2, 157, 3, 224]}  # BLUNDER without White's last move
# Two games of one player: as Black in the first she misses her five, as White in the second she does not stop a four.
FILE = b"""(;GM[4]SZ[15]PB[Ann]PW[Bob];B[hh];W[aa];B[hi];W[ba];B[hj];W[ca];B[hk];W[da];B[oo];W[ea])
(;GM[4]SZ[15]PB[Cy]PW[Ann];B[aa];W[hh];B[ba];W[hi];B[ca];W[hj];B[da];W[oo];B[ea])"""
DAYS = """async (found) => {
  const {allExercises, tried} = await import(document.querySelector("[type=module]").src);
  tried(allExercises()[0], found);
  return allExercises()[0].due;
}"""


def _ready(app: App) -> None:
    expect(app.page.locator("#task")).to_contain_text("Find a better move")


def test_a_mistake_is_tried_until_it_is_right_and_again_tomorrow(app: App) -> None:
    page, verdict = app.page, app.page.locator("#verdict[role=status]")
    page.clock.set_fixed_time(NOON)
    app.start(LOST, HUMAN_SEAT, {"kind": "agent", "name": "greedy"})
    page.click("#act-learn")
    expect(page.locator("#task")).to_have_text("Move 9: o15 was played (missed win). Find a better move for Black.")
    expect(app.board.locator(".mark.missed").first).to_be_attached()
    app.click("a15")
    expect(verdict).to_have_text("Still loses the gamea15: chance to win 0 %. White answers: e1.")
    expect(page.locator("#line-side")).to_have_text("White begins:")
    expect(app.board.locator(".ghosts .stone")).to_have_count(1)  # White's five
    expect(page.locator("#look-lines")).to_contain_text("e1")
    page.keyboard.press("u")
    app.until(lambda: len(app.stones()) == 8)
    expect(verdict).to_be_empty()
    page.keyboard.press("n")
    expect(page.locator("#task")).to_contain_text("Once more. Move 9")
    page.keyboard.press("b")
    expect(verdict).to_contain_text(re.compile("The engine plays h(7|12)"))
    expect(page.locator("#learn-answer")).to_be_hidden()
    answer = page.locator("#look-lines b").first.inner_text()
    app.click({"h7": "h12", "h12": "h7"}[answer])
    expect(verdict).to_contain_text(re.compile("As good as the best move.*Next try: tomorrow."))
    page.keyboard.press("n")
    expect(page.locator("h1")).to_have_text("Found at the first try: 0 of 1")
    expect(page.locator("#main")).to_contain_text("tomorrow: 1")
    page.click("#to-mistakes")
    expect(page.locator("#mistakes li")).to_have_count(1)
    expect(page.locator("#learn-start")).to_have_count(0)

    page.clock.set_fixed_time(NOON + timedelta(days=1))
    page.reload()
    page.click("#learn-start")
    _ready(app)
    # The board has the focus, and its cursor appears at the last move, d1.
    for key in ["ArrowRight"] * 5 + ["ArrowDown"] * (int(answer[1:]) - 1) + ["Enter"]:
        page.keyboard.press(key)
    expect(verdict).to_contain_text(re.compile("Right.*Next try: tomorrow."))
    page.keyboard.press("n")
    expect(page.locator("h1")).to_have_text("Found at the first try: 1 of 1")
    for today, found, due in (
        (1, True, "2026-12-03"), (2, True, "2026-12-06"), (5, True, "2026-12-13"), (6, True, "2026-12-13"),
        (12, True, ""), (13, True, ""), (13, False, "2026-12-15"), (14, True, "2026-12-16"),
    ):  # fmt: skip
        page.clock.set_fixed_time(NOON + timedelta(days=today))
        assert page.evaluate(DAYS, found) == due, (today, found)


def test_a_lost_game_and_the_games_of_a_player_are_learned_from(app: App) -> None:
    page, today = app.page, app.page.locator(".learn-today")
    app.go("learn")
    app.choose_file("lost.txt", BLUNDER.encode())
    _ready(app)  # wait for the end of the game, which Black has lost
    expect(page.locator("#learn-side")).to_have_value("1")
    page.select_option("#learn-side", "2")
    expect(page.locator("#learn-side")).to_have_value("2")
    app.go("learn")
    expect(today).to_contain_text("0 to try today")  # although no exercise was tried
    app.choose_file("two.sgf", FILE)
    page.select_option("#learn-player", "Ann")
    page.click("#learn-look")
    expect(page.locator("#mistakes li b", has_text="9. o15")).to_have_count(1)
    expect(page.locator("#mistakes li b", has_text="8. o15")).to_have_count(1)
    rows = page.locator("#mistakes li")
    before = rows.count()
    expect(today).to_contain_text(f"{before} to try today")
    rows.first.locator("button").click()
    expect(rows).to_have_count(before - 1)
    rows.first.locator("a").click()
    _ready(app)
    page.click("#learn-game")
    app.expect_view("analyse")
    page.click("#learn")
    app.expect_view("learn")
