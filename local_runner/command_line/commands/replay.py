"""The command `tengen replay`: shows the games of a file, or writes them in another format."""

from pathlib import Path
from typing import Annotated

import typer

from local_runner.command_line.options import BoardSize, GameNumber, MovesEnv, Ply, argument, moves_setup, option

PLACE = "games", 40  # group of commands, and the place in lists
EXAMPLES = ("tengen replay f5d6c3d3c4 --out game.sgf --out game.png", "tengen replay game.sgf --ply 3")


def replay(
    file: Annotated[str, argument("Any file of games, or moves such as h8h9i9.", "FILE|MOVES")],
    game: GameNumber = None,
    ply: Ply = None,
    env: MovesEnv = None,
    board_size: BoardSize = None,
    out: Annotated[
        list[Path] | None,
        option("Write the game; the ending says how, such as .sgf, .png or .html; repeatable.", "FILE"),
    ] = None,
    html: Annotated[Path | None, option("One page that replays the game, or all games of the file.", "FILE")] = None,
) -> None:
    """Show the games of a file, or write one of them in another format.

    Reads logs of the site and ours, match --json, a tournament's file, SGF, GGF, WTHOR, .psq, CSV, and moves.
    """
    from rich.console import Console

    from local_runner.formats import replaying

    setup = moves_setup(env, board_size)
    raise typer.Exit(replaying.replay(file, Console(), setup=setup, number=game, ply=ply, out=out or [], html=html))
