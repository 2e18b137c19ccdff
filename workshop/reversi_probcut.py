"""How far a shallow search of Reversi is from a deeper one: the error that ProbCut's margins are set by.

    python -m workshop.reversi_probcut [GAMES]      a table for 8x8 and 10x10, of GAMES (100) games, five minutes

The games are those that `tengen bench reversi` reads, which nothing is learnt from; every eighth position or so is
searched without ProbCut to every depth of PAIRS. A row is a pair of depths, a column a stage of the game
(submission/reversi/weights.py): the standard deviation of the difference, in discs. Below stands the straight line by
stage that fits all of them best; CellListEvaluator.DEVIATION in submission/reversi/evaluation.py is this line.
"""
from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from local_runner.bench.reversi import SIZES, games
from submission.alphabeta import Search
from submission.clock import Deadline
from submission.reversi.board import PASS
from submission.reversi.evaluation import UNIT
from submission.reversi.parameters import Parameters
from submission.reversi.position import FINAL, ReversiPosition
from submission.reversi.weights import STAGES, stage

DEEPEST = 7
SHALLOW = (0, *Parameters().probcut_depths)
PAIRS = [(depth, SHALLOW[depth]) for depth in range(DEEPEST + 1) if SHALLOW[depth]]
FEWEST_FREE = 12            # cells: with fewer the search may see the end
EVERY = 8                   # positions, one is searched


def main(count: int) -> None:
    """Print both tables."""
    for size in SIZES:
        errors = measured(size, count)
        table = Table("depths", *map(str, range(STAGES)), title=f"{size}x{size}: deviation in discs, by stage")
        for deep, shallow in PAIRS:
            table.add_row(f"{deep}, {shallow}", *(f"{np.std(errors[deep, at]):.1f}" if (deep, at) in errors else "-"
                                                  for at in range(STAGES)))
        Console().print(table)
        rows = [(at, np.std(found), len(found) ** 0.5) for (_, at), found in errors.items()]
        stages, deviations, weights = np.array(rows).T
        rise, start = np.polyfit(stages, deviations, 1, w=weights)
        print(f"nearest line: {start:.2f} + {rise:.2f} * stage")


def measured(size: int, count: int) -> dict[tuple[int, int], list[float]]:
    """Differences of deep and shallow values in discs, by deep depth and stage, from so many games."""
    errors: dict[tuple[int, int], list[float]] = defaultdict(list)
    for number, moves in enumerate(track(games(size)[:count], f"{size}x{size}", console=Console(stderr=True))):
        for position in positions(size, moves, number % EVERY):
            search = Search()
            values = [search.think(position, Deadline(None), depth).value for depth in range(1, DEEPEST + 1)]
            if max(map(abs, values)) < FINAL:
                at = stage(size, size * size - position.plies_left())
                for deep, shallow in PAIRS:
                    errors[deep, at].append((values[deep - 1] - values[shallow - 1]) / UNIT)
    return errors


def positions(size: int, moves: list[int], first: int) -> Iterator[ReversiPosition]:
    """Every so many positions of a game, where neither side is to pass; one board, which goes on."""
    start = ReversiPosition.start(size)
    position = ReversiPosition(size, Parameters(probcut_depths=()))
    position.set_discs(*start.discs, start.side)
    for played, cell in enumerate(moves):
        if played % EVERY == first and position.quiet() and position.plies_left() >= FEWEST_FREE:
            yield position
        if position.forced():
            position.play(PASS)
        position.play(cell)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
