"""The Reversi engine in fixed positions, on this Python and on Python 3.7.

On 8x8 and 10x10 it measures the search in middle game positions, to a fixed depth and for the time of a move, and the
endgame solver in positions with 10 to 20 free cells. All positions are from self-play
(workshop/reversi/bench_positions.py). Each Python and size runs the sources in a fresh interpreter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from local_runner.bench.positions import read
from local_runner.bench.speed import by_python
from local_runner.matches.statistics.counts import percentile
from local_runner.processes.interpreters import Interpreter, pythons
from local_runner.terminal.progress import Meter
from workshop.lab.bench.engine import measure, signature, spread

SIZES = (8, 10)
EMPTIES = (10, 12, 14, 15, 16, 17, 18, 20)  # free cells of the endgames; those with 10 count for the signature
START_DISCS = 4
MIDGAME_EVERY = 5  # every 5th game of the file gives a middle game position
MIDGAME = (0.3, 0.6)  # least and greatest share of occupied cells in these positions
DEPTH = 5  # plies, for the signature
SECONDS = 0.8  # time of a search or solver, for depth, nodes/s and endgames
QUICK_EVERY = 10  # --quick takes every 10th position
QUICK_DEPTH = 3  # DEPTH of --quick
QUICK_SECONDS = 0.1  # SECONDS of --quick


@dataclass(frozen=True)
class EndgameFigures:
    """The endgames with one number of free cells.

    decided, exact: number of positions whose winner, or exact value, was found in time
    median, p95: seconds to the exact value; a position that was not solved counts with its time limit
    """

    positions: int
    decided: int
    exact: int
    median: float
    p95: float


@dataclass(frozen=True)
class ReversiFigures:
    """All figures of a board size under one interpreter.

    signature: hash of nodes and values
    depths: plies reached in time
    endgames: free cells -> figures
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
    endgames: dict[int, EndgameFigures]


def bench(*, quick: bool = False) -> list[ReversiFigures]:
    """Measure under this Python, and under Python 3.7 if there is one; `quick` takes every 10th position."""
    found, works = pythons(), {size: _work(size, quick) for size in SIZES}
    searches = {
        size: 2 * len(work["positions"]) + len(work["solved"]) + sum(map(len, work["endgames"]))
        for size, work in works.items()
    }
    with Meter("reversi", sum(searches.values()) * len(found)) as meter:
        return [
            _figures(python, works[size], meter.part(searches[size], f"{size}x{size}, {python.title}"))
            for size in SIZES
            for python in found
        ]


def file_of(size: int) -> Path:
    """The file with the games of a board size."""
    return Path(__file__).with_name(f"reversi_games_{size}x{size}.txt")


def games(size: int) -> list[list[int]]:
    """The games of a board size as lists of cells (row * size + col), without passes."""
    return [[row * size + col for row, col in position.moves] for position in read(file_of(size))]


def midgames(size: int) -> list[list[int]]:
    """The moves to the middle game positions: every MIDGAME_EVERY-th game, each cut later than the one before."""
    chosen = games(size)[::MIDGAME_EVERY]
    first, last = (round(share * size * size) - START_DISCS for share in MIDGAME)
    return [moves[: first + (last - first) * number // (len(chosen) - 1)] for number, moves in enumerate(chosen)]


def endgames(size: int, empties: int) -> list[list[int]]:
    """The moves to the endgames: all games, cut when `empties` cells are free."""
    return [moves[: size * size - START_DISCS - empties] for moves in games(size)]


def _work(size: int, quick: bool) -> dict[str, Any]:
    every = QUICK_EVERY if quick else 1
    depth, limit = (QUICK_DEPTH, QUICK_SECONDS) if quick else (DEPTH, SECONDS)
    return {
        "size": size,
        "depth": depth,
        "seconds": limit,
        "positions": midgames(size)[::every],
        "solved": endgames(size, EMPTIES[0])[::every],
        "endgames": [endgames(size, empties)[::every] for empties in EMPTIES],
    }


def _figures(python: Interpreter, work: Mapping[str, Any], stepped: Callable[[int], None]) -> ReversiFigures:
    measured = measure("reversi", python, work, stepped)
    limit = work["seconds"]
    fixed, solved = measured["fixed"], measured["solved"]
    endings = [each for some in measured["endgames"] for each in some]
    return ReversiFigures(
        python=python.title,
        size=work["size"],
        depth=work["depth"],
        nodes=sum(each["nodes"] for each in fixed),
        signature=signature([*fixed, *solved]),
        nodes_per_second=_per_second(measured["timed"]),
        seconds=limit,
        depths=[each["depth"] for each in measured["timed"]],
        endgame_nodes_per_second=_per_second(endings),
        endgames={empties: summary(each, limit) for empties, each in zip(EMPTIES, measured["endgames"], strict=True)},
    )


def _per_second(searches: Sequence[Mapping[str, Any]]) -> float:
    nodes: int = sum(each["nodes"] for each in searches)
    seconds: float = sum(each["seconds"] for each in searches)
    return nodes / seconds


def summary(solutions: Sequence[Mapping[str, Any]], limit: float) -> EndgameFigures:
    """The figures of the endgames with one number of free cells; `limit` in seconds."""
    seconds = [each["seconds"] if each["exact"] else limit for each in solutions]
    return EndgameFigures(
        positions=len(solutions),
        decided=sum(each["decided"] for each in solutions),
        exact=sum(each["exact"] for each in solutions),
        median=percentile(seconds, 50),
        p95=percentile(seconds, 95),
    )


def show(figures: Sequence[ReversiFigures], console: Console) -> None:
    """Print a table for each board size with one column for each interpreter."""
    for size in SIZES:
        _show([each for each in figures if each.size == size], console)


def _show(figures: Sequence[ReversiFigures], console: Console) -> None:
    some = figures[0]
    title = (
        f"the engine in {len(some.depths)} positions and {some.endgames[EMPTIES[0]].positions} endgames of each "
        f"number of free cells, {some.size}x{some.size}"
    )
    table = by_python(title, [each.python for each in figures])
    table.add(f"nodes at depth {some.depth}", *(f"{each.nodes:,}" for each in figures))
    table.add("signature of nodes and values", *(each.signature for each in figures))
    label = f"nodes/s in {some.seconds:g} s"
    table.add(label, *(f"{each.nodes_per_second:,.0f}" for each in figures))
    label = f"depth in {some.seconds:g} s, median (10 to 90 %)"
    table.add(label, *(spread(each.depths) for each in figures))
    table.section()
    table.add("endgame nodes/s", *(f"{each.endgame_nodes_per_second:,.0f}" for each in figures))
    table.add(f"winner, exact value in {some.seconds:g} s:")
    for empties in some.endgames:
        found = [each.endgames[empties] for each in figures]
        table.add(
            f"  {empties} free cells",
            *(f"{each.decided / each.positions:.0%}, {each.exact / each.positions:.0%}" for each in found),
        )
    table.add("time to the exact value, median, 95 %:")
    for empties in some.endgames:
        found = [each.endgames[empties] for each in figures]
        table.add(f"  {empties} free cells", *(f"{each.median:.3f} s, {each.p95:.3f} s" for each in found))
    console.print(table)
