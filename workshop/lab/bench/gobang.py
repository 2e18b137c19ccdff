"""The gobang engine in fixed positions, on this Python and on Python 3.7.

Measures the search in balanced middle game positions, to a fixed depth and for the time of a move, and VCF in positions
that have one. The plain search (plain_search.py) in the same positions shows the speed of the board alone.
Each Python runs the sources in one fresh interpreter.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from env_adapter import OpeningError, answer, make
from local_runner.agents.spec import parse_agent
from local_runner.bench.host import ask
from local_runner.bench.positions import ENV, BenchPosition, read
from local_runner.bench.speed import by_python
from local_runner.processes.interpreters import Interpreter, pythons
from local_runner.terminal.progress import Meter
from workshop.lab.bench.engine import measure, signature, spread

MIDGAME, VCF = (Path(__file__).with_name(name) for name in ("gobang_midgame.txt", "vcf_positions.txt"))

SIZE = 15
DEPTH = 6  # plies, for the signature and nodes/s
SECONDS = 0.8  # time of a search, for the depth reached
VCF_SECONDS = 0.05  # time of a VCF
RUNS = 4  # in each middle game position: stones counted, fixed depth, time, plain search
QUICK_EVERY = 10  # --quick takes every 10th position
QUICK_DEPTH = 3  # DEPTH of --quick
QUICK_SECONDS = 0.1  # SECONDS of --quick
PROVED = 900_000  # larger values are forced wins; they end the search early, so depth is not counted


@dataclass(frozen=True)
class PlainSearchFigures:
    """Figures of the plain search in the same time for each position; `depth`: median of the plies reached."""

    nodes_per_second: float
    stones_per_second: float
    depth: float


@dataclass(frozen=True)
class GobangFigures:
    """All figures under one interpreter.

    signature: hash of nodes and values at the fixed depth
    depths: plies reached in time, in positions without a forced win
    proved: positions with a forced win
    wins: fours of the VCF -> (positions, positions in which it was found in time)
    vcf_ms: median time of the VCFs found
    """

    python: str
    play_undo_us: float
    depth: int
    nodes: int
    signature: str
    nodes_per_second: float
    stones_per_second: float
    seconds: float
    depths: list[int]
    proved: int
    wins: dict[int, tuple[int, int]]
    vcf_ms: float
    plain: PlainSearchFigures

    @property
    def found(self) -> float:
        """The share of the VCFs that were found."""
        return sum(found for _, found in self.wins.values()) / sum(asked for asked, _ in self.wins.values())


def bench(*, quick: bool = False) -> list[GobangFigures]:
    """Measure under this Python, and under Python 3.7 if there is one; `quick` takes every 10th position."""
    found, every = pythons(), QUICK_EVERY if quick else 1
    searches = RUNS * len(read(MIDGAME)[::every]) + len(read(VCF)[::every])
    with Meter("gobang", searches * len(found)) as meter:
        return [_figures(python, quick, meter.part(searches, python.title)) for python in found]


def _figures(python: Interpreter, quick: bool, stepped: Callable[[int], None]) -> GobangFigures:
    every = QUICK_EVERY if quick else 1
    positions, wins = read(MIDGAME)[::every], read(VCF)[::every]
    depth, limit = (QUICK_DEPTH, QUICK_SECONDS) if quick else (DEPTH, SECONDS)
    work = {
        "positions": [_cells(position) for position in positions],
        "vcf_positions": [_cells(position) for position in wins],
        "depth": depth,
        "seconds": limit,
        "vcf_seconds": VCF_SECONDS,
    }
    measured = measure("gobang", python, work, stepped)
    fixed, timed = measured["fixed"], measured["timed"]
    seconds = sum(each["seconds"] for each in fixed)
    nodes = sum(each["nodes"] for each in fixed)
    won = [
        (position, each["seconds"])
        for position, each in zip(wins, measured["wins"], strict=True)
        if each["line"] and is_won(position, each["line"])
    ]
    numbers = [position.number for position in wins]
    found = [position.number for position, _ in won]
    return GobangFigures(
        python=python.title,
        play_undo_us=1e6 * ask("board", parse_agent("tengen"), python)["play_undo"],
        depth=depth,
        nodes=nodes,
        signature=signature(fixed),
        nodes_per_second=nodes / seconds,
        stones_per_second=measured["stones"] / seconds,
        seconds=limit,
        depths=[each["depth"] for each in timed if abs(each["value"]) < PROVED],
        proved=sum(abs(each["value"]) >= PROVED for each in timed),
        wins={fours: (numbers.count(fours), found.count(fours)) for fours in sorted(set(numbers))},
        vcf_ms=1000 * statistics.median([each for _, each in won] or [0.0]),
        plain=_plain(measured["plain"]),
    )


def _plain(searches: Sequence[Mapping[str, Any]]) -> PlainSearchFigures:
    nodes, stones, seconds = (sum(each[name] for each in searches) for name in ("nodes", "stones", "seconds"))
    depth = statistics.median(each["depth"] for each in searches)
    return PlainSearchFigures(nodes / seconds, stones / seconds, depth)


def _cells(position: BenchPosition) -> list[int]:
    return [row * SIZE + col for row, col in position.moves]


def is_won(position: BenchPosition, line: Sequence[int]) -> bool:
    """Whether the side to move wins with the last move of `line`, and not before, by the referee's rules."""
    last = divmod(line[-1], SIZE)
    try:
        game = make(ENV, opening=[*position.moves, *(divmod(cell, SIZE) for cell in line[:-1])])
    except OpeningError:  # a move on a stone, or after the end
        return False
    if last in game.legal_moves():
        game.step([answer(last, game.board_height, game.board_width)] * game.n_player)
    return game.outcome().winner == 1 + len(position.moves) % 2


def show(figures: Sequence[GobangFigures], console: Console) -> None:
    """Print the figures as a table with one column for each interpreter."""
    some = figures[0]
    title = f"the engine in {len(some.depths) + some.proved} positions of {ENV}"
    table = by_python(title, [each.python for each in figures])
    table.add("a stone played and undone", *(f"{each.play_undo_us:.2f} µs" for each in figures))
    table.section()
    table.add(f"nodes at depth {some.depth}", *(f"{each.nodes:,}" for each in figures))
    table.add("signature of nodes and values", *(each.signature for each in figures))
    table.add("nodes/s", *(f"{each.nodes_per_second:,.0f}" for each in figures))
    table.add("stones/s, played and undone", *(f"{each.stones_per_second:,.0f}" for each in figures))
    table.section()
    label = f"depth in {some.seconds:g} s, median (10 to 90 %)"
    table.add(label, *(spread(each.depths) for each in figures))
    if any(each.proved for each in figures):
        table.add("won or lost by force", *(f"{each.proved}" for each in figures))
    table.section()
    label = f"wins by fours found in {1000 * VCF_SECONDS:g} ms"
    table.add(label, *(f"{each.found:.1%}" for each in figures))
    for fours, (asked, _first) in some.wins.items():
        label = f"  {fours} fours, of {asked}"
        table.add(label, *(f"{each.wins[fours][1]}" for each in figures))
    table.add("median time of these", *(f"{each.vcf_ms:.2f} ms" for each in figures))
    table.section()
    plain = [each.plain for each in figures]
    table.add("plain search: nodes/s", *(f"{each.nodes_per_second:,.0f}" for each in plain))
    table.add("  stones/s, played and undone", *(f"{each.stones_per_second:,.0f}" for each in plain))
    label = f"  depth in {some.seconds:g} s, median"
    table.add(label, *(f"{each.depth:g}" for each in plain))
    console.print(table)
