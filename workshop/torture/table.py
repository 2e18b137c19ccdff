"""The table of what was tortured: on the screen, and in Markdown between two markers of docs/trust.md."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from local_runner.errors import RunnerError
from local_runner.files import write_whole
from local_runner.statistics.counts import percentile
from workshop.torture.frame import TortureTest, done, journal_of

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


def tally(test: TortureTest, out: Path) -> TestCount:
    """Count what the journal of a test in the folder `out` holds."""
    journal = journal_of(test, out)
    lines = list(journal.results.values()) if journal else []
    faults = sorted((number, fault) for line in lines for number, fault in line["faults"])
    most: dict[str, float] = {}
    samples: dict[str, list[float]] = {}
    counts: dict[str, int] = {}
    for line in lines:
        for name, value in line["most"].items():
            most[name] = max(value, most.get(name, value))
        for name, values in line["samples"].items():
            samples.setdefault(name, []).extend(values)
        for name, count in line["counts"].items():
            counts[name] = counts.get(name, 0) + count
    shown = [f"{count:,} {name}" for name, count in sorted(counts.items())]
    shown += [f"most {name}: {value:.4g}" for name, value in sorted(most.items())]
    shown += [f"{name}: {len(values):,}, p99.9 {percentile(values, 99.9):.4g}, most {max(values):.4g}"
              for name, values in sorted(samples.items()) if values]
    first, fault = faults[0] if faults else (None, "")
    return TestCount(test, len(done(journal.results)) if journal else 0, sum(line["failed"] for line in lines),
                 first, fault, "; ".join(shown))


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
