"""The command `tengen init`: writes a first agent, which its user then improves."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from local_runner.commands.shared import panels
from local_runner.commands.shared.options import games, one_of
from local_runner.language.languages import Message, _

ORDER = 85  # place in the list of commands
PANEL = panels.UPLOAD
EXAMPLES = (
    "tengen init my_agent",
    "tengen init my_agent --from search --env gobang_1v1",
)
SITE_GAME = "gobang_1v1"


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder for the agent; made if it is missing.")
    ] = Path("my_agent"),
    start: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="minimal|search",
            **one_of(Message("start"), lambda: ("minimal", "search")),
            help="minimal: looks one move ahead. search: alpha-beta.",
        ),
    ] = "minimal",
    env: Annotated[
        list[str] | None,
        typer.Option(
            "--env",
            metavar="GAME",
            **one_of(Message("game"), games),
            help="A game that the agent plays; may be repeated. Default: those of the site.",
        ),
    ] = None,
) -> None:
    """Write a first agent of your own, with comments: it plays gobang and Reversi, and passes the check as it is."""
    from local_runner.upload.starter import Start, write_starter

    written = write_starter(folder, Start(start), env or [])
    for path in written:
        typer.echo(_("written: {path}").format(path=path))
    game = (env or [SITE_GAME])[0]
    main, stronger = shlex.quote(str(written[0])), shlex.quote(str(written[1])) if len(written) > 1 else "greedy"
    typer.echo(_("Next:"))
    typer.echo(f"  tengen match {main} random --env {game} --games 2")
    typer.echo(f"  tengen match {main} {stronger} --env {game} --games 4")
    typer.echo(f"  tengen check {main}")
