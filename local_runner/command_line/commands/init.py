"""The command `tengen init`: writes a first agent, which its user then improves."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from local_runner.command_line.options import GAME, argument, one_of, option
from local_runner.language.languages import Message, _

PLACE = "upload", 85  # group of commands, and the place in lists
EXAMPLES = (
    "tengen init my_agent",
    "tengen init my_agent --from search --env gobang_1v1",
    "tengen init my_agent --from network",
)
SITE_GAME = "gobang_1v1"


def init(
    folder: Annotated[Path, argument("The folder for the agent; made if it is missing.", "FOLDER")] = Path("my_agent"),
    start: Annotated[str, option(
        "minimal: looks one move ahead. search: alpha-beta. network: a small network, and what trains it.",
        "minimal|search|network", "--from", **one_of(Message("start"), lambda: ("minimal", "search", "network")),
    )] = "minimal",
    env: Annotated[list[str] | None, option(
        "A game that the agent plays; may be repeated. Default: those of the site.", "GAME", "--env", **GAME
    )] = None,
) -> None:  # fmt: skip
    """Write a first agent of your own, with comments, that passes the check as it is."""
    from local_runner.upload.starter import NETWORK_PLAYS, Start, write_starter

    written = write_starter(folder, Start(start), env or [])
    for path in written:
        typer.echo(_("written: {path}").format(path=path))
    game = (env or [SITE_GAME])[0]
    main, *others = (shlex.quote(str(path)) for path in written)
    typer.echo(_("Next:"))
    if start == "network":
        typer.echo(f"  tengen match {main} greedy --env {NETWORK_PLAYS} --games 4")
        typer.echo(f"  tengen check {main}")
        typer.echo(f"  python {others[0]}")
        return
    typer.echo(f"  tengen match {main} random --env {game} --games 2")
    typer.echo(f"  tengen match {main} {others[0] if others else 'greedy'} --env {game} --games 4")
    typer.echo(f"  tengen check {main}")
