"""The analysis of a game by our engine in the page, "Look inside" during its search, and the walk through the proof."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.app import BLUNDER, App
from tests.browser.fixtures import DESK, too_wide
from tests.serving import Serving

BELOW = """(graph) => {
  const [ground, ...bars] = [...graph.querySelectorAll("rect")].map((one) => one.getBoundingClientRect());
  return bars.every((bar, at) => bar.top > ground.bottom && bar.left >= ground.left + at * ground.width / bars.length
    && bar.right <= ground.left + (at + 1) * ground.width / bars.length);
}"""  # whether the time of each move stands below the graph of that move


@pytest.mark.slow
def test_an_analysis_is_stopped_and_a_planted_blunder_is_found(app: App) -> None:
    app.analyse(BLUNDER)
    app.page.select_option("#seconds", "1")
    app.page.click("#stop")
    expect(app.page.locator("#progress, #stop").filter(visible=True)).to_have_count(0)
    app.page.select_option("#seconds", "0.05")
    expect(app.page.locator("#progress")).to_be_hidden(timeout=60_000)
    app.page.keyboard.press("Home")
    app.expect_stones({})
    for _ in range(10):
        app.page.keyboard.press("n")
        if "o15" in app.page.locator("#verdict").inner_text():
            break
    assert app.page.locator("#moves [aria-current]").get_attribute("data-ply") == "9"
    app.page.click("#better")
    app.until(lambda: app.board.locator(".ghosts text").count() > 0)
    assert "h12" in app.page.locator("#better").inner_text() or "h7" in app.page.locator("#better").inner_text()
    app.page.click("#act-look")
    app.page.locator("#better[aria-pressed=true]").wait_for()
    app.page.set_viewport_size({"width": 1280, "height": 720})
    expect(app.page.locator("#better")).to_be_in_viewport(ratio=1)
    app.page.set_viewport_size({"width": DESK[0], "height": DESK[1]})
    expect(app.board.locator(".mark")).to_have_count(0)  # a line of play is shown without the position's marks
    app.page.click("#act-look")
    for ply in range(1, 11):
        app.page.click(f"#moves [data-ply='{ply}']")
        before, after = re.findall(r"(\d+) %", app.page.locator("#verdict .note").inner_text())
        assert before != after or app.page.locator("#better").count() == 0
    black = app.page.locator("#accuracy tr[data-player='1'] td")
    assert "1" in black.all_inner_texts()[1:]
    marks = app.page.locator("#graph .graph-mark").evaluate_all(
        "(all) => all.map((one) => [one.className.baseVal, one.getAttribute('d')])"
    )
    assert len({kind for kind, _ in marks}) == len({shape for _, shape in marks}) > 0  # each kind has a shape


def test_a_game_goes_from_its_room_to_the_analysis_with_its_times(app: App) -> None:
    app.start({"env": "tictactoe_1v1"})
    app.click("b2", "a1", "c1")
    app.expect_moves(3)
    app.page.click("#act-analyse")
    app.expect_view("analyse")
    expect(app.page.locator("#times rect")).to_have_count(3)
    assert app.page.locator("#graph").evaluate(BELOW)
    app.expect_moves(3)
    heading = app.page.locator("#times text").text_content() or ""
    assert re.fullmatch(r"Time per move, at most ([1-9]\d*(\.\d)? ms|\d+\.\d s)", heading)


def test_the_evaluation_bar_has_the_chances_of_the_engine_and_of_the_report(app: App) -> None:
    app.start({"env": "gobang_1v1", "moves": [112, 0, 113, 1, 114, 2]})
    bar = app.page.locator("#board > .chance")
    expect(bar).to_be_hidden()
    app.page.click("#act-bar")
    expect(bar).to_have_attribute("aria-label", "Chance to win: Black 100 %, White 0 %")
    assert too_wide(app.page) <= 0  # the figure 100 is not cut
    app.page.keyboard.press("g")
    expect(bar).to_be_hidden()
    app.analyse(BLUNDER)
    expect(app.page.locator("#graph")).to_have_attribute("aria-valuetext", re.compile("chance"), timeout=60_000)
    expect(app.page.locator("#progress")).to_be_hidden(timeout=60_000)
    for _ in range(11):
        black = re.search(r"chance (\d+) %", app.page.locator("#graph").get_attribute("aria-valuetext") or "")
        assert black
        expect(bar).to_have_attribute("aria-label", re.compile(f"Black {black[1]} %, White {100 - int(black[1])} %"))
        app.page.keyboard.press("ArrowLeft")
    app.page.keyboard.press("End")
    app.page.keyboard.press("ArrowLeft")
    app.click("h12")  # instead of White's five: a variation, which the analysis of the main line does not cover
    expect(bar).to_have_attribute("aria-label", re.compile("White [0-9]"))


@pytest.mark.slow
def test_looking_inside_a_gobang_position(app: App) -> None:
    app.start({"env": "gobang_1v1", "moves": [row * 15 + col for row in range(0, 15, 3) for col in range(0, 15, 2)]})
    expect(app.page.locator("#moves [aria-current]")).to_be_in_viewport(ratio=1)
    app.page.click("#act-look")
    lines = app.page.locator("#look-lines li")
    expect(lines.first).to_be_visible()
    expect(app.page.locator("#moves [aria-current]")).to_be_in_viewport(ratio=1)  # although the list is now less high
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


def test_what_the_games_of_a_file_played_is_walked_through_by_keys(app: App) -> None:
    app.go("replay")
    app.choose_file("cup.txt", b"h8i8g8\nh8g8i8\nh8h7\n")
    app.page.click("#to-explorer")
    moves, told = app.page.locator("#explore-moves .played"), app.page.locator("#explore-told")
    expect(told).to_have_text("Games with this position: 3.")
    expect(moves).to_have_count(1)
    moves.first.focus()
    app.page.keyboard.press("Enter")
    expect(app.board.locator(".ghosts .stone")).to_have_count(1)
    expect(moves.first).to_have_attribute("title", "Equal by symmetry: g8 i8 h9")
    expect(moves.first).to_be_focused()
    app.page.keyboard.press("Enter")
    expect(app.page.locator("#explore-games a")).to_have_count(3)
    app.expect_stones({112: 1, 97: 2})
    expect(app.page.locator("#explore-head")).to_have_text("Next moveGamesBlack won · draw · White won (%)")
    app.page.locator("#explore-games a[href$='/2']").nth(1).click()  # of the list after both moves
    app.expect_stones({112: 1, 111: 2})  # the game is shown at the position in the link, not at its end
    app.page.click("#to-explorer")
    app.expect_stones({112: 1, 111: 2})
    app.page.select_option("#explore-source", "engine")
    expect(moves).to_contain_text(["g7"])
    app.page.keyboard.press("e")
    expect(app.page.locator("#explorer")).to_be_hidden()
    app.page.keyboard.press("e")
    app.page.set_input_files("#explore-file", {"name": "x.txt", "mimeType": "text/plain", "buffer": b"\x00" * 99})
    expect(app.page.locator("#toasts")).to_contain_text("x.txt")
    app.page.set_input_files("#explore-file", {"name": "y.txt", "mimeType": "text/plain", "buffer": b"h8h7g7h8\n"})
    expect(told).to_contain_text("Damaged games: 1.")
    expect(moves).to_have_count(1)
    app.page.set_input_files("#explore-file", {"name": "z.txt", "mimeType": "text/plain", "buffer": b"h8g8h7\n" * 9})
    expect(app.page.locator("#explore-games .note")).to_have_text("8 of 9 games")


# ---- the proof that Black wins


def test_white_is_played_against_the_proof_from_the_start_page(app: App) -> None:
    app.go("play")
    app.page.click("#to-proof")
    app.expect_view("proof")
    counts, tries = app.page.locator(".proof-counts dd"), app.page.locator(".tries")
    expect(counts).to_have_text(["224", "224"])
    app.click("h7")
    expect(app.page.locator(".told")).to_contain_text("Move 3 of 3: Black plays g7")
    app.page.evaluate(
        "location.hash = '#proof/h8h7g7i9f8i7i8g8f9f7e9d10e6e8d9g9f10c9g11h12f11f12e11d11f6d6g12e10g5i6e5'"
    )
    expect(counts).to_have_text(["13", "194", "194"])  # Black's moves; White's replies; those that lose
    expect(tries).to_have_text("What White could still tryStop Black's five: d4")
    expect(app.board.locator(".mark.five")).to_have_count(1)
    tries.locator("button").focus()
    app.page.keyboard.press("Enter")
    expect(app.page.locator(".told")).to_contain_text("Move 33 of 33: Black plays i5")
    app.click("o15")
    expect(app.page.locator(".proof-about strong")).to_have_text("Black has won")
    app.page.click("#proof-again")
    app.expect_stones({112: 1})


@pytest.mark.slow
def test_a_room_says_whether_black_has_won_and_leads_into_the_walk(app: App) -> None:
    app.start({"env": "gobang_1v1"})
    proved = app.page.locator("#proved")
    app.click("h8")
    expect(proved).to_contain_text("Proved: Black wins")
    app.click("h7", "a1")  # a move of Black's own leaves the proof
    app.expect_moves(3)
    expect(proved).to_be_hidden()
    app.page.click("#act-undo")
    app.expect_moves(2)
    expect(proved).to_be_visible()
    app.click("g7", "i9", "f8")
    expect(app.page.locator("#walk-proof")).to_have_attribute("href", "#proof/h8h7g7i9f8")
    app.page.click("#walk-proof")
    told = app.page.locator(".told")
    expect(told).to_contain_text("Move 5 of 5: Black plays f8")
    expect(app.page.locator(".proof-counts dd")).to_have_text(["220", "11", "209"])
    app.click("i8")
    expect(told).to_contain_text("Move 7 of 7: Black plays")
    address = app.page.url
    assert address.endswith(app.page.evaluate("location.hash")) and "#proof/h8h7g7i9f8i8" in address
    app.page.reload()
    expect(told).to_contain_text("Move 7 of 7: Black plays")
    expect(app.page.locator(".proof-tile")).to_have_count(35)


@pytest.mark.slow
def test_two_agents_are_paused_by_space_and_stones_have_numbers(app: App, serving: Serving) -> None:
    assert "key=" in serving.address and "key=" not in app.page.url
    app.start({"env": "gobang_1v1"}, *[{"kind": "agent", "name": "random"}] * 2)
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
