"""Measures our engines in this interpreter and prints the figures: `PYTHON -m workshop.lab.bench.host GAME [quick]`.

gobang     the search in middle game positions, to a fixed depth and for the time of a move; VCF where there is one
reversi    the same two searches; the endgame solver with 10 to 20 free cells; all on 8x8 and 10x10

Every position gets a new search or solver. Times are wall clock seconds. Python 3.7 and standard library only.
"""

import gc
import hashlib
import math
import statistics
import sys
from time import perf_counter
from typing import Any, Callable, List, NamedTuple, Optional, Sequence

from submission.k_in_a_row.board import KInARowBoard
from submission.k_in_a_row.position import KInARowPosition
from submission.reversi.endgame import Solver
from submission.reversi.position import ReversiPosition
from submission.search.clock import Deadline
from submission.search.deepening import Search
from workshop.lab.bench import positions
from workshop.lab.bench.positions import GOBANG_SIZE, REVERSI_SIZES, Moves

IN_A_ROW = 5
NO_LIMIT = 10**9  # nodes
VCF_SECONDS = 0.05  # time limit of a VCF search
PROVED = 900_000  # larger values are forced wins; such a search ends early, so its depth is left out
EMPTIES = (10, 12, 14, 15, 16, 17, 18, 20)  # free cells of the endgames; endgames with 10 count for the signature


class Effort(NamedTuple):
    """The extent of a measurement: every n-th position, a fixed depth in plies, and the seconds of a timed search."""

    every: int
    depth: int
    seconds: float


WHOLE = {"gobang": Effort(1, 6, 0.8), "reversi": Effort(1, 5, 0.8)}
QUICK = Effort(10, 3, 0.1)


def gobang(effort: Effort) -> None:
    """Print the figures of k in a row."""
    midgames = positions.gobang_midgames()[:: effort.every]

    def set_up(moves: Moves) -> Any:
        stones = bytearray(GOBANG_SIZE * GOBANG_SIZE)
        for number, cell in enumerate(moves):
            stones[cell] = 1 + number % 2
        made = KInARowPosition(GOBANG_SIZE, GOBANG_SIZE, IN_A_ROW)
        made.set_up(bytes(stones), len(moves) % 2)
        return made

    def think(seconds: Optional[float], depth: Optional[int]) -> List[Any]:
        made = list(map(set_up, midgames))
        return [Search().think(position, Deadline(seconds), depth) for position in made]

    stones = count_calls(KInARowBoard, "play", lambda: think(None, effort.depth)) - sum(map(len, midgames))
    fixed, timed = think(None, effort.depth), think(effort.seconds, None)
    fours, found, times = [], [], []
    for position in positions.vcf_positions()[:: effort.every]:
        made = set_up(position.moves)
        started = perf_counter()
        fours.append(position.fours)
        if made.threats.vcf(NO_LIMIT, Deadline(VCF_SECONDS)).line:
            found.append(position.fours)
            times.append(perf_counter() - started)
    show("positions", len(midgames))
    show_search(fixed, fixed, effort.depth)
    show("nodes/s", nodes_per_second(fixed))
    show("stones/s, played and undone", f"{stones / sum(thought.seconds for thought in fixed):,.0f}")
    open_ones = [thought for thought in timed if abs(thought.value) < PROVED]
    show_depths(open_ones, effort.seconds)
    show("won or lost by force", len(timed) - len(open_ones))
    show(f"wins by fours found in {1000 * VCF_SECONDS:g} ms", f"{len(found) / len(fours):.1%}")
    for number in sorted(set(fours)):
        show(f"  {number} fours, of {fours.count(number)}", found.count(number))
    show("median time of these", f"{1000 * statistics.median(times or [0.0]):.2f} ms")


