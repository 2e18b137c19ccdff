"""What makes text inert in each medium, checked by parsers that are not the project's.

A page of hostile text is compared with the page of plain text in the same fields: it must have the same tags,
attributes and scripts, or the same blocks of Markdown. Each function returns what is wrong, "" if nothing is.
"""
from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

from markdown_it import MarkdownIt
from rich.cells import cell_len
from rich.console import Console, RenderableType

# What a terminal obeys, hides or turns around: written apart from the one in local_runner/text.py, on purpose.
STEERING = ({*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0))} - {"\n", "\t"}) | set(
    "\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\ufffe"
)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")              # what rich writes for a style
LONGEST_PART = 2500                                 # characters that one hostile text may take in what is shown
TERMINAL = 80                                       # columns
PLAIN = "plain"                                     # the text of the pages that the others are compared with
HASH = re.compile("[0-9a-f]{16}")                   # of an agent's code, in which the name of its file counts
FORMULA = tuple("=+-@\t\r")
INLINE = {"text", "text_special", "code_inline"}    # what Markdown may make of a text
WRITTEN = {"title"}                                 # attributes whose values hold a stranger's text


class _Skeleton(HTMLParser):
    """The tags with their attributes, and the texts of scripts and styles; attributes that hold text without values."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[Any] = []
        self.texts: list[str] = []
        self.scripts: list[str] = []
        self._tag = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, [(name, "" if name in WRITTEN else value) for name, value in attrs]))
        self._tag = tag

    def handle_endtag(self, tag: str) -> None:
        self.tags.append(f"/{tag}")
        self._tag = ""

    def handle_data(self, data: str) -> None:
        if self._tag == "script":
            self.scripts.append(data)
        elif self._tag != "style":
            self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.tags.append("comment")

    def handle_decl(self, decl: str) -> None:
        self.tags.append(decl)

    def unknown_decl(self, data: str) -> None:
        self.tags.append("unknown")

    def handle_pi(self, data: str) -> None:
        self.tags.append("instruction")


def in_html(page: str, plain: str, named: str) -> str:
    """`plain`: the page of plain text; `named`: a text that must be shown."""
    found, model = _Skeleton(page), _Skeleton(plain)
    for number, (tag, expected) in enumerate(zip(found.tags, model.tags, strict=False)):
        if tag != expected:
            return f"tag {number} is {tag!r}, with plain text {expected!r}"
    if len(found.tags) != len(model.tags):
        return f"{len(found.tags)} tags, with plain text {len(model.tags)}"
    if found.scripts[1:] != model.scripts[1:] or len(found.scripts) != len(model.scripts):
        return "another script"
    for text, expected in zip(found.texts, model.texts, strict=True):
        if PLAIN not in expected and not HASH.fullmatch(expected) and text != expected:
            return f"{text[:200]!r} in the place of {expected!r}"
    if steering := STEERING & set(page):
        return f"{sorted(steering)} in the page"
    return "" if named in "".join(found.texts) else f"{named!r} is not shown"


def in_markdown(page: str, plain: str, named: str) -> str:
    """As `in_html`."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    tokens, model = parser.parse(page), parser.parse(plain)
    types = [token.type for token in tokens]
    if types != [token.type for token in model]:
        return f"the blocks are {types}, with plain text {[token.type for token in model]}"
    children = [child for token in tokens for child in token.children or ()]
    links = [child.attrs for child in children if child.type in ("link_open", "image")]
    if links != [child.attrs for token in model for child in token.children or ()
                 if child.type in ("link_open", "image")]:
        return f"other links: {links}"
    for token, expected in zip(tokens, model, strict=True):
        own = {child.type for child in expected.children or ()}
        if strange := {child.type for child in token.children or ()} - own - INLINE:
            return f"{sorted(strange)} in {token.content[:200]!r}"
        if PLAIN not in expected.content and token.content != expected.content:
            return f"{token.content[:200]!r} in the place of {expected.content!r}"
    if steering := STEERING & set(page):
        return f"{sorted(steering)} in the page"
    said = "".join(child.content for child in children if child.type in INLINE)
    return "" if named in said else f"{named!r} is not shown"


def in_terminal(shown: RenderableType, texts: int, *, wraps: bool = True) -> str:
    """`texts`: how many hostile texts it shows; `wraps`: whether its lines fit the terminal."""
    for coloured in (False, True):
        console = Console(file=io.StringIO(), width=TERMINAL, force_terminal=coloured, highlight=False,
                          color_system="truecolor" if coloured else None, soft_wrap=not wraps)  # fmt: skip
        console.print(shown)
        text = console.file.getvalue()          # type: ignore[attr-defined]
        if coloured:
            text = COLOUR.sub("", text)
        if steering := STEERING & set(text):
            return f"{sorted(steering)} in the terminal"
        if wraps and any(cell_len(line) > TERMINAL for line in text.splitlines()):
            return f"a line of more than {TERMINAL} columns"
        if len(text) > 10_000 + texts * LONGEST_PART:
            return f"{len(text)} characters in the terminal"
        text.encode()
    return ""


def in_csv(text: str, rows: Sequence[Sequence[Any]]) -> str:
    """`rows`: the values, with texts in one line each; an apostrophe may stand before a text."""
    found = list(csv.reader(io.StringIO(text, newline="")))
    if any(cell.startswith(FORMULA) and not _number(cell) for row in found for cell in row):
        return "a cell that a spreadsheet takes for a formula"
    if steering := STEERING & set(text):
        return f"{sorted(steering)} in the file"
    back = [[cell.removeprefix("'") for cell in row] for row in found]
    expected = [["" if value is None else str(value) for value in row] for row in rows]
    return "" if back == expected else f"the cells read back as {str(back)[:200]}"


def _number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
