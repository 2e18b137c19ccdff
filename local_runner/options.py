"""Options that several commands have."""

import sys
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

Env = Annotated[str, typer.Option("--env", help="The game, such as gobang_1v1, reversi_1v1, tictactoe_1v1.")]
Rules = Annotated[str, typer.Option(help="platform: as the platform plays. stated: as its rules say.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same random numbers.")]
Memory = Annotated[float, typer.Option(min=1, help="MB of resident memory.")]
BoardSize = Annotated[int | None, typer.Option(help="Cells on a side of the board; default: the game's own.")]
Board = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Begin Reversi from this board, Black to move: rows of . X O."),
]
Python = Annotated[str, typer.Option(help="The agents' interpreter, such as python3.7.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Only the table at the end.")]
Concurrency = Annotated[
    int | None, typer.Option(min=1, help="Games at once; default: the number of physical cores.")
]
OPENINGS = (  # help of --openings, before the default
    "test, tune: a book that comes with the game; random; start: the game's own start; or a file with one opening a "
    "line, as h8i9j10 (column, row from the top) or 0,0, 1,1 (x,y from the centre), or with lists in JSON. Default: "
)


class Colour(Enum):
    """Black or White."""

    BLACK = "black"
    WHITE = "white"


THIS_PYTHON = sys.executable
