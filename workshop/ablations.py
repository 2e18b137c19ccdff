"""What the parts of the gobang search are worth: makes engines that lack one of them, to play against the whole one.

    python -m workshop.ablations FOLDER         engine.py, and without_*.py for each of PARTS
    make ablations                              these, and the matches

Each is an upload in one file. What is taken out is a few words of the source, replaced by others; the words must be
there once, so that an ablation which no longer takes anything out is noticed.
"""
from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from local_runner import bundle
from local_runner.errors import RunnerError
from local_runner.files import check_folder


class Change(NamedTuple):
    """Words of a module of submission/ that stand there once, and what stands there instead."""

    module: str
    old: str
    new: str


SEARCH, POSITION, THREATS = "alphabeta.py", "gomoku/position.py", "gomoku/threats.py"
PARTS = {
    "reductions": Change(SEARCH, "if depth >= REDUCE_DEPTH", "if depth >= MOST"),
    "fewer_for_threats": Change(SEARCH, "reduction //= 2", "pass"),
    "futility": Change(SEARCH, "if value - above >= beta:", "if value >= beta and depth <= 0:"),
    "razor": Change(SEARCH, "if value + below <= alpha:", "if depth <= 0:"),
    "killers": Change(SEARCH, "self._remember_killer(ply, move)", "pass"),
    "fallen": Change(SEARCH, "if depth >= FALLEN_DEPTH", "if depth >= MOST"),
    "escapes": Change(SEARCH, "if best <= -FORCED and number + 1 == len(moves)", "if not moves"),
    "table": Change(SEARCH, "table_entries: int = 40000", "table_entries: int = 1"),
    "order": Change(POSITION, "merits, shape = self.merits(), self.geometry",
                    "merits, shape = bytes(self.geometry.cells), self.geometry"),
    "fours_besides": Change(POSITION, "[cell for cell in cells_of(fours) if cell not in ordered]", "[]"),
    "root_order": Change(POSITION, "if self.threatened(tries, deadline):", "if not tries:"),
    "narrowing": Change(POSITION, "Sequence[int] = WIDTHS", "Sequence[int] = (16,)"),
    "root_cells": Change(POSITION, "WIDTHS = (40,", "WIDTHS = (16,"),
    "width": Change(POSITION, "Sequence[int] = WIDTHS", "Sequence[int] = (999,)"),
    "bounds": Change(POSITION, "MORE, BEST = 150, 700, 170", "MORE, BEST = NEVER, NEVER, -NEVER"),
    "null_windows": Change(SEARCH, "below - reduction, -alpha - 1", "below - reduction, -beta"),
    "extensions": Change(SEARCH, "EXTRA_PLIES = 16", "EXTRA_PLIES = 0"),
    "vcf_at_horizon": Change(POSITION, "VCF_TRIES = 40", "VCF_TRIES = 0"),
    "vct_in_tree": Change(POSITION, "VCT_TRIES = (", "VCT_TRIES = (0,) or ("),
    "giving_up": Change(POSITION, "TREE_EFFORT = 30", "TREE_EFFORT = NEVER"),
    "vct_at_root": Change(POSITION, "ROOT_TRIES, ROOT_SHARE = 8000", "ROOT_TRIES, ROOT_SHARE = 0"),
    "effort": Change(THREATS, "min(max((HOPE - value) // STEP, 1), MOST_EFFORT)", "1"),
}


def main(folder: Annotated[Path, typer.Argument(help="Where the engines go.")]) -> None:
    """Write the whole engine, and each of those that lack a part."""
    try:
        check_folder(folder, "give another one")
        bundle.write(bundle.build(), folder / "engine.py")
        for part, change in PARTS.items():
            bundle.write(without(change), folder / f"without_{part}.py")
    except RunnerError as error:
        raise SystemExit(str(error)) from error


def without(change: Change) -> bundle.Bundle:
    """The engine with that change; raises RunnerError where the words are not there, or more than once."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(bundle.SOURCE, Path(folder) / "submission"))
        module = copy / change.module
        text = module.read_text("utf-8")
        if text.count(change.old) != 1:
            raise RunnerError(f"{change.module} says {text.count(change.old)} times, not once: {change.old}")
        module.write_text(text.replace(change.old, change.new), "utf-8")
        return bundle.build(copy)


if __name__ == "__main__":
    typer.run(main)
