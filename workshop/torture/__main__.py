"""The command line of the torture tests.

    python -m workshop.torture [run|status] [--only NAME]... [--jobs N] [--amount N] [--journal FOLDER]...
    python -m workshop.torture --trial NAME NUMBER      repeats one trial and says what it found
    python -m workshop.torture status --table           writes the table into docs/trust.md
    python -m workshop.torture keep                     adds the journals to docs/trust/NAME.json, to be committed

A run can be stopped at any moment, with kill -9 too; the same command goes on. What docs/trust or a journal has is not
done again, so a long test can be done in several sittings, on several machines: keep and commit after each.
"""
from __future__ import annotations

import sys
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from local_runner.files import check_folder
from workshop.command import run
from workshop.torture import frame, sums, table


class Action(Enum):
    """What to do: the trials that are missing, only the table, or the files to commit."""

    RUN = "run"
    STATUS = "status"
    KEEP = "keep"


def main(
    action: Annotated[
        Action, typer.Argument(help="Do the missing trials, only show the table, or keep what was done.")
    ] = Action.RUN,
    only: Annotated[list[str] | None, typer.Option(help="Name of a test; may be given several times.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Number of trials or batches at once.")] = 1,
    amount: Annotated[int | None, typer.Option(min=1, help="Trials of each test, instead of its own number.")] = None,
    journal: Annotated[
        list[Path] | None,
        typer.Option(metavar="FOLDER", help="Folder of journals; further ones add up. Default: build/torture."),
    ] = None,
    trial: Annotated[tuple[str, int] | None, typer.Option(help="Repeat one trial: NAME NUMBER.")] = None,
    write: Annotated[bool, typer.Option("--table", help="Write the table into docs/trust.md.")] = False,
) -> None:
    """Torture the finished product; exit code 1 if a trial failed."""
    if trial is not None:
        outcome, = frame.do(frame.find(trial[0]), trial[1], 1)
        print(outcome.fault or "all is well")
        sys.exit(1 if outcome.fault else 0)
    chosen = [frame.find(name) for name in only] if only else frame.tests()
    folders = journal or [Path("build/torture")]
    out = folders[0]
    if action is Action.RUN:
        check_folder(out, "give another --journal first")
        try:
            for test in chosen:
                known = sums.summed(test, folders[1:]).trials
                frame.run(test, out, jobs, amount or test.amount, Console(stderr=True), known)
        except KeyboardInterrupt:
            sys.exit(f"stopped; {out} is intact, and the same command goes on from there")
    if action is Action.KEEP:
        for test in chosen:
            print(f"{test.name}: {sums.keep(test, folders):,} trials more in {sums.FOLDER}")
    tallies = [table.tally(test, folders) for test in chosen]
    Console().print(table.screen_table(tallies))
    if write:
        table.write_into_page([table.tally(test, folders) for test in frame.tests()])
    if any(each.failed for each in tallies):
        sys.exit(1)


if __name__ == "__main__":
    run(main)
