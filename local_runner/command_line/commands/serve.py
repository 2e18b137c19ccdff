"""The command `tengen serve`: serves the page that plays, replays and analyses games in the browser."""

from pathlib import Path
from typing import Annotated

import typer

from local_runner.command_line.options import Sandbox
from local_runner.processes.sandbox import SandboxMode
from local_runner.system.extras import need

ORDER = 110  # place in the list of commands
PANEL = "play"
EXAMPLES = (
    "tengen serve",
    "tengen serve pool.jsonl --port 8000 --no-open",
    "tengen serve --agent 'gtp:gtp-rhino -l 2'",
)


def serve(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Files of tournaments or tests to watch, also while they run."),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: that of the last time, or a free one.")] = 0,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only print the address; open no browser.")] = False,
    store: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where games are kept; default: in the folder for your data.")
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(metavar="AGENT", help="A further agent to play on the page; may be given several times."),
    ] = None,
    sandbox: Sandbox = SandboxMode.AUTO,
) -> None:
    """Open the page in the browser: play, replay, analyse and watch. Only this machine can reach the page.

    The page needs tengen[serve], which `make serve` installs.
    """
    need("serve")
    from local_runner.agents.spec import parse_agent
    from local_runner.server import serve as server
    from local_runner.server.store import default_folder

    agents = [parse_agent(text) for text in agent or []]
    raise typer.Exit(server.serve(files or [], port, not no_open, store or default_folder(), sandbox, agents))
