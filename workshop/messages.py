"""Makes the catalogues of messages: `python -m workshop.messages`, or `make messages`.

The template holds every message that the runner's code marks with `_` or `Message`, and every help text of the command
line. A catalogue (.po) keeps its translations when the template changes; new messages in it are empty, and are to be
written by hand. Then this runs again and compiles it (.mo).
"""
from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from typer.main import get_command

from local_runner import cli
from local_runner.command_line import FRAME, help_texts
from local_runner.languages import CATALOGUES, CHINESE, DOMAIN

KEYWORDS = {"_": None, "Message": None}  # whose first argument is a message
RUNNER = Path(cli.__file__).parent
TEMPLATE = CATALOGUES / f"{DOMAIN}.pot"
FOLDER = CATALOGUES / CHINESE / "LC_MESSAGES"
CATALOGUE, COMPILED = FOLDER / f"{DOMAIN}.po", FOLDER / f"{DOMAIN}.mo"
WHEN = datetime(2026, 1, 1, tzinfo=timezone.utc)  # the same in every run, so that only messages change the files


def messages() -> Iterator[str]:
    """All messages of the runner, in English."""
    for _, _, message, _, _ in extract_from_dir(RUNNER, [("**.py", "python")], keywords=KEYWORDS):
        yield message if isinstance(message, str) else message[0]
    yield from (text for _, _, text in help_texts(get_command(cli.app)))
    yield from FRAME.values()


def template() -> Catalog:
    """The messages without translations."""
    made = Catalog(project=DOMAIN, creation_date=WHEN, revision_date=WHEN, charset="utf-8", fuzzy=False)
    for message in messages():
        made.add(message)
    return made


def catalogue() -> Catalog:
    """The Chinese catalogue as it is in its file."""
    with open(CATALOGUE, "rb") as file:
        return read_po(file, locale=CHINESE)


def main() -> None:
    """Extract the messages, update the catalogue and compile it; say what is not translated yet."""
    new = template()
    _write(TEMPLATE, new)
    known = catalogue()
    known.update(new, no_fuzzy_matching=True)
    known.obsolete.clear()
    known.revision_date = WHEN
    _write(CATALOGUE, known)
    with open(COMPILED, "wb") as file:
        write_mo(file, known)
    for message in known:
        if message.id and not message.string:
            print(f"not translated: {message.id!r}")


def _write(path: Path, content: Catalog) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file:
        write_po(file, content, width=120, no_location=True, sort_output=True, include_previous=False)


if __name__ == "__main__":
    main()
