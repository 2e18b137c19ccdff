"""The pages in a browser: on a desktop, on a phone and in print; the list of games and the replay of the chosen one.

The viewer itself is tested in tests/local_runner/html/page/test_replay_page.py.
"""

import re

import pytest
from playwright.sync_api import expect

from local_runner.formats.saved_game import SavedGame
from local_runner.html import report
from local_runner.language.languages import speaking
from local_runner.matches.games import read
from tests.browser.fixtures import DESK, PHONE, SMALL_PHONE
from tests.browser.sights import too_wide
from tests.local_runner.html.page.games import boards, shown_boards, stones, told
from tests.local_runner.html.report.conftest import PLANS


@pytest.mark.parametrize(("name", "size", "dark"), [("tictactoe", SMALL_PHONE, False), ("sprt", DESK, True)])
def test_a_page_fits_its_window(name, size, dark, open_page, pages):
    page = open_page(pages[name].as_uri(), size=size, dark=dark)
    assert too_wide(page) <= 0
    wider = """[...document.querySelectorAll("main *")].filter((one) => !one.closest(".wide, pre, svg *") &&
        one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 80))"""
    assert page.evaluate(wider) == []


@pytest.mark.slow
@pytest.mark.usefixtures("chromium_only")
def test_a_page_is_printed_on_a_few_sheets(open_page, pages):
    page = open_page(pages["tictactoe"].as_uri())
    sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True, print_background=True)))
    assert 2 <= sheets <= 5
    page.emulate_media(media="print")
    hidden = "['.browser', 'form', '.buttons'].map((name) => document.querySelector(name).checkVisibility())"
    assert page.evaluate(hidden) == [False, False, False]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gobang", "reversi"])
def test_every_board_that_is_drawn_is_the_referees(name, open_page, files, pages):
    store = read(files[name])
    game = max(list(store), key=lambda game: (None in game.cells, len(game.cells)))
    assert name == "gobang" or None in game.cells, "no pass was played, so none is tested"
    expected = boards(SavedGame(PLANS[name].terms.setup, game.cells))
    page = open_page(f"{pages[name].as_uri()}#game-{game.number}")
    assert stones(page, len(expected[-1])) == expected[-1]
    assert shown_boards(page, expected) == expected
    assert told(page).startswith(f"Move {len(game.cells)} of {len(game.cells)}: ")


@pytest.mark.slow
def test_a_chinese_page(open_page, files, tmp_path):
    with speaking("zh"):
        report.write(files["tictactoe"], tmp_path / "page.html")
    page = open_page((tmp_path / "page.html").as_uri())
    assert page.evaluate("document.getElementById('count').textContent") == "24 局"
    assert page.evaluate("document.getElementById('players').textContent").startswith("第 24 局：")
    assert told(page) == "开局前。"


def test_the_list_is_filtered(open_page, files, pages):
    page = open_page(pages["tictactoe"].as_uri())
    store = read(files["tictactoe"])
    names, games = store.plan.names, list(store)

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
    page = open_page(evil_file.with_suffix(".html").as_uri(), size=PHONE)
    assert too_wide(page) <= 0
    assert page.evaluate("document.scripts.length") == 2
    assert page.evaluate("document.querySelectorAll('main b').length") > 0
    assert "</script><script>alert(1)" in page.evaluate("document.getElementById('players').textContent")
    assert told(page).startswith("Move 2 of 2: Nought")


@pytest.mark.parametrize(("name", "shown"), [("gobang", ["depth", "value", "nodes"]), ("reversi", [])])
def test_figures_that_no_agent_reports_are_left_out(name, shown, open_page, pages):
    page = open_page(f"{pages[name].as_uri()}#game-1")
    titles = page.evaluate("[...document.querySelectorAll('.moves .move')].map((move) => move.title)")
    assert [word for word in ("depth", "value", "nodes") if any(word in title for title in titles)] == shown
    assert page.evaluate("document.querySelector('.replay-view .legend span').checkVisibility()") is bool(shown)
