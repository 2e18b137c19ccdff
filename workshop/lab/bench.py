"""Measures our engines in fixed positions, in this interpreter. Python 3.7 and standard library only.

    python -m workshop.lab.bench gobang                 nodes/s, depth, wins by fours (VCF)
    python -m workshop.lab.bench reversi                nodes/s, depth and solved endgames, on 8x8 and 10x10
    .venv37/bin/python -m workshop.lab.bench gobang     the same on Python 3.7, see `make python37`

Every position gets a new search or solver. Times are wall clock seconds. The signature is a hash of nodes and values at
a fixed depth: all machines and Pythons give the same one, and a change of the engine's behaviour changes it.

A move is a cell, row * size + column. The positions come from self-play of an early engine, and must not change: the
signatures depend on them. A line of a file in positions/ holds the moves from the start, two letters each: row and
column.

    gobang_midgame.txt     50 positions of 8 to 20 stones in which a search gives neither side a large value
    vcf_positions.txt      200 positions won by fours alone (VCF), each with the number of fours of its shortest win
    reversi_games_*.txt    100 games without passes, up to 10 empty cells; cut anywhere, the mover has two moves or more
"""

import argparse
import gc
import hashlib
import math
import os
import platform
import statistics
from time import perf_counter
from typing import Any, List, NamedTuple, Sequence, Tuple

from submission.k_in_a_row.position import KInARowPosition
from submission.reversi.endgame import Solution, Solver
from submission.reversi.position import ReversiPosition
from submission.search.clock import Deadline
from submission.search.deepening import Search

GOBANG_SIZE, IN_A_ROW = 15, 5
REVERSI_SIZES = (8, 10)
START_DISCS = 4
MIDGAME_EVERY = 5  # every 5th game of Reversi gives a middle game position
MIDGAME = (0.3, 0.6)  # least and greatest share of occupied cells in these positions
NO_LIMIT = 10**9  # nodes
VCF_SECONDS = 0.05  # time limit of a VCF search
PROVED = 900_000  # larger values are forced wins; such a search ends early, so its depth is left out
EMPTIES = (10, 12, 14, 15, 16, 17, 18, 20)  # free cells of the endgames; endgames with 10 count for the signature

Moves = List[int]


class Effort(NamedTuple):
    """The extent of a measurement: every n-th position, a fixed depth in plies, and the seconds of a timed search."""

    every: int
    depth: int
    seconds: float


WHOLE = {"gobang": Effort(1, 6, 0.8), "reversi": Effort(1, 5, 0.8)}
QUICK = Effort(10, 3, 0.1)


def gobang(effort: Effort) -> None:
    """Print the figures of k in a row."""
    midgames = [cells(line, GOBANG_SIZE) for line in lines("gobang_midgame.txt")][:: effort.every]
    fixed = [Search().think(after_stones(moves), Deadline(None), effort.depth) for moves in midgames]
    timed = [Search().think(after_stones(moves), Deadline(effort.seconds), None) for moves in midgames]
    won_by_fours, times = vcf_positions()[:: effort.every], []
    for moves in won_by_fours:
        position, started = after_stones(moves), perf_counter()
        if position.threats.vcf(NO_LIMIT, Deadline(VCF_SECONDS)).line:
            times.append(perf_counter() - started)
    show("positions", len(midgames))
    show_search(fixed, effort.depth, signature([(each.nodes, each.value) for each in fixed]))
    show("nodes/s", nodes_per_second(fixed))
    open_ones = [thought for thought in timed if abs(thought.value) < PROVED]
    show_depths(open_ones, effort.seconds)
    show("won or lost by force", len(timed) - len(open_ones))
    show(f"wins by fours found in {1000 * VCF_SECONDS:g} ms", f"{len(times)} of {len(won_by_fours)}")
    show("median time of these", f"{1000 * statistics.median(times or [0.0]):.2f} ms")


def reversi(effort: Effort) -> None:
    """Print the figures of Reversi for each size of board."""
    for size in REVERSI_SIZES:
        games = reversi_games(size)
        midgames = reversi_midgames(size)[:: effort.every]
        fixed = [Search().think(after_moves(size, moves), Deadline(None), effort.depth) for moves in midgames]
        timed = [Search().think(after_moves(size, moves), Deadline(effort.seconds), None) for moves in midgames]
        lengths = [size * size - START_DISCS - empties for empties in EMPTIES]
        endgames = [[moves[:length] for moves in games[:: effort.every]] for length in lengths]
        solved = [solve(size, moves, Deadline(None)) for moves in endgames[0]]
        ended = [[solve(size, moves, Deadline(effort.seconds)) for moves in some] for some in endgames]
        show(f"{size}x{size}: positions, and endgames of each kind", f"{len(midgames)}, {len(solved)}")
        answers = [(each.nodes, each.value) for each in fixed] + [(each.nodes, each.lower) for each in solved]
        show_search(fixed, effort.depth, signature(answers))
        show(f"nodes/s in {effort.seconds:g} s", nodes_per_second(timed))
        show_depths(timed, effort.seconds)
        show("endgame nodes/s", nodes_per_second([each for some in ended for each in some]))
        show(f"free cells: winner, exact value in {effort.seconds:g} s; median, 95 % of the time", "")
        for empties, some in zip(EMPTIES, ended):
            show(f"  {empties}", solutions(some, effort.seconds))


