"""The commands `tengen bench speed` and `tengen bench latency`, which measure an agent's times."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from local_runner.command_line.options import AGENT, MOST_ROUNDS, Env, JsonTo, Quiet, Sandbox, argument, flag, option
from local_runner.command_line.parser import CommandLine
from local_runner.language.languages import Message, shown
from local_runner.processes.sandbox import SandboxMode
from local_runner.terminal.output import ExitCode, interruptible

if TYPE_CHECKING:
    from local_runner.bench import BenchReport

PLACE = "lists", 170  # group of commands, and the place in lists
EXAMPLES = (
    "tengen bench",
    "tengen bench speed scorer --quick",
    "tengen bench speed ./submission.py --json speed.json",
    "tengen bench latency scorer --calls 100",
    "tengen bench latency ./submission.py --env reversi_1v1 --duration 60",
)
KEPT_NOTHING = Message("the benchmark was interrupted; it keeps nothing, so the same command begins again")
bench = CommandLine("bench", help="Measure the speed of an agent.", invoke_without_command=True)

Agent = Annotated[str, argument("An agent, e.g. tengen, scorer, ./submission.py.", **AGENT)]


@bench.callback()
def alone(context: typer.Context) -> None:
    """Measure the speed of an agent; without a subcommand, run `speed` on our agent."""
    if context.invoked_subcommand is None:
        speed()


@bench.command()
def speed(
    agent: Agent = "tengen",
    quick: Annotated[bool, flag("--quick", "A few positions instead of 100.")] = False,
    sandbox: Sandbox = SandboxMode.AUTO,
    quiet: Quiet = False,
    json_to: JsonTo = None,
) -> None:
    """Import time, time per call, memory and nodes per second in fixed positions.

    Measured on this Python, and on Python 3.7 if there is one.
    """
    from local_runner import bench as benchmarks

    _run(json_to, lambda: benchmarks.speed(agent, quick=quick, mode=sandbox, quiet=quiet))


@bench.command()
def latency(
    agent: Agent = "tengen",
    calls: Annotated[
        int | None, option("Least number of the agent's calls on each Python.", "N", least=1, most=MOST_ROUNDS)
    ] = None,
    duration: Annotated[
        float | None, option("Time in all; default: 20, with --calls no limit.", "SECONDS", least=0.1, most=10**6)
    ] = None,
    env: Env = "gobang_1v1",
    against: Annotated[str | None, option("The opponent; a fast one saves time.", **AGENT)] = None,
    sandbox: Sandbox = SandboxMode.AUTO,
    quiet: Quiet = False,
    json_to: JsonTo = None,
) -> None:
    """Time every call of the agent, on turn and off turn, in whole games; memory and nodes per second, too.

    Measured on this Python, and on Python 3.7 if there is one. The exit code is 1 if a call took longer than a second,
    or the agent lost a game by a fault.
    """
    from local_runner import bench as benchmarks

    report = _run(json_to, lambda: benchmarks.latency(
        agent, env, against, calls=calls, seconds=duration, mode=sandbox, quiet=quiet
    ))  # fmt: skip
    raise typer.Exit(ExitCode.FAULT if report.late else ExitCode.CLEAN)


def _run(json_to: str | None, measure: "Callable[[], BenchReport]") -> "BenchReport":
    from rich.console import Console

    from local_runner import bench as benchmarks
    from local_runner.terminal import output

    output.check(json_to)
    with interruptible(shown(KEPT_NOTHING)):
        report = measure()
    output.tell(json_to, lambda: report, lambda: benchmarks.show(report, Console()))
    return report
