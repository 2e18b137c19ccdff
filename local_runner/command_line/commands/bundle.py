"""The command `tengen bundle`: packs an agent into one file, which is uploaded to a platform."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from local_runner.command_line.options import flag, one_of, option
from local_runner.language.languages import Message, Series, _, shown

PLACE = "upload", 90  # group of commands, and the place in lists
EXAMPLES = (
    "tengen bundle",
    "tengen bundle --native",
    "tengen bundle --set seconds=0.7",
    "tengen bundle --platform mo --out dist/ai_player.py",
)
TOO_MANY = Message("this packs our own agent; check yours with `tengen check {arguments}`, then upload it as it is")


def bundle(
    out: Annotated[Path | None, option(
        "The file; default: dist/submission.py, or for Mo dist/ai_player.py.", "FILE"
    )] = None,
    source: Annotated[Path | None, option("The folder of the package; default: ours.")] = None,
    platform: Annotated[str, option(
        "jidi; or mo, which calls AIPlayer(color).get_move(board).",
        **one_of(Message("platform"), lambda: ("jidi", "mo")),
    )] = "jidi",
    changes: Annotated[list[str] | None, option(
        "Change a setting in the file, such as seconds=0.7, in every game or in one; may be repeated.",
        "[GAME:]NAME=VALUE", "--set",
    )] = None,
    native: Annotated[bool, flag(
        "--native", "With the compiled engine, thirty times as fast; ask whether your site allows it."
    )] = False,
    unless_edited: Annotated[bool, flag(
        "--unless-edited", "Leave a file alone that a new bundle cannot keep the edits of."
    )] = False,
) -> None:  # fmt: skip
    """Write the one file that is uploaded. Settings that you changed in an existing bundle are kept."""
    from local_runner.upload import bundle, settings

    fresh = bundle.build(source or bundle.SOURCE, platform)
    out = out or Path("dist") / bundle.MAINS[platform]
    try:
        made = settings.keeping_settings(fresh, out)
    except bundle.BundleError:
        if not unless_edited or changes:
            raise
        typer.echo(_("{file} was edited by hand and is left as it is").format(file=out))
        return
    text = made.settings
    for change in ([f"engine={bundle.NATIVE}"] if native else []) + (changes or []):
        text = settings.changed(text, change)
    if any(setting.value == bundle.NATIVE for setting in settings.settings_of(text)):
        fresh = bundle.build(source or bundle.SOURCE, platform, native=True)
    if text != fresh.settings:
        made = settings.with_settings(fresh, text)
    bundle.write(made, out)
    sentence = _("{file}: {size:,} bytes, modules: {modules}, data files: {data}, inside as {package}")
    typer.echo(sentence.format(
        file=out, size=made.size, modules=len(made.modules), data=len(made.data), package=made.package
    ))  # fmt: skip
    if made is not fresh:
        changed = shown(Series(settings.differences(fresh.settings, made.settings)))
        typer.echo(_("{file} differs from ours: {changes}; delete it to get ours").format(file=out, changes=changed))
    if made.size > bundle.SIZE_WARNING:
        sentence = _("warning: this is near our limit of {limit:,} bytes")
        typer.echo(sentence.format(limit=bundle.SIZE_LIMIT), err=True)
    if platform == "jidi" and not unless_edited:
        typer.echo(_("Next: {step}").format(step=f"tengen check {shlex.quote(str(out))}"))
