"""Measures an agent in a fresh interpreter, and writes the figures into a file as JSON.

Python 3.7 syntax and standard library only; started by `bench.py` under the interpreter to be measured:
    bench_host.py import FILE ANSWER     the import, and the first answer, Black's on an empty 15x15 board
    bench_host.py board FILE ANSWER      our line board behind FILE: a stone played and taken back, tables warm
    bench_host.py gobang FILE ANSWER     our search and our look for fours behind FILE, in given positions
    bench_host.py reversi FILE ANSWER    our search and our endgame solver behind FILE, in given positions
Standard input is JSON: the agent's options, or what is to be measured. Of gobang that is `positions` and
`vcf_positions`, as moves from the empty board, cells as row * 15 + col; `depth` in plies; `seconds` and `vcf_seconds`
for each position. Of Reversi `size`, `depth`, `seconds`, `positions`, `solved` (to the end, however long it takes) and
`endgames`; their moves are from the start, passes left out. Times in seconds by the wall clock.
"""
import gc
import importlib
import json
import os
import random
import sys
from time import perf_counter
from types import ModuleType
from typing import Any, Callable, Dict, List, Optional

HERE = os.path.dirname(os.path.abspath(__file__))
NAME = "bench"                      # the agent is algo.bench.submission, its modules are algo.bench.*
SIZE, IN_A_ROW = 15, 5
STONES = 60                         # on the board at the end, as in a long game
REPEATS = 300
NO_LIMIT = 10**9                    # nodes


class Discrete:
    """An action space: agents rely on `n` alone."""

    def __init__(self, n: int) -> None:
        self.n = n


def load(path: str, options: Dict[str, Any]) -> ModuleType:
    """Import the agent as the platform does, through the module that the match host uses."""
    return beside("loading").load_agent(path, NAME, options)  # type: ignore[no-any-return]


def beside(name: str) -> ModuleType:
    """A module of this folder."""
    sys.path.append(HERE)
    module = importlib.import_module(name)
    sys.path.remove(HERE)
    return module


def measure_import(path: str, options: Dict[str, Any]) -> Dict[str, float]:
    """The import and the first answer of a fresh process."""
    rows = [[[0] for _ in range(SIZE)] for _ in range(SIZE)]
    observation = {"state_map": rows, "chess_player_idx": 1, "board_width": SIZE, "board_height": SIZE}
    spaces = [Discrete(SIZE), Discrete(SIZE)]
    started = perf_counter()
    agent = load(path, options)
    imported = perf_counter()
    agent.my_controller(observation, spaces, False)
    answered = perf_counter()
    return {"import": imported - started, "first": answered - imported}


def measure_board(path: str, options: Dict[str, Any]) -> Dict[str, float]:
    """Play and undo of a stone, averaged over games of random stones whose lines are all in the tables already."""
    load(path, options)
    board = importlib.import_module(f"algo.{NAME}.k_in_a_row.board").KInARowBoard(SIZE, SIZE, IN_A_ROW)
    cells = random.Random(1).sample(range(SIZE * SIZE), STONES)
    best = None
    for _ in range(5):              # the best of five: the rest is the machine's noise
        started = perf_counter()
        for _ in range(REPEATS):
            for cell in cells:
                board.play(cell)
            for _ in cells:
                board.undo()
        seconds = perf_counter() - started
        best = seconds if best is None else min(best, seconds)
    assert best is not None
    return {"play_undo": best / (REPEATS * STONES)}


