"""Experiments with tables and plots. After a stop, the same command continues a study of games.

    python -m workshop.lab.study cross-table       every agent against every other: scores and Elo
    python -m workshop.lab.study per-move-time     seconds per call by move number
    python -m workshop.lab.study depth-time        seconds per move by search depth, for seed001
    python -m workshop.lab.study pruning           nodes of minimax, alpha-beta and its refinements

workshop/notebook/studies/ has a page for each, with its options and results.
"""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from local_runner.system.extras import need
from workshop.command import run
from workshop.lab.study import output
from workshop.lab.study.cross_table import CrossTable
from workshop.lab.study.depth_time import DepthTime
from workshop.lab.study.per_move_time import PerMoveTime
from workshop.lab.study.pruning import Pruning

Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FOLDER", help="Folder of the results; the page is FOLDER.md. [results/NAME]"),
]


def depth_time(study: DepthTime, out: Out = None) -> None:
    """Seconds per move by search depth, for five configurations of seed001, with exponential fits."""
    _run("depth-time", out, study.run)


def pruning(study: Pruning, out: Out = None) -> None:
    """Nodes of minimax, alpha-beta and its refinements on the same positions, with the theoretical bounds."""
    study.check()
    _run("pruning", out, study.run)


def per_move_time(study: PerMoveTime, out: Out = None) -> None:
    """Seconds per call by move number, of the first agent and of each opponent, in games between them."""
    study.pools()
    _run("per-move-time", out, study.run)


def cross_table(study: CrossTable, out: Out = None) -> None:
    """Every agent against every other: scores with 95 % intervals, and Elo."""
    study.pools()
    _run("cross-table", out, study.run)


COMMANDS = (cross_table, per_move_time, depth_time, pruning)


def _run(name: str, out: Path | None, study: Callable[[Path], output.StudyResult]) -> None:
    """Measure, write and print the summary. Ctrl-C keeps the finished games."""
    need("plots")
    folder = out or Path("results", name)
    output.check(folder)
    try:
        result = study(folder)
    except KeyboardInterrupt:
        sys.exit(f"stopped; {folder} has the finished games, and the same command goes on")
    output.write(result, folder, shlex.join(["python", "-m", __package__, *sys.argv[1:]]))
    print(output.markdown(result.summary))
    print(f"written: {output.page_of(folder)} and the files in {folder}")


if __name__ == "__main__":
    run(*COMMANDS)
