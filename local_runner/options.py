"""Options that several commands take."""

import sys
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

Env = Annotated[str, typer.Option("--env", help="The game, e.g. gobang_1v1, reversi_1v1, tictactoe_1v1.")]
Rules = Annotated[str, typer.Option(help="platform: as the platform really plays. stated: as its text says.")]
Seed = Annotated[int, typer.Option(help="The same seed deals the same random numbers.")]
Memory = Annotated[float, typer.Option(min=1, help="MB of resident memory.")]
BoardSize = Annotated[int | None, typer.Option(help="A side of the board; the game's own if not given.")]
Board = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Begin Reversi from this board, Black to move: rows of . X O, as printed."),
]
Python = Annotated[str, typer.Option(help="The agents' interpreter, e.g. a python3.7.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Only the table at the end.")]
Concurrency = Annotated[
    int | None, typer.Option(min=1, help="Games at once; as many as there are physical cores if not given.")
]
OPENINGS = (  # what --openings takes, to be followed by what it is if not given
    "test, tune: the books of openings that come with the game; random; start: always the game's own; or a file, one a "
    "line: h8i9j10 (column, row from the top) or 0,0, 1,1 (x,y from the centre), or lists in JSON. If not given: "
)

class Colour(Enum):
    """A side to take."""

    BLACK = "black"
    WHITE = "white"


THIS_PYTHON = sys.executable