# ---- positions


def lines(name: str) -> List[str]:
    """The lines of a file in positions/."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "positions")
    with open(os.path.join(folder, name), encoding="ascii") as file:
        return file.read().splitlines()


def cells(text: str, size: int) -> Moves:
    """The moves in a line of a file."""
    return [(ord(row) - ord("a")) * size + ord(col) - ord("a") for row, col in zip(text[::2], text[1::2])]


def vcf_positions() -> List[Moves]:
    """The moves to the positions of gobang that are won by fours."""
    return [cells(line.split()[0], GOBANG_SIZE) for line in lines("vcf_positions.txt")]


def reversi_games(size: int) -> List[Moves]:
    """The games of a board size, without passes."""
    return [cells(line, size) for line in lines(f"reversi_games_{size}x{size}.txt")]


def reversi_midgames(size: int) -> List[Moves]:
    """The moves to the middle game positions: every MIDGAME_EVERY-th game, each cut later than the one before."""
    chosen = reversi_games(size)[::MIDGAME_EVERY]
    first, last = (round(share * size * size) - START_DISCS for share in MIDGAME)
    return [moves[: first + (last - first) * number // (len(chosen) - 1)] for number, moves in enumerate(chosen)]


def after_stones(moves: Moves) -> KInARowPosition:
    """The position of gobang after these moves, set up at once."""
    stones = bytearray(GOBANG_SIZE * GOBANG_SIZE)
    for number, cell in enumerate(moves):
        stones[cell] = 1 + number % 2
    made = KInARowPosition(GOBANG_SIZE, GOBANG_SIZE, IN_A_ROW)
    made.set_up(bytes(stones), len(moves) % 2)
    return made


def after_moves(size: int, moves: Moves) -> Any:
    """The position of Reversi after these moves; forced passes are played."""
    made = ReversiPosition.start(size)
    for cell in moves:
        pass_if_forced(made)
        made.play(cell)
    pass_if_forced(made)
    return made


def pass_if_forced(made: Any) -> None:
    if made.outcome() is None and made.forced():
        made.play(made.moves()[0])


# ---- figures


def solve(size: int, moves: Moves, deadline: Deadline) -> Solution:
    """The result of a new solver in the position after these moves."""
    made = after_moves(size, moves)
    black, white = made.discs
    return Solver(size).solve(black, white, made.side, deadline)


def solutions(some: Sequence[Solution], limit: float) -> str:
    """The shares of positions decided and solved in time, and the time to the exact value; unsolved: the limit."""
    shares = [f"{sum(found) / len(some):.0%}" for found in zip(*((each.decided, each.exact) for each in some))]
    seconds = [each.seconds if each.exact else limit for each in some]
    times = [f"{percentile(seconds, percent):.3f} s" for percent in (50, 95)]
    return "{}; {}".format(", ".join(shares), ", ".join(times))


def signature(answers: Sequence[Tuple[int, int]]) -> str:
    """A hash of the nodes and values of searches: twelve hexadecimal digits."""
    text = "".join(f"{nodes} {value}\n" for nodes, value in answers)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def nodes_per_second(searches: Sequence[Any]) -> str:
    """The nodes of all searches divided by their seconds."""
    return f"{sum(each.nodes for each in searches) / sum(each.seconds for each in searches):,.0f}"


def percentile(values: Sequence[float], percent: float) -> float:
    """The nearest-rank percentile."""
    return sorted(values)[max(0, math.ceil(percent / 100 * len(values)) - 1)]


def show_search(fixed: Sequence[Any], depth: int, signed: str) -> None:
    show(f"nodes at depth {depth}", f"{sum(each.nodes for each in fixed):,}")
    show("signature of nodes and values", signed)


def show_depths(timed: Sequence[Any], seconds: float) -> None:
    low, middle, high = (percentile([each.depth for each in timed] or [0], percent) for percent in (10, 50, 90))
    show(f"depth in {seconds:g} s, median (10 to 90 %)", f"{middle} ({low} to {high})")


def show(label: str, figure: object) -> None:
    print(f"{label:<44}{figure}", flush=True)


if __name__ == "__main__":
    games = {"gobang": gobang, "reversi": reversi}
    parser = argparse.ArgumentParser(prog="python -m workshop.lab.bench")
    parser.add_argument("game", choices=games)
    parser.add_argument("--quick", action="store_true", help="a tenth of the positions, less depth and time for each")
    given = parser.parse_args()
    show("Python", platform.python_version())
    gc.disable()  # as the player does during a search
    games[given.game](QUICK if given.quick else WHOLE[given.game])
