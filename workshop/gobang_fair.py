"""Finds local_runner/data/gobang_fair.pos, gobang's fairest openings for testing: strength is measured from these.

    python -m workshop.gobang_fair FILE [--processes N]     see game_file.py; of the book that workshop.openings made

What is fair in quick games need not be when both think longer: of the games of 0.8 s a move that White loses, half are
lost at the start, as he sees himself. The fairest are those that a search 60 times as long as the book's still values
near zero, and of which either side wins as nearly half as can be had of six games of the search against itself, with as
many nodes a move as take it a tenth to half of a second. A stronger engine finds others: it wants another FILE.
"""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from local_runner.openings.books import Purpose, book, shipped
from local_runner.play import GameSetup
from workshop import game_file
from workshop.bench_positions import ENV
from workshop.openings import RECIPES, is_even, played_out, write

OUTPUT = shipped(ENV, Purpose.TEST).parents[1] / "gobang_fair.pos"
NODES = 600000                                      # of the search that must find it even
SLOW = (4000, 5000, 6000, 7000, 12000, 24000)       # nodes of a move in each game of an opening
FAIREST = 50                                        # openings


@dataclass(frozen=True)
class Lead(game_file.SelfPlay):
    """By how many games one side of an opening is ahead; by more than there are where the search finds it uneven."""

    lead: float


def main(
    file: Annotated[Path, typer.Argument(help="Where the leads go; openings that are there are not judged again.")],
    output: Annotated[Path, typer.Option(help="The file of openings to write.")] = OUTPUT,
    processes: game_file.Processes = game_file.CORES,
) -> None:
    """Judge all openings for testing, and write the fairest."""
    openings = book(ENV, Purpose.TEST)
    game_file.main(file, Lead, lead, len(openings), NODES, processes)
    fairest = sorted(game_file.read(file, Lead), key=lambda each: each.lead)[:FAIREST]
    write(output, f"# {ENV}: the fairest of the openings for testing",
          [openings[number - 1] for number in sorted(each.number for each in fairest)])


def lead(number: int, nodes: int) -> Lead:
    """That of the opening of a number, from 1; it must be even to a search of so many nodes."""
    setup, opening = GameSetup(ENV), book(ENV, Purpose.TEST)[number - 1]
    if not is_even(setup, opening, nodes, RECIPES[ENV].near):
        return Lead(number, nodes, len(SLOW) + 1)
    black = sum(played_out(setup, opening, each) for each in SLOW)
    return Lead(number, nodes, abs(2 * black - len(SLOW)))


if __name__ == "__main__":
    typer.run(main)
