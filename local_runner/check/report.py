"""The report of `tengen check`: one row for each question, with a verdict and advice."""
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
    """The answer to one question. A file with FAILED must not be uploaded; OPEN could not be judged here."""

    PASSED = "ok"
    NOTED = "note"
    SKIPPED = "skipped"
    OPEN = "not judged"                 # this machine may lack a package of the site
    FAILED = "FAILED"


COLOURS = {Verdict.PASSED: "green", Verdict.NOTED: "yellow", Verdict.SKIPPED: "yellow", Verdict.OPEN: "bold yellow",
           Verdict.FAILED: "bold red"}


@dataclass(frozen=True)
class CheckRow:
    """One question: its name, the verdict, the finding, and advice ("" if nothing needs to be done)."""

    name: str
    verdict: Verdict
    found: str
    mend: str = ""
    traceback: str = ""


def passed(name: str, found: str) -> CheckRow:
    """A row without a problem."""
    return CheckRow(name, Verdict.PASSED, found)


def failed(name: str, found: str, mend: str, traceback: str = "") -> CheckRow:
    """A row that must be mended before the upload."""
    return CheckRow(name, Verdict.FAILED, found, mend, traceback)


def noted(name: str, found: str, mend: str = "") -> CheckRow:
    """A row that is worth knowing and does not prevent the upload."""
    return CheckRow(name, Verdict.NOTED, found, mend)


@dataclass(frozen=True)
class CheckReport:
    """All rows on one upload, and the Python that ran it."""

    file: str
    python: str
    rows: tuple[CheckRow, ...]

    @property
    def good(self) -> bool | None:
        """Whether the file may be uploaded; None if that could not be judged here."""
        verdicts = {row.verdict for row in self.rows}
        return False if Verdict.FAILED in verdicts else None if Verdict.OPEN in verdicts else True


def as_json(report: CheckReport) -> str:
    """The report as JSON text; "upload" is null if that could not be judged."""
    report = _printable(report)
    rows = [{**dataclasses.asdict(row), "verdict": row.verdict.value} for row in report.rows]
    whole = {"file": report.file, "python": report.python, "upload": report.good, "rows": rows}
    return json.dumps(whole, ensure_ascii=False, indent=1)


def show(report: CheckReport, console: Console) -> None:
    """Print the report: a table, the advice below it, the verdict last."""
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
                   None: "[bold yellow]Not judged: this machine lacks packages of the site.[/]",
                   False: f"[bold red]Do not upload: {bad} to mend.[/]"}[report.good])


def _printable(report: CheckReport) -> CheckReport:
    rows = (CheckRow(printable(row.name), row.verdict, *map(printable, (row.found, row.mend, row.traceback)))
            for row in report.rows)
    return CheckReport(printable(report.file), report.python, tuple(rows))
