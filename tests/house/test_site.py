"""docs/: both languages have the same pages, headings, code and tables; the site builds without a warning."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

from tests.house.test_readme import ENGLISH, PAGES, ROOT, anchors, links
from workshop.site import parts
from workshop.site.chinese_search import words

DOCS = ROOT / "docs"
SAME = ("bash", "python", "json", "{eval-rst}")  # languages of code blocks that are not translated, but for comments


def _names(language: str) -> list[str]:
    return sorted(path.relative_to(DOCS / language).as_posix() for path in (DOCS / language).rglob("*.md"))


def _shape(page: Path) -> dict[str, list[object]]:
    """What a page and its translation have in common."""
    text = re.sub(r"<!--.*?-->", "", page.read_text("utf-8"))
    blocks = re.findall(r"^```([^\n]*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return {
        "levels of headings": [len(marks) for marks in re.findall(r"^(#+) ", prose, re.MULTILINE)],
        "code": [re.sub(r"  # .*", "", code) if language in SAME else language for language, code in blocks],
        "rows of tables": [table.count("\n") for table in re.findall(r"(?:^\|.*\n)+", prose, re.MULTILINE)],
        "links": [re.sub(r"#.*|\.zh(?=\.)", "", target).replace("/zh/", "/en/") for target in links(page)],
    }


def test_both_languages_have_the_same_pages() -> None:
    assert _names("zh") == _names("en")


@pytest.mark.parametrize("name", _names("en"))
def test_a_page_and_its_translation_have_the_same_shape(name: str) -> None:
    assert _shape(DOCS / "zh" / name) == _shape(DOCS / "en" / name)


def test_every_link_to_a_heading_leads_to_one() -> None:
    dead = [
        (page.relative_to(ROOT).as_posix(), target)
        for page in PAGES
        for target in links(page)
        if "#" in target and "://" not in target
        for path, anchor in [target.split("#")]
        if anchor not in anchors((page.parent / path) if path else page)
    ]
    assert not dead


def test_the_readmes_lead_to_the_pages_of_their_language() -> None:
    for page, language in ((ENGLISH, "en"), (ENGLISH.with_name("README.zh.md"), "zh")):
        assert f"docs/{language}/index.md" in links(page)
        other = {"en": "zh", "zh": "en"}[language]
        assert not [target for target in links(page) if target.startswith(f"docs/{other}/")]


def test_the_menu_has_every_page_in_the_order_that_is_given() -> None:
    for part in parts.NAMES:
        shown = [name for _, names in parts.menu(part) for name in names]
        assert sorted(shown) == sorted(parts.pages(part))
    assert set(parts.pages("en")) <= set(parts.ORDER)
    assert [name for name in parts.ORDER if name in parts.pages("zh")] == parts.pages("zh")


@pytest.mark.parametrize(
    ("part", "page", "expected"),
    [
        ("zh", "index", ["../zh/index.html", "../en/index.html", "../developers/index.html"]),
        (
            "en",
            "how-to/page",
            ["../../zh/how-to/page.html", "../../en/how-to/page.html", "../../developers/index.html"],
        ),
        ("developers", "scale", ["../zh/index.html", "../en/index.html", "../developers/scale.html"]),
    ],
)
def test_a_page_links_to_itself_in_the_other_language(part: str, page: str, expected: list[str]) -> None:
    assert [address for _, address, _ in parts.links(part, page)] == expected
    assert [name for name, _, current in parts.links(part, page) if current] == [parts.NAMES[part]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("禁手", ["禁手"]),
        ("手", ["手"]),
        ("怎么上传？", ["怎么", "么上", "上传"]),
        ("用 SPRT 检验", ["用", "sprt", "检验"]),
    ],
)
def test_the_words_of_a_chinese_search(text: str, found: list[str]) -> None:
    assert words(text) == found


class _Page(HTMLParser):
    """The ids of a page of the site, the links it has, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids, self.links, self.loads = set[str](), list[str](), list[str]()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids |= {value for key, value in attrs if key in ("id", "name") and value}
        if tag == "a" and found.get("href"):
            self.links.append(found["href"] or "")
        elif tag in ("script", "img", "link", "iframe"):
            self.loads += filter(None, [found.get("src"), found.get("href")])


@pytest.mark.slow
@pytest.mark.skipif(not all(map(importlib.util.find_spec, ("sphinx", "furo"))), reason="the site's packages: make docs")
def test_the_site_builds_without_a_warning_and_has_no_dead_link(tmp_path: Path) -> None:
    site = tmp_path / "site"
    done = subprocess.run(
        [sys.executable, "-m", "workshop.site", "--out", str(site)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    pages = {path.resolve(): _Page(path) for path in site.rglob("*.html")}
    assert len(pages) > 30
    for path, page in pages.items():
        assert not [place for place in page.loads if "//" in place], path
        for target in page.links:
            place, anchor = urldefrag(target)
            if "://" in target:
                continue
            to = (path.parent / unquote(place)).resolve() if place else path
            assert to.exists(), (path, target)
            assert not anchor or to not in pages or unquote(anchor) in pages[to].ids, (path, target)
