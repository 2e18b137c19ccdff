"""The commands of benchmarks: what they take. What they do stands in modules that are imported when they run."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from local_runner.options import AsJson, Concurrency, Env

app = typer.Typer(name="bench", help="Measure an agent: speed, latency, its engines.", invoke_without_command=True)

Agent = Annotated[str, typer.Argument(help="An agent, e.g. tengen, scorer, ./submission.py.")]


@app.callback()
def bench(context: typer.Context) -> None:
    """Measure an agent; without a command, the speed of ours."""
    if context.invoked_subcommand is None:
        speed()


@app.command()
def speed(
    agent: Agent = "tengen",
    quick: Annotated[bool, typer.Option("--quick", help="A few positions instead of 100.")] = False,
    as_json: AsJson = False,
) -> None:
    """Import, time per call, memory, nodes per second in fixed positions; on Python 3.7 too where there is one."""
    from rich.console import Console

    from local_runner.bench import speed

    with Console(stderr=True).status("a few positions" if quick else "100 positions on each Python: minutes"):
        figures = speed.bench(agent, quick=quick)
    if as_json:
        sys.stdout.write(speed.as_json(agent, figures) + "\n")
    else:
        speed.show(agent, figures, Console())


@app.command()
def gobang(
    quick: Annotated[bool, typer.Option("--quick", help="A tenth of the positions, less time for each.")] = False,
    as_json: AsJson = False,
) -> None:
    """Stones and nodes per second, depth and wins by fours of our gobang engine; on Python 3.7 too where there is one.

    The signature is of the nodes and values at a fixed depth: another one is another engine.
    """
    from local_runner.bench import gobang

    _engine(gobang, 250, quick, as_json)


@app.command()
def reversi(
    quick: Annotated[bool, typer.Option("--quick", help="A tenth of the positions, less time for each.")] = False,
    as_json: AsJson = False,
) -> None:
    """Nodes per second and depth of our Reversi engine, endgames solved in time; on Python 3.7 too where there is one.

    The signature is of the nodes and values at a fixed depth and of small endgames: another one is another engine.
    """
    from local_runner.bench import reversi

    _engine(reversi, 1000, quick, as_json)


def _engine(benchmark: ModuleType, positions: int, quick: bool, as_json: bool) -> None:
    """Measure with a module's bench(), and show it with its as_json() or show()."""
    from rich.console import Console

    status = "a few positions" if quick else f"{positions:,} positions on each Python: minutes"
    with Console(stderr=True).status(status):
        figures = benchmark.bench(quick=quick)
    if as_json:
        sys.stdout.write(benchmark.as_json(figures) + "\n")
    else:
        benchmark.show(figures, Console())


@app.command()
def latency(
    agent: Agent = "tengen",
    folder: Annotated[Path, typer.Option("--out", help="Where the games are kept; what is there counts.")] = Path(
        "latency"
    ),
    calls: Annotated[int, typer.Option(min=1, help="Calls of the agent at least, in each condition.")] = 1000,
    env: Env = "gobang_1v1",
    against: Annotated[str, typer.Option(help="The opponent; better a quick one.")] = "scorer",
    load: Annotated[
        list[str] | None,
        typer.Option(help="alone, hog (a busy process on the same core), memory (little is free); default: all three."),
    ] = None,
    concurrency: Concurrency = 1,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="A picture of it too, .svg, .png or .pdf.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Only the tables at the end.")] = False,
    as_json: AsJson = False,
) -> None:
    """Time every call of whole games, alone and on a busy machine, on Python 3.7 too where there is one.

    The games are kept: called again, it goes on until there are enough calls, and shows all. Exit code 0: no call of
    the agent took longer than a second. 1: some did. 2: something is wrong above.
    """
    from local_runner.bench import latency

    raise typer.Exit(
        latency.run(agent, against, env, folder, calls, load,
                    slots=concurrency or 1, plot=plot, quiet=quiet, as_json=as_json)
    )
