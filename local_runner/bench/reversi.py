"""`tengen bench reversi`: what the Reversi engine does in fixed positions, on this Python and on the platform's.

On 8x8 and 10x10 the search thinks about positions of the middle game, to a fixed depth and for the time of a move, and
the endgame solver about positions with some numbers of free cells, all from games of the engine against itself
(workshop/reversi_positions.py); in a fresh interpreter for each Python and size, from the sources. Nodes and values at
a fixed depth and of the smallest endgames are the engine's behaviour: their hash is the same on every machine and
Python, and another one is another engine. Says nothing of strength.
"""
from __future__ import annotations

import dataclasses
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from local_runner.agents import parse_agent
from local_runner.bench.gobang import signature
from local_runner.bench.host import ask
from local_runner.bench.positions import read
from local_runner.bench.tables import by_python
from local_runner.header import header
from local_runner.processes.interpreters import Interpreter, pythons
from local_runner.statistics.counts import percentile

SIZES = (8, 10)
FILE = "reversi_games_{0}x{0}.txt"
EMPTIES = (10, 12, 14, 15, 16, 17, 18, 20)  # free cells of the endgames; the first are solved for the signature, too
START_DISCS = 4
MIDGAME_EVERY = 5                           # game of the file is one whose middle game is thought about,
MIDGAME = (0.3, 0.6)                        # from this share of full boards to that
DEPTH = 5                                   # plies, for the signature
SECONDS = 0.8                               # for each position, for the depth and the speed
QUICK_EVERY, QUICK_DEPTH, QUICK_SECONDS = 10, 3, 0.1
PATIENCE = 2400                             # seconds for all of it, on a slow and busy machine
SPREAD = (10, 50, 90)                       # percentiles of the depth reached


@dataclass(frozen=True)
class Endgames:
    """Positions with one number of free cells: how many, in how many the winner was found in time, and the exact value.

    median, p95: seconds for the exact value, those not solved counted as the time they had.
    """

    positions: int
    decided: int
    exact: int
    median: float
    p95: float


@dataclass(frozen=True)
class Figures:
    """All figures of a size under one interpreter.

    `signature`: a hash of nodes and values; `depths`: plies reached in time; `endgames`: by free cells.
    """

    python: str
    size: int
    depth: int
    nodes: int
    signature: str
    nodes_per_second: float
    seconds: float
    depths: list[int]
    endgame_nodes_per_second: float
    endgames: dict[int, Endgames]


def bench(*, quick: bool = False) -> list[Figures]:
    """Measure under the Python at hand, and under Python 3.7 where there is one; `quick`: every 10th position."""
    with tempfile.TemporaryDirectory(prefix="tengen-bench-") as folder:
        return [_figures(python, size, Path(folder), quick) for size in SIZES for python in pythons()]


def games(size: int) -> list[list[int]]:
    """The games of a size: cells, row by row, from the start on, passes left out."""
    return [[row * size + col for row, col in position.moves] for position in read(FILE.format(size))]


def midgames(size: int) -> list[list[int]]:
    """Every so many games cut in the middle, the later the further."""
    chosen = games(size)[::MIDGAME_EVERY]
    first, last = (round(share * size * size) - START_DISCS for share in MIDGAME)
    return [moves[:first + (last - first) * number // (len(chosen) - 1)] for number, moves in enumerate(chosen)]


def endgames(size: int, empties: int) -> list[list[int]]:
    """All games cut where so many cells are free."""
    return [moves[:size * size - START_DISCS - empties] for moves in games(size)]


def _figures(python: Interpreter, size: int, folder: Path, quick: bool) -> Figures:
    every = QUICK_EVERY if quick else 1
    depth, limit = (QUICK_DEPTH, QUICK_SECONDS) if quick else (DEPTH, SECONDS)
    work = {
        "size": size,
        "depth": depth,
        "seconds": limit,
        "positions": midgames(size)[::every],
        "solved": endgames(size, EMPTIES[0])[::every],
        "endgames": [endgames(size, empties)[::every] for empties in EMPTIES],
    }
    told = ask("reversi", parse_agent("tengen"), python, folder, work, PATIENCE)
    fixed, solved = told["fixed"], told["solved"]
    endings = [each for some in told["endgames"] for each in some]
    return Figures(
        python=python.title,
        size=size,
        depth=depth,
        nodes=sum(each["nodes"] for each in fixed),
        signature=signature([*fixed, *solved]),
        nodes_per_second=_per_second(told["timed"]),
        seconds=limit,
        depths=[each["depth"] for each in told["timed"]],
        endgame_nodes_per_second=_per_second(endings),
        endgames={empties: summary(each, limit) for empties, each in zip(EMPTIES, told["endgames"], strict=True)},
    )


def _per_second(searches: Sequence[Mapping[str, Any]]) -> float:
    nodes: int = sum(each["nodes"] for each in searches)
    seconds: float = sum(each["seconds"] for each in searches)
    return nodes / seconds


def summary(solutions: Sequence[Mapping[str, Any]], limit: float) -> Endgames:
    """What became of the endgames with one number of free cells."""
    seconds = [each["seconds"] if each["exact"] else limit for each in solutions]
    return Endgames(
        positions=len(solutions),
        decided=sum(each["decided"] for each in solutions),
        exact=sum(each["exact"] for each in solutions),
        median=percentile(seconds, 50),
        p95=percentile(seconds, 95),
    )


def as_json(figures: Sequence[Figures]) -> str:
    """The figures as JSON text."""
    return json.dumps({"header": header(), "figures": [dataclasses.asdict(each) for each in figures]}, indent=1)


def show(figures: Sequence[Figures], console: Console) -> None:
    """A table for each size, one column per interpreter."""
    for size in SIZES:
        _show([each for each in figures if each.size == size], console)


def _show(figures: Sequence[Figures], console: Console) -> None:
    some = figures[0]
    title = f"the engine in {len(some.depths)} positions and {some.endgames[EMPTIES[0]].positions} endgames of each" \
            f" number of free cells, {some.size}x{some.size}"
    table = by_python(title, [each.python for each in figures])
    table.add_row(f"nodes at depth {some.depth}", *(f"{each.nodes:,}" for each in figures))
    table.add_row("signature of nodes and values", *(each.signature for each in figures))
    table.add_row(f"nodes/s in {some.seconds:g} s", *(f"{each.nodes_per_second:,.0f}" for each in figures))
    label = f"depth in {some.seconds:g} s, median (10 to 90 %)"
    table.add_row(label, *("{1:g} ({0:g} to {2:g})".format(*(percentile(each.depths, share) for share in SPREAD))
                           for each in figures))
    table.add_section()
    table.add_row("endgame nodes/s", *(f"{each.endgame_nodes_per_second:,.0f}" for each in figures))
    table.add_row(f"winner, exact value in {some.seconds:g} s:")
    for empties in some.endgames:
        found = [each.endgames[empties] for each in figures]
        table.add_row(f"  {empties} free cells", *(
            f"{each.decided / each.positions:.0%}, {each.exact / each.positions:.0%}" for each in found))
    table.add_row("time to the exact value, median, 95 %:")
    for empties in some.endgames:
        found = [each.endgames[empties] for each in figures]
        table.add_row(f"  {empties} free cells", *(f"{each.median:.3f} s, {each.p95:.3f} s" for each in found))
    console.print(table)
