"""Measures the cost of the sandbox: `python -m workshop.lab.sandbox_cost [ROUNDS]` starts agents with and without it.

Agents with and without the sandbox start in turn. The agent plays random moves, so almost all the time of a call is
spent in the runner and in the host process.
"""

import statistics
import tempfile
from collections import defaultdict
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from env_adapter import make
from local_runner.agents.spec import parse_agent
from local_runner.processes.child import AgentLimits
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import SandboxMode, best
from workshop.command import run

ROUNDS = 20
CALLS = 100  # calls of each agent; the first call is not counted
MODES = {
    "sandbox": AgentLimits(sandbox=SandboxMode.ON),
    "sandbox, --ponder": AgentLimits(sandbox=SandboxMode.ON, ponder=True),
    "--sandbox off --ponder": AgentLimits(sandbox=SandboxMode.OFF, ponder=True),
}


def measure(limits: AgentLimits, output: Path) -> tuple[float, list[float]]:
    """Seconds of the start of one agent, and of each of its calls."""
    game = make("gobang_1v1")
    began = perf_counter()
    with AgentProcess(parse_agent("random"), output, limits) as agent:
        agent.start()
        start, calls = perf_counter() - began, []
        for _ in range(CALLS):
            began = perf_counter()
            agent.act(game.all_observes[0], game.board_height, game.board_width)
            calls.append(perf_counter() - began)
    return start, calls[1:]


def main(rounds: Annotated[int, typer.Argument(min=1, help="Starts with each sandbox.")] = ROUNDS) -> None:
    starts, calls = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    with tempfile.TemporaryDirectory(prefix="tengen-cost-") as folder:
        for _ in range(rounds):
            for mode, limits in MODES.items():
                start, seconds = measure(limits, Path(folder, "printed.txt"))
                starts[mode].append(start)
                calls[mode] += seconds
    print(f"{best().value}, median of {rounds} starts and {rounds * (CALLS - 1)} calls, ms")
    for mode in MODES:
        print(f"{mode:24}{1000 * statistics.median(starts[mode]):8.1f}{1000 * statistics.median(calls[mode]):8.3f}")


if __name__ == "__main__":
    run(main)
