"""The page of saved games: one file without network, in both languages, whose boards are the referee's."""

import io
import re
from dataclasses import replace
from itertools import chain
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import expect

from local_runner.formats import writing
from local_runner.formats.files.html import replay_page
from local_runner.language.languages import CHINESE
from tests.local_runner.server.page.games import DRAWN, boards, saved, stones, told

EVIL = "</script><script>alert(1)</script><b>&\u202e\ud800"


@pytest.fixture
def opened(open_page, tab, tmp_path):
    def show(*games, title="kept.json", language="", **window):
        path = tmp_path / "page.html"
        path.write_text(replay_page(games, title, language=language), "utf-8")
        page = open_page(path.as_uri(), **window) if window else tab
        page.goto(path.as_uri())
        return page

    return show


def downloaded(page, kind):
    """The content of the file that the menu "Save as" hands out."""
    page.click("#act-export > button")
    with page.expect_download() as download:
        page.click(f"#act-export [data-format={kind}]")
    assert re.fullmatch(rf"[\w-]+_\d+\.{kind}", download.value.suggested_filename)
    assert not page.locator("#export-list").is_visible()
    return download.value.path().read_bytes()


def svg_stones(text):
    """The stones of a board that is drawn in SVG, by side."""
    drawn = [element.get("data-stone") for element in ElementTree.fromstring(text).iter()]
    return drawn.count("1"), drawn.count("2")


def test_a_game_is_saved_as_the_command_line_writes_it(opened):
    game = replace(saved("tictactoe"), names=("一", EVIL.replace("\ud800", "")))
    assert downloaded(opened(game), "sgf") == writing.write(game, "sgf")


def small(picture):
    """A picture reduced to 20 x 20 pixels, as bytes: differences of smoothed edges and letters nearly vanish."""
    return Image.open(io.BytesIO(picture)).convert("RGB").resize((20, 20), Image.Resampling.BOX).tobytes()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "dark"), [("stated", False), ("gobang", False), ("reversi", True)])
def test_the_board_is_saved_as_it_is_shown(name, dark, opened, open_page, tmp_path):
    page = opened(saved(name), dark=dark)
    page.click("#numbers")
    for _ in range(2):  # the end of the game, with its line, and the position before
        shown = [stone for _cell, stone in page.evaluate(DRAWN)]
        svg, png = downloaded(page, "svg"), downloaded(page, "png")
        assert svg_stones(svg) == (shown.count(1), shown.count(2))
        assert png.startswith(b"\x89PNG\r\n\x1a\n")
        (tmp_path / "board.svg").write_bytes(svg)
        alone = open_page((tmp_path / "board.svg").as_uri(), dark=not dark).locator("svg").screenshot()
        on_page = small(page.locator(".board svg").screenshot())
        for picture in (png, alone):
            assert sum(map(abs, map(int.__sub__, small(picture), on_page))) / len(on_page) < 4  # of 255
        page.click("#go-back")


def test_the_chosen_game_of_several_is_saved_in_chinese_too(opened):
    games = [saved("stated"), saved("small")]
    page = opened(*games, language=CHINESE)
    page.locator("select").select_option("1")
    assert downloaded(page, "sgf") == writing.write(games[1], "sgf")
    assert sum(svg_stones(downloaded(page, "svg"))) == sum(map(bool, chain(*boards(games[1])[-1])))
    page.click("#act-export > button")
    words = page.locator("#act-export").inner_text()
    assert set(re.findall(r"[A-Za-z]+", words)) == {"SGF", "PNG", "SVG"}
    page.keyboard.press("Escape")
    assert not page.locator("#export-list").is_visible()


@pytest.mark.parametrize(("names", "heading", "entry"), [
    (("Black", "White"), "叉方 – 圈方", "1. 叉方 – 圈方 0–1"),
    (("Ann", "White"), "Ann（叉方） – 圈方", "1. Ann – 圈方 0–1"),
])  # fmt: skip
def test_players_without_a_name_are_the_sides_in_the_pages_language(names, heading, entry, opened):
    page = opened(*[replace(saved("stated"), names=names, winner=2)] * 2, language=CHINESE)
    assert page.locator("h2").first.text_content() == heading
    assert page.locator("select option").first.text_content() == entry


