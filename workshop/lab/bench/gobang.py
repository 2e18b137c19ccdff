"""The gobang engine in fixed positions, on this Python and on Python 3.7.

Measures two things: the search in balanced middle game positions, to a fixed depth and for the time of a move; and VCF
in positions that VCF wins. Each Python runs the sources in one fresh interpreter.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from pathlib import Path

from env_adapter import OpeningError, answer, make
from local_runner.agents.spec import parse_agent
from local_runner.bench.host import ask
from local_runner.bench.positions import ENV, BenchPosition, read
from local_runner.processes.interpreters import Interpreter, pythons
from local_runner.terminal.progress import Meter
from workshop.lab.bench.engine import Effort, EngineFigures, measure, nodes_per_second, signature, spread

MIDGAME, VCF = (Path(__file__).with_name(name) for name in ("gobang_midgame.txt", "vcf_positions.txt"))

SIZE = 15
WHOLE, QUICK = Effort(1, 6, 0.8), Effort(10, 3, 0.1)
VCF_SECONDS = 0.05  # time limit of a VCF search
RUNS = 3  # searches of a middle game position: to count stones, to a fixed depth, for a fixed time
PROVED = 900_000  # larger values are forced wins; such a search ends early, so its depth is left out


def bench(effort: Effort) -> list[EngineFigures]:
    """Measure under this Python, and under Python 3.7 if there is one."""
    interpreters = pythons()
    searches = RUNS * len(read(MIDGAME)[:: effort.every]) + len(read(VCF)[:: effort.every])
    with Meter("gobang", searches * len(interpreters)) as meter:
        return [_figures(python, effort, meter.part(searches, python.title)) for python in interpreters]


def _figures(python: Interpreter, effort: Effort, stepped: Callable[[int], None]) -> EngineFigures:
    positions, wins = read(MIDGAME)[:: effort.every], read(VCF)[:: effort.every]
    work = {
        "positions": [_cells(position) for position in positions],
        "vcf_positions": [_cells(position) for position in wins],
        "depth": effort.depth,
        "seconds": effort.seconds,
        "vcf_seconds": VCF_SECONDS,
    }
    measured = measure("gobang", python, work, stepped)
    fixed, timed = measured["fixed"], measured["timed"]
    won = [
        (position.number, each["seconds"])
        for position, each in zip(wins, measured["wins"], strict=True)
        if each["line"] and is_won(position, each["line"])
    ]
    numbers, vcf_found = [position.number for position in wins], [number for number, _ in won]
    stones_per_second = measured["stones"] / sum(each["seconds"] for each in fixed)
    return EngineFigures(
        f"the engine in {len(positions)} positions of {ENV}",
        python.title,
        signature(fixed),
        [
            {"a stone played and undone": f"{1e6 * ask('board', parse_agent('tengen'), python)['play_undo']:.2f} µs"},
            {
                f"nodes at depth {effort.depth}": f"{sum(each['nodes'] for each in fixed):,}",
                "signature of nodes and values": signature(fixed),
                "nodes/s": nodes_per_second(fixed),
                "stones/s, played and undone": f"{stones_per_second:,.0f}",
            },
            {
                f"depth in {effort.seconds:g} s, median (10 to 90 %)": spread(
                    [each["depth"] for each in timed if abs(each["value"]) < PROVED]
                ),
                "won or lost by force": str(sum(abs(each["value"]) >= PROVED for each in timed)),
            },
            {
                f"wins by fours found in {1000 * VCF_SECONDS:g} ms": f"{len(vcf_found) / len(numbers):.1%}",
                **{
                    f"  {fours} fours, of {numbers.count(fours)}": str(vcf_found.count(fours))
                    for fours in sorted(set(numbers))
                },
                "median time of these": f"{1000 * statistics.median([each for _, each in won] or [0.0]):.2f} ms",
            },
        ],
    )


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
