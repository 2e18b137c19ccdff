"""The main program of the process that holds our engine: it answers questions about positions.

`launcher.py` runs this program: `engine_host.py AGENT QUESTION_FD ANSWER_FD`. Both pipes carry one JSON object a
line. A question has the fields
    variant, stones, side          [family, rows, cols, k]; a text of 0, 1 and 2; the side to move, 0 or 1
    lines                          number of best moves to search for (multi-PV)
    seconds, nodes, depth          limits of the search
    use_book                       whether the opening book may answer
    wins                           whether to search for forced wins of both sides
The message {"stop": true} ends the search. Another kind of question has only `proof`, the cells of a game of gobang;
its answer has `proof`, the result of EngineWorker.proof. Other answers have `error`, or `lines`, `features`, `nodes`,
`seconds` and `source`. Each answer has `finished`; answers with the results so far come every 0.1 seconds. The main
thread searches; a second thread reads, sends results so far, and ends searches. The process ends when the runner closes
the pipe. Python 3.7 and standard library only.
"""

import gc
import importlib
import json
import os
import select
import sys
import threading
import traceback
from queue import Queue
from time import perf_counter
from types import ModuleType
from typing import Any, Callable, Dict

NAME = "analysed"  # the agent is algo.analysed.submission, its modules are algo.analysed.*
SWITCH_SECONDS = 0.001  # after this time the searching thread must let the reading thread run (sys.setswitchinterval)
INTERVAL = 0.1  # seconds between two answers with results so far
AGAIN_SECONDS = 0.002  # pause between two calls of engine.stop() while the search has not ended
MOST_BYTES = 250_000_000  # resident memory above which a search is ended and the engine's tables are freed

load_beside: Callable[[str], ModuleType] = globals()["load_beside"]  # given by agent_side/launcher.py


def package(name: str) -> ModuleType:
    """A module of the engine."""
    return importlib.import_module(f"algo.{NAME}.{name}")


class EngineHost:
    """Answers questions in the main thread; a second thread reads them."""

    def __init__(self, messages: int, answers: int) -> None:
        self.messages, self.answers = messages, answers
        module: Any = load_beside("engine_worker")
        self.worker, self.resident_bytes = module.EngineWorker(package), module.resident_bytes
        self.questions: Any = Queue()
        self.searching = False
        self.lock = threading.Lock()  # guards `searching` and the pipe of answers

    def serve(self) -> None:
        """Answer questions for ever."""
        gc.disable()  # a garbage collection may take 0.1 s
        threading.Thread(target=self.read, daemon=True).start()
        self.send({"ready": sys.version.split()[0]})
        while True:
            question, problem = self.questions.get(), ""
            if "proof" in question:
                self.send({"proof": self.worker.proof(question["proof"])})
                continue
            try:
                self.worker.answer(question)
            except Exception:
                problem = traceback.format_exc()
            with self.lock:
                self.searching = False
                self.send({"error": problem} if problem else self.worker.results())
            if self.resident_bytes() > MOST_BYTES or problem:
                self.worker.drop()
            elif perf_counter() - self.worker.began > 1:
                gc.collect()

    def read(self) -> None:
        """Read messages, send results so far, and end searches, until the runner closes the pipe.

        `engine.stop()` has no effect before the search has set its deadline, so the call is repeated until the search
        has ended.
        """
        worker = self.worker
        while True:
            pause = None if not self.searching else AGAIN_SECONDS if worker.stopped else INTERVAL
            if select.select([self.messages], [], [], pause)[0]:
                lines = os.read(self.messages, 65536).splitlines()  # whole ones, because each is written at once
                if not lines:
                    os._exit(0)  # the runner has closed the pipe or has died; os._exit also ends the search
                for message in map(json.loads, lines):
                    if "stop" in message:
                        worker.stopped = True
                        continue
                    worker.begin()
                    self.searching = "proof" not in message
                    self.questions.put(message)
            elif not worker.stopped:
                with self.lock:
                    if self.searching and (worker.lines or worker.features):
                        self.send(worker.results(), finished=False)
                worker.stopped = worker.stopped or self.resident_bytes() > MOST_BYTES
            if self.searching and worker.stopped and worker.engine is not None:
                worker.engine.stop()

    def send(self, message: Dict[str, Any], finished: bool = True) -> None:
        line = json.dumps(dict(message, finished=finished), allow_nan=False).encode("ascii") + b"\n"
        try:
            while line:
                line = line[os.write(self.answers, line) :]
        except BrokenPipeError:
            os._exit(0)


def main() -> None:
    path, messages, answers = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    load_beside("loading").hide_arguments()
    sys.setswitchinterval(SWITCH_SECONDS)
    load_beside("loading").load_agent(path, NAME, {})
    EngineHost(messages, answers).serve()


if __name__ == "__main__":
    main()
