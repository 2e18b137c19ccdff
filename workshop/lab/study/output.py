"""Writes a study: its table as CSV, its plots as SVG, and a section of its page.

The page is NAME.md; the other files are in the folder NAME beside it. Of the page, only the text between two marks is
replaced.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from local_runner.errors import RunnerError
from local_runner.language.text import in_markdown
from local_runner.system.files import check_folder, check_writable, write_whole
from local_runner.system.plots import plain_plots
from workshop.command import OUTPUT_ADVICE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
SIGNIFICANT = 4  # digits of a number in a page

Row = Mapping[str, Any]


@dataclass(frozen=True)
class StudyResult:
    """The result of a study.

    rows: the whole table; summary: the table of the page. All rows of a table have the same keys, in column order.
    plots: functions that draw, by file name
    header, terms: the machine and the options
    """

    rows: Sequence[Row]
    summary: Sequence[Row]
    plots: Mapping[str, Callable[[], Figure]]
    header: Row
    terms: Row


def page_of(folder: Path) -> Path:
    """The page of a study with this folder."""
    return folder.parent / f"{folder.name}.md"


def check(folder: Path) -> None:
    """Raise RunnerError if the results could not be written later."""
    check_folder(folder, OUTPUT_ADVICE)
    check_writable(page_of(folder), OUTPUT_ADVICE)
    _with_section(page_of(folder), "")


def write(result: StudyResult, folder: Path, command: str) -> None:
    """Write all files. Equal results give equal files."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerows([list(result.rows[0]), *(list(row.values()) for row in result.rows)] if result.rows else [])
    write_whole(folder / "table.csv", text.getvalue(), OUTPUT_ADVICE)
    for name, draw in result.plots.items():
        with plain_plots(**{"svg.hashsalt": name}):
            draw().savefig(folder / f"{name}.svg", metadata={"Date": None})
    page = page_of(folder)
    write_whole(page, _with_section(page, _section(result, folder.name, command)), OUTPUT_ADVICE)


def markdown(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    if not rows:
        return "Nothing was measured."
    cells = [[in_markdown(_shown(value)) for value in line] for line in (rows[0], *(row.values() for row in rows))]
    return "\n".join(f"| {' | '.join(line)} |" for line in (cells[0], ["---"] * len(cells[0]), *cells[1:]))


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 10**SIGNIFICANT else f"{value:.{SIGNIFICANT}g}"
    return str(value)


def _section(result: StudyResult, folder: str, command: str) -> str:
    machine = result.header
    options = ", ".join(f"{key} {_shown(value)}" for key, value in result.terms.items())
    where = f"{machine['cpu']}, Python {machine['python']}, {machine['begun'][:10]}, commit {machine['commit'] or '?'}"
    plots = "\n".join(f"![{name}]({folder}/{name}.svg)" for name in result.plots)
    said = f"`{command}`: {in_markdown(f'{where}; {options}')}."
    return f"{said}\n\n{markdown(result.summary)}\n\n{plots}\n\nAll figures: [table.csv]({folder}/table.csv)\n"


def _with_section(page: Path, section: str) -> str:
    """The text of the page, or of a new one, with this section."""
    text = page.read_text(encoding="utf-8") if page.is_file() else f"# {page.stem}\n\n{BEGIN}\n{END}\n"
    head, begin, rest = text.partition(BEGIN)
    _old, end, tail = rest.partition(END)
    if not (begin and end):
        raise RunnerError(f"{page} has no place for results; add the lines {BEGIN} and {END} where they belong")
    return f"{head}{BEGIN}\n{section}{END}{tail}"
