"""What `tengen check` finds: one row per question, with a verdict, and what to mend in plain words."""
from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from enum import Enum

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from local_runner.text import printable


class Verdict(Enum):
    """How one question was answered; FAILED keeps a file from being uploaded, OPEN leaves it undecided."""

    PASSED = "ok"
    NOTED = "note"
    SKIPPED = "skipped"
    OPEN = "not judged"                 # what this machine lacks may be why
    FAILED = "FAILED"


COLOURS = {Verdict.PASSED: "green", Verdict.NOTED: "yellow", Verdict.SKIPPED: "yellow", Verdict.OPEN: "bold yellow",
           Verdict.FAILED: "bold red"}


@dataclass(frozen=True)
class Row:
    """One question: its name, the answer, what was found, and what to do about it ("" where nothing is to be done)."""

    name: str
    verdict: Verdict
    found: str
    mend: str = ""
    traceback: str = ""


def passed(name: str, found: str) -> Row:
    """A row that is as it should be."""
    return Row(name, Verdict.PASSED, found)


def failed(name: str, found: str, mend: str, traceback: str = "") -> Row:
    """A row that has to be mended before the upload."""
    return Row(name, Verdict.FAILED, found, mend, traceback)


def noted(name: str, found: str, mend: str = "") -> Row:
    """A row that is worth knowing and stops nobody."""
    return Row(name, Verdict.NOTED, found, mend)


@dataclass(frozen=True)
class Report:
    """All rows on one upload, and the Python that it was played under."""

    file: str
    python: str
    rows: tuple[Row, ...]

    @property
    def good(self) -> bool | None:
        """Whether the file may be uploaded; None where that could not be judged here."""
        verdicts = {row.verdict for row in self.rows}
        return False if Verdict.FAILED in verdicts else None if Verdict.OPEN in verdicts else True


def as_json(report: Report) -> str:
    """The report as JSON text; "upload" is null where it could not be judged."""
    report = _printable(report)
    rows = [{**dataclasses.asdict(row), "verdict": row.verdict.value} for row in report.rows]
    whole = {"file": report.file, "python": report.python, "upload": report.good, "rows": rows}
    return json.dumps(whole, ensure_ascii=False, indent=1)


def show(report: Report, console: Console) -> None:
    """The report as a table, what to mend below it, the verdict last."""
    report = _printable(report)
    table = Table(title=escape(f"{report.file} under {report.python or 'no Python'}"), title_justify="left")
    for heading in ("question", "", "found"):
        table.add_column(heading, overflow="fold")
    for row in report.rows:
        colour = COLOURS[row.verdict]
        table.add_row(escape(row.name), f"[{colour}]{row.verdict.value}[/]", escape(row.found))
    console.print(table)
    for row in report.rows:
        if row.mend:
            console.print(f"[{COLOURS[row.verdict]}]{row.name}[/]: {escape(row.mend)}", highlight=False)
        if row.traceback:
            console.print(escape(row.traceback.rstrip()), style="dim", highlight=False)
    bad = sum(row.verdict is Verdict.FAILED for row in report.rows)
    console.print({True: "[bold green]Ready to upload.[/]",
                   None: "[bold yellow]Not judged: this machine lacks what the site has.[/]",
                   False: f"[bold red]Do not upload: {bad} to mend.[/]"}[report.good])


def _printable(report: Report) -> Report:
    rows = (Row(printable(row.name), row.verdict, *map(printable, (row.found, row.mend, row.traceback)))
            for row in report.rows)
    return Report(printable(report.file), report.python, tuple(rows))
