"""The command `tengen run-log`: plays one game and writes its log in the platform's format."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from local_runner.command_line.options import AGENT, Env, Rules, Sandbox, Seed, option
from local_runner.language.languages import _
from local_runner.language.text import ERROR, printable, shortened
from local_runner.processes.sandbox import SandboxMode
from local_runner.terminal.output import ExitCode, interruptible

PLACE = "play", 30  # group of commands, and the place in lists
EXAMPLES = (
    "tengen run-log --black scorer --white seed004",
    "tengen run-log --black ./submission.py --white greedy --env reversi_1v1 --out logs",
)


def run_log(
    black: Annotated[str, option("Black's agent, who moves first.", **AGENT)],
    white: Annotated[str, option("White's agent.", **AGENT)],
    env: Env = "gobang_1v1",
    rules: Rules = "platform",
    seed: Seed = 0,
    sandbox: Sandbox = SandboxMode.AUTO,
    out: Annotated[Path, option("Folder for the log.", "FOLDER")] = Path("logs"),
) -> None:
    """Play one game as the platform's run_log.py does, and write the log that the platform's replay page shows."""
    from local_runner.agents.spec import parse_agent
    from local_runner.formats import read_path
    from local_runner.game.records import winner_and_how
    from local_runner.game.setup import GameSetup
    from local_runner.matches import run_log as twin
    from local_runner.system.files import check_folder

    agents = (parse_agent(black), parse_agent(white))
    check_folder(out, _("choose another --out"))
    try:
        with interruptible(_("the game was interrupted; it leaves no log")):
            path = twin.run_log(GameSetup(env, rules, seed or 0), agents, out, sandbox)
    except twin.RunAborted as error:
        sys.stderr.write(printable(error.traceback))
        typer.echo(f"tengen: {shortened(str(error), ERROR)}", err=True)
        raise typer.Exit(ExitCode.FAULT) from error
    game = read_path(path, None).game(0)
    typer.echo(_("{winner}; log: {path}").format(winner=winner_and_how(game.winner, game.ending), path=path))
