"""Finds local_runner/data/gobang_fair.pos, the fairest openings of gobang: strength is measured from these.

    python -m workshop.gobang_fair FILE [--processes N]     an hour on two cores; see game_file.py

What is fair in quick games need not be when both think longer: of the games of 0.8 s a move that White loses, half are
lost at the start, as he sees himself. So random openings that are as balanced as those of the books (openings.py) must
seem even to a search 60 times as long, too; and of six games of the search against itself, with as many nodes a move as
take it a tenth to half of a second, neither side may be ahead by more than LEAD. No player has been tuned from them. A
stronger engine finds others: it wants another FILE.
"""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from local_runner.game_setup import GameSetup
from local_runner.openings.books import Opening, Purpose, shipped
from workshop import game_file
from workshop.bench_positions import ENV
from workshop.openings import RECIPES, dealt, is_even, is_fit, played_out, write

SETUP, RECIPE = GameSetup(ENV), RECIPES[ENV]
OUTPUT = shipped(ENV, Purpose.TEST).parents[1] / "gobang_fair.pos"
OPENINGS = 50
BATCH = 500                                         # random openings judged at a time
NODES = 600000                                      # of the search that must find an opening even
SLOW = (4000, 5000, 6000, 7000, 12000, 24000)       # nodes of a move in each game of an opening,
LEAD = 2                                            # by as many of which a side may be ahead


@dataclass(frozen=True)
class Judged(game_file.SelfPlay):
    """Whether the random opening of a number is fair."""

    fair: bool


def main(
    file: Annotated[Path, typer.Argument(help="What was judged; openings that are there are not judged again.")],
    output: Annotated[Path, typer.Option(help="The file of openings to write.")] = OUTPUT,
    processes: game_file.Processes = game_file.CORES,
) -> None:
    """Judge random openings until so many are fair, and write these."""
    tried, fair = 0, list[int]()
    while len(fair) < OPENINGS:
        tried += BATCH
        game_file.main(file, Judged, judged, tried, NODES, processes)
        fair = [each.number for each in game_file.read(file, Judged) if each.fair and each.number <= tried]
    write(output, f"# {ENV}: the fairest openings; made by workshop/gobang_fair.py, which says how",
          [opening(number) for number in fair[:OPENINGS]])


def opening(number: int) -> Opening:
    """The random opening of a number."""
    return dealt(SETUP, RECIPE, f"fair {number}", number)


def judged(number: int, nodes: int) -> Judged:
    """The random opening of that number, which must be even to a search of so many nodes."""
    start = opening(number)
    return Judged(number, nodes, fair=is_fit(SETUP, RECIPE, start) and is_even(SETUP, start, nodes, RECIPE.near)
                  and abs(lead(start)) <= LEAD)


def lead(start: Opening) -> float:
    """By how many of the slow games from an opening Black is ahead."""
    return 2 * sum(played_out(SETUP, start, nodes) for nodes in SLOW) - len(SLOW)


if __name__ == "__main__":
    typer.run(main)
