"""The command `tengen report`: shows the standings of a tournament, or writes them as a page."""

from pathlib import Path
from typing import Annotated

import typer

from local_runner.command_line.options import argument, flag, option

PLACE = "many", 150  # group of commands, and the place in lists
EXAMPLES = ("tengen report pool.jsonl", "tengen report pool.jsonl --html pool.html --open")


def report(
    file: Annotated[Path, argument("The file of a tournament, which may still be running.")],
    html: Annotated[Path | None, option("Write a page with the standings and every game to replay.", "FILE")] = None,
    show: Annotated[bool, flag("--open", "Open the page in the browser.")] = False,
) -> None:
    """Show the standings of a tournament, or the state of its SPRT. --html writes one self-contained page.

    A very large tournament's page holds only the newest games; its figures count all games.
    """
    import webbrowser

    from rich.console import Console

    from local_runner.formats import tournament_page
    from local_runner.language.languages import _, requested
    from local_runner.language.text import in_line
    from local_runner.matches.games import read
    from local_runner.matches.screens import TournamentScreen

    games = read(file)
    Console().print(TournamentScreen(games).__rich__(live=False))
    for sentence in games.damage:
        typer.echo(sentence, err=True)
    if show and html is None:
        html = file.with_suffix(".html")
    if html is None:
        return
    tournament_page.write_page(file, html, language=requested())
    typer.echo(_("written: {path}").format(path=in_line(str(html))))
    if show and not webbrowser.open(html.resolve().as_uri()):
        typer.echo(_("no browser was found here; the page is {path}").format(path=in_line(str(html.resolve()))))
