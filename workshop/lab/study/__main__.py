"""Experiments with tables and plots. An interrupted study continues if its command is given again.

    python -m workshop.lab.study cross-table       every agent against every other: scores and Elo
    python -m workshop.lab.study per-move-time     seconds per call by move number
    python -m workshop.lab.study depth-time        seconds per move by search depth, for seed001
    python -m workshop.lab.study pruning           nodes of minimax, alpha-beta and its refinements

workshop/notebook/studies/ has a page for each, with its options and results.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from local_runner.errors import RunnerError
from local_runner.system.extras import need
from workshop.command import run
from workshop.lab.study import cross_table as cross_table_study
from workshop.lab.study import depth_time as depth_time_study
from workshop.lab.study import output
from workshop.lab.study import per_move_time as per_move_time_study
from workshop.lab.study import pruning as pruning_study
from workshop.lab.study.games import pools

RESULTS = Path("results")

Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FOLDER", help="Folder of the results; the page is FOLDER.md. [results/NAME]"),
]
Envs = Annotated[list[str] | None, typer.Option("--env", help="A game; may be repeated. Default: all five.")]
Agents = Annotated[list[str] | None, typer.Argument(help="Agents, ours first. Default: all that play the game.")]
Rounds = Annotated[int, typer.Option(min=1, help="Pairs of games, colours swapped, for each pairing.")]
Think = Annotated[
    float | None,
    typer.Option(min=0.001, max=0.95, help="Seconds per move for agents with the option seconds; ours: 0 off turn."),
]
Jobs = Annotated[int | None, typer.Option(min=1, help="Games at once. [the number of physical cores]")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same openings.")]
Positions = Annotated[int, typer.Option(min=1, max=24, help="Positions of each game.")]


def depth_time(
    out: Out = None,
    depth: Annotated[int, typer.Option(min=1, help="The greatest depth in plies; all from 1 are timed.")] = 8,
    games: Annotated[int, typer.Option(min=1, help="Random games that supply the positions.")] = 3,
    positions: Positions = 8,
    cores: Annotated[int, typer.Option(min=2, help="Number of processes in the configuration `processes`.")] = 2,
    seed: Seed = 0,
) -> None:
    """Seconds per move by search depth, for five configurations of seed001, with exponential fits."""
    _run(
        out or RESULTS / "depth-time",
        lambda folder: depth_time_study.study(folder, depth, games, positions, cores, seed),
    )


def pruning(
    out: Out = None,
    env: Envs = None,
    positions: Positions = 10,
    depth: Annotated[int, typer.Option(min=1, help="The greatest depth, in plies.")] = 6,
    nodes: Annotated[int, typer.Option(min=1, help="Do not go deeper once a search took this many nodes.")] = 5000,
    seed: Seed = 0,
) -> None:
    """Nodes of minimax, alpha-beta and its refinements on the same positions, with the theoretical bounds."""
    envs = list(dict.fromkeys(env or pruning_study.PLIES))
    if unknown := set(envs) - set(pruning_study.PLIES):
        known = ", ".join(pruning_study.PLIES)
        raise RunnerError(f"no positions for {', '.join(sorted(unknown))}; give one of {known}")
    _run(out or RESULTS / "pruning", lambda folder: pruning_study.study(folder, envs, positions, depth, nodes, seed))


def per_move_time(
    agents: Agents = None,
    out: Out = None,
    env: Envs = None,
    rounds: Rounds = 5,
    think: Think = None,
    jobs: Jobs = None,
    seed: Seed = 0,
) -> None:
    """Seconds per call by move number, of the first agent and of each opponent, in games between them."""
    met = pools(env, agents, think, seed)
    _run(out or RESULTS / "per-move-time", lambda folder: per_move_time_study.study(folder, met, rounds, jobs, think))


def cross_table(
    agents: Agents = None,
    out: Out = None,
    env: Envs = None,
    rounds: Rounds = 10,
    more: Annotated[int, typer.Option(min=0, help="Additional pairs of the first agent with each of the others.")] = 0,
    think: Think = None,
    jobs: Jobs = None,
    seed: Seed = 0,
) -> None:
    """Every agent against every other: scores with 95 % intervals, and Elo."""
    met = pools(env, agents, think, seed)
    _run(out or RESULTS / "cross-table", lambda folder: cross_table_study.study(folder, met, rounds, more, jobs, think))


def _run(folder: Path, study: Callable[[Path], tuple[output.StudyResult, output.Row]]) -> None:
    """Measure, write and print the summary. Ctrl-C keeps what was measured."""
    need("plots")
    output.check(folder)
    try:
        outcome, head = study(folder)
    except KeyboardInterrupt:
        sys.exit(f"stopped; the results are in {folder}, and the same command goes on")
    output.write(outcome, folder, head, shlex.join(["python", "-m", __package__, *sys.argv[1:]]))
    print(output.markdown(outcome.summary))
    print(f"written: {output.page_of(folder)} and the files in {folder}")


if __name__ == "__main__":
    run(cross_table, per_move_time, depth_time, pruning)
