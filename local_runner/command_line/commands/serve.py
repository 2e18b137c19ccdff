"""The command `tengen serve`: serves the page that plays, replays and analyses games in the browser."""

from pathlib import Path
from typing import Annotated

import typer

from local_runner.command_line.options import Sandbox, argument, flag, option
from local_runner.processes.sandbox import SandboxMode
from local_runner.system.checks import need

PLACE = "play", 110  # group of commands, and the place in lists
EXAMPLES = (
    "tengen serve",
    "tengen serve pool.jsonl --port 8000 --no-open",
    "tengen serve --agent 'gtp:gtp-rhino -l 2'",
)


def serve(
    files: Annotated[
        list[Path] | None, argument("Files of tournaments or tests to watch, also while they run.", "FILE")
    ] = None,
    port: Annotated[int, option("The port; 0: that of the last time, or a free one.", least=0, most=65535)] = 0,
    no_open: Annotated[bool, flag("--no-open", "Only print the address; open no browser.")] = False,
    store: Annotated[
        Path | None, option("Where games are kept; default: in the folder for your data.", "FOLDER")
    ] = None,
    agent: Annotated[
        list[str] | None, option("A further agent to play on the page; may be given several times.", "AGENT")
    ] = None,
    sandbox: Sandbox = SandboxMode.AUTO,
) -> None:
    """Open the page in the browser: play, replay, analyse and watch. Only this machine can reach the page.

    The page needs tengen[serve], which `make serve` installs.
    """
    need("serve")
    from local_runner.agents.spec import parse_agent
    from local_runner.server import application
    from local_runner.server.store import default_folder

    agents = [parse_agent(text) for text in agent or []]
    raise typer.Exit(application.serve(files or [], port, not no_open, store or default_folder(), sandbox, agents))
