"""Measures an agent in a fresh interpreter, and writes the figures into a file as JSON.

Python 3.7 syntax and standard library only; started by `bench.py` under the interpreter to be measured:
    bench_host.py import FILE OPTIONS ANSWER     the import, and the first answer, Black's on an empty 15x15 board
    bench_host.py board FILE OPTIONS ANSWER      our line board behind FILE: a stone played and taken back, tables warm
OPTIONS are the agent's, as JSON. Times in seconds by the wall clock.
"""
import importlib
import json
import os
import random
import sys
from time import perf_counter
from types import ModuleType
from typing import Any, Dict

HERE = os.path.dirname(os.path.abspath(__file__))
NAME = "bench"                      # the agent is algo.bench.submission, its modules are algo.bench.*
SIZE, IN_A_ROW = 15, 5
STONES = 60                         # on the board at the end, as in a long game
REPEATS = 300


class Discrete:
    """An action space: agents rely on `n` alone."""

    def __init__(self, n: int) -> None:
        self.n = n


def load(path: str, options: Dict[str, Any]) -> ModuleType:
    """Import the agent as the platform does, through the module that the match host uses."""
    sys.path.append(HERE)
    loading = importlib.import_module("loading")
    sys.path.remove(HERE)
    return loading.load_agent(path, NAME, options)  # type: ignore[no-any-return]


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
    board = importlib.import_module(f"algo.{NAME}.gomoku.board").Board(SIZE, SIZE, IN_A_ROW)
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


if __name__ == "__main__":
    kind, file, given, answer = sys.argv[1:]
    del sys.argv[1:]
    figures = {"import": measure_import, "board": measure_board}[kind](file, json.loads(given))
    with open(answer, "w") as out:
        json.dump(figures, out)
