"""The Reversi engine in fixed positions, on this Python and on Python 3.7.

Measures the search in middle game positions, to a fixed depth and for the time of a move. Measures the endgame solver
in positions with 10 to 20 free cells. Board sizes: 8x8 and 10x10. Each Python and size runs the sources in a fresh
interpreter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from local_runner.bench.positions import read
from local_runner.matches.statistics.counts import percentile
from local_runner.processes.interpreters import Interpreter, pythons
from local_runner.terminal.progress import Meter
from workshop.lab.bench.engine import Effort, EngineFigures, Section, measure, nodes_per_second, signature, spread

SIZES = (8, 10)
EMPTIES = (10, 12, 14, 15, 16, 17, 18, 20)  # free cells of the endgames; endgames with 10 count for the signature
START_DISCS = 4
MIDGAME_EVERY = 5  # every 5th game of the file gives a middle game position
MIDGAME = (0.3, 0.6)  # least and greatest share of occupied cells in these positions
WHOLE, QUICK = Effort(1, 5, 0.8), Effort(10, 3, 0.1)  # an Effort's seconds: of a search or of the solver


def bench(effort: Effort) -> list[EngineFigures]:
    """Measure both sizes under this Python, and under Python 3.7 if there is one."""
    interpreters, works = pythons(), {size: _work(size, effort) for size in SIZES}
    searches = {
        size: 2 * len(work["positions"]) + len(work["solved"]) + sum(map(len, work["endgames"]))
        for size, work in works.items()
    }
    with Meter("reversi", sum(searches.values()) * len(interpreters)) as meter:
        return [
            _figures(python, works[size], meter.part(searches[size], f"{size}x{size}, {python.title}"))
            for size in SIZES
            for python in interpreters
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


def _work(size: int, effort: Effort) -> dict[str, Any]:
    return {
        "size": size,
        "depth": effort.depth,
        "seconds": effort.seconds,
        "positions": midgames(size)[:: effort.every],
        "solved": endgames(size, EMPTIES[0])[:: effort.every],
        "endgames": [endgames(size, empties)[:: effort.every] for empties in EMPTIES],
    }


def _figures(python: Interpreter, work: Mapping[str, Any], stepped: Callable[[int], None]) -> EngineFigures:
    measured = measure("reversi", python, work, stepped)
    size, limit = work["size"], work["seconds"]
    fixed, timed, endings = measured["fixed"], measured["timed"], measured["endgames"]
    signed = signature([*fixed, *measured["solved"]])
    solved, times = endgame_rows(endings, limit)
    return EngineFigures(
        f"the engine in {len(timed)} positions and {len(endings[0])} endgames of each number of free cells, "
        f"{size}x{size}",
        python.title,
        signed,
        [
            {
                f"nodes at depth {work['depth']}": f"{sum(each['nodes'] for each in fixed):,}",
                "signature of nodes and values": signed,
                f"nodes/s in {limit:g} s": nodes_per_second(timed),
                f"depth in {limit:g} s, median (10 to 90 %)": spread([each["depth"] for each in timed]),
            },
            {
                "endgame nodes/s": nodes_per_second([each for some in endings for each in some]),
                f"winner, exact value in {limit:g} s:": "",
                **solved,
            },
            {"time to the exact value, median, 95 %:": "", **times},
        ],
    )


def endgame_rows(endings: Sequence[Sequence[Mapping[str, Any]]], limit: float) -> tuple[Section, Section]:
    """For each of EMPTIES, the share of positions decided and solved in time, and the time to the exact value.

    A position that was not solved counts with its limit in seconds.
    """
    solved, times = Section(), Section()
    for empties, found in zip(EMPTIES, endings, strict=True):
        label = f"  {empties} free cells"
        solved[label] = ", ".join(
            f"{sum(each[key] for each in found) / len(found):.0%}" for key in ("decided", "exact")
        )
        seconds = [each["seconds"] if each["exact"] else limit for each in found]
        times[label] = f"{percentile(seconds, 50):.3f} s, {percentile(seconds, 95):.3f} s"
    return solved, times
