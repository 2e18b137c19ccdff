"""The command `tengen report`: writes an HTML page about a tournament."""

from pathlib import Path
from typing import Annotated

import typer

ORDER = 150  # place in the list of commands
PANEL = "many"
EXAMPLES = ("tengen report pool.jsonl --open", "tengen report pool.jsonl --out pool.html --markdown pool.md")


def report(
    file: Annotated[Path, typer.Argument(help="The file of a tournament, which may still be running.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The page; default: the file's name with .html.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write a short summary in Markdown.")
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Write a page about a tournament, one self-contained file: tables, plots, and every game to replay.

    A very large tournament's page replays only the faulty and the newest games; its figures count all games.
    """
    from local_runner.html import report

    page = out or file.with_suffix(".html")
    typer.echo(report.write(file, page, markdown))
    if show and (missing := report.open_in_browser(page)):
        typer.echo(missing)
