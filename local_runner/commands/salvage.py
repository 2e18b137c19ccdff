"""The command `tengen salvage`: saves the readable games of a damaged tournament file."""

from pathlib import Path
from typing import Annotated

import typer

from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.language.text import printable

ORDER = 160  # place in the list of commands
PANEL = "many"
EXAMPLES = ("tengen salvage pool.db --out saved.db", "tengen salvage /media/disk/pool.db --out pool.db --lang zh")


def salvage(
    file: Annotated[Path, typer.Argument(help="The damaged file of a tournament; it is only read.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The new file that keeps every game.")] = None,
) -> None:
    """Save the games of a damaged tournament file into a new file.

    Says how many games are saved and how many are lost. `tengen tournament --resume` plays the lost ones again.
    """
    from local_runner.matches.tournament.salvage import salvage as save

    if out is None:
        raise RunnerError(_("what is saved goes into a new file: give --out FILE"))
    typer.echo(printable(str(save(file, out))))
