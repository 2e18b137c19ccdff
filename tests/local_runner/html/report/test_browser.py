"""The pages in a browser: on a desktop, on a phone and in print; and the replay."""

import re

import pytest
from playwright.sync_api import expect

from local_runner.html import report
from local_runner.language.languages import speaking
from local_runner.matches.tournament.store import read
from tests.local_runner.html.report.conftest import PLANS
from tests.local_runner.html.report.test_report import boards_of

SIZES = {"desk": (1280, 900), "phone": (390, 844), "small phone": (320, 568)}
DRAWN = "[...document.querySelectorAll('[data-cell]')].map((s) => [+s.dataset.cell, +s.dataset.stone])"


def press(page, button):
    page.evaluate(f"document.querySelector('[data-do={button}]').click()")


def stones(page, cols):
    """The board as drawn."""
    drawn = dict(page.evaluate(DRAWN))
    return [[drawn.get(row * cols + col, 0) for col in range(cols)] for row in range(cols)]


def told(page):
    return page.evaluate("document.querySelector('.told').textContent")


@pytest.mark.parametrize(("name", "size", "dark"), [
    ("tictactoe", "small phone", False), ("gobang", "small phone", True), ("reversi", "phone", False),
    ("sprt", "small phone", False), ("sprt", "desk", True),
])  # fmt: skip
def test_a_page_fits_its_window(name, size, dark, open_page, pages, tmp_path):
    width, height = SIZES[size]
    page = open_page(pages[name].as_uri(), size=(width, height), dark=dark)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    wider = """[...document.querySelectorAll("main *")].filter((one) => !one.closest(".wide, pre, svg *") &&
        one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 80))"""
    assert page.evaluate(wider) == []
    shot = page.screenshot(full_page=True)
    (tmp_path / f"{name}.png").write_bytes(shot)  # pytest keeps it for inspection
    assert shot.startswith(b"\x89PNG") and len(shot) > 30_000


@pytest.mark.parametrize("name", ["tictactoe", pytest.param("sprt", marks=pytest.mark.slow)])
def test_a_page_is_printed_on_a_few_sheets(name, open_page, pages):
    page = open_page(pages[name].as_uri())
    sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True, print_background=True)))
    assert 2 <= sheets <= 5
    page.emulate_media(media="print")
    hidden = "['.browser', 'form', '.buttons'].map((name) => document.querySelector(name).checkVisibility())"
    assert page.evaluate(hidden) == [False, False, False]


@pytest.mark.parametrize("name", ["gobang", "reversi"])
def test_every_board_that_is_drawn_is_the_referees(name, open_page, files, pages):
    with read(files[name]) as store:
        game = max(store.games(), key=lambda game: ("-" in game.moves.split(), len(game.moves)))
    setup = PLANS[name].terms.setup
    start = setup.make().stones()
    boards = [start, *boards_of(setup, game.moves)]
    page = open_page(f"{pages[name].as_uri()}#game-{game.number}")
    assert stones(page, len(start)) == boards[-1]
    press(page, "first")
    for expected in boards[:-1]:
        assert stones(page, len(start)) == expected
        press(page, "next")
    assert told(page).startswith(f"Move {len(boards) - 1} of {len(boards) - 1}: ")


def test_a_chinese_page(open_page, files, tmp_path):
    with speaking("zh"):
        report.write(files["tictactoe"], tmp_path / "page.html")
    page = open_page((tmp_path / "page.html").as_uri())
    assert page.evaluate("document.getElementById('count').textContent") == "24 局"
    assert page.evaluate("document.getElementById('players').textContent").startswith("第 24 局：")
    assert told(page) == "对局开始。"


