"""The command `tengen bundle`: packs an agent into one file, which is uploaded to a platform."""

from pathlib import Path
from typing import Annotated

import typer

from local_runner.commands.shared import panels
from local_runner.commands.shared.options import one_of
from local_runner.language.languages import Message, _

ORDER = 90  # place in the list of commands
PANEL = panels.UPLOAD
EXAMPLES = (
    "tengen bundle",
    "tengen bundle --platform mo --out dist/ai_player.py",
)


def bundle(
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The file; default: dist/submission.py, or for Mo dist/ai_player.py."),
    ] = None,
    source: Annotated[Path | None, typer.Option(help="The folder of the package; default: ours.")] = None,
    platform: Annotated[
        str,
        typer.Option(
            **one_of(Message("platform"), lambda: ("jidi", "mo")),
            help="jidi; or mo, which calls AIPlayer(color).get_move(board).",
        ),
    ] = "jidi",
) -> None:
    """Write the one file that is uploaded. Settings that you edited in an existing bundle are kept."""
    from local_runner.upload import bundle

    fresh = bundle.build(source or bundle.SOURCE, platform)
    out = out or Path("dist") / bundle.MAINS[platform]
    made = bundle.keeping_settings(fresh, out)
    bundle.write(made, out)
    sentence = _("{file}: {size:,} bytes, modules: {modules}, data files: {data}, inside as {package}")
    typer.echo(sentence.format(
        file=out, size=made.size, modules=len(made.modules), data=len(made.data), package=made.package
    ))  # fmt: skip
    if made is not fresh:
        sentence = _("{file} keeps its settings, which were edited by hand; delete it to get ours")
        typer.echo(sentence.format(file=out))
    if made.size > bundle.SIZE_WARNING:
        sentence = _("warning: this is near our limit of {limit:,} bytes")
        typer.echo(sentence.format(limit=bundle.SIZE_LIMIT), err=True)
