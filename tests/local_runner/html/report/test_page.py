"""A page as a file: it loads and runs nothing else, is readable, and is the same every time."""

import base64
import hashlib
import html
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from env_adapter import Ending, EndingKind
from local_runner.game.records import Result
from local_runner.html import report
from local_runner.html.report.figures import ratings_plot
from local_runner.html.report.page import heat
from local_runner.html.report.words import ending
from local_runner.language import languages
from local_runner.language.text import in_plot
from local_runner.matches.statistics.ratings import Rating
from tests.local_runner.html.report.conftest import CHINESE, PLANS
from tests.local_runner.html.report.html import Page

ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize("name", PLANS)
def test_a_page_needs_nothing_else(name, pages):
    text = pages[name].read_text("utf-8")
    parsed = Page(text)
    assert not {tag for tag, _ in parsed.tags} & {"link", "img", "iframe", "object", "embed", "base"}
    assert not parsed.attributes("src") and not re.findall(r"url\((?!#)|@import", text)
    assert all(target.startswith("#") for target in parsed.attributes("href"))
    ids = parsed.attributes("id")
    assert len(ids) == len(set(ids))
    referred = re.findall(r'(?:url\(|href=")#((?!game-)[\w.-]+)', text)
    assert set(referred) <= set(ids)
    [policy] = [content for content in parsed.attributes("content") if "default-src" in content]
    digest = base64.b64encode(hashlib.sha256(parsed.scripts[1].encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def test_an_enemys_text_stays_text(evil_file):
    out, short = evil_file.with_suffix(".html"), evil_file.with_suffix(".md")
    report.write(evil_file, out, short)
    text = out.read_text("utf-8")
    parsed = Page(text)
    assert len(parsed.scripts) == 2 and "alert(1)" not in parsed.scripts[1]
    assert text.count("<script") == 2 and text.count("</script>") == 2
    assert "\x1b" not in text and "\u202e" not in text and r"\udcff\x1b[2J" in parsed.text
    assert "$x_1$" in text and CHINESE in parsed.text
    assert parsed.data["names"][0].startswith("</script><script>alert(1)") and parsed.data["names"][1] == CHINESE
    assert "depth" not in parsed.data["games"]["1"]  # none of its thoughts' values is a number
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in short.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", [
    'a version="1', ' xmlns:xlink="', "font: 10px sans;", "(name 1)", "url(#x", "<!--", "$\\frac{1}{2}$", "_hidden",
    "&amp;", "棋" * 99, "x" * 10_000,
])  # fmt: skip
def test_a_name_in_a_plot_changes_nothing_else(name):
    """The SVG is that of plain names, with the shown name in the place of the plain one."""

    def plot(first):
        return ratings_plot([Rating(first, 3.0, 1.0, 2, 1.0), Rating("(name 0)", -3.0, 1.0, 2, 1.0)])

    plain, parsed = plot("PLAIN"), plot(name)
    [shown] = re.findall(re.escape(plain).replace("PLAIN", "(.*)"), parsed)
    assert html.unescape(shown) == in_plot(name) and not {"<", ">"} & set(shown) and len(in_plot(name)) <= 45


@pytest.mark.slow
def test_the_same_file_gives_the_same_bytes(files, pages, tmp_path):
    other = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Shanghai", "LC_ALL": "C", "MPLBACKEND": "agg"}
    program = ("import sys; from pathlib import Path; from local_runner.html import report\n"
               "report.write(*map(Path, sys.argv[1:]))")  # fmt: skip
    out = [str(tmp_path / "again.html"), str(tmp_path / "again.md")]
    subprocess.run([sys.executable, "-c", program, str(files["reversi"]), *out], check=True, env=other, cwd=ROOT)
    assert Path(out[0]).read_bytes() == pages["reversi"].read_bytes()
    assert Path(out[1]).read_bytes() == pages["reversi"].with_suffix(".md").read_bytes()


def _contrast(one, other):
    """The contrast ratio of WCAG 2.1. Text needs 4.5."""

    def luminance(colour):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_all_text_can_be_read():
    style = (ROOT / "local_runner" / "html" / "report" / "style.css").read_text("utf-8")
    themes = [dict(re.findall(r"--([\w-]+): (#\w{6})", block)) for block in re.findall(r":root \{(.*?)\}", style, re.S)]
    assert len(themes) == 2
    light, dark = themes[0], {**themes[0], **themes[1]}
    for theme in (light, dark):
        for text in ("ink", "muted", "bad", "main"):
            assert _contrast(theme[text], theme["page"]) >= 4.5
            assert _contrast(theme[text], theme["soft"]) >= 4.5
        assert _contrast(theme["ink"], theme["note"]) >= 4.5
        for ground in ("won", "drawn", "lost"):
            assert _contrast(theme["on-colour"], theme[ground]) >= 4.5
    assert all(_contrast(light["on-colour"], heat(score / 20)) >= 4.5 for score in range(21))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tictactoe", "sprt"])
def test_a_chinese_page_has_no_english_sentence(name, files, tmp_path):
    page, short = tmp_path / "page.html", tmp_path / "short.md"
    with languages.speaking("zh"):
        report.write(files[name], page, short)
    text = page.read_text("utf-8")
    assert '<html lang="zh">' in text and Page(text).data["texts"]["Move"] == "手数"
    code = r"<(pre|code|script|style)\b.*?</\1>|`.*?`|tengen (report|tournament --resume)"
    shown = Page(re.sub(code, "", text, flags=re.DOTALL))
    summary = re.sub(code, "", short.read_text("utf-8")).splitlines()
    for said in (*shown.texts, *shown.attributes("aria-label"), *summary):
        assert not re.search("[a-z]{2,} [a-z]{2,}", said.replace("no idea", "")), said  # that is what an agent raises


@pytest.mark.parametrize(("language", "sentence"), [("en", "5 in a row from d8 to h8"), ("zh", "连成 5 子（d8–h8）")])
def test_an_ending_has_the_names_of_cells(language, sentence):
    with languages.speaking(language):
        assert ending(Result(1, Ending(EndingKind.LINE, tuple((7, col) for col in range(3, 8))))) == sentence


def test_the_list_of_games_says_cells_by_their_names(pages):
    ends = [row[-1] for row in Page(pages["gobang"].read_text("utf-8")).tables["games"][1:]]
    assert any(re.fullmatch(r"5 in a row from [a-o]\d+ to [a-o]\d+", end) for end in ends), ends
