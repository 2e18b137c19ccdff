"""Makes the tables and JSON Schemas of docs/ that follow from the code. `make messages` writes them.

In a page, a table stands between `<!-- NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from typer.main import get_command

from local_runner.agents.catalogue import BUILT_INS, options_text
from local_runner.commands import cli
from local_runner.commands.shared import listings
from local_runner.formats.file_format import FileFormat
from local_runner.formats.known import FORMATS

DOCS = Path(__file__).resolve().parents[2] / "docs"
SCHEMAS = DOCS / "schemas"


def agents() -> str:
    """The table of the agents that come with the project, with their options."""
    rows = [
        (f"`{name}`", each.about, f"`{options_text(each.options)}`" if each.options else "")
        for name, each in BUILT_INS.items()
    ]
    return _table(("agent", "what it is", "options with their defaults"), rows)


def formats() -> str:
    """The table of the file formats for games."""

    def row(each: FileFormat) -> tuple[str, ...]:
        return each.about, each.holds, _yes(each.read), f"`.{each.ending}`" if each.ending else "no"

    return _table(("file", "what it holds", "read", "written"), map(row, FORMATS))


def commands() -> str:
    """The table of the commands of `tengen`."""
    group = get_command(cli.app).commands  # type: ignore[attr-defined]
    return _table(("command", "what it does"), (
        (f"`tengen {name}`", " ".join(each.help.partition("\n\n")[0].split())) for name, each in group.items()
    ))  # fmt: skip


TABLES: dict[str, Callable[[], str]] = {"agents": agents, "commands": commands, "formats": formats}


def filled(page: str) -> str:
    """The text of a page of docs/, with its tables made anew."""
    return re.sub(
        r"(<!-- (\w+) -->\n).*?(<!-- end -->)",
        lambda match: f"{match[1]}{TABLES[match[2]]()}{match[3]}",
        page,
        flags=re.DOTALL,
    )


def write() -> None:
    """Make the tables in all pages of docs/ anew."""
    for path in sorted(DOCS.rglob("*.md")):
        if (new := filled(old := path.read_text("utf-8"))) != old:
            path.write_text(new, "utf-8")
    SCHEMAS.mkdir(exist_ok=True)
    for name, text in schemas().items():
        (SCHEMAS / name).write_text(text, "utf-8")


def schemas() -> dict[str, str]:
    """The JSON Schemas of the commands that list something: name of the file -> its content."""
    return {
        f"{name}.json": json.dumps(listings.schema(listing), indent=2) + "\n"
        for name, listing in listings.LISTINGS.items()
    }


def _yes(what: object) -> str:
    return "yes" if what else "no"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n".replace("|  |", "| |") for cells in lines)
