"""The commands around the upload: bundle, check, bench. Like cli.py, which takes them in: names and options only."""

import sys
from pathlib import Path
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]

app = typer.Typer()


@app.command()
def bundle(
    output: Annotated[Path, typer.Option(help="The file to write.")] = Path("dist/submission.py"),
    source: Annotated[Path | None, typer.Option(help="The folder of the package; ours if not given.")] = None,
) -> None:
    """Make the one file that is uploaded."""
    from local_runner import bundle

    made = bundle.build(source or bundle.SOURCE)
    bundle.write(made, output)
    contents = f"{len(made.modules)} modules, {len(made.data)} data files"
    typer.echo(f"{output}: {made.size:,} bytes, {contents}, inside as {made.package}")
    if made.size > bundle.SIZE_WARNING:
        typer.echo(f"warning: that is near our limit of {bundle.SIZE_LIMIT:,} bytes", err=True)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A submission.py, or the folder with it and its data.")],
    env: Annotated[
        list[str] | None,
        typer.Option(help="A game it must play, or `all`; may be repeated. Default: the site's, where it answers."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A few steps of each game instead of whole games.")] = False,
    as_json: AsJson = False,
) -> None:
    """Look at a submission as the site will, before you upload it.

    Exit code 0: ready to upload. 1: something is to be mended. 2: there is nothing to check.
    """
    from rich.console import Console

    from local_runner import check

    with Console(stderr=True).status("playing a few steps" if quick else "playing whole games: minutes"):
        report = check.check(file, env, quick=quick)
    if as_json:
        typer.echo(check.as_json(report))
    else:
        check.show(report, Console())
    raise typer.Exit(0 if report.good else 1)


@app.command()
def bench(
    agent: Annotated[str, typer.Argument(help="An agent, e.g. tengen, scorer, ./submission.py.")] = "tengen",
    quick: Annotated[bool, typer.Option("--quick", help="A few steps instead of a whole game.")] = False,
    as_json: AsJson = False,
) -> None:
    """Measure an agent: import, time per call, memory, nodes per second; on Python 3.7 too where there is one."""
    from rich.console import Console

    from local_runner import bench

    with Console(stderr=True).status("playing a few steps" if quick else "playing a game on each Python"):
        figures = bench.bench(agent, quick=quick)
    if as_json:
        sys.stdout.write(bench.as_json(agent, figures) + "\n")
    else:
        bench.show(agent, figures, Console())
