"""`tengen bench gobang`: what the gobang engine does in fixed positions, on this Python and on the platform's.

The search thinks about balanced positions of the early middle game, to a fixed depth and for the time of a move, and
the look for fours about positions that are won by fours (workshop/ makes both files); all in one fresh interpreter for
each Python, from the sources. At a fixed depth nodes and values are the engine's behaviour: their hash is the same on
every machine and Python, and another one is another engine. The plainest search on the same board, which plays each
cell to order the moves, tells what the board can do. Says nothing of strength.
"""
from __future__ import annotations

import dataclasses
import hashlib
import json
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from env_adapter import OpeningError, answer, make
from local_runner.agents import parse_agent
from local_runner.bench.host import ask
from local_runner.bench.positions import ENV, Position, read
from local_runner.bench.tables import by_python
from local_runner.header import header
from local_runner.processes.interpreters import Interpreter, pythons
from local_runner.statistics.counts import percentile

SIZE = 15
DEPTH = 6                           # plies, for the signature and the speeds
SECONDS, VCF_SECONDS = 0.8, 0.05    # for each position
QUICK_EVERY, QUICK_DEPTH, QUICK_SECONDS = 10, 3, 0.1
PATIENCE = 1200                     # seconds for all of it, on a slow and busy machine
PROVED = 900_000                    # values beyond it are forced wins and losses, whose depth says nothing
SPREAD = (10, 50, 90)               # percentiles of the depth reached


@dataclass(frozen=True)
class PlainFigures:
    """Those of the plainest search, in the same seconds for each position; `depth`: the median of the plies reached."""

    nodes_per_second: float
    stones_per_second: float
    depth: float


