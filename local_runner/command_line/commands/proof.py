"""The command `tengen proof`: shows the proof that Black wins gobang, or writes it as a page."""

from pathlib import Path
from typing import Annotated

import typer

from local_runner.command_line.options import option

PLACE = "lists", 75  # group of commands, and the place in lists
EXAMPLES = ("tengen proof", "tengen proof --html proof.html")


def proof(
    html: Annotated[Path | None, option("One page to walk through the proof, for any web server.", "FILE")] = None,
) -> None:
    """Show the proof that Black wins gobang: White's 35 second moves, and the longest line after each.

    The upload has an answer to whatever White does: play White on the page of tengen serve. The page written by --html
    holds these lines only, and needs no network.
    """
    from rich.console import Console
    from rich.text import Text

    from local_runner.formats import proof_page
    from local_runner.language.languages import _, requested
    from local_runner.system.files import check_writable, write_whole
    from local_runner.terminal.drawing import WideTable

    if html is not None:
        check_writable(html, _("give --html another file"))
        write_whole(html, proof_page.proof_page(language=requested()), _("give --html another file"))
        typer.echo(_("written: {path}").format(path=html))
        return
    console, lines = Console(), proof_page.proof_lines()
    table = WideTable("", [_("White's second move"), _("prepared moves"), _("stones")])
    for line in lines:
        table.add(line.second, str(line.entries), str(len(line.cells)))
    console.print(table)
    console.print(Text("\n" + _("longest line")))
    for line in lines:
        console.print(Text(line.moves), soft_wrap=True)
