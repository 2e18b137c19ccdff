"""The command `tengen replay`: shows the games of a file, or writes them in another format."""

from pathlib import Path
from typing import Annotated

import typer

from local_runner.command_line.options import MOST_GAMES_IN_FILE, MOST_PLIES, BoardSize, MovesEnv, game_setup
from local_runner.errors import RunnerError
from local_runner.language.languages import _

ORDER = 40  # place in the list of commands
PANEL = "games"
EXAMPLES = (
    "tengen replay f5d6c3d3c4 --out game.sgf --out game.gif",
    "tengen replay game.sgf --ply 3",
)


def replay(
    file: Annotated[str, typer.Argument(metavar="FILE|MOVES", help="Any file of games, or moves such as h8h9i9.")],
    game: Annotated[
        int | None, typer.Option("--game", metavar="N", min=1, max=MOST_GAMES_IN_FILE, help="The game of that number.")
    ] = None,
    ply: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=MOST_PLIES, help="The board after N plies.")
    ] = None,
    env: MovesEnv = None,
    board_size: BoardSize = None,
    out: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="Write the game; the ending says how, such as .sgf, .png or .html; repeatable."
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="One page that replays the game, or all games of the file.")
    ] = None,
) -> None:
    """Show the games of a file, or write one of them in another format.

    Reads logs of the site and ours, match --json, a tournament's file, SGF, GGF, WTHOR, .psq, CSV, and moves.
    """
    from rich.console import Console

    from local_runner.formats import replaying

    if board_size is not None and env is None:
        raise RunnerError(_("--board-size needs --env: the game of the moves"))
    setup = game_setup(env, board_size=board_size) if env else None
    raise typer.Exit(replaying.replay(file, Console(), setup=setup, number=game, ply=ply, out=out or [], html=html))