def measure_gobang(path: str, work: Dict[str, Any]) -> Dict[str, Any]:
    """The search at a fixed depth (nodes and values, stones, seconds), the depths reached in time, and wins by fours.

    Each position has a search of its own. The stones are counted in a run that is not timed, which fills the line
    tables, too. A win is told as the line found and the seconds for it. Besides, what the plainest search on the same
    board does in the same time.
    """
    load(path, {})
    search, clock, lines, board, patterns, position = (importlib.import_module(f"algo.{NAME}.{name}") for name in (
        "alphabeta", "clock", "lines", "k_in_a_row.board", "k_in_a_row.patterns", "k_in_a_row.position"))
    plain_search = beside("plain_search")

    def set_up(moves: List[int]) -> Any:
        stones = bytearray(SIZE * SIZE)
        for number, cell in enumerate(moves):
            stones[cell] = 1 + number % 2
        made = position.KInARowPosition(SIZE, SIZE, IN_A_ROW)
        made.set_up(bytes(stones), len(moves) % 2)
        return made

    def think(seconds: Optional[float], depth: Optional[int]) -> List[Any]:
        thoughts = []
        for moves in work["positions"]:
            made = set_up(moves)
            thoughts.append(search.Search().think(made, clock.Deadline(seconds), depth))
        return thoughts

    def plain(moves: List[int]) -> Dict[str, Any]:
        plainest = plain_search.PlainSearch(set_up(moves), patterns.CLASSES, lines.cells_of)
        started = perf_counter()
        depth = plainest.deepen(work["seconds"])
        return {"depth": depth, "nodes": plainest.nodes, "stones": plainest.stones, "seconds": perf_counter() - started}

    gc.disable()                    # as the player does while it thinks
    stones = count_calls(board.KInARowBoard, "play", lambda: think(None, work["depth"]))
    fixed = think(None, work["depth"])
    timed = think(work["seconds"], None)
    wins = []
    for moves in work["vcf_positions"]:
        made = set_up(moves)
        started = perf_counter()
        line = made.threats.vcf(NO_LIMIT, clock.Deadline(work["vcf_seconds"])).line
        wins.append({"line": line, "seconds": perf_counter() - started})
    return {
        "stones": stones - sum(len(moves) for moves in work["positions"]),
        "fixed": [{"nodes": thought.nodes, "value": thought.value, "seconds": thought.seconds} for thought in fixed],
        "timed": [{"depth": thought.depth, "value": thought.value} for thought in timed],
        "wins": wins,
        "plain": [plain(moves) for moves in work["positions"]],
    }


def measure_reversi(path: str, work: Dict[str, Any]) -> Dict[str, Any]:
    """The search at a fixed depth (nodes, values, seconds), the depths reached in time, and what the solver finds out.

    Each position has a search or a solver of its own.
    """
    load(path, {})
    search, clock, position, endgame = (importlib.import_module(f"algo.{NAME}.{name}") for name in (
        "alphabeta", "clock", "reversi.position", "reversi.endgame"))
    size = work["size"]

    def pass_if_forced(made: Any) -> None:
        if made.outcome() is None and made.forced():
            made.play(made.moves()[0])

    def set_up(moves: List[int]) -> Any:
        made = position.ReversiPosition.start(size)
        for cell in moves:
            pass_if_forced(made)
            made.play(cell)
        pass_if_forced(made)
        return made

    def think(moves: List[int], seconds: Optional[float], depth: Optional[int]) -> Dict[str, Any]:
        thought = search.Search().think(set_up(moves), clock.Deadline(seconds), depth)
        return {"nodes": thought.nodes, "value": thought.value, "seconds": thought.seconds, "depth": thought.depth}

    def solve(moves: List[int], seconds: Optional[float]) -> Dict[str, Any]:
        made, solver = set_up(moves), endgame.Solver(size)
        found = solver.solve(*made.discs, made.side, clock.Deadline(seconds))
        return {"nodes": found.nodes, "value": found.lower, "seconds": found.seconds, "decided": found.decided,
                "exact": found.exact}

    gc.disable()                    # as the player does while it thinks
    return {
        "fixed": [think(moves, None, work["depth"]) for moves in work["positions"]],
        "timed": [think(moves, work["seconds"], None) for moves in work["positions"]],
        "solved": [solve(moves, None) for moves in work["solved"]],
        "endgames": [[solve(moves, work["seconds"]) for moves in endgames] for endgames in work["endgames"]],
    }


def count_calls(owner: Any, name: str, action: Callable[[], Any]) -> int:
    """How often an action calls a method, which costs time."""
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
    kind, file, answer = sys.argv[1:]
    del sys.argv[1:]
    measure: Callable[[str, Dict[str, Any]], Any] = {
        "import": measure_import, "board": measure_board, "gobang": measure_gobang,
        "reversi": measure_reversi}[kind]
    figures = measure(file, json.load(sys.stdin))
    with open(answer, "w") as out:
        json.dump(figures, out)
