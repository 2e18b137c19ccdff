"""The pages of the site: its parts, the order of their pages, notebooks as pages, and the words of the Chinese search.

The build fails for a page that ORDER does not name. The Chinese search knows every two neighbouring characters,
so it finds any piece of a sentence without a dictionary. The browser cuts a query in the same way (`SPLITTER`). Pairs
of a query that no page has are ignored: a question such as "沙箱能防什么" finds pages with 沙箱.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[2] / "docs"
LANGUAGES = {"zh": "zh_CN", "en": "en", "developers": "en"}  # part -> Sphinx's name of its language
NAMES = {"zh": "中文", "en": "English", "developers": "Developers"}  # part -> text of the link to it
NAMES_IN = {("zh", "developers"): "开发者（英文）"}  # part of the page, part of the link -> another text
TITLES = {"zh": "tengen（天元）", "en": "tengen", "developers": "tengen for developers"}
SECTIONS = {  # part -> folder of a section -> its title
    "zh": {"tutorial": "教程", "how-to": "操作指南", "reference": "参考", "explanation": "原理"},
    "en": {"tutorial": "Tutorial", "how-to": "How to", "reference": "Reference", "explanation": "Explanation"},
    "developers": {"engine": "The engine", "": "More"},
}
SUFFIXES = (".md", ".ipynb")
ORDER = (  # pages in the order of the menu, alike in both languages; with ? and *, as Sphinx takes them
    "tutorial/first-agent", "tutorial/python",
    "how-to/upload", "how-to/compare", "how-to/speed", "how-to/page", "how-to/change-ours", "how-to/python37",
    "how-to/learn", "how-to/engines", "how-to/course", "how-to/windows",
    "reference/games", "reference/commands", "reference/check", "reference/opponents", "reference/levels",
    "reference/analysis", "reference/agents-view", "reference/python",
    "explanation/trust", "explanation/proof",
    "engine/?-*", "engine/??-*", "*",
)  # fmt: skip


def menu(part: str) -> Iterator[tuple[str, list[str]]]:
    """The sections of a part's menu: title, pages."""
    for folder, title in SECTIONS[part].items():
        yield title, [name for name in ORDER if name.rpartition("/")[0] == folder]


def links(part: str, page: str) -> Iterator[tuple[str, str, bool]]:
    """The links between the parts on a page: text, relative address, whether it is the page's own part.

    The link to another language leads to the same page there, if it exists.
    """
    up = "../" * (page.count("/") + 1)
    for other, name in NAMES.items():
        there = page if any((DOCS / other / f"{page}{suffix}").exists() for suffix in SUFFIXES) else "index"
        yield NAMES_IN.get((part, other), name), f"{up}{other}/{there}.html", other == part


def as_markdown(notebook: str) -> str:
    """The Markdown of a notebook, whose text is JSON.

    >>> cell = {"cell_type": "code", "source": ["1 + 1"], "outputs": [{"data": {"text/plain": ["2"]}}]}
    >>> as_markdown(json.dumps({"cells": [cell]})).split()
    ['```python', '1', '+', '1', '```', '```text', '2', '```']
    """
    blocks = list[str]()
    for cell in json.loads(notebook)["cells"]:
        source = "".join(cell["source"])
        blocks.append(source if cell["cell_type"] == "markdown" else _fence("python", source))
        blocks += map(_shown, cell.get("outputs", ()))
    return "\n\n".join(blocks) + "\n"


def _shown(output: dict[str, Any]) -> str:
    """An output: a drawing or HTML where there is such, else text."""
    data = output.get("data", {"text/plain": output.get("text", "")})
    for kind in ("image/svg+xml", "text/html"):
        if kind in data:
            return _fence("{raw} html", f'<div class="output">{"".join(data[kind])}</div>')
    return _fence("text", "".join(data["text/plain"]))


def _fence(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"


RUN = re.compile(r"[\u3400-\u9fff]+|[a-z0-9_]+")
SPLITTER = r"""
var splitQuery = (query) => {
  const words = (query.toLowerCase().match(/[\u3400-\u9fff]+|[a-z0-9_]+/g) || []).flatMap((run) =>
    /[a-z0-9_]/.test(run) || run.length < 2 ? [run] : [...run].slice(1).map((_, i) => run.slice(i, i + 2)));
  const known = words.filter((word) => /[a-z0-9_]/.test(word) || Search._index?.terms[word] !== undefined
    || Search._index?.titleterms[word] !== undefined);
  return known.length ? known : words;
};
"""


def words(text: str) -> list[str]:
    """The words of a text.

    >>> words("禁手规则 tengen check")
    ['禁手', '手规', '规则', 'tengen', 'check']
    """
    found = list[str]()
    for run in RUN.findall(text.lower()):
        pairs = [run[i : i + 2] for i in range(len(run) - 1)]
        found += [run] if run.isascii() or not pairs else pairs
    return found
