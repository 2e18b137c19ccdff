"""Measures an agent in a fresh interpreter and writes the figures into a file, as JSON.

`bench/host.py` starts it under the interpreter that is measured. FILE is the agent, ANSWER the file for the figures;
ANSWER_steps grows by a byte after each position:
    bench_host.py import FILE ANSWER     import time, and time of Black's first answer on an empty 15x15 board
    bench_host.py board FILE ANSWER      time to play and undo a stone on our board, with filled line tables
    bench_host.py gobang FILE ANSWER     our search and our VCF in given positions
    bench_host.py reversi FILE ANSWER    our search and our endgame solver in given positions
Standard input is a JSON object: the agent's options for `import` and `board`, else the work:
    gobang   `positions`, `vcf_positions`: lists of moves from the empty board, cells as row * 15 + col;
             `depth`: plies; `seconds`, `vcf_seconds`: time for each position
    reversi  `positions`, `solved` (without a time limit), `endgames`: lists of moves from the start, without passes;
             `size`, `depth`, `seconds`
Times are wall clock seconds. Python 3.7 and standard library only.
"""
import gc
import importlib
import json
import random
import sys
from time import perf_counter
from types import ModuleType
from typing import Any, Callable, Dict, Iterator, List, Optional

NAME = "bench"                      # the agent is algo.bench.submission, its modules are algo.bench.*
SIZE, IN_A_ROW = 15, 5
STONES = 60                         # stones on the board at the end, as in a long game
REPEATS = 300                       # games of one measurement
NO_LIMIT = 10**9                    # nodes

load_portable: Callable[[str], ModuleType] = globals()["load_portable"]      # given by hosts/confined.py


def counted(positions: List[List[int]]) -> Iterator[List[int]]:
    """The positions; a byte goes into the file of steps after each, when no time is taken."""
    with open(f"{answer}_steps", "ab", buffering=0) as steps:
        for moves in positions:
            yield moves
            steps.write(b".")


def load(path: str, options: Dict[str, Any]) -> ModuleType:
    """Import the agent as the platform does, by the same module as agent_host.py."""
    return load_portable("loading").load_agent(path, NAME, options)  # type: ignore[no-any-return]


def measure_import(path: str, options: Dict[str, Any]) -> Dict[str, float]:
    """Time the import and the first answer."""
    rows = [[[0] for _ in range(SIZE)] for _ in range(SIZE)]
    observation = {"state_map": rows, "chess_player_idx": 1, "board_width": SIZE, "board_height": SIZE}
    space = load_portable("spaces").Discrete
    spaces = [space(SIZE), space(SIZE)]
    started = perf_counter()
    agent = load(path, options)
    imported = perf_counter()
    agent.my_controller(observation, spaces, False)
    answered = perf_counter()
    return {"import": imported - started, "first": answered - imported}


def measure_board(path: str, options: Dict[str, Any]) -> Dict[str, float]:
    """Time play and undo, averaged over games of random stones. The first game fills the line tables."""
    load(path, options)
    board = importlib.import_module(f"algo.{NAME}.k_in_a_row.board").KInARowBoard(SIZE, SIZE, IN_A_ROW)
    cells = random.Random(1).sample(range(SIZE * SIZE), STONES)
    best = None
    for _ in range(5):              # the best of five: other processes can only add time
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
    """Measure the search and VCF of k in a row. Every position gets a new search.

    `stones`: stones played at the fixed depth, counted in a run of its own because counting costs time;
    `fixed`: nodes, value, seconds at the fixed depth; `timed`: depth and value in the given time;
    `wins`: line and seconds of VCF; `plain`: the same positions and time with the plain search.
    """
    load(path, {})
    search, clock, lines, board, patterns, position = (importlib.import_module(f"algo.{NAME}.{name}") for name in (
        "search.deepening", "search.clock", "lines", "k_in_a_row.board", "k_in_a_row.patterns", "k_in_a_row.position"))
    plain_search = load_portable("plain_search")

    def set_up(moves: List[int]) -> Any:
        stones = bytearray(SIZE * SIZE)
        for number, cell in enumerate(moves):
            stones[cell] = 1 + number % 2
        made = position.KInARowPosition(SIZE, SIZE, IN_A_ROW)
        made.set_up(bytes(stones), len(moves) % 2)
        return made

    def think(seconds: Optional[float], depth: Optional[int]) -> List[Any]:
        thoughts = []
        for moves in counted(work["positions"]):
            made = set_up(moves)
            thoughts.append(search.Search().think(made, clock.Deadline(seconds), depth))
        return thoughts

    def plain(moves: List[int]) -> Dict[str, Any]:
        searcher = plain_search.PlainSearch(set_up(moves), patterns.CLASSES, lines.cells_of)
        started = perf_counter()
        depth = searcher.deepen(work["seconds"])
        return {"depth": depth, "nodes": searcher.nodes, "stones": searcher.stones, "seconds": perf_counter() - started}

    gc.disable()                    # as the player does during a search
    stones = count_calls(board.KInARowBoard, "play", lambda: think(None, work["depth"]))
    fixed = think(None, work["depth"])
    timed = think(work["seconds"], None)
    wins = []
    for moves in counted(work["vcf_positions"]):
        made = set_up(moves)
        started = perf_counter()
        line = made.threats.vcf(NO_LIMIT, clock.Deadline(work["vcf_seconds"])).line
        wins.append({"line": line, "seconds": perf_counter() - started})
    return {
        "stones": stones - sum(len(moves) for moves in work["positions"]),
        "fixed": [{"nodes": thought.nodes, "value": thought.value, "seconds": thought.seconds} for thought in fixed],
        "timed": [{"depth": thought.depth, "value": thought.value} for thought in timed],
        "wins": wins,
        "plain": [plain(moves) for moves in counted(work["positions"])],
    }


def measure_reversi(path: str, work: Dict[str, Any]) -> Dict[str, Any]:
    """Measure the search and the endgame solver of Reversi. Every position gets a new search or solver.

    `fixed`: the search at the fixed depth; `timed`: in the given time; `solved`: the solver without a time limit;
    `endgames`: the solver in the given time.
    """
    load(path, {})
    search, clock, position, endgame = (importlib.import_module(f"algo.{NAME}.{name}") for name in (
        "search.deepening", "search.clock", "reversi.position", "reversi.endgame"))
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

    gc.disable()                    # as the player does during a search
    return {
        "fixed": [think(moves, None, work["depth"]) for moves in counted(work["positions"])],
        "timed": [think(moves, work["seconds"], None) for moves in counted(work["positions"])],
        "solved": [solve(moves, None) for moves in counted(work["solved"])],
        "endgames": [[solve(moves, work["seconds"]) for moves in counted(endgames)] for endgames in work["endgames"]],
    }


def count_calls(owner: Any, name: str, action: Callable[[], Any]) -> int:
    """How often an action calls a method; counting slows the action down."""
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