def test_the_buttons_and_keys(open_page, pages):
    page = open_page(f"{pages['gobang'].as_uri()}#game-1")
    moves = len(page.evaluate("JSON.parse(document.getElementById('data').textContent).games[1].moves"))
    assert page.evaluate("document.getElementById('players').textContent").startswith("Game 1: ")
    press(page, "first")
    assert told(page) == "The start of the game."
    for _ in range(2):
        press(page, "next")
    assert told(page).startswith(f"Move 2 of {moves}: White") and told(page).endswith(", set by the opening.")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    said = rf"Move 4 of {moves}: White \(\S+\) plays [a-o]\d+, [\d.]+ ms(; depth .*)?\."
    assert re.fullmatch(said, told(page))
    assert page.evaluate("document.querySelector('.board .last') !== null")
    press(page, "prev")
    assert told(page).startswith("Move 3 of ")
    press(page, "last")
    assert told(page).startswith(f"Move {moves} of {moves}")
    page.keyboard.press("Home")
    assert told(page) == "The start of the game."
    page.evaluate("document.querySelector('[data-do=numbers]').click()")
    press(page, "next")
    assert page.evaluate("document.querySelector('.board .numbers text').textContent") == "1"
    page.evaluate("document.querySelector('.moves tbody tr:nth-child(5)').click()")
    assert told(page).startswith("Move 5 of ")


def test_a_game_plays_itself(open_page, pages):
    page = open_page(f"{pages['tictactoe'].as_uri()}#game-1")
    press(page, "play")
    label = "document.querySelector('[data-do=play]').textContent"
    assert (told(page), page.evaluate(label)) == ("The start of the game.", "stop")
    expect(page.locator(".told")).to_contain_text("Move 1 of ")
    press(page, "play")
    assert page.evaluate(label) == "play"


def test_the_list_is_filtered(open_page, files, pages):
    page = open_page(pages["tictactoe"].as_uri())
    with read(files["tictactoe"]) as store:
        names, games = store.plan.names, store.games()

    def listed(**chosen):
        for field, value in {"agent": "", "other": "", "end": "", **chosen}.items():
            page.evaluate(f"document.querySelector('[name={field}]').value = '{value}'")
        page.evaluate("document.getElementById('filters').dispatchEvent(new Event('change', {bubbles: true}))")
        rows = "[...document.querySelectorAll('#rows tr:not([hidden])')].map((row) => +row.dataset.game)"
        return set(page.evaluate(rows))

    def those(wanted):
        return {game.number for game in games if wanted(game)}

    random, greedy = names.index("random"), names.index("greedy")
    assert listed() == those(lambda game: True)
    assert listed(agent=random) == those(lambda game: random in (game.black, game.white))
    assert listed(agent=random, other=greedy) == those(lambda game: {game.black, game.white} == {random, greedy})
    assert listed(end="fault") == those(lambda game: game.result.fault)
    assert listed(end="2") == those(lambda game: game.winner == 2)
    lost = those(lambda game: (game.black, game.winner) == (random, 2) or (game.white, game.winner) == (random, 1))
    assert lost and listed(agent=random, end="lost") == lost
    assert page.evaluate("document.getElementById('count').textContent") == f"games: {len(lost)} of {len(games)}"
    number = min(lost)
    page.evaluate(f"document.querySelector('#rows tr[data-game=\"{number}\"] td:last-child').click()")
    expect(page.locator("#players")).to_contain_text(f"Game {number}: ")


def test_an_enemy_runs_nothing(open_page, evil_file):
    report.write(evil_file, evil_file.with_suffix(".html"))
    page = open_page(evil_file.with_suffix(".html").as_uri(), size=SIZES["phone"])
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
    assert page.evaluate("document.scripts.length") == 2
    assert page.evaluate("document.querySelectorAll('main b').length") > 0
    assert "</script><script>alert(1)" in page.evaluate("document.getElementById('players').textContent")
    assert told(page).startswith("Move 2 of 2: White")


@pytest.mark.parametrize(("name", "shown"), [("gobang", ["depth", "value", "nodes"]), ("gomoku", [])])
def test_columns_of_figures_that_no_agent_reports_are_hidden(name, shown, open_page, pages):
    page = open_page(f"{pages[name].as_uri()}#game-1")
    heads = "[...document.querySelectorAll('[data-figure]')].filter((head) => head.checkVisibility())"
    assert page.evaluate(f"{heads}.map((head) => head.textContent)") == shown
    cells = page.evaluate("[...document.querySelector('.moves tbody').rows].map((row) => row.cells.length)")
    assert set(cells) == {3 + len(shown)}
    assert page.evaluate("document.querySelector('.replay-view .legend span').checkVisibility()") is bool(shown)
