"""A notebook as a page in Markdown: its texts, its code, and the outputs that it has stored."""

from __future__ import annotations

import json
from typing import Any


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
