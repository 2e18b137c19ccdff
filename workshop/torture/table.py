"""The table of what was tortured: on the screen, and in Markdown between two markers of docs/trust.md."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from local_runner.errors import RunnerError
from local_runner.files import write_whole
from workshop.torture.frame import TortureTest
from workshop.torture.sums import STEPS, percentile, summed

PAGE = Path(__file__).resolve().parents[2] / "docs" / "trust.md"
BEGIN, END = "<!-- torture: written by python -m workshop.torture --table -->", "<!-- torture: end -->"
COLUMNS = ("test", "done", "of", "allowed", "failed", "measured")


@dataclass(frozen=True)
class TestCount:
    """The state of one test: trials done, failures with the first of them, figures as a text."""

    test: TortureTest
    done: int
    failed: int
    first: int | None
    fault: str
    measured: str


def tally(test: TortureTest, journals: Sequence[Path], kept: Path | None = None) -> TestCount:
    """Count what the journals in these folders and the committed file (in the folder `kept`) hold."""
    found = summed(test, journals, kept)
    shown = [f"{count:,} {name}" for name, count in sorted(found.counts.items())]
    shown += [f"most {name}: {value:.4g}" for name, value in sorted(found.most.items())]
    shown += [f"{name}: {values.total():,}, p99.9 {percentile(values, 99.9):.4g}, most {max(values) / STEPS:.4g}"
              for name, values in sorted(found.samples.items()) if values]
    first, fault = found.faults[0] if found.faults else (None, "")
    return TestCount(test, len(found.trials), found.failed, first, fault, "; ".join(shown))


def screen_table(tallies: Sequence[TestCount]) -> Table:
    """The table for a terminal."""
    table = Table(*COLUMNS)
    for each in tallies:
        failed = f"{each.failed}" + (f", first {each.first}: {each.fault}" if each.failed else "")
        row = (each.test.name, f"{each.done:,}", f"{each.test.amount:,}", each.test.allowed, failed, each.measured)
        table.add_row(*map(escape, row))
    return table


def markdown(tallies: Sequence[TestCount]) -> str:
    """The table in Markdown."""
    rows = [COLUMNS, ("---",) * len(COLUMNS)]
    rows += [(f"{each.test.title} (`{each.test.name}`)", f"{each.done:,}", f"{each.test.amount:,}", each.test.allowed,
              f"{each.failed:,}", each.measured) for each in tallies]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)


def write_into_page(tallies: Sequence[TestCount], page: Path = PAGE) -> None:
    """Replace the table between the markers of the page; RunnerError if the markers are missing."""
    try:
        before, begin, rest = page.read_text("utf-8").partition(BEGIN)
    except OSError as error:
        raise RunnerError(f"cannot read {page}: {error.strerror}") from error
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise RunnerError(f"{page} lacks the markers of the table; add the lines {BEGIN} and {END}")
    write_whole(page, f"{before}{BEGIN}\n\n{markdown(tallies)}\n\n{END}{after}", f"make {page} writable")
