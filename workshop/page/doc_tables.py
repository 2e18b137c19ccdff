"""Makes the tables and JSON Schemas of docs/ that follow from the code. `make messages` writes them.

In a page, a table stands between `<!-- NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from inspect import cleandoc
from pathlib import Path
from typing import Any

import msgspec
from typer.main import get_command

from env_adapter import Platform, kinds
from local_runner.agents.catalogue import BUILT_INS, options_text
from local_runner.analysis.shown import GameAnalysis
from local_runner.bench import BenchReport
from local_runner.command_line import listings
from local_runner.command_line.commands import cli
from local_runner.command_line.help_page import help_texts
from local_runner.formats.files import FORMATS
from local_runner.formats.saved_game import Part
from local_runner.language.languages import CHINESE, ENGLISH, Message, _, current, listed, shown, speaking
from local_runner.matches.reports import MatchReport, TournamentReport
from local_runner.processes.engine.engine_info import EngineInfo
from local_runner.upload.check.report import ToldReport
from submission.controller import OPTIONS
from submission.engine import PARAMETERS
from submission.player import Settings
from submission.search.parameters import UNLIMITED

DOCS = Path(__file__).resolve().parents[2] / "docs"
SCHEMAS = DOCS / "schemas"

HEADS: dict[str, tuple[str, str]] = {  # table -> its columns in English and in Chinese
    "agents": ("agent | what it is | options with their defaults", "智能体 | 是什么 | 选项及默认值"),
    "commands": ("command | what it does", "命令 | 作用"),
    "options": ("option | gobang | Reversi | range | what it does", "选项 | 五子棋 | 黑白棋 | 范围 | 作用"),
    "rules": ("game | name | board | who wins | forbidden moves | pass | on the site",
              "棋种 | 名称 | 棋盘 | 怎样算赢 | 禁手 | 停一手 | 平台上有"),
    "formats": ("file | what it holds | read | written | name | not kept", "文件 | 内容 | 读 | 写 | 名称 | 不保存"),
}  # fmt: skip
RECORDS = {  # name of a schema, a command and what it shows -> the record that --json writes
    **listings.LISTINGS,
    "match": MatchReport,
    "tournament": TournamentReport,  # and of sprt
    "check": ToldReport,
    "analyse": GameAnalysis,
    "analyse_position": EngineInfo,
    "bench": BenchReport,
}
YES_NO = {ENGLISH: ("yes", "no"), CHINESE: ("有", "没有")}
CONFIGURED = {  # descriptions of the options of configure(); the engines' parameters carry their own
    "engine": "search; or scorer: pattern rules alone, about 1 ms a move",
    "seconds": "thinking time of a call on turn",
    "off_turn_seconds": "thinking time of a call off turn",
    "depth": "limit of the search's depth; then no limit of time and no opening book",
    "nodes": "limit of the search's nodes; then no limit of time and no opening book",
    "book": "whether the opening book is used",
}
MOST_PARTS = 6  # parts that a cell of the table names
ALL = {ENGLISH: "everything else", CHINESE: "其余内容"}
CAN = {ENGLISH: ("yes", "no"), CHINESE: ("能", "不能")}


def agents() -> Iterator[tuple[str, ...]]:
    """The rows of the agents that come with the project, with their options."""
    for name, each in BUILT_INS.items():
        yield f"`{name}`", shown(each.about), f"`{options_text(each.options)}`" if each.options else ""


def formats() -> Iterator[tuple[str, ...]]:
    """The rows of the file formats for games."""
    yes, no = CAN[current()]
    for each in FORMATS:
        lost = [shown(part.value) for part in Part if part in each.loses]
        yield (
            shown(each.about),
            shown(each.holds),
            yes if each.read else no,
            f"`.{each.ending}`" if each.ending else no,
            f"`{each.name}`",
            ALL[current()] if len(lost) > MOST_PARTS else listed(lost),
        )


def commands() -> Iterator[tuple[str, ...]]:
    """The rows of the commands of `tengen`."""
    for name, each in get_command(cli.app).commands.items():  # type: ignore[attr-defined]
        text = next(text for owner, field, text in help_texts(each) if (owner, field) == (each, "help"))
        yield f"`tengen {name}`", _(text).partition("\n\n")[0]


def options() -> Iterator[tuple[str, ...]]:
    """The options of `tengen:`: those of configure(), then the parameters of the engines."""
    ours = BUILT_INS["tengen"].options
    for name in OPTIONS:
        default = _value(ours.get(name, True))
        yield f"`{name}`", default, default, _range(Settings.names()[name].metadata), shown(Message(CONFIGURED[name]))
    declared = {family: {each.name: each for each in fields(default)} for family, default in PARAMETERS.items()}
    for name in dict.fromkeys(name for family in declared.values() for name in family):
        each = next(family[name] for family in declared.values() if name in family)
        data = each.metadata
        values = [_value(family[name].default) if name in family else "" for family in declared.values()]
        known = [word for family in declared.values() if name in family for word in family[name].metadata["names"]]
        yield f"`{name}`", *values, _range({**data, "names": known}), shown(Message(data["why"]))


def _range(data: Mapping[str, Any]) -> str:
    """The names or the range of a parameter, by its metadata; a switch has None as its ends."""
    least, most = data["least"], data["most"]
    if least is None:
        return " ".join(data["names"]) or "on off"
    return f"{least} …" if most == UNLIMITED else f"{least} … {most}"


def _value(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def option_texts() -> Iterator[str]:
    """The descriptions of the options, in English."""
    yield from CONFIGURED.values()
    for default in PARAMETERS.values():
        yield from (each.metadata["why"] for each in fields(default))


WON_BY = {ENGLISH: ("{} or more in a row", "most discs"), CHINESE: ("连成 {} 子或更多", "终局子多者")}
PASSES = {ENGLISH: ("none", "without a legal move"), CHINESE: ("没有", "无处可下时")}
FORBIDDEN = {ENGLISH: "none", CHINESE: "没有"}


def rules() -> Iterator[tuple[str, ...]]:
    """The rules of each game, as players ask for them."""
    language = current()
    for kind in kinds():
        discs = kind.rules.turns_discs
        yield (
            shown(Message(kind.title)),
            f"`{kind.name}`",
            ("×" if language == CHINESE else "x").join(map(str, kind.board)),
            WON_BY[language][discs].format(kind.setup.in_a_row),
            FORBIDDEN[language],
            PASSES[language][discs],
            YES_NO[language][kind.platform is not Platform.JIDI],
        )


TABLES: dict[str, Callable[[], Iterable[tuple[str, ...]]]] = {
    "agents": agents,
    "commands": commands,
    "formats": formats,
    "options": options,
    "rules": rules,
}


def filled(page: str, language: str = ENGLISH) -> str:
    """The text of a page of docs/ in one of the two languages, with its tables made anew."""

    def table(name: str) -> str:
        rows = [tuple(HEADS[name][language == CHINESE].split(" | ")), *TABLES[name]()]
        rows.insert(1, ("---",) * len(rows[0]))
        return "".join(f"| {' | '.join(cells)} |\n".replace("|  |", "| |") for cells in rows)

    with speaking(language):
        marked = r"(<!-- (\w+) -->\n).*?(<!-- end -->)"
        return re.sub(marked, lambda match: f"{match[1]}{table(match[2])}{match[3]}", page, flags=re.DOTALL)


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
    """The JSON Schemas of what `--json` writes: name of the file -> its content."""
    as_text: dict[type, dict[str, str]] = {Path: {"type": "string"}}  # a path, which JSON holds as text
    made = {name: msgspec.json.schema(record, schema_hook=as_text.__getitem__) for name, record in RECORDS.items()}
    for kind in (kind for schema in made.values() for kind in schema["$defs"].values()):
        if "description" in kind:  # the versions of msgspec differ in its indentation and in empty defaults
            kind["description"] = cleandoc(kind["description"])
        for field in kind.get("properties", {}).values():
            if field.get("default") == {}:
                del field["default"]
    return {f"{name}.json": json.dumps(schema, indent=2) + "\n" for name, schema in made.items()}
