"""The report of `tengen check`: a row for each question, the outcome of each game, and a verdict that names the games.

The texts are in English, as they are in the JSON. When the report is shown, each text that is a `Message` is
translated.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.text import Text

from local_runner.agents.source import MAIN
from local_runner.game.faults import FaultKind, Reason
from local_runner.game.setup import called
from local_runner.language.languages import Listing, Message, Series, _, shown
from local_runner.language.text import printable
from local_runner.system import manual
from local_runner.terminal.drawing import Printed, plain_table

T = TypeVar("T")


class Verdict(Enum):
    """The answer to one question. FAILED: the file must not be uploaded. OPEN: this machine cannot judge."""

    PASSED = Message("ok")
    NOTED = Message("note")
    OPEN = Message("not judged")  # for example, this machine lacks a package of the site
    FAILED = Message("FAILED")


BUSY = {kind.value for kind in FaultKind if kind.reason is Reason.MACHINE}  # causes that lie in the machine
COLOURS = {Verdict.PASSED: "green", Verdict.NOTED: "yellow", Verdict.OPEN: "bold yellow", Verdict.FAILED: "bold red"}


@dataclass(frozen=True)
class CheckRow:
    """One question of the check.

    name: the question in a word or two
    found: the finding
    mend: advice; "" if nothing needs to be done
    traceback: the traceback of the failure; "" if there is none
    env, what: the game that the row is about, such as "gobang_1v1" and "against random"; "" if the row is about no game
    cause: the failure of the game without the step at which it happened; "" if there is none
    """

    name: str
    verdict: Verdict
    found: str
    mend: str = ""
    traceback: str = ""
    env: str = ""
    what: str = ""
    cause: str = ""

    @property
    def topic(self) -> str:
        """The part of the page check.md that explains this row."""
        if self.cause:
            return FaultKind(self.cause).reason.name.lower().replace("_", "-")
        return "games" if self.env else printable(self.name).replace(" ", "-")


def passed(name: str, found: str) -> CheckRow:
    """A row without a problem."""
    return CheckRow(name, Verdict.PASSED, found)


def failed(name: str, found: str, mend: str, traceback: str = "") -> CheckRow:
    """A row that must be mended before the upload."""
    return CheckRow(name, Verdict.FAILED, found, mend, traceback)


def noted(name: str, found: str, mend: str = "") -> CheckRow:
    """A row with a note that does not prevent the upload."""
    return CheckRow(name, Verdict.NOTED, found, mend)


@dataclass(frozen=True, repr=False)
class CheckReport(Printed):
    """The result of a check of one upload. `print` shows the output of `tengen check`.

    python: the Python that ran the upload; "" if it was not run
    envs: each game that the check had to play -> how the file fails ("crashes on gobang_1v1: ..."), else ""
    quick: whether the check was one with --quick; few_moves: whether it stopped games of a slow agent after some moves
    """

    file: str
    python: str
    rows: tuple[CheckRow, ...]
    envs: Mapping[str, str] = field(default_factory=dict)
    quick: bool = False
    few_moves: bool = False

    @property
    def good(self) -> bool | None:
        """Whether no row is FAILED, so that the file may be uploaded; None if no row failed but some are OPEN."""
        verdicts = {row.verdict for row in self.rows}
        return False if Verdict.FAILED in verdicts else None if Verdict.OPEN in verdicts else True

    @property
    def verdict(self) -> str:
        """The verdict in one sentence, which names the games that the file is ready for and those that it fails in."""
        if self.good is None:
            if any(row.verdict is Verdict.OPEN and row.cause in BUSY for row in self.rows):
                return Message("Not judged: the machine was too busy; check again when other programs are not running.")
            return Message("Not judged: this machine lacks packages of the site.")
        names = [row.name for row in self.rows if row.verdict is Verdict.FAILED]
        wrong = [name for name in names if name.partition(",")[0] not in self.envs]
        fails = _together(self.envs)
        ready = [called(env) for env, how in self.envs.items() if not how]
        if wrong or not ready:
            parts = [Message("mend {questions}", questions=_and(wrong))] if wrong else []
            return Message("Do not upload: {reasons}.", reasons=Series([*parts, *fails]))
        sentence = Message("Ready for {games}")
        if self.few_moves:
            sentence = Message("Ready for {games}, by the first moves of each game")
        return Message("{findings}.", findings=Series([Message(sentence, games=_and(ready)), *fails]))

    def __repr__(self) -> str:
        return f"<CheckReport {self.file}: {self.verdict}>"

    def print_to(self, console: Console) -> None:
        """Print the table of rows, the advice, every traceback once, and the verdict, as `tengen check` does."""
        title = _("{file} under {python}") if self.python else "{file}"
        title = title.format(file=self.file, python=shown(self.python))
        console.print(_text(title, "bold"), soft_wrap=True)
        table = plain_table()
        for heading in (_("question"), "", _("found")):
            table.add_column(heading, overflow="fold")
        rows = self.merged
        for row in rows:
            table.add_row(_text(row.name), _text(row.verdict.value, COLOURS[row.verdict]), _text(row.found))
        console.print(table)
        told: set[str] = set()
        advised = [row for row in rows if row.mend or row.traceback]
        for same in _grouped(advised, lambda row: (row.verdict, row.mend)):
            if same[0].mend:
                names = _text(Series(row.name for row in same), COLOURS[same[0].verdict])
                console.print(names + _text(Message(": {advice}", advice=same[0].mend)), soft_wrap=True)
            for row in same:
                text = row.traceback.rstrip()
                if text and _place(text) not in told:
                    told.add(_place(text))
                    console.print(_text(text, "dim"), soft_wrap=True)
        colour = {True: "bold green", None: "bold yellow", False: "bold red"}[self.good]
        console.print(_text(self.verdict, colour), soft_wrap=True)
        if any(self.envs.values()) and (ready := [env for env, how in self.envs.items() if not how]):
            sentence = _("To check it for {games} alone: {options}; or write GAMES = {tuple} into it.").format(
                games=shown(_and(list(map(called, ready)))),
                options=" ".join(f"--env {env}" for env in ready),
                tuple=str(tuple(ready)).replace("'", '"'),
            )
            console.print(_text(sentence), soft_wrap=True)
        worst = max(self.rows, key=lambda row: list(Verdict).index(row.verdict))
        if not self.good and (page := manual.explained_by(f"check#{worst.topic}")):
            console.print(_text(Message("Explained: {page}", page=page)), soft_wrap=True)
        if next_step := _next(self):
            console.print(_text(Message("Next: {step}", step=next_step)), soft_wrap=True)

    @property
    def merged(self) -> tuple[CheckRow, ...]:
        """The rows; games that failed for the same cause share the row of the first game, with the names of all."""
        merged = []
        for same in _grouped(self.rows, lambda row: (row.verdict, row.cause, row.mend, _place(row.traceback))
                             if row.cause else id(row)):  # fmt: skip
            found = Message("{found} (in the first of {number} games)", found=same[0].found, number=len(same))
            merged.append(replace(same[0], name=self._name(same), found=found) if len(same) > 1 else same[0])
        return tuple(merged)

    def _name(self, rows: list[CheckRow]) -> str:
        """The name of a row for several games: "gobang_1v1" stands for all its games. `rows`: two or more."""
        names = []
        for env in dict.fromkeys(row.env for row in rows):
            whats = [row.what for row in rows if row.env == env]
            of_all = len(whats) > 1 and len(whats) == sum(row.env == env for row in self.rows)
            sentence = Message("{game}, {what}", game=called(env), what=Listing(whats))
            names.append(called(env) if of_all else sentence)
        return Series(names)


def _together(envs: Mapping[str, str]) -> list[str]:
    """Sentences about the failures in the games. Games with the same failure share a sentence."""
    groups = _grouped([env for env, how in envs.items() if how], lambda env: envs[env].replace(env, ""))
    firsts = [(envs[same[0]], same) for same in groups]
    return [first.filled(game=_and(list(map(called, same)))) if len(same) > 1 and isinstance(first, Message) else first
            for first, same in firsts]  # fmt: skip


@dataclass(frozen=True)
class ToldRow:
    """A row of the check. verdict: "ok", "note", "not judged" or "FAILED"; mend: advice, "" if none is needed."""

    name: str
    verdict: str
    found: str
    mend: str
    traceback: str


@dataclass(frozen=True)
class ToldReport:
    """`tengen check --json`. upload: null if this machine cannot judge; games: each game -> "ok", or how it fails."""

    file: str
    python: str
    upload: bool | None
    verdict: str
    games: dict[str, str]
    rows: tuple[ToldRow, ...]


def told(report: CheckReport) -> ToldReport:
    """The report for `--json`, in English."""
    rows = ((row.name, row.verdict.value, row.found, row.mend, row.traceback) for row in report.rows)
    games = {env: printable(how) or "ok" for env, how in report.envs.items()}
    return ToldReport(
        printable(report.file), report.python, report.good, printable(report.verdict), games,
        tuple(ToldRow(*map(printable, row)) for row in rows),
    )  # fmt: skip


def _next(report: CheckReport) -> Message | None:
    """The advice after the check; None if the rows of the report have advice."""
    file = shlex.quote(report.file)
    if report.good is None:
        return None
    if not report.good:
        return Message("mend what is FAILED, then check again; `--quick` takes half a minute at most")
    if report.quick:
        return Message("before you upload, check it once without --quick: `tengen check {file}`", file=file)
    what = Message("upload the file as {main}", main=MAIN)
    if Path(report.file).is_dir():
        what = Message("upload the files of {folder} that {main} needs", folder=file, main=MAIN)
    return Message("{what}; read the log of a game there with `tengen replay LOG`", what=what)


def _text(text: str, style: str = "") -> Text:
    """A text in the user's language, made printable."""
    return Text(printable(shown(text)), style=style)


def _grouped(items: Iterable[T], key: Callable[[T], object]) -> list[list[T]]:
    """The items in groups with the same key, in the order of their first items."""
    groups: dict[object, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return list(groups.values())


def _place(traceback: str) -> str:
    """A traceback without the exception's message: equal results mean the same failure at the same place."""
    frames, _, last = traceback.rpartition("\n")
    return f"{frames}\n{last.partition(':')[0]}"


def _and(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    return Message("{names} and {last}", names=Listing(names[:-1]), last=names[-1])
