"""Writes a study: its table as CSV and JSON, its plots as PNG and SVG, and a section of its page.

The page NAME.md lies beside the folder NAME with all other files. Only the text between two marks in it is replaced.
"""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from local_runner.errors import RunnerError
from local_runner.files import write_whole
from local_runner.text import in_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
ADVICE = "give --out another folder"
SIGNIFICANT = 4  # digits of a number in a page

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


def write(outcome: StudyResult, folder: Path, head: Row, command: str) -> None:
    """Write all files.

    `head`: the machine and the options, from the journal or the tournament; `command`: the command as typed.
    """
    _write(folder / "table.csv", _csv(outcome.rows))
    _write(folder / "table.json", as_json(outcome, head) + "\n")
    for name, draw in outcome.plots.items():
        save(draw(), folder / name)
    page = folder.parent / f"{folder.name}.md"
    text = page.read_text(encoding="utf-8") if page.is_file() else f"# {folder.name}\n\n{BEGIN}\n{END}\n"
    _write(page, _with_section(text, _section(outcome, folder.name, head, command), page))


def as_json(outcome: StudyResult, head: Row) -> str:
    """The table and all additional content as JSON."""
    return json.dumps({**head, "rows": outcome.rows, **outcome.more}, indent=1, allow_nan=False)


def save(figure: "Figure", path: Path) -> None:
    """Save the figure as PNG and SVG. Equal figures give equal bytes."""
    from matplotlib import rc_context  # imported here because it is slow

    try:
        with rc_context({"svg.hashsalt": path.name}):
            figure.savefig(path.with_suffix(".svg"), metadata={"Date": None})
            figure.savefig(path.with_suffix(".png"), dpi=90, metadata={"Software": None})
    except OSError as error:
        raise RunnerError(f"cannot write {path}: {error.strerror}; {ADVICE}") from error


def table(title: str, rows: Sequence[Row]) -> Table:
    """The rows as a table for the terminal."""
    shown = Table(title=title, title_justify="left")
    for column in rows[0] if rows else ():
        shown.add_column(str(column), overflow="fold")
    for row in rows:
        shown.add_row(*(_shown(value) for value in row.values()))
    return shown


def markdown(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    if not rows:
        return "Nothing was measured."
    lines = [list(map(str, rows[0])), ["---"] * len(rows[0])]
    lines += [[_shown(value).replace("|", "\\|") for value in row.values()] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 10**SIGNIFICANT else f"{value:.{SIGNIFICANT}g}"
    return in_line(str(value))


def _csv(rows: Sequence[Row]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _section(outcome: StudyResult, folder: str, head: Row, command: str) -> str:
    machine = head["header"]
    options = ", ".join(f"{key} {_shown(value)}" for key, value in head["terms"].items())
    where = f"{machine['cpu']}, Python {machine['python']}, {machine['begun'][:10]}, commit {machine['commit'] or '?'}"
    plots = "\n".join(f"![{name}]({folder}/{name}.png)" for name in outcome.plots)
    files = " ".join(f"[{file}]({folder}/{file})" for file in ("table.csv", "table.json"))
    drawn = " ".join(f"[{name}.svg]({folder}/{name}.svg)" for name in outcome.plots)
    where = f"`{command}`: {where}"
    return f"{where}; {options}.\n\n{markdown(outcome.summary)}\n\n{plots}\n\nAll figures: {files} {drawn}\n"


def _with_section(text: str, section: str, page: Path) -> str:
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end):
        raise RunnerError(f"{page} has no place for results; add the lines {BEGIN} and {END} where they belong")
    return f"{head}{BEGIN}\n{section}{END}{tail}"


def _write(path: Path, text: str) -> None:
    write_whole(path, text, ADVICE)
