"""Measures the difference between a shallow and a deep search of Reversi, from which ProbCut's margins are set.

    python -m workshop.reversi.probcut [GAMES]      prints a table for 8x8 and for 10x10; 100 games take five minutes

The games are those of `workshop.lab.bench reversi`, from which no weights are learnt. The searches are without ProbCut.
CellListEvaluator.DEVIATION in submission/reversi/evaluation.py is the line below the table: the straight line that fits
the standard deviations of deep minus shallow values best, by stage.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from submission.reversi.board import PASS
from submission.reversi.evaluation import UNIT
from submission.reversi.parameters import ReversiParameters
from submission.reversi.position import FINAL, ReversiPosition
from submission.reversi.weights import STAGES, stage
from submission.search.clock import Deadline
from submission.search.deepening import Search
from workshop.command import run, with_progress
from workshop.lab.bench import REVERSI_SIZES, reversi_games

DEEPEST = 7
SHALLOW = (0, *ReversiParameters().probcut_depths)
PAIRS = [(depth, SHALLOW[depth]) for depth in range(DEEPEST + 1) if SHALLOW[depth]]
FEWEST_EMPTY = 12  # empty cells: with fewer, the search may reach the end of the game
EVERY = 8  # one position in eight is searched


def main(
    count: Annotated[int, typer.Argument(metavar="[GAMES]", min=1, help="Number of games of each size.")] = 100,
) -> None:
    """Print the tables from the first `count` games."""
    for size in REVERSI_SIZES:
        errors = measure_errors(size, count)
        title = f"{size}x{size}: standard deviation of deep minus shallow values, in discs"
        table = Table("deep, shallow", *(f"stage {at}" for at in range(STAGES)), title=title)
        for deep, shallow in PAIRS:
            cells = (f"{np.std(errors[deep, at]):.1f}" if (deep, at) in errors else "-" for at in range(STAGES))
            table.add_row(f"{deep}, {shallow}", *cells)
        Console().print(table)
        rows = [(at, np.std(differences), len(differences) ** 0.5) for (_, at), differences in errors.items()]
        stages, deviations, weights = np.array(rows).T
        rise, start = np.polyfit(stages, deviations, 1, w=weights)
        print(f"best line: {start:.2f} + {rise:.2f} * stage")


def measure_errors(size: int, count: int) -> dict[tuple[int, int], list[float]]:
    """Deep minus shallow values in discs, by (deep depth, stage), from the first `count` games."""
    errors: dict[tuple[int, int], list[float]] = defaultdict(list)
    for number, moves in enumerate(with_progress(reversi_games(size)[:count], f"{size}x{size}")):
        for position in every_eighth(size, moves, number % EVERY):
            search = Search()
            values = [search.think(position, Deadline(None), depth).value for depth in range(1, DEEPEST + 1)]
            if max(map(abs, values)) < FINAL:
                at = stage(size, size * size - position.plies_left())
                for deep, shallow in PAIRS:
                    errors[deep, at].append((values[deep - 1] - values[shallow - 1]) / UNIT)
    return errors


def every_eighth(size: int, moves: list[int], first: int) -> Iterator[ReversiPosition]:
    """Yield every eighth position from ply `first` on, if it is quiet and has FEWEST_EMPTY empty cells or more.

    All yielded positions are one object, changed in place.
    """
    start = ReversiPosition.start(size)
    position = ReversiPosition(size, ReversiParameters(probcut_depths=()))
    position.set_discs(*start.discs, start.side)
    for played, cell in enumerate(moves):
        if played % EVERY == first and position.quiet() and position.plies_left() >= FEWEST_EMPTY:
            yield position
        if position.forced():
            position.play(PASS)
        position.play(cell)


if __name__ == "__main__":
    run(main)