@dataclass(frozen=True)
class Figures:
    """All figures under one interpreter.

    `signature`: a hash of nodes and values at the fixed depth; `depths`: plies reached in time where no win was proved;
    `wins`: fours needed -> positions, and in how many of them the win was found in time; `vcf_ms`: median of these.
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
    plain: PlainFigures

    @property
    def found(self) -> float:
        """The share of the wins that was found."""
        return sum(found for _, found in self.wins.values()) / sum(asked for asked, _ in self.wins.values())


def bench(*, quick: bool = False) -> list[Figures]:
    """Measure under the Python at hand, and under Python 3.7 where there is one; `quick`: every 10th position."""
    with tempfile.TemporaryDirectory(prefix="tengen-bench-") as folder:
        return [_figures(python, Path(folder), quick) for python in pythons()]


def _figures(python: Interpreter, folder: Path, quick: bool) -> Figures:
    spec = parse_agent("tengen")
    every = QUICK_EVERY if quick else 1
    positions, wins = read("gobang_midgame.txt")[::every], read("vcf_positions.txt")[::every]
    depth, limit = (QUICK_DEPTH, QUICK_SECONDS) if quick else (DEPTH, SECONDS)
    work = {
        "positions": [_cells(position) for position in positions],
        "vcf_positions": [_cells(position) for position in wins],
        "depth": depth,
        "seconds": limit,
        "vcf_seconds": VCF_SECONDS,
    }
    told = ask("gobang", spec, python, folder, work, PATIENCE)
    fixed, timed = told["fixed"], told["timed"]
    seconds = sum(each["seconds"] for each in fixed)
    nodes = sum(each["nodes"] for each in fixed)
    won = [(position, each["seconds"]) for position, each in zip(wins, told["wins"], strict=True)
           if each["line"] and is_won(position, each["line"])]
    numbers = [position.number for position in wins]
    found = [position.number for position, _ in won]
    return Figures(
        python=python.title,
        play_undo_us=1e6 * ask("board", spec, python, folder)["play_undo"],
        depth=depth,
        nodes=nodes,
        signature=signature(fixed),
        nodes_per_second=nodes / seconds,
        stones_per_second=told["stones"] / seconds,
        seconds=limit,
        depths=[each["depth"] for each in timed if abs(each["value"]) < PROVED],
        proved=sum(abs(each["value"]) >= PROVED for each in timed),
        wins={fours: (numbers.count(fours), found.count(fours)) for fours in sorted(set(numbers))},
        vcf_ms=1000 * statistics.median([each for _, each in won] or [0.0]),
        plain=_plain(told["plain"]),
    )


def _plain(searches: Sequence[Mapping[str, Any]]) -> PlainFigures:
    nodes, stones, seconds = (sum(each[name] for each in searches) for name in ("nodes", "stones", "seconds"))
    return PlainFigures(nodes / seconds, stones / seconds, statistics.median(each["depth"] for each in searches))


def _cells(position: Position) -> list[int]:
    return [row * SIZE + col for row, col in position.moves]


def signature(thoughts: Sequence[Mapping[str, Any]]) -> str:
    """Twelve hexadecimal digits for the nodes and values of some searches."""
    lines = [f"{each['nodes']} {each['value']}\n" for each in thoughts]
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:12]


def is_won(position: Position, line: Sequence[int]) -> bool:
    """Whether the referee, too, sees the side to move win at the end of a line of moves, and not before."""
    last = divmod(line[-1], SIZE)
    try:
        game = make(ENV, opening=[*position.moves, *(divmod(cell, SIZE) for cell in line[:-1])])
    except OpeningError:                    # a stone on another, or a game that is over
        return False
    if last in game.legal_moves():
        game.step([answer(last, game.board_height, game.board_width)] * game.n_player)
    return game.outcome().winner == 1 + len(position.moves) % 2


def as_json(figures: Sequence[Figures]) -> str:
    """The figures as JSON text."""
    found = [{**dataclasses.asdict(each), "found": each.found} for each in figures]
    return json.dumps({"header": header(), "env": ENV, "figures": found}, indent=1)


def show(figures: Sequence[Figures], console: Console) -> None:
    """The figures as a table, one column per interpreter."""
    some = figures[0]
    title = f"the engine in {len(some.depths) + some.proved} positions of {ENV}"
    table = by_python(title, [each.python for each in figures])
    table.add_row("a stone played and undone", *(f"{each.play_undo_us:.2f} µs" for each in figures))
    table.add_section()
    table.add_row(f"nodes at depth {some.depth}", *(f"{each.nodes:,}" for each in figures))
    table.add_row("signature of nodes and values", *(each.signature for each in figures))
    table.add_row("nodes/s", *(f"{each.nodes_per_second:,.0f}" for each in figures))
    table.add_row("stones/s, played and undone", *(f"{each.stones_per_second:,.0f}" for each in figures))
    table.add_section()
    table.add_row(f"depth in {some.seconds:g} s, median (10 to 90 %)", *(_spread(each.depths) for each in figures))
    if any(each.proved for each in figures):
        table.add_row("won or lost by force", *(f"{each.proved}" for each in figures))
    table.add_section()
    label = f"wins by fours found in {1000 * VCF_SECONDS:g} ms"
    table.add_row(label, *(f"{each.found:.1%}" for each in figures))
    for fours, (asked, _) in some.wins.items():
        table.add_row(f"  {fours} fours, of {asked}", *(f"{each.wins[fours][1]}" for each in figures))
    table.add_row("median time of these", *(f"{each.vcf_ms:.2f} ms" for each in figures))
    table.add_section()
    plain = [each.plain for each in figures]
    table.add_row("the plainest search: nodes/s", *(f"{each.nodes_per_second:,.0f}" for each in plain))
    table.add_row("  stones/s, played and undone", *(f"{each.stones_per_second:,.0f}" for each in plain))
    table.add_row(f"  depth in {some.seconds:g} s, median", *(f"{each.depth:g}" for each in plain))
    console.print(table)


def _spread(depths: Sequence[int]) -> str:
    """The median and the spread of the depths."""
    if not depths:
        return "-"
    low, middle, high = (percentile(depths, share) for share in SPREAD)
    return f"{middle:g} ({low:g} to {high:g})"
