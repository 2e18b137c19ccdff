"""The report of `tengen check`: one row for each question, how each game went, and the verdict that names the games.

All texts are English, as the JSON has them; those that are a `Message` are translated when the report is shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from rich.console import Console
from rich.text import Text

from local_runner.language.languages import COMMA, Message, Series, _, shown
from local_runner.language.text import in_json, printable
from local_runner.terminal.tables import plain_table


class Verdict(Enum):
    """The answer to one question. A file with FAILED must not be uploaded; OPEN could not be judged here."""

    PASSED = Message("ok")
    NOTED = Message("note")
    OPEN = Message("not judged")  # this machine may lack a package of the site
    FAILED = Message("FAILED")


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
            return Message("Not judged: this machine lacks packages of the site.")
        games = {env.env for env in self.envs}
        names = [row.name for row in self.rows if row.verdict is Verdict.FAILED]
        wrong = [name for name in names if name.partition(",")[0] not in games]
        fails = [env.fails for env in self.envs if env.fails]
        ready = [env.env for env in self.envs if not env.fails]
        if wrong or not ready:
            parts = [Message("mend {questions}", questions=_and(wrong))] if wrong else []
            return Message("Do not upload: {reasons}.", reasons=Series([*parts, *fails]))
        sentence = Message("Ready for {games}")
        if self.few_moves:
            sentence = Message("Ready for {games}, by the first moves of each game")
        return Message("{findings}.", findings=Series([Message(sentence, games=_and(ready)), *fails]))


def as_json(report: CheckReport) -> str:
    """The report as JSON text; "upload" is null if that could not be judged."""
    rows = [{**vars(row), "verdict": row.verdict.value} for row in report.rows]
    whole = {
        "file": printable(report.file),
        "python": report.python,
        "upload": report.good,
        "verdict": printable(report.verdict),
        "games": {env.env: printable(env.fails) or "ok" for env in report.envs},
        "rows": [{name: printable(text) for name, text in row.items()} for row in rows],
    }
    return in_json(whole, indent=1)


def show(report: CheckReport, console: Console) -> None:
    """Print the report: a table, the advice below it, every traceback once, the verdict last."""
    title = _("{file} under {python}") if report.python else "{file}"
    title = title.format(file=report.file, python=shown(report.python))
    console.print(_text(title, "bold"), soft_wrap=True)
    table = plain_table()
    for heading in (_("question"), "", _("found")):
        table.add_column(heading, overflow="fold")
    for row in report.rows:
        table.add_row(_text(row.name), _text(row.verdict.value, COLOURS[row.verdict]), _text(row.found))
    console.print(table)
    told: set[str] = set()
    for rows in _same_advice(report.rows):
        if rows[0].mend:
            names = _text(Series(row.name for row in rows), COLOURS[rows[0].verdict])
            console.print(names + _text(Message(": {advice}", advice=rows[0].mend)), soft_wrap=True)
        for row in rows:
            text = row.traceback.rstrip()
            if text and _place(text) not in told:
                told.add(_place(text))
                console.print(_text(text, "dim"), soft_wrap=True)
    colour = {True: "bold green", None: "bold yellow", False: "bold red"}[report.good]
    console.print(_text(report.verdict, colour), soft_wrap=True)
    if any(env.fails for env in report.envs) and (ready := [env.env for env in report.envs if not env.fails]):
        sentence = _("To check it for {games} alone: {options}; or write GAMES = {tuple} into it.").format(
            games=shown(_and(ready)),
            options=" ".join(f"--env {env}" for env in ready),
            tuple=str(tuple(ready)).replace("'", '"'),
        )
        console.print(_text(sentence), soft_wrap=True)


def _text(text: str, style: str = "") -> Text:
    """A text in the language that is used, made printable."""
    return Text(printable(shown(text)), style=style)


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
    if len(names) == 1:
        return names[0]
    return Message("{names} and {last}", names=Series(names[:-1], COMMA), last=names[-1])
