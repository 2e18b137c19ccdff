"""What `tengen check` finds: one row per question, with a verdict, and what to mend in plain words."""
from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    """How one question was answered; only FAILED keeps a file from being uploaded."""

    PASSED = "ok"
    NOTED = "note"
    SKIPPED = "skipped"
    FAILED = "FAILED"


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
    def good(self) -> bool:
        """Whether the file may be uploaded."""
        return all(row.verdict is not Verdict.FAILED for row in self.rows)
