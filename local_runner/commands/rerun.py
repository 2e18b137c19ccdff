"""The command `tengen rerun`: plays one game of a tournament again."""

from pathlib import Path
from typing import Annotated

import typer

from local_runner.command_line.options import MOST_GAMES_IN_FILE, Sandbox, located
from local_runner.language.languages import _
from local_runner.processes.sandbox import SandboxMode
from local_runner.system.exit_codes import interruptible

ORDER = 140  # place in the list of commands
PANEL = "many"
EXAMPLES = ("tengen rerun pool.db 7", "tengen rerun pool.db 7 --out logs --sandbox on")


def rerun(
    file: Annotated[Path, typer.Argument(help="The file of a tournament.")],
    game: Annotated[int, typer.Argument(min=1, max=MOST_GAMES_IN_FILE, help="The number of the game.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for the log and the agents' output.")] = Path(
        "logs"
    ),
    sandbox: Sandbox = SandboxMode.AUTO,
    python: Annotated[
        str,
        typer.Option(
            metavar="PYTHON",
            callback=located,
            help="The agents' interpreter: a path, a command or a version, such as 3.7.",
        ),
    ] = "",
) -> None:
    """Play one game of a tournament again, with the same opening and seeds; keep its log and the agents' output."""
    from local_runner.matches.tournament import rerun
    from local_runner.matches.tournament.store import read

    with read(file) as store, interruptible(_("the game was interrupted; it leaves no log")):
        store.plan = store.plan.limited({"sandbox": sandbox}, python)
        raise typer.Exit(rerun.rerun(store, game, out))
