"""The report of `tengen check`: one row for each question, how each game went, and the verdict that names the games."""
from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
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
    OPEN = "not judged"                 # this machine may lack a package of the site
    FAILED = "FAILED"


COLOURS = {Verdict.PASSED: "green", Verdict.NOTED: "yellow", Verdict.OPEN: "bold yellow", Verdict.FAILED: "bold red"}


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
class PlayedEnv:
    """A game that was asked for; `fails`: how it fails ("crashes on gobang_1v1: ..."), "" if it is played well."""

    env: str
    fails: str = ""


@dataclass(frozen=True)
class CheckReport:
    """All rows on one upload, the Python that ran it ("" if it was not run), and how the games went.

    `few_moves`: games of a slow agent were stopped after some moves.
    """

    file: str
    python: str
    rows: tuple[CheckRow, ...]
    envs: tuple[PlayedEnv, ...] = ()
    few_moves: bool = False

    @property
    def good(self) -> bool | None:
        """Whether the file may be uploaded for every game that was asked for; None if that could not be judged here."""
        verdicts = {row.verdict for row in self.rows}
        return False if Verdict.FAILED in verdicts else None if Verdict.OPEN in verdicts else True

    @property
    def verdict(self) -> str:
        """The verdict in one sentence, with the games that the file is ready for and those that it fails in."""
        if self.good is None:
            return "Not judged: this machine lacks packages of the site."
        games = {env.env for env in self.envs}
        wrong = [row.name for row in self.rows
                 if row.verdict is Verdict.FAILED and row.name.partition(",")[0] not in games]
        fails = [env.fails for env in self.envs if env.fails]
        ready = [env.env for env in self.envs if not env.fails]
        if wrong or not ready:
            parts = [f"mend {_and(wrong)}"] if wrong else []
            return f"Do not upload: {'; '.join([*parts, *fails])}."
        moves = ", by the first moves of each game" if self.few_moves else ""
        return "; ".join([f"Ready for {_and(ready)}{moves}", *fails]) + "."


def as_json(report: CheckReport) -> str:
    """The report as JSON text; "upload" is null if that could not be judged."""
    report = _printable(report)
    rows = [{**dataclasses.asdict(row), "verdict": row.verdict.value} for row in report.rows]
    whole = {"file": report.file, "python": report.python, "upload": report.good, "verdict": report.verdict,
             "games": {env.env: env.fails or "ok" for env in report.envs}, "rows": rows}
    return json.dumps(whole, ensure_ascii=False, indent=1)


def show(report: CheckReport, console: Console) -> None:
    """Print the report: a table, the advice below it, every traceback once, the verdict last."""
    report = _printable(report)
    title = f"{report.file} under {report.python}" if report.python else report.file
    table = Table(title=escape(title), title_justify="left")
    for heading in ("question", "", "found"):
        table.add_column(heading, overflow="fold")
    for row in report.rows:
        colour = COLOURS[row.verdict]
        table.add_row(escape(row.name), f"[{colour}]{row.verdict.value}[/]", escape(row.found))
    console.print(table)
    shown: set[str] = set()
    for rows in _same_advice(report.rows):
        names = "; ".join(row.name for row in rows)
        if rows[0].mend:
            console.print(f"[{COLOURS[rows[0].verdict]}]{escape(names)}[/]: {escape(rows[0].mend)}", highlight=False,
                          soft_wrap=True)
        for row in rows:
            text = row.traceback.rstrip()
            if text and _place(text) not in shown:
                shown.add(_place(text))
                console.print(escape(text), style="dim", highlight=False, soft_wrap=True)
    colour = {True: "bold green", None: "bold yellow", False: "bold red"}[report.good]
    console.print(f"[{colour}]{escape(report.verdict)}[/]", highlight=False, soft_wrap=True)
    if any(env.fails for env in report.envs) and (ready := [env.env for env in report.envs if not env.fails]):
        console.print(f"To check it for {_and(ready)} alone: {' '.join(f'--env {env}' for env in ready)}; or write "
                      f"GAMES = {escape(_as_tuple(ready))} into it.", highlight=False, soft_wrap=True)


def _same_advice(rows: Iterable[CheckRow]) -> list[list[CheckRow]]:
    """The rows that say what to do, those with the same advice together."""
    groups: dict[tuple[Verdict, str], list[CheckRow]] = {}
    for row in rows:
        if row.mend or row.traceback:
            groups.setdefault((row.verdict, row.mend), []).append(row)
    return list(groups.values())


def _place(traceback: str) -> str:
    """A traceback without the exception's own words: the same place in the code is the same failure."""
    frames, _, last = traceback.rpartition("\n")
    return f"{frames}\n{last.partition(':')[0]}"


def _and(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _as_tuple(names: list[str]) -> str:
    return "(" + ", ".join(f'"{name}"' for name in names) + ("," if len(names) == 1 else "") + ")"


def _printable(report: CheckReport) -> CheckReport:
    rows = (CheckRow(printable(row.name), row.verdict, *map(printable, (row.found, row.mend, row.traceback)))
            for row in report.rows)
    envs = (PlayedEnv(env.env, printable(env.fails)) for env in report.envs)
    return dataclasses.replace(report, file=printable(report.file), rows=tuple(rows), envs=tuple(envs))
