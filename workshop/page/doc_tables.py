"""The tables of docs/ that follow from the code: the agents. `make messages` writes them; a test compares.

A table stands between `<!-- NAME -->` and `<!-- end -->` in its page.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from local_runner.agents.catalogue import BUILT_INS, options_text

DOCS = Path(__file__).resolve().parents[2] / "docs"


def agents() -> str:
    """The agents that come with the project, with their options."""
    rows = [(f"`{name}`", each.about, f"`{options_text(each.options)}`" if each.options else "")
            for name, each in BUILT_INS.items()]
    return _table(("agent", "what it is", "options with their defaults"), rows)


TABLES: dict[str, Callable[[], str]] = {"agents": agents}


def filled(page: str) -> str:
    """The text of a page with its tables as they should be now."""
    return re.sub(r"(<!-- (\w+) -->\n).*?(<!-- end -->)", lambda found: f"{found[1]}{TABLES[found[2]]()}{found[3]}",
                  page, flags=re.DOTALL)


def write() -> None:
    """Write the tables of all pages."""
    for path in DOCS.glob("*.md"):
        if (new := filled(old := path.read_text("utf-8"))) != old:
            path.write_text(new, "utf-8")


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n".replace("|  |", "| |") for cells in lines)
