"""Makes the tables and JSON Schemas of docs/ that follow from the code. `make messages` writes them.

In a page, a table stands between `<!-- NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from typer.main import get_command

from local_runner.agents.catalogue import BUILT_INS, options_text
from local_runner.commands import cli
from local_runner.commands.shared import listings
from local_runner.commands.shared.command_line import help_texts
from local_runner.formats.known import FORMATS
from local_runner.language.languages import CHINESE, ENGLISH, _, current, shown, speaking

DOCS = Path(__file__).resolve().parents[2] / "docs"
SCHEMAS = DOCS / "schemas"

HEADS: dict[str, dict[str, tuple[str, ...]]] = {  # table -> its columns, by language
    "agents": {
        ENGLISH: ("agent", "what it is", "options with their defaults"),
        CHINESE: ("智能体", "是什么", "选项及默认值"),
    },
    "commands": {ENGLISH: ("command", "what it does"), CHINESE: ("命令", "作用")},
    "formats": {ENGLISH: ("file", "what it holds", "read", "written"), CHINESE: ("文件", "内容", "读", "写")},
}
YES, NO = {ENGLISH: "yes", CHINESE: "能"}, {ENGLISH: "no", CHINESE: "不能"}


def agents() -> Iterator[tuple[str, ...]]:
    """The rows of the agents that come with the project, with their options."""
    for name, each in BUILT_INS.items():
        yield f"`{name}`", shown(each.about), f"`{options_text(each.options)}`" if each.options else ""


def formats() -> Iterator[tuple[str, ...]]:
    """The rows of the file formats for games."""
    yes, no = YES[current()], NO[current()]
    for each in FORMATS:
        yield shown(each.about), shown(each.holds), yes if each.read else no, f"`.{each.ending}`" if each.ending else no


def commands() -> Iterator[tuple[str, ...]]:
    """The rows of the commands of `tengen`."""
    for name, each in get_command(cli.app).commands.items():  # type: ignore[attr-defined]
        text = next(text for owner, field, text in help_texts(each) if (owner, field) == (each, "help"))
        yield f"`tengen {name}`", _(text).partition("\n\n")[0]


TABLES: dict[str, Callable[[], Iterable[tuple[str, ...]]]] = {
    "agents": agents,
    "commands": commands,
    "formats": formats,
}


def filled(page: str, language: str = ENGLISH) -> str:
    """The text of a page of docs/ in one of the two languages, with its tables made anew."""

    def made(match: re.Match[str]) -> str:
        rows = [HEADS[match[2]][language], *TABLES[match[2]]()]
        rows.insert(1, ("---",) * len(rows[0]))
        table = "".join(f"| {' | '.join(cells)} |\n".replace("|  |", "| |") for cells in rows)
        return f"{match[1]}{table}{match[3]}"

    with speaking(language):
        return re.sub(r"(<!-- (\w+) -->\n).*?(<!-- end -->)", made, page, flags=re.DOTALL)


def language_of(path: Path) -> str:
    """The language of a page of docs/."""
    return CHINESE if path.is_relative_to(DOCS / CHINESE) else ENGLISH


def write() -> None:
    """Make the tables in all pages of docs/ anew."""
    for path in sorted(DOCS.rglob("*.md")):
        if (new := filled(old := path.read_text("utf-8"), language_of(path))) != old:
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
