"""Writes a study: its table as CSV and JSON, its plots as PNG and SVG, and a section of its page.

The page NAME.md lies beside the folder NAME with all other files. Only the text between two marks in it is replaced.
A folder belongs to one study, which `study.json` in it names; no file of anything else is overwritten.
"""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_runner.errors import RunnerError
from local_runner.language.languages import Message, _, shown
from local_runner.language.text import in_csv, in_json, in_markdown, markdown_code, markdown_link, shortened
from local_runner.system.extras import need
from local_runner.system.files import check_folder, check_writable, reason, write_whole
from local_runner.system.plots import plain_plots
from local_runner.terminal.tables import WideTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
ADVICE = Message("give --out another folder")
SIGNIFICANT = 4  # digits of a number in a page
OWNER = "study.json"  # the file in a folder that names its study

Row = Mapping[str, Any]


@dataclass(frozen=True)
class StudyResult:
    """The result of a study.

    `rows`: the whole table; `summary`: the table of the page; `more`: additional content of the JSON file; `plots`: a
    function that draws, by file name. All rows of a table have the same keys, in the order of the columns.
    """

    rows: Sequence[Row]
    summary: Sequence[Row]
    plots: Mapping[str, "Callable[[], Figure]"]
    more: Row = field(default_factory=dict)


def claim(folder: Path, study: str) -> None:
    """Make the folder, or find that it is this study's already, and that all can be written later.

    Raises RunnerError for a folder with anything else in it, and for a page without a place for results.
    """
    need("plots")
    owner, page = folder / OWNER, _page(folder)
    if folder.is_dir() and any(folder.iterdir()):
        found = _owner(owner)
        if found is None:
            sentence = _("{folder} has files that are no study's; give --out another folder")
            raise RunnerError(sentence.format(folder=folder))
        if found != study:
            sentence = _("{folder} holds the study {name}; give --out another folder")
            raise RunnerError(sentence.format(folder=folder, name=shortened(found)))
    check_folder(folder, shown(ADVICE))
    check_writable(page, shown(ADVICE))
    _with_section(_text_of(page), "", page)
    _write(owner, in_json({"study": study}) + "\n")


def abandon(folder: Path) -> None:
    """Undo `claim`, unless the folder holds results."""
    if [each.name for each in folder.iterdir()] == [OWNER]:
        (folder / OWNER).unlink()
        folder.rmdir()


def _owner(path: Path) -> str | None:
    """The study that a folder belongs to; None if its file does not say."""
    try:
        return str(json.loads(path.read_bytes())["study"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(outcome: StudyResult, folder: Path, head: Row, command: str) -> None:
    """Write all files.

    `head`: the machine and the options, from the journal or the tournament; `command`: the command as typed.
    """
    page = _page(folder)
    text = _with_section(_text_of(page), _section(outcome, folder.name, head, command), page)
    _write(folder / "table.csv", _csv(outcome.rows))
    _write(folder / "table.json", as_json(outcome, head) + "\n")
    for name, draw in outcome.plots.items():
        save(draw, folder / name)
    _write(page, text)


def _page(folder: Path) -> Path:
    return folder.parent / f"{folder.name}.md"


def _text_of(page: Path) -> str:
    """The page, or a new one."""
    if page.is_file():
        return page.read_text(encoding="utf-8")
    return f"# {in_markdown(page.stem)}\n\n{BEGIN}\n{END}\n"


def as_json(outcome: StudyResult, head: Row) -> str:
    """The table and all additional content as JSON."""
    return in_json({**head, "rows": outcome.rows, **outcome.more}, indent=1)


def save(draw: "Callable[[], Figure]", path: Path) -> None:
    """Save a figure as PNG and SVG. Equal figures give equal bytes."""
    try:
        with plain_plots(**{"svg.hashsalt": path.name}):
            figure = draw()
            figure.savefig(path.with_suffix(".svg"), metadata={"Date": None})
            figure.savefig(path.with_suffix(".png"), dpi=90, metadata={"Software": None})
    except OSError as error:
        sentence = _("cannot write {place}: {error}; {advice}")
        raise RunnerError(sentence.format(place=path, error=reason(error), advice=shown(ADVICE))) from error


def table(title: str, rows: Sequence[Row]) -> WideTable:
    """The rows as a table for the terminal. The first columns, up to the first number, are labels.

    Heads and cells that are messages are shown in the language that is used; in pages and files they stay English.
    """
    columns = list(rows[0]) if rows else [""]
    texts = (column for column in columns if all(isinstance(row[column], str) for row in rows))
    labels = max(1, sum(1 for column, text in zip(columns, texts, strict=False) if column == text))
    heads = [_shown(shown(column)) for column in columns]
    made = WideTable(title, heads[:labels] + [head.replace(" ", "\n") for head in heads[labels:]], labels)
    for row in rows:
        made.add(*(_shown(shown(value) if isinstance(value, str) else value) for value in row.values()))
    return made


def markdown(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    if not rows:
        return "Nothing was measured."
    cells = [[in_markdown(_shown(value)) for value in line] for line in (rows[0], *(row.values() for row in rows))]
    lines = [cells[0], ["---"] * len(cells[0]), *cells[1:]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 10**SIGNIFICANT else f"{value:.{SIGNIFICANT}g}"
    return shortened(str(value))


def _csv(rows: Sequence[Row]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for line in (list(rows[0]) if rows else [], *(row.values() for row in rows)):
        writer.writerow([in_csv(value) if isinstance(value, str) else value for value in line])
    return text.getvalue()


def _section(outcome: StudyResult, folder: str, head: Row, command: str) -> str:
    machine = head["header"]
    options = ", ".join(f"{key} {_shown(value)}" for key, value in head["terms"].items())
    where = f"{machine['cpu']}, Python {machine['python']}, {machine['begun'][:10]}, commit {machine['commit'] or '?'}"
    plots = "\n".join(f"!{markdown_link(name, f'{folder}/{name}.png')}" for name in outcome.plots)
    files = ("table.csv", "table.json", *(f"{name}.svg" for name in outcome.plots))
    links = " ".join(markdown_link(file, f"{folder}/{file}") for file in files)
    said = f"{markdown_code(command)}: {in_markdown(f'{where}; {options}')}."
    return f"{said}\n\n{markdown(outcome.summary)}\n\n{plots}\n\nAll figures: {links}\n"


def _with_section(text: str, section: str, page: Path) -> str:
    head, begin, rest = text.partition(BEGIN)
    _old, end, tail = rest.partition(END)
    if not (begin and end):
        sentence = _("{page} has no place for results; add the lines {begin} and {end} where they belong")
        raise RunnerError(sentence.format(page=page, begin=BEGIN, end=END))
    return f"{head}{BEGIN}\n{section}{END}{tail}"


def _write(path: Path, text: str) -> None:
    write_whole(path, text, shown(ADVICE))
