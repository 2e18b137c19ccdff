"""The commands `tengen bench speed` and `tengen bench latency`, which measure an agent's times."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from local_runner.command_line.options import MOST_JOBS, MOST_ROUNDS, Env, JsonTo, Quiet, Sandbox, agent_names, one_of
from local_runner.command_line.parser import CommandLine
from local_runner.language.languages import Message, _, shown
from local_runner.language.text import in_line
from local_runner.processes.sandbox import SandboxMode
from local_runner.system.exit_codes import interruptible

ORDER = 170  # place in the list of commands
PANEL = "lists"
EXAMPLES = (
    "tengen bench",
    "tengen bench speed scorer --quick",
    "tengen bench speed ./submission.py --json speed.json",
    "tengen bench latency scorer --calls 100 --load alone --load hog",
    "tengen bench latency ./submission.py --env reversi_1v1 --duration 60",
)
KEPT_NOTHING = Message("the benchmark was interrupted; it keeps nothing, so the same command begins again")
bench = CommandLine("bench", help="Measure the speed of an agent.", invoke_without_command=True)

Agent = Annotated[
    str, typer.Argument(autocompletion=agent_names, help="An agent, e.g. tengen, scorer, ./submission.py.")
]


@bench.callback()
def alone(context: typer.Context) -> None:
    """Measure the speed of an agent; without a subcommand, run `speed` on our agent."""
    if context.invoked_subcommand is None:
        speed()


@bench.command()
def speed(
    agent: Agent = "tengen",
    quick: Annotated[bool, typer.Option("--quick", help="A few positions instead of 100.")] = False,
    sandbox: Sandbox = SandboxMode.AUTO,
    quiet: Quiet = False,
    json_to: JsonTo = None,
) -> None:
    """Import time, time per call, memory and nodes per second in fixed positions.

    Measured on this Python, and on Python 3.7 if there is one.
    """
    from rich.console import Console

    from local_runner.bench import speed
    from local_runner.terminal import json_result

    json_result.check(json_to)
    with interruptible(shown(KEPT_NOTHING)):
        figures = speed.bench(agent, quick=quick, mode=sandbox, quiet=quiet)
    json_result.tell(json_to, lambda: speed.as_json(agent, figures), lambda: speed.show(agent, figures, Console()))


def _loads() -> list[str]:
    from local_runner.processes.load import Load

    return [load.value for load in Load]


@bench.command()
def latency(
    agent: Agent = "tengen",
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Keep the games in this folder; games already there count.")
    ] = None,
    calls: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, max=MOST_ROUNDS, help="Least number of the agent's calls for each Python and load."
        ),
    ] = None,
    duration: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=0.1, max=10**6, help="Time in all; default: 20, with --calls no limit."),
    ] = None,
    env: Env = "gobang_1v1",
    against: Annotated[
        str | None, typer.Option(autocompletion=agent_names, help="The opponent; a fast one saves time.")
    ] = None,
    load: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LOAD",
            **one_of(Message("load"), _loads),
            help="alone, hog (a busy process on the same core) or memory (80 % of the free memory is filled); may be "
            "repeated. Default: alone.",
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", metavar="N", min=1, max=MOST_JOBS, help="Games at once.")] = 1,
    sandbox: Sandbox = SandboxMode.AUTO,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Plot the times, too: .svg, .png or .pdf.")] = None,
    quiet: Quiet = False,
    json_to: JsonTo = None,
) -> None:
    """Time every call of the agent in games, on an idle machine or, with --load, on a busy one.

    Measured on this Python, and on Python 3.7 if there is one. With --out, another run adds its games to those before
    and shows them all.
    """
    from local_runner.bench import latency
    from local_runner.processes.load import Load

    stopped = shown(KEPT_NOTHING)
    if out is not None:
        stopped = _("the benchmark was interrupted; its games are in {folder}, and the same command plays on")
        stopped = stopped.format(folder=in_line(str(out)))
    with interruptible(stopped):
        loads = [Load(name) for name in load or [Load.ALONE.value]]
        seconds = latency.SECONDS if duration is None and calls is None else duration
        with tempfile.TemporaryDirectory(prefix="tengen-latency-") as nowhere:
            folder = out or Path(nowhere)
            plan = latency.LatencyPlan(agent, against, env, folder, calls, seconds, loads, jobs, sandbox)
            code = latency.run(plan, plot=plot, quiet=quiet, json_to=json_to)
    raise typer.Exit(code)
