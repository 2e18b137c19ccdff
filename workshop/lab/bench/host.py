"""Measures our engines in this interpreter: `engine.py` runs `PYTHON -m workshop.lab.bench.host GAME`.

This program reads a JSON object from standard input. The program prints a line after each search, and at the end the
figures as JSON. The fields of the object are
    gobang   `positions`, `vcf_positions`: lists of moves from the empty board, cells as row * 15 + col;
             `depth`: plies; `seconds`, `vcf_seconds`: time for each position
    reversi  `positions`, `solved` (without a time limit), `endgames`: lists of moves from the start, without passes;
             `size`, `depth`, `seconds`
Times are wall clock seconds. Python 3.7 and standard library only.
"""

import gc
import json
import sys
from time import perf_counter
from typing import Any, Callable, Dict, Iterator, List, Optional

from submission.k_in_a_row.board import KInARowBoard
from submission.k_in_a_row.position import KInARowPosition
from submission.reversi.endgame import Solver
from submission.reversi.position import ReversiPosition
from submission.search.clock import Deadline
from submission.search.deepening import Search

SIZE, IN_A_ROW = 15, 5
NO_LIMIT = 10**9  # nodes


def counted(positions: List[List[int]]) -> Iterator[List[int]]:
    """Yield the positions, and print a line after each of them, outside the measured time."""
    for moves in positions:
        yield moves
        print(flush=True)


def measure_gobang(work: Dict[str, Any]) -> Dict[str, Any]:
    """Measure the search and VCF of k in a row. Every position gets a new search.

    `stones`: stones played at the fixed depth, counted in a run of its own because counting costs time;
    `fixed`: nodes, value, seconds at the fixed depth; `timed`: depth and value in the given time;
    `wins`: line and seconds of VCF.
    """

    def set_up(moves: List[int]) -> Any:
        stones = bytearray(SIZE * SIZE)
        for number, cell in enumerate(moves):
            stones[cell] = 1 + number % 2
        made = KInARowPosition(SIZE, SIZE, IN_A_ROW)
        made.set_up(bytes(stones), len(moves) % 2)
        return made

    def think(seconds: Optional[float], depth: Optional[int]) -> List[Any]:
        thoughts = []
        for moves in counted(work["positions"]):
            made = set_up(moves)
            thoughts.append(Search().think(made, Deadline(seconds), depth))
        return thoughts

    gc.disable()  # as the player does during a search
    stones = count_calls(KInARowBoard, "play", lambda: think(None, work["depth"]))
    fixed = think(None, work["depth"])
    timed = think(work["seconds"], None)
    wins = []
    for moves in counted(work["vcf_positions"]):
        made = set_up(moves)
        started = perf_counter()
        line = made.threats.vcf(NO_LIMIT, Deadline(work["vcf_seconds"])).line
        wins.append({"line": line, "seconds": perf_counter() - started})
    return {
        "stones": stones - sum(len(moves) for moves in work["positions"]),
        "fixed": [{"nodes": thought.nodes, "value": thought.value, "seconds": thought.seconds} for thought in fixed],
        "timed": [{"depth": thought.depth, "value": thought.value} for thought in timed],
        "wins": wins,
    }


def measure_reversi(work: Dict[str, Any]) -> Dict[str, Any]:
    """Measure the search and the endgame solver of Reversi. Every position gets a new search or solver.

    `fixed`: the search at the fixed depth; `timed`: in the given time; `solved`: the solver without a time limit;
    `endgames`: the solver in the given time.
    """
    size = work["size"]

    def pass_if_forced(made: Any) -> None:
        if made.outcome() is None and made.forced():
            made.play(made.moves()[0])

    def set_up(moves: List[int]) -> Any:
        made = ReversiPosition.start(size)
        for cell in moves:
            pass_if_forced(made)
            made.play(cell)
        pass_if_forced(made)
        return made

    def think(moves: List[int], seconds: Optional[float], depth: Optional[int]) -> Dict[str, Any]:
        thought = Search().think(set_up(moves), Deadline(seconds), depth)
        return {"nodes": thought.nodes, "value": thought.value, "seconds": thought.seconds, "depth": thought.depth}

    def solve(moves: List[int], seconds: Optional[float]) -> Dict[str, Any]:
        made, solver = set_up(moves), Solver(size)
        black, white = made.discs
        ended = solver.solve(black, white, made.side, Deadline(seconds))
        return {"nodes": ended.nodes, "value": ended.lower, "seconds": ended.seconds, "decided": ended.decided,
                "exact": ended.exact}  # fmt: skip

    gc.disable()  # as the player does during a search
    return {
        "fixed": [think(moves, None, work["depth"]) for moves in counted(work["positions"])],
        "timed": [think(moves, work["seconds"], None) for moves in counted(work["positions"])],
        "solved": [solve(moves, None) for moves in counted(work["solved"])],
        "endgames": [[solve(moves, work["seconds"]) for moves in counted(endgames)] for endgames in work["endgames"]],
    }


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


if __name__ == "__main__":
    measure = {"gobang": measure_gobang, "reversi": measure_reversi}[sys.argv[1]]
    print(json.dumps(measure(json.load(sys.stdin))))
