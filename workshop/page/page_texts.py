"""Collects the texts of the page: literals in calls of `t(...)` or `_(...)` in its scripts.

A literal is in double quotes; several may be joined by +. Fields are written {name}, as in Python. A call may also be
inside another call or a template string, where Babel's extractor would miss it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

COMMENT = re.compile(r"^\s*(?://[^\n]*|/\*.*?\*/)", re.MULTILINE | re.DOTALL)  # a comment that begins a line
MARK = r"(?<![\w$.])(?<!function )[t_]\("
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
CALL = re.compile(rf"{MARK}\s*({LITERAL}(?:\s*\+\s*{LITERAL})*)\s*[,)]")


def texts(folder: Path) -> Iterator[str]:
    """All texts of the page in this folder, in English."""
    for path in sorted(folder.rglob("*.js")):
        yield from of_script(path.read_text("utf-8"))


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
