"""The pages in a browser: on a desktop, on a phone and in print; and the replay."""

import re

import pytest

from local_runner import report
from local_runner.tournament.store import read
from tests.conftest import NO_CHROMIUM
from tests.local_runner.report.browser import Browser, chromium
from tests.local_runner.report.conftest import PLANS
from tests.local_runner.report.test_report import boards_of

SIZES = {"desk": (1280, 900), "phone": (390, 844), "small phone": (320, 568)}
DRAWN = "[...document.querySelectorAll('[data-cell]')].map((s) => [+s.dataset.cell, +s.dataset.stone])"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    if chromium() is None:
        pytest.skip(f"{NO_CHROMIUM}: no page was looked at")
    with Browser(tmp_path_factory.mktemp("chromium")) as found:
        yield found


@pytest.fixture(autouse=True)
def quiet(browser):
    """No test may cause an error on the console or a network request."""
    browser.problems.clear()
    yield
    assert browser.problems == []


def press(browser, button):
    browser.evaluate(f"document.querySelector('[data-do={button}]').click()")


def stones(browser, cols):
    """The board as drawn."""
    drawn = dict(browser.evaluate(DRAWN))
    return [[drawn.get(row * cols + col, 0) for col in range(cols)] for row in range(cols)]


def told(browser):
    return browser.evaluate("document.querySelector('.told').textContent")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["tictactoe", "gobang", "reversi", "sprt"])
def test_a_page_fits_its_window(name, size, dark, browser, pages, tmp_path):
    width, height = SIZES[size]
    browser.open(pages[name].as_uri(), width, height, dark)
    assert browser.evaluate("document.scrollingElement.scrollWidth") <= width
    wider = """[...document.querySelectorAll("main *")].filter((one) => !one.closest(".wide, pre, svg *") &&
        one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 80))"""
    assert browser.evaluate(wider) == []
    shot = browser.screenshot(whole=True)
    (tmp_path / f"{name}.png").write_bytes(shot)  # pytest keeps it for inspection
    assert shot.startswith(b"\x89PNG") and len(shot) > 30_000


@pytest.mark.parametrize("name", ["tictactoe", "sprt"])
def test_a_page_is_printed_on_a_few_sheets(name, browser, pages):
    browser.open(pages[name].as_uri())
    sheets = len(re.findall(rb"/Type\s*/Page\b", browser.pdf()))
    assert 2 <= sheets <= 5
    browser.call("Emulation.setEmulatedMedia", media="print")
    hidden = "['.browser', 'form', '.buttons'].map((name) => document.querySelector(name).checkVisibility())"
    assert browser.evaluate(hidden) == [False, False, False]
    browser.call("Emulation.setEmulatedMedia", media="")


@pytest.mark.parametrize("name", ["gobang", "gomoku", "reversi", "tictactoe"])
def test_every_board_that_is_drawn_is_the_referees(name, browser, files, pages):
    with read(files[name]) as store:
        game = max(store.games(), key=lambda game: ("-" in game.moves.split(), len(game.moves)))
    setup = PLANS[name].terms.setup
    start = setup.make().stones()
    boards = [start, *boards_of(setup, game.moves)]
    browser.open(f"{pages[name].as_uri()}#game-{game.number}")
    assert stones(browser, len(start)) == boards[-1]
    press(browser, "first")
    for expected in boards[:-1]:
        assert stones(browser, len(start)) == expected
        press(browser, "next")
    assert told(browser).startswith(f"Move {len(boards) - 1} of {len(boards) - 1}: ")


def test_the_buttons_and_keys(browser, pages):
    browser.open(f"{pages['gobang'].as_uri()}#game-1")
    moves = len(browser.evaluate("JSON.parse(document.getElementById('data').textContent).games[1].moves"))
    assert browser.evaluate("document.getElementById('players').textContent").startswith("Game 1: ")
    press(browser, "first")
    assert told(browser) == "The start of the game."
    for _ in range(2):
        press(browser, "next")
    assert told(browser).startswith(f"Move 2 of {moves}: White") and told(browser).endswith(", set by the opening.")
    for _ in range(3):
        browser.press("ArrowRight")
    browser.press("ArrowLeft")
    said = rf"Move 4 of {moves}: White \(\S+\) plays [a-o]\d+, [\d.]+ ms(; depth .*)?\."
    assert re.fullmatch(said, told(browser))
    assert browser.evaluate("document.querySelector('.board .last') !== null")
    press(browser, "prev")
    assert told(browser).startswith("Move 3 of ")
    press(browser, "last")
    assert told(browser).startswith(f"Move {moves} of {moves}")
    browser.press("Home")
    assert told(browser) == "The start of the game."
    browser.evaluate("document.querySelector('[data-do=numbers]').click()")
    press(browser, "next")
    assert browser.evaluate("document.querySelector('.board .numbers text').textContent") == "1"
    browser.evaluate("document.querySelector('.moves tbody tr:nth-child(5)').click()")
    assert told(browser).startswith("Move 5 of ")


