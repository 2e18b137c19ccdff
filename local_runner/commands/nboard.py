"""The command `tengen nboard`: our engine for Reversi in NBoard."""

from typing import Annotated

import typer

from local_runner.commands.shared import panels

ORDER = 117  # place in the list of commands
PANEL = panels.PLAY
EXAMPLES = (
    "tengen nboard",
    "tengen nboard --seconds 2",
)


def nboard(
    seconds: Annotated[float, typer.Option(min=0, max=10**6, help="Longest time for a move or a hint.")] = 5.0,
) -> None:
    """Be an engine of NBoard for Reversi: answer its protocol on standard input and output."""
    from local_runner.protocols import console
    from local_runner.protocols.nboard import Engine

    console.run_here(Engine(turn_seconds=seconds))
