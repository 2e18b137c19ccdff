"""Finds local_runner/data/gobang_fair.pos, the fairest openings of gobang. Playing strength is measured from them.

    python -m workshop.gobang.fair_openings FILE [--out FILE] [--jobs N]     takes an hour on two cores

FILE keeps the verdicts and is described in game_file.py. With another engine, use a new FILE. An opening that is fair
in quick games need not be fair in slow ones: of the games at 0.8 s a move that White loses, half are lost in
the opening, by White's own search. So a random opening has to pass three tests:

1. It is fit for a book (openings.py).
2. A search of NODES nodes, 60 times as long as that of openings.py, gives neither side a large value.
3. In six self-play games of 0.1 to 0.5 s a move (SLOW), neither side is ahead by more than LEAD points.

No player has been tuned from these openings.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from local_runner.matches.openings.books import Opening, Purpose, shipped
from workshop import game_file
from workshop.command import CORES, Jobs, run
from workshop.gobang.game import ENV, SETUP
from workshop.lab.openings import RECIPES, is_even, is_fit, play_out, write
from workshop.lab.openings import numbered_opening as recipe_opening

RECIPE = RECIPES[ENV]
OUTPUT = shipped(ENV, Purpose.TEST).parents[1] / "gobang_fair.pos"
OPENINGS = 50
BATCH = 500  # random openings tested at a time
NODES = 600000  # of the long search
SLOW = (4000, 5000, 6000, 7000, 12000, 24000)  # nodes per move in each of the six games
LEAD = 2  # wins less losses


@dataclass(frozen=True)
class FairnessVerdict(game_file.NumberedResult):
    """Whether the random opening of a number is fair."""

    fair: bool


def main(
    file: Annotated[Path, typer.Argument(help="File of verdicts. Openings that it holds are not tested again.")],
    output: Annotated[Path, typer.Option("--out", help="File of openings to write.")] = OUTPUT,
    jobs: Jobs = CORES,
) -> None:
    """Test random openings until OPENINGS of them are fair, and write these."""
    tried, fair = 0, list[int]()
    while len(fair) < OPENINGS:
        tried += BATCH
        game_file.run_command(file, FairnessVerdict, judge, tried, NODES, jobs)
        verdicts = game_file.read(file, FairnessVerdict)
        fair = [verdict.number for verdict in verdicts if verdict.fair and verdict.number <= tried]
    write(
        output,
        f"# {ENV}: the fairest openings; made by workshop/gobang/fair_openings.py, which says how",
        [numbered_opening(number) for number in fair[:OPENINGS]],
    )


def numbered_opening(number: int) -> Opening:
    """The random opening of a number."""
    return recipe_opening(SETUP, RECIPE, "fair", number)


def judge(number: int, nodes: int) -> FairnessVerdict:
    """Test the random opening of a number; `nodes`: of the long search."""
    opening = numbered_opening(number)
    fair = (
        is_fit(SETUP, RECIPE, opening)
        and is_even(SETUP, opening, nodes, RECIPE.max_value)
        and abs(black_lead(opening)) <= LEAD
    )
    return FairnessVerdict(number, nodes, fair)


def black_lead(opening: Opening) -> float:
    """Black's wins less White's in the slow games from an opening."""
    return 2 * sum(play_out(SETUP, opening, nodes) for nodes in SLOW) - len(SLOW)


if __name__ == "__main__":
    run(main)