def reversi(effort: Effort) -> None:
    """Print the figures of Reversi for each size of board."""
    for size in REVERSI_SIZES:
        midgames = positions.reversi_midgames(size)[:: effort.every]
        endgames = [positions.reversi_endgames(size, empties)[:: effort.every] for empties in EMPTIES]
        fixed = [Search().think(after(size, moves), Deadline(None), effort.depth) for moves in midgames]
        timed = [Search().think(after(size, moves), Deadline(effort.seconds), None) for moves in midgames]
        solved = [solve(size, moves, None) for moves in endgames[0]]
        ended = [[solve(size, moves, effort.seconds) for moves in some] for some in endgames]
        show(f"{size}x{size}: positions, and endgames of each kind", f"{len(midgames)}, {len(solved)}")
        show_search(fixed, [*fixed, *solved], effort.depth)
        show(f"nodes/s in {effort.seconds:g} s", nodes_per_second(timed))
        show_depths(timed, effort.seconds)
        show("endgame nodes/s", nodes_per_second([each for some in ended for each in some]))
        show(f"free cells: winner, exact value in {effort.seconds:g} s; median, 95 % of the time", "")
        for empties, some in zip(EMPTIES, ended):
            show(f"  {empties}", solutions(some, effort.seconds))


def after(size: int, moves: Moves) -> Any:
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


class Solved(NamedTuple):
    """A result of the endgame solver, named as that of a search."""

    nodes: int
    value: int
    seconds: float
    decided: bool
    exact: bool


def solve(size: int, moves: Moves, seconds: Optional[float]) -> Solved:
    """The result of a new solver in the position after these moves."""
    made = after(size, moves)
    black, white = made.discs
    ended = Solver(size).solve(black, white, made.side, Deadline(seconds))
    return Solved(ended.nodes, ended.lower, ended.seconds, ended.decided, ended.exact)


def solutions(some: Sequence[Solved], limit: float) -> str:
    """The shares of positions decided and solved in time, and the time to the exact value; unsolved: the limit."""
    shares = [f"{sum(found) / len(some):.0%}" for found in zip(*((each.decided, each.exact) for each in some))]
    seconds = [each.seconds if each.exact else limit for each in some]
    times = [f"{percentile(seconds, percent):.3f} s" for percent in (50, 95)]
    return "{}; {}".format(", ".join(shares), ", ".join(times))


def count_calls(owner: Any, name: str, action: Callable[[], Any]) -> int:
    """The number of calls of a method during an action; counting slows the action down."""
    method = getattr(owner, name)
    calls = 0

    def counting(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        return method(*arguments)

    setattr(owner, name, counting)
    try:
        action()
    finally:
        setattr(owner, name, method)
    return calls


def signature(thoughts: Sequence[Any]) -> str:
    """A hash of the nodes and values of searches: twelve hexadecimal digits."""
    lines = [f"{each.nodes} {each.value}\n" for each in thoughts]
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:12]


def nodes_per_second(searches: Sequence[Any]) -> str:
    """The nodes of all searches divided by their seconds."""
    return f"{sum(each.nodes for each in searches) / sum(each.seconds for each in searches):,.0f}"


def percentile(values: Sequence[float], percent: float) -> float:
    """The nearest-rank percentile."""
    return sorted(values)[max(0, math.ceil(percent / 100 * len(values)) - 1)]


def show_search(fixed: Sequence[Any], signed: Sequence[Any], depth: int) -> None:
    show(f"nodes at depth {depth}", f"{sum(each.nodes for each in fixed):,}")
    show("signature of nodes and values", signature(signed))


def show_depths(timed: Sequence[Any], seconds: float) -> None:
    low, middle, high = (percentile([each.depth for each in timed] or [0], percent) for percent in (10, 50, 90))
    show(f"depth in {seconds:g} s, median (10 to 90 %)", f"{middle} ({low} to {high})")


def show(label: str, figure: object) -> None:
    print(f"{label:<44}{figure}", flush=True)


if __name__ == "__main__":
    game, *quick = sys.argv[1:]
    gc.disable()  # as the player does during a search
    {"gobang": gobang, "reversi": reversi}[game](QUICK if quick else WHOLE[game])
