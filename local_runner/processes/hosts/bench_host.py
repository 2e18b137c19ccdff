"""Measures an agent in a fresh interpreter and writes the figures into a file, as JSON.

`bench/host.py` runs this script under the interpreter to be measured. FILE is the agent, ANSWER the file for the
figures:
    bench_host.py import FILE ANSWER     import time, and time of Black's first answer on an empty 15x15 board
    bench_host.py board FILE ANSWER      time to play and undo a stone on our board class, with filled line tables
Standard input is a JSON object with the agent's options. If the agent rejects the options or has no controller, the
answer is {"unusable": {"kind": ..., "fields": ...}} with a kind of `local_runner/game/faults.py`.
Times are wall clock seconds. Python 3.7 and standard library only.
"""

import importlib
import json
import random
import sys
from time import perf_counter
from types import ModuleType
from typing import Any, Callable, Dict

NAME = "bench"  # the agent is algo.bench.submission, its modules are algo.bench.*
SIZE, IN_A_ROW = 15, 5
STONES = 60  # number of stones played in a game
REPEATS = 300  # number of games in one measurement

load_portable: Callable[[str], ModuleType] = globals()["load_portable"]  # given by hosts/confined.py
loading: Any = load_portable("loading")


def measure_import(path: str, options: Dict[str, Any]) -> Dict[str, float]:
    """Seconds of the import and of the first answer."""
    rows = [[[0] for _ in range(SIZE)] for _ in range(SIZE)]
    observation = {"state_map": rows, "chess_player_idx": 1, "board_width": SIZE, "board_height": SIZE}
    spaces = load_portable("spaces").action_space(SIZE, SIZE, 0)
    started = perf_counter()
    agent = loading.load_agent(path, NAME, options)
    imported = perf_counter()
    agent.my_controller(observation, spaces, False)
    answered = perf_counter()
    return {"import": imported - started, "first": answered - imported}


def measure_board(path: str, options: Dict[str, Any]) -> Dict[str, float]:
    """Seconds to play and undo a stone, averaged over repeats of one random game, which fills the line tables first."""
    loading.load_agent(path, NAME, options)
    board = importlib.import_module(f"algo.{NAME}.k_in_a_row.board").KInARowBoard(SIZE, SIZE, IN_A_ROW)
    cells = random.Random(1).sample(range(SIZE * SIZE), STONES)
    best = None
    for _ in range(5):  # the shortest time of five counts, because other processes can only add time
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


if __name__ == "__main__":
    kind, file, answer = sys.argv[1:]
    loading.hide_arguments()
    measure = {"import": measure_import, "board": measure_board}[kind]
    try:
        figures = measure(file, json.load(sys.stdin))  # type: Any
    except loading.Unusable as refused:
        figures = {"unusable": {"kind": refused.kind, "fields": refused.fields}}
    with open(answer, "w") as out:
        json.dump(figures, out)