def test_a_game_plays_itself(browser, pages):
    browser.open(f"{pages['tictactoe'].as_uri()}#game-1")
    press(browser, "play")
    label = "document.querySelector('[data-do=play]').textContent"
    assert (told(browser), browser.evaluate(label)) == ("The start of the game.", "stop")
    browser.evaluate("new Promise((done) => setTimeout(done, 700))")
    assert told(browser).startswith("Move 1 of ")
    press(browser, "play")
    assert browser.evaluate(label) == "play"


def test_the_list_is_filtered(browser, files, pages):
    browser.open(pages["tictactoe"].as_uri())
    with read(files["tictactoe"]) as store:
        names, games = store.plan.names, store.games()

    def listed(**chosen):
        for field, value in {"agent": "", "other": "", "end": "", **chosen}.items():
            browser.evaluate(f"document.querySelector('[name={field}]').value = '{value}'")
        browser.evaluate("document.getElementById('filters').dispatchEvent(new Event('change', {bubbles: true}))")
        rows = "[...document.querySelectorAll('#rows tr:not([hidden])')].map((row) => +row.dataset.game)"
        return set(browser.evaluate(rows))

    def those(wanted):
        return {game.number for game in games if wanted(game)}

    random, greedy = names.index("random"), names.index("greedy")
    assert listed() == those(lambda game: True)
    assert listed(agent=random) == those(lambda game: random in (game.black, game.white))
    assert listed(agent=random, other=greedy) == those(lambda game: {game.black, game.white} == {random, greedy})
    assert listed(end="fault") == those(lambda game: game.reason != "by the rules")
    assert listed(end="2") == those(lambda game: game.winner == 2)
    lost = those(lambda game: (game.black, game.winner) == (random, 2) or (game.white, game.winner) == (random, 1))
    assert lost and listed(agent=random, end="lost") == lost
    assert browser.evaluate("document.getElementById('count').textContent") == f"{len(lost)} of {len(games)} games"
    number = min(lost)
    browser.evaluate(f"document.querySelector('#rows tr[data-game=\"{number}\"] td:last-child').click()")
    browser.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert browser.evaluate("document.getElementById('players').textContent").startswith(f"Game {number}: ")


def test_an_enemy_runs_nothing(browser, evil_file):
    report.write(evil_file, evil_file.with_suffix(".html"))
    browser.open(evil_file.with_suffix(".html").as_uri(), *SIZES["phone"])
    assert browser.evaluate("document.scrollingElement.scrollWidth") <= 390
    assert browser.evaluate("document.scripts.length") == 2
    assert browser.evaluate("document.querySelectorAll('main b').length") > 0
    assert "</script><script>alert(1)" in browser.evaluate("document.getElementById('players').textContent")
    assert told(browser).startswith("Move 2 of 2: White")


@pytest.mark.parametrize(("name", "shown"), [("gobang", ["depth", "value", "nodes"]), ("gomoku", [])])
def test_columns_of_figures_that_no_agent_reports_are_hidden(name, shown, browser, pages):
    browser.open(f"{pages[name].as_uri()}#game-1")
    heads = "[...document.querySelectorAll('[data-figure]')].filter((head) => head.checkVisibility())"
    assert browser.evaluate(f"{heads}.map((head) => head.textContent)") == shown
    cells = browser.evaluate("[...document.querySelector('.moves tbody').rows].map((row) => row.cells.length)")
    assert set(cells) == {3 + len(shown)}
    assert browser.evaluate("document.querySelector('.replay-view .legend span').checkVisibility()") is bool(shown)
