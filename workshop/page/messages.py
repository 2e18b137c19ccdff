"""Makes the catalogue of messages: `python -m workshop.page.messages`, or `make messages`.

The texts of the page are literals in calls of `t(...)` or `_(...)` in its scripts: in double quotes, several joined by
+, with fields as {name}. A call may be inside another call or a template string, where Babel's extractor would miss it.
The catalogue (.po) keeps existing translations; a new message is to be translated by hand, and the next run compiles it
(.mo). The page's texts also go to a JSON file for browsers. Finally, the tables of docs/ are written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from typer.main import get_command

from env_adapter import kinds
from local_runner.agents.catalogue import BUILT_INS, PROTOCOLS
from local_runner.command_line.commands import cli
from local_runner.command_line.help_page import help_texts
from local_runner.game import wording
from local_runner.game.records import Verdict
from local_runner.language.languages import CATALOGUES, CHINESE, DOMAIN, OF_PAGE
from local_runner.upload import starter
from workshop.command import run
from workshop.page import doc_tables

KEYWORDS = {"_": None, "Message": None}  # functions whose first argument is a message
RUNNER = Path(cli.__file__).parents[2]
REFEREE = RUNNER.parent / "env_adapter"
PAGE = RUNNER / "server" / "page"
FOLDER = CATALOGUES / CHINESE / "LC_MESSAGES"
CATALOGUE, COMPILED = FOLDER / f"{DOMAIN}.po", FOLDER / f"{DOMAIN}.mo"
PAGE_FILE = CATALOGUES / CHINESE / OF_PAGE
WHEN = datetime(2026, 1, 1, tzinfo=timezone.utc)  # a fixed date, so that the files change only if messages do

COMMENT = re.compile(r"^\s*(?://[^\n]*|/\*.*?\*/)", re.MULTILINE | re.DOTALL)  # a comment that begins a line
MARK = r"(?<![\w$.])(?<!function )[t_]\("
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
CALL = re.compile(rf"{MARK}\s*({LITERAL}(?:\s*\+\s*{LITERAL})*)\s*[,)]")


def messages() -> Iterator[str]:
    """All messages of the runner and its page, in English."""
    for folder, keywords in ((RUNNER, KEYWORDS), (REFEREE, {"OptionError": None})):
        for _, _, message, _, _ in extract_from_dir(folder, keywords=keywords):
            yield message if isinstance(message, str) else message[0]
    for kind in kinds():
        yield from (kind.name, kind.title)
        yield from filter(None, [kind.rules.illegal_free])
    yield from (text for _, _, text in help_texts(get_command(cli.app)))
    yield from wording.templates()
    yield from (verdict.template for verdict in Verdict)
    yield from (str(each.about) for each in (*BUILT_INS.values(), *PROTOCOLS.values()))
    yield from (*starter.texts(), *doc_tables.option_texts(), *texts(PAGE))


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


def template() -> Catalog:
    """A catalogue of all messages, without translations."""
    made = Catalog(project=DOMAIN, creation_date=WHEN, revision_date=WHEN, charset="utf-8", fuzzy=False)
    for message in messages():
        made.add(message)
    return made


def catalogue() -> Catalog:
    """The Chinese catalogue, read from its file."""
    with open(CATALOGUE, "rb") as file:
        return read_po(file, locale=CHINESE)


def for_page(known: Catalog) -> str:
    """The content of the JSON file with the translations of the page's texts, {English: Chinese}."""
    entries = {text: known.get(text) for text in sorted(set(texts(PAGE)))}
    translations = {text: entry.string for text, entry in entries.items() if entry and entry.string}
    return json.dumps(translations, ensure_ascii=False, indent=0) + "\n"


def main() -> None:
    """Extract the messages, update the catalogue and compile it. Prints the messages without a translation."""
    known = catalogue()
    known.update(template(), no_fuzzy_matching=True)
    known.obsolete.clear()
    known.revision_date = WHEN
    for message in known:
        message.flags.clear()  # remove Babel's guesses such as "python-format"; nothing uses them
    with open(CATALOGUE, "wb") as file:
        write_po(file, known, width=120, no_location=True, sort_output=True, include_previous=False)
    with open(COMPILED, "wb") as file:
        write_mo(file, known)
    PAGE_FILE.write_text(for_page(known), "utf-8")
    doc_tables.write()
    for message in known:
        if message.id and not message.string:
            print(f"not translated: {message.id!r}")


if __name__ == "__main__":
    run(main)
