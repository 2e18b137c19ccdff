"""`tengen bench`: what an agent costs, on this Python and on the platform's side by side.

Every figure is taken in child processes: imports in fresh interpreters without byte code, calls in a whole game of
gobang against itself. Our agent is measured as it is uploaded, as a bundle. Says nothing of strength.
"""
from __future__ import annotations

import dataclasses
import json
import os
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from local_runner import bundle
from local_runner.agents import SUBMISSION, AgentSpec, parse_agent
from local_runner.child import Limits
from local_runner.errors import RunnerError
from local_runner.interpreters import Interpreter, current, find_python37
from local_runner.play import GameSetup
from local_runner.process import AgentProcess
from local_runner.records import Call
from local_runner.sampling import sample_game
from local_runner.stats import percentile

HOST = Path(__file__).parent / "hosts" / "bench_host.py"
ENV = "gobang_1v1"
IMPORTS = 9                         # fresh interpreters, of which the median is told
QUICK_STEPS = 6
UNHURRIED = Limits(seconds=60)      # slow calls are the figure, not a fault


@dataclass(frozen=True)
class Calls:
    """The calls of one game on turn, in ms, and what the search said of itself (0 where it says nothing)."""

    calls: int
    p50: float
    p99: float
    most: float
    nodes_per_second: float
    peak_mb: float


@dataclass(frozen=True)
class Figures:
    """All figures under one interpreter; times in ms, play and undo in µs; None where it does not apply."""

    python: str
    import_ms: float
    first_ms: float
    engines: dict[str, Calls]
    play_undo_us: float | None


def bench(agent: str = "tengen", *, quick: bool = False) -> list[Figures]:
    """Measure under the Python at hand, and under Python 3.7 where there is one.

    `quick` measures some steps of a game and fewer imports. Raises RunnerError where the agent cannot be measured.
    """
    spec = parse_agent(agent)
    ours = spec.path == SUBMISSION
    pythons = [current()]
    if (python37 := find_python37()) and python37.version != pythons[0].version:
        pythons.append(python37)
    with tempfile.TemporaryDirectory(prefix="tengen-bench-") as folder:
        if ours:
            uploaded = Path(folder, "upload", bundle.MAIN)
            bundle.write(bundle.build(), uploaded)
            spec = replace(spec, path=uploaded)
        return [_figures(spec, ours, python, Path(folder), quick) for python in pythons]


def _figures(spec: AgentSpec, ours: bool, python: Interpreter, folder: Path, quick: bool) -> Figures:
    starts = [_ask_host(python, "import", spec.path) for _ in range(3 if quick else IMPORTS)]
    engines = {"": spec}
    if ours and "engine" not in spec.options:
        engines = {name: replace(spec, options={**spec.options, "engine": name}) for name in ("scorer", "search")}
    return Figures(
        python=python.title,
        import_ms=1000 * statistics.median(start["import"] for start in starts),
        first_ms=1000 * statistics.median(start["first"] for start in starts),
        engines={name: _game(engine, python, folder, quick) for name, engine in engines.items()},
        play_undo_us=1e6 * _ask_host(python, "board", SUBMISSION)["play_undo"] if ours else None,
    )


def _ask_host(python: Interpreter, kind: str, file: Path) -> dict[str, float]:
    done = subprocess.run([str(python.path), "-B", str(HOST), kind, str(file)], capture_output=True, text=True,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, timeout=300, cwd=file.parent)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise RunnerError(f"{file} cannot be measured under {python.title}: {reason}")
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def _game(spec: AgentSpec, python: Interpreter, folder: Path, quick: bool) -> Calls:
    """One game of the agent against itself, in one process as on the platform."""
    output = folder / "printed.txt"
    with AgentProcess(spec, output, UNHURRIED, python=str(python.path)) as agent:
        game = sample_game(GameSetup(ENV, seed=1), (agent, agent), QUICK_STEPS if quick else None)
        peak = agent.report().peak_mb
    if game.result and game.result.fault:
        raise RunnerError(f"{spec.name} cannot be measured under {python.title}: {game.result.detail}")
    turns = [call for call in game.calls if call.turn]
    seconds = [call.seconds for call in turns]
    return Calls(
        calls=len(turns),
        p50=1000 * percentile(seconds, 50),
        p99=1000 * percentile(seconds, 99),
        most=1000 * max(seconds),
        nodes_per_second=_nodes_per_second(turns),
        peak_mb=peak,
    )


def _nodes_per_second(calls: Sequence[Call]) -> float:
    thoughts = [call.thought for call in calls if call.thought and call.thought.get("nodes")]
    seconds = sum(thought["seconds"] for thought in thoughts)
    return sum(thought["nodes"] for thought in thoughts) / seconds if seconds else 0.0


def as_json(agent: str, figures: Sequence[Figures]) -> str:
    """The figures as JSON text."""
    return json.dumps({"agent": agent, "env": ENV, "figures": [dataclasses.asdict(each) for each in figures]}, indent=1)


def show(agent: str, figures: Sequence[Figures], console: Console) -> None:
    """The figures as a table, one column per interpreter."""
    table = Table(title=escape(f"{agent}, one game of {ENV} against itself"), title_justify="left")
    table.add_column("")
    for each in figures:
        table.add_column(each.python, justify="right")
    table.add_row("import, cold", *(f"{each.import_ms:.0f} ms" for each in figures))
    table.add_row("first answer after it", *(f"{each.first_ms:.0f} ms" for each in figures))
    if all(each.play_undo_us is not None for each in figures):
        table.add_row("a stone played and taken back", *(f"{each.play_undo_us:.2f} µs" for each in figures))
    for engine in figures[0].engines:
        games = [each.engines[engine] for each in figures]
        table.add_section()
        table.add_row(f"{engine} moves".strip(), *(str(game.calls) for game in games))
        for name, values in (("p50", [game.p50 for game in games]), ("p99", [game.p99 for game in games]),
                             ("slowest", [game.most for game in games])):
            table.add_row(f"{engine} per call, {name}".strip(), *(f"{value:.2f} ms" for value in values))
        if any(game.nodes_per_second for game in games):
            table.add_row(f"{engine} nodes/s".strip(), *(f"{game.nodes_per_second:,.0f}" for game in games))
        table.add_row(f"{engine} peak memory".strip(), *(f"{game.peak_mb:.0f} MB" for game in games))
    console.print(table)