def test_buttons_keys_and_slider(opened):
    game = saved("opening", seed=2)
    moves = len(game.cells)
    page = opened(game)
    assert page.locator("h2").text_content() == "one (Black) – two (White)"
    page.keyboard.press("ArrowLeft")
    assert told(page).startswith(f"Move {moves - 1} of ")
    page.locator(".moves").focus()
    page.keyboard.press("Home")
    assert told(page) == "The start of the game."
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert told(page) == f"Move 3 of {moves}: Black (one) plays o1, set by the opening."
    page.keyboard.press("ArrowRight")
    assert re.fullmatch(rf"Move 4 of {moves}: White \(two\) plays [a-o]\d+, 40 ms; depth 3, value -3, nodes 3\.0 k\.",
                        told(page))  # fmt: skip
    page.locator(".slider").focus()
    page.keyboard.press("ArrowRight")
    assert told(page).startswith("Move 5 of ") and page.locator(".slider").get_attribute("aria-valuetext") == "move 5"
    page.locator(".slider").fill("7")
    assert told(page).startswith("Move 7 of ")
    page.locator(".strip rect").nth(4).click()
    assert told(page).startswith("Move 8 of ")
    page.locator(".moves .move").nth(8).click()
    assert told(page).startswith("Move 9 of ") and page.locator(".move[aria-current]").count() == 1
    page.click("#go-last")
    assert told(page).startswith(f"Move {moves} of ")
    page.click("#go-play")
    assert (told(page), page.locator("#go-play").text_content()) == ("The start of the game.", "stop")
    expect(page.locator(".told")).to_contain_text("Move ")  # the number of the move depends on the machine's speed
    page.click("#go-play")
    assert page.locator("#go-play").text_content() == "play"


@pytest.mark.slow
def test_a_proved_win_is_no_number(opened):
    thoughts = ({"depth": 0, "value": 999_999, "nodes": 0}, {"depth": 3, "value": -999_990, "nodes": 12})
    page = opened(replace(saved("tictactoe"), thoughts=thoughts))
    page.click("#go-first")
    page.click("#go-next")
    assert re.search(r"; wins\.$", told(page))
    page.click("#go-next")
    assert re.search(r"; depth 3, loses, nodes 12\.$", told(page))


@pytest.mark.slow
def test_what_an_agent_expected_is_shown_stone_by_stone(opened):
    game = saved("gobang", seed=4)
    page = opened(game)
    page.click("#go-first")
    for _ in range(5):
        page.click("#go-next")
    line = page.locator(".line-of-play")
    expected = [f"{chr(97 + col)}{row + 1}" for row, col in game.cells[5:8]]
    assert line.text_content() == f"expects {' '.join(expected)}"
    line.locator("span").nth(2).hover()
    assert page.locator(".ghosts text").all_text_contents() == ["1", "2"]
    assert page.locator(".ghosts .stone").first.get_attribute("class") == "stone white"
    page.mouse.move(2, 2)
    assert page.locator(".ghosts *").count() == 0
    line.focus()
    assert page.locator(".ghosts text").count() == 3


def test_several_games_and_a_damaged_one(opened):
    whole = saved("reversi")
    games = [saved("gobang"), replace(whole, damage="the file ends here", winner=0, cells=whole.cells[:5])]
    page = opened(*games)
    assert not page.locator(".damage").is_visible()
    page.locator("select").select_option("1")
    assert page.locator(".damage").text_content() == "the file ends here"
    assert page.locator(".result").text_content().startswith("not finished, ")
    assert stones(page, 8) == boards(games[1])[-1]


def test_no_english_is_left_in_a_chinese_page(opened):
    page = opened(saved("stated"), saved("small"), title="对局", language=CHINESE)
    text = page.locator("main").inner_text()
    labels = page.evaluate("[...document.querySelectorAll('[title], [aria-label]')].flatMap((one) => "
                           "[one.title, one.getAttribute('aria-label')])")  # fmt: skip
    words = set(re.findall(r"[A-Za-z]{2,}", " ".join([text, *filter(None, labels)])))
    assert words <= {"English", "one", "two", "ms", "search", "Home", "End", "abc"}


def test_an_enemys_names_and_thoughts_stay_text(opened):
    thoughts = ({"depth": EVIL, "value": float("nan"), "source": EVIL, "pv": [[99, 99]]}, {"pv": "x"}, None)
    game = replace(saved("stated"), names=(EVIL, "b"), ending=EVIL, damage=EVIL, thoughts=thoughts)
    page = opened(game, title=EVIL)
    assert page.evaluate("document.scripts.length") == 2
    assert page.locator("h2").text_content().startswith("</script><script>")
    page.keyboard.press("Home")
    page.click("#go-next")
    assert page.locator(".line-of-play").count() == 0 and "</script>" in page.locator(".thought").text_content()
