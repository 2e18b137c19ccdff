"""The Chinese of the catalogue and of the Chinese pages: its marks, and the words that the glossary refuses."""

import re
from pathlib import Path

import pytest

from local_runner.game.setup import called
from local_runner.language import languages
from local_runner.language.languages import Listing, brief, shown
from workshop.page import messages

ROOT = Path(__file__).parents[3]
GLOSSARY = (ROOT / "docs/developers/glossary.md").read_text("utf-8")
REFUSED = [word for row in re.findall(r"^\| ([^|]+) \|", GLOSSARY.partition("\n| not | but |\n")[2], re.MULTILINE)
           for word in row.split("、")]  # fmt: skip
PAGES = [ROOT / "README.zh.md", *(ROOT / "docs/zh").rglob("*.md")]
TEXTS = {message.id: message.string for message in messages.catalogue() if message.id}
HAN, FULL = "[\u4e00-\u9fff]", "[，。：；、！？（）“”]"
BAD_MARKS = {
    "a space between Chinese characters": rf"{HAN} +{HAN}",
    "a space beside a full-width mark": rf"{FULL} +\S| +{FULL}",
    "a half-width mark beside a Chinese character": rf"{HAN} ?[,:;!?()]|[,:;!?()]{HAN}|{HAN}\.{HAN}",
    "a space before a percent sign": r"[\d}] %",
}


def test_the_glossary_refuses_words():
    assert {"回溯", "连珠", "半回合", "缓着", "人类"} <= set(REFUSED)


@pytest.mark.parametrize("what", BAD_MARKS)
def test_the_marks_of_the_catalogue(what):
    assert not [text for text in TEXTS.values() if re.search(BAD_MARKS[what], text)]


def test_the_words_of_the_catalogue():
    assert not [text for text in TEXTS.values() if any(word in text for word in REFUSED)]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_words_of_a_page(path):
    text = path.read_text("utf-8")
    assert not [word for word in REFUSED if word in text]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_line_of_a_page_breaks_within_a_sentence(path):
    """A browser shows a line's end as a space, which Chinese has only beside Latin letters and full-width marks."""
    prose = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert re.findall(rf"^(?![|#<]).*[{HAN[1:-1]}A-Za-z0-9]\n *{HAN}.*", prose, re.MULTILINE) == []


@pytest.mark.parametrize(("number", "english", "chinese"), [
    (0, "0", "0"), (950, "950", "950"), (7792, "7.8 k", "7,792"), (12_345, "12 k", "1.2 万"),
    (151_000, "151 k", "15.1 万"),
    (3_400_000, "3.4 M", "340 万"), (250_000_000, "250 M", "2.5 亿"), (7e9, "7.0 G", "70.0 亿"),
])  # fmt: skip
def test_large_numbers(number, english, chinese):
    assert brief(number) == english
    with languages.speaking(languages.CHINESE):
        assert brief(number) == chinese


def test_names_in_a_list():
    names = Listing([called("gobang_1v1"), "other", called("reversi_8x8_1v1")])
    assert names == "gobang_1v1, other, reversi_8x8_1v1"
    with languages.speaking(languages.CHINESE):
        assert shown(names) == "五子棋、other、黑白棋（8×8）"
