"""Collects the texts of the page: literals in calls of `t(...)` or `_(...)` in scripts, and marked texts in HTML.

A literal is in double quotes; several may be joined by +. Fields are written {name}, as in Python. A call may also be
inside another call or a template string, where Babel's extractor would miss it. In HTML, `data-t` marks the text of its
element; `data-t="title aria-label"` marks these two attributes instead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

COMMENT = re.compile(r"^\s*(?://[^\n]*|/\*.*?\*/)", re.MULTILINE | re.DOTALL)  # a comment that begins a line
MARK = r"(?<![\w$.])(?<!function )[t_]\("
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
CALL = re.compile(rf"{MARK}\s*({LITERAL}(?:\s*\+\s*{LITERAL})*)\s*[,)]")


def texts(folder: Path) -> Iterator[str]:
    """All texts of the page in this folder, in English."""
    for path in sorted(folder.rglob("*.js")):
        yield from of_script(path.read_text("utf-8"))
    for path in sorted(folder.rglob("*.html")):
        yield from of_html(path.read_text("utf-8"))


def of_script(source: str) -> Iterator[str]:
    """The texts of a script.

    >>> list(of_script('say(`${t("one")} ${t("{n} of " + "two", {n: t("three")})}`)'))
    ['one', '{n} of two', 'three']
    """
    for call in CALL.finditer(without_comments(source)):
        yield "".join(json.loads(literal) for literal in re.findall(LITERAL, call[1]))


def without_comments(source: str) -> str:
    """The script without the comments that begin a line."""
    return COMMENT.sub("", source)


def of_html(source: str) -> Iterator[str]:
    """The marked texts of an HTML file.

    >>> list(of_html('<p data-t>one</p><p>two</p><button data-t="title" title="three">x</button>'))
    ['one', 'three']
    """
    reader = _Reader()
    reader.feed(source)
    return iter(reader.texts)


class _Reader(HTMLParser):
    """Collects the texts of elements and attributes that `data-t` marks."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._marked = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._marked = "data-t" in given and not given["data-t"]
        self.texts += [given[name] or "" for name in (given.get("data-t") or "").split()]

    def handle_data(self, data: str) -> None:
        if self._marked and data.strip():
            self.texts.append(" ".join(data.split()))

    def handle_endtag(self, tag: str) -> None:
        self._marked = False
