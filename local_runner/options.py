"""Options that several commands take, with their help."""

import sys
from typing import Annotated

import typer

Env = Annotated[str, typer.Option("--env", help="The game, e.g. gobang_1v1, reversi_1v1, tictactoe_1v1.")]
Rules = Annotated[str, typer.Option(help="platform: as the platform really plays. stated: as its text says.")]
Seed = Annotated[int, typer.Option(help="The same seed deals the same random numbers.")]
Memory = Annotated[float, typer.Option(min=1, help="MB of resident memory.")]
BoardSize = Annotated[int | None, typer.Option(help="A side of the board; the game's own if not given.")]
Python = Annotated[str, typer.Option(help="The agents' interpreter, e.g. a python3.7.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]

THIS_PYTHON = sys.executable
