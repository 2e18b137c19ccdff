"""The main program of the process that holds our engine: it answers questions about positions.

`engine_host.py AGENT QUESTION_FD ANSWER_FD`. Both pipes carry one JSON object a line. A question has the fields
    engine, variant                "native" or "search", as engine_for of engine.py has it; [family, rows, cols, k]
    stones, side                   a text of 0, 1 and 2; the side to move, 0 or 1
    lines, seconds, nodes, depth   number of best moves to search for (multi-PV), limits of the search
    use_book, wins                 whether the book may answer; whether to search for forced wins of both sides
or only `proof`, the cells of a game of gobang. {"stop": true} ends the search. An answer has `error`, or `proof` (the
result of EngineWorker.proof), or `lines`, `features`, `nodes`, `seconds`, `source` and `compiled`, and always
`finished`: results so far come every 0.1 seconds. There is one thread; a timer's signal interrupts the search to read
and send messages.
"""

import gc
import importlib
import json
import os
import selectors
import signal
import sys
import traceback
from time import perf_counter
from types import ModuleType
from typing import Any, Callable, Dict, List

NAME = "analysed"  # the agent is algo.analysed.submission, its modules are algo.analysed.*
TICK = 0.005  # seconds between two interruptions of a search
INTERVAL = 0.1  # seconds between two answers with results so far
MOST_BYTES = 250_000_000  # resident memory above which a search is ended and the engine's tables are freed

load_beside: Callable[[str], ModuleType] = globals()["load_beside"]  # given by agent_side/launcher.py
loading: Any = load_beside("loading")


class EngineHost:
    """Answers questions one after the other."""

    def __init__(self, messages: int, answers: int) -> None:
        self.messages, self.answers, self.selector = messages, answers, selectors.DefaultSelector()
        self.selector.register(messages, selectors.EVENT_READ)  # `look` may interrupt itself, which poll() refuses
        module: Any = load_beside("engine_worker")
        self.worker = module.EngineWorker(lambda name: importlib.import_module(f"algo.{NAME}.{name}"))
        self.waiting: List[Dict[str, Any]] = []  # messages that have been read
        self.searching = False
        self.due = 0.0  # time of the next answer with results so far

    def serve(self) -> None:
        """Answer questions for ever."""
        gc.disable()  # a garbage collection may take 0.1 s
        signal.signal(signal.SIGALRM, self.look)
        self.send({"ready": sys.version.split()[0]})
        while True:
            while not self.waiting:
                self.read()
            question, problem = self.waiting.pop(0), ""
            if "proof" in question:
                self.send({"proof": self.worker.proof(question["proof"])})
            if "stones" not in question:  # a {"stop": true} that came after the end of its search
                continue
            self.searching, self.due = True, perf_counter() + INTERVAL
            signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
            try:
                self.worker.answer(question)
            except Exception:
                problem = traceback.format_exc()
            self.searching = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.send({"error": problem} if problem else self.worker.results())
            if loading.resident_bytes() > MOST_BYTES or problem:
                self.worker.drop()
            elif perf_counter() - self.worker.began > 1:
                gc.collect()

    def look(self, *_signal: Any) -> None:
        """Send the results so far when they are due; end the search after any message, or if it uses too much memory.

        `engine.stop()` has no effect before the search has set its deadline, so it is called at each look.
        """
        worker, now = self.worker, perf_counter()
        if not self.searching:
            return
        if self.waiting or self.selector.select(0):
            if not self.waiting:
                self.read()
            worker.stopped = True
        elif now >= self.due and not worker.stopped:
            self.due = now + INTERVAL
            if worker.lines or worker.features:
                self.send(worker.results(), finished=False)
            worker.stopped = loading.resident_bytes() > MOST_BYTES
        if worker.stopped and worker.engine is not None:
            worker.engine.stop()

    def read(self) -> None:
        """Wait for messages. End the process if the runner has closed the pipe or has died."""
        lines = os.read(self.messages, 65536).splitlines()  # whole lines, because the runner writes each at once
        if not lines:
            os._exit(0)
        self.waiting += map(json.loads, lines)

    def send(self, message: Dict[str, Any], finished: bool = True) -> None:
        """Write an answer. End the process if the runner has died."""
        line = json.dumps(dict(message, finished=finished), allow_nan=False).encode("ascii") + b"\n"
        try:
            while line:
                line = line[os.write(self.answers, line) :]
        except BrokenPipeError:
            os._exit(0)


if __name__ == "__main__":
    path, question_fd, answer_fd = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    loading.hide_arguments()
    loading.load_agent(path, NAME, {})
    EngineHost(question_fd, answer_fd).serve()
