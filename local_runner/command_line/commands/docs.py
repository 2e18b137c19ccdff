"""The command `tengen docs`: opens the documentation in the browser."""

from typing import Annotated

import typer

from local_runner.command_line.options import argument, flag
from local_runner.errors import RunnerError
from local_runner.language.languages import _, current, unknown

PLACE = "lists", 78  # group of commands, and the place in lists
EXAMPLES = ("tengen docs", "tengen docs check#time")


def docs(
    page: Annotated[str, argument("A page, or a part of one, such as check#time.", "PAGE")] = "index",
    no_open: Annotated[bool, flag("--no-open", "Only print the address; open no browser.")] = False,
) -> None:
    """Open the documentation in the browser, with a search. It needs no network."""
    import webbrowser

    from local_runner.system import manual

    if (site := manual.site()) is None:
        raise RunnerError(_("the pages are not built here: run `make docs` in the project's folder; a wheel that "
                            "`make release` builds has them"))  # fmt: skip
    name, mark, part = page.partition("#")
    pages = {path.stem: path for path in (site / current()).rglob("*.html")}
    if name not in pages:
        raise RunnerError(unknown(_("page"), name, pages))
    typer.echo(address := pages[name].as_uri() + mark + part)
    if not no_open:
        webbrowser.open(address)
