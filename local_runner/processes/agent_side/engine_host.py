"""The main program of the process that holds our engine: it answers questions about positions.

`launcher.py` runs this program: `engine_host.py AGENT QUESTION_FD ANSWER_FD`. Both pipes carry one JSON object a
line. A question has the fields
    number                         of the question; answers repeat it
    variant, stones, side          [family, rows, cols, k]; a text of 0, 1 and 2; the side to move, 0 or 1
    lines                          number of best moves to search for (multi-PV)
    seconds, nodes, depth          limits of the search
    use_book                       whether the opening book may answer
    wins                           whether to search for forced wins of both sides
    every                          seconds between two answers with results so far
The message {"stop": number} ends the search for that question. Another kind of question has only
`number` and `proof`, the cells of a game of gobang; its answer has `number` and `proof`, the result of
EngineWorker.proof. All other answers have `number` and `error`, or `number`, `lines`, `nodes`, `seconds` and `source`.
The last answer also has `finished`, and one answer has `features` (features.py). The engine searches in its own thread;
the main thread reads and sends. The process ends when the runner closes the pipe. Python 3.7 and standard library only.
"""

import gc
import importlib
import json
import os
import selectors
import sys
import threading
import traceback
from time import perf_counter
from types import ModuleType
from typing import Any, Callable, Dict, Optional

NAME = "analysed"  # the agent is algo.analysed.submission, its modules are algo.analysed.*
SWITCH_SECONDS = 0.001  # after this time the searching thread must let the main thread run (sys.setswitchinterval)
AGAIN_SECONDS = 0.002  # pause between two calls of engine.stop() while the search has not ended
MOST_BYTES = 250_000_000  # resident memory above which a search is ended and the engine's tables are freed

load_beside: Callable[[str], ModuleType] = globals()["load_beside"]  # given by agent_side/launcher.py


def package(name: str) -> ModuleType:
    """A module of the engine."""
    return importlib.import_module(f"algo.{NAME}.{name}")


class EngineHost:
    """Reads questions, starts a thread that answers each, and sends the thread's results."""

    def __init__(self, questions: int, answers: int) -> None:
        self.questions, self.answers = questions, answers
        self.worker: Any = load_beside("engine_worker").EngineWorker(package, load_beside("features"))
        self.thread: Optional[threading.Thread] = None
        self.number = 0
        self.every = 0.1
        self.problem = ""
        self.sent_features = False
        self.wake, self.awake = os.pipe()

    def serve(self) -> None:
        """Answer questions until the runner closes the pipe."""
        selector = selectors.DefaultSelector()
        selector.register(self.questions, selectors.EVENT_READ)
        selector.register(self.wake, selectors.EVENT_READ)
        data, due = b"", 0.0
        self.send({"ready": sys.version.split()[0]})
        while True:
            pause = max(due - perf_counter(), 0.0) if self.thread is not None else None
            ready = [key.fd for key, _ in selector.select(pause)]
            if self.questions in ready:
                chunk = os.read(self.questions, 65536)
                if not chunk:
                    os._exit(0)  # the runner has closed the pipe or has died; this also ends the searching thread
                *lines, data = (data + chunk).split(b"\n")
                for line in lines:
                    self.read(json.loads(line.decode("ascii")))
                due = perf_counter() + self.every
            if self.wake in ready:
                os.read(self.wake, 1)
                self.end()
            elif self.thread is not None and perf_counter() >= due:
                due = perf_counter() + self.every
                self.send_progress()

    def read(self, message: Dict[str, Any]) -> None:
        """Read one message: start the search for a question, or stop the current search."""
        if "stop" in message:
            if self.thread is not None and message["stop"] == self.number:
                self.stop()
            return
        if "proof" in message:
            self.send({"number": message["number"], "proof": self.worker.proof(message["proof"])})
            return
        self.number, self.every = message["number"], message["every"]
        self.sent_features, self.problem = False, ""
        self.worker.begin()
        self.thread = threading.Thread(target=self.think, args=(message,), daemon=True)
        self.thread.start()

    def think(self, question: Dict[str, Any]) -> None:
        """The body of the searching thread: answer one question."""
        gc.disable()  # a garbage collection may take 0.1 s
        try:
            self.worker.answer(question)
        except Exception:
            self.problem = traceback.format_exc()
        os.write(self.awake, b".")

    def stop(self) -> None:
        """End the search.

        `engine.stop()` has no effect before the search has set its deadline, so the call is repeated until the thread
        has ended.
        """
        self.worker.stopped = True
        while self.thread is not None and self.thread.is_alive():
            if self.worker.engine is not None:
                self.worker.engine.stop()
            self.thread.join(AGAIN_SECONDS)

    def send_progress(self) -> None:
        """Send the results so far; end the search if the process uses more than MOST_BYTES."""
        if self.worker.lines or (self.worker.features and not self.sent_features):
            self.send(self.results())
        if memory() > MOST_BYTES:
            self.stop()

    def end(self) -> None:
        """Send the final results or the error, and free memory, after the searching thread has ended."""
        if self.thread is not None:
            self.thread.join()
        self.thread = None
        self.send(
            {"number": self.number, "error": self.problem} if self.problem else dict(self.results(), finished=True)
        )
        if memory() > MOST_BYTES or self.problem:
            self.worker.drop()
        elif perf_counter() - self.worker.began > 1:
            gc.collect()

    def results(self) -> Dict[str, Any]:
        """The results so far, in the form of an answer."""
        worker = self.worker
        message = {"number": self.number, "lines": worker.lines, "nodes": worker.nodes(), "source": worker.source,
                 "seconds": perf_counter() - worker.began}  # fmt: skip
        if worker.features and not self.sent_features:
            self.sent_features, message["features"] = True, worker.features
        return message

    def send(self, message: Dict[str, Any]) -> None:
        line = json.dumps(message, allow_nan=False).encode("ascii") + b"\n"
        try:
            while line:
                line = line[os.write(self.answers, line) :]
        except BrokenPipeError:
            os._exit(0)


def memory() -> int:
    """Resident bytes of this process; 0 on systems without /proc."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def main() -> None:
    path, questions, answers = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    load_beside("loading").hide_arguments()
    sys.setswitchinterval(SWITCH_SECONDS)
    load_beside("loading").load_agent(path, NAME, {})
    EngineHost(questions, answers).serve()


if __name__ == "__main__":
    main()
