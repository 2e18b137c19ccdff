"""Runs host.py, which measures the engines of submission/ in a fresh interpreter, and shows the figures as a table."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from local_runner.bench.speed import by_python
from local_runner.errors import RunnerError
from local_runner.matches.statistics.counts import percentile
from local_runner.processes.interpreters import Interpreter

ROOT = Path(__file__).resolve().parents[3]
SPREAD = (10, 50, 90)  # percentiles of the depth reached

Section = dict[str, str]  # label -> figure: rows of a table between two separator lines


@dataclass(frozen=True)
class EngineFigures:
    """The figures of an engine under one interpreter; `signature`: a hash of nodes and values."""

    title: str
    python: str
    signature: str
    sections: list[Section]


@dataclass(frozen=True)
class Effort:
    """The extent of a measurement: every n-th position, a fixed depth in plies, and the seconds of a timed search."""

    every: int
    depth: int
    seconds: float


def measure(game: str, python: Interpreter, work: Mapping[str, Any], stepped: Callable[[int], None]) -> dict[str, Any]:
    """The figures of the engine of this game; `work`, figures: see host.py. `stepped` gets the count of ended searches.

    Raises RunnerError if the engine's process ends with an error; its traceback is on standard error.
    """
    command = [str(python.path), "-m", "workshop.lab.bench.host", game]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        with process.stdin as given:
            json.dump(work, given)
        figures = ""
        for number, line in enumerate(process.stdout, start=1):  # a line for each search, then the figures
            stepped(number)
            figures = line
    if process.returncode:
        raise RunnerError(f"the {game} engine failed under {python.path}")
    measured: dict[str, Any] = json.loads(figures)
    return measured


def signature(thoughts: Sequence[Mapping[str, Any]]) -> str:
    """A hash of the nodes and values of searches: twelve hexadecimal digits."""
    lines = [f"{each['nodes']} {each['value']}\n" for each in thoughts]
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:12]


def nodes_per_second(searches: Sequence[Mapping[str, Any]]) -> str:
    """The nodes of all searches divided by their seconds."""
    return f"{sum(each['nodes'] for each in searches) / sum(each['seconds'] for each in searches):,.0f}"


def spread(depths: Sequence[int]) -> str:
    """The median of the depths, then the 10th and the 90th percentile in brackets."""
    if not depths:
        return "-"
    low, middle, high = (percentile(depths, share) for share in SPREAD)
    return f"{middle:g} ({low:g} to {high:g})"


def show(figures: Sequence[EngineFigures], console: Console) -> None:
    """Print the figures of one title as a table with one column for each interpreter."""
    table = by_python(figures[0].title, [each.python for each in figures])
    for number, sections in enumerate(zip(*(each.sections for each in figures), strict=True)):
        if number:
            table.section()
        for label in sections[0]:
            table.add(label, *(section[label] for section in sections))
    console.print(table)
