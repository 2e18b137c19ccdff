"""The main program of the process that holds our engine: it answers questions about positions.

`hosts/confined.py` runs it: `engine_host.py AGENT QUESTION_FD ANSWER_FD`. Both pipes carry JSON objects, one a line.
A question: `number`, `variant` [family, rows, cols, k], `stones` (text of 0, 1, 2), `side` 0 or 1, `lines`, `seconds`,
`nodes`, `depth`, `use_book`, `style`, `wins` (whether forced wins of both sides are looked for), `every`; or
{"stop": number}. An answer: `number`, `lines`, `nodes`, `seconds`, `source`, `finished`, once `surroundings`; or
`number` and `error`. The engine thinks in a thread of its own; the main thread reads and sends. The end of the pipe
ends the process. Python 3.7 and standard library only.
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
from typing import Any, Callable, Dict, List, Optional, Sequence

NAME = "analysed"  # the agent is algo.analysed.submission, its modules are algo.analysed.*
SWITCH_SECONDS = 0.001  # longest time that the thinking thread keeps the interpreter to itself
AGAIN_SECONDS = 0.002  # between two calls of stop(), until the thought has ended
MOST_BYTES = 250_000_000  # resident memory at which a thought ends and the tables are dropped
SURE_CELLS = 40  # free cells with which a search of full depth in k in a row leaves out no move
FIRST_DEPTH, FIRST_SHARE = 6, 0.1  # Reversi, before the endgame solver: a search of this depth, its share of the time
WINS_SHARE = 0.1  # of the time, for the forced wins of both sides

load_portable: Callable[[str], ModuleType] = globals()["load_portable"]  # given by hosts/confined.py


def package(name: str) -> ModuleType:
    """A module of the engine."""
    return importlib.import_module(f"algo.{NAME}.{name}")


class Mind:
    """The engine of the current variant, and what it has found for the current question."""

    def __init__(self) -> None:
        self.engine: Any = None
        self.surroundings: Dict[str, Any] = {}
        self.lines: List[Dict[str, Any]] = []
        self.source = "search"
        self.stopped = False
        self.began = 0.0
        self._used = 0  # nodes of searches of this question that have ended
        self._ended = False
        self._see = load_portable("surroundings")

    def begin(self) -> None:
        """Forget what was found for the question before."""
        self.surroundings, self.lines, self.source, self.stopped = {}, [], "search", False
        self._used, self._ended = 0, False
        self.began = perf_counter()

    def answer(self, question: Dict[str, Any]) -> None:
        """Think about a question; what is found stands in the attributes, also meanwhile."""
        engine = self._engine(question)
        engine.set_up(bytes(map(int, question["stones"])), question["side"])
        position = engine.position
        moves = position.moves()
        if not moves:
            return
        seconds = question["seconds"]
        if question["family"] == "reversi":
            seen = self._see.of_reversi(package, position)
        else:
            deadline = None
            if question["wins"]:
                deadline = package("clock").Deadline(None if seconds is None else WINS_SHARE * seconds)
                engine.deadline = deadline  # so that stop() ends it
            seen = self._see.of_k_in_a_row(package, position, deadline)
        self.surroundings = seen
        thoughts = self._thoughts(engine, question)
        self._used, self._ended = self.nodes(thoughts), True
        self._found(thoughts, final=True)

    def _engine(self, question: Dict[str, Any]) -> Any:
        variant = package("variant").Variant(*question["variant"])
        question["family"] = variant.family
        if self.engine is None or self.engine.variant != variant:
            self.drop()
            self.engine = package("engine").engine_for(variant)
        self.engine.use_book, self.engine.style = question["use_book"], question["style"]
        return self.engine

    def drop(self) -> None:
        """Free the tables."""
        if self.engine is not None:
            engine, self.engine = self.engine, None
            engine.close()
        gc.collect()

    def _thoughts(self, engine: Any, question: Dict[str, Any]) -> List[Any]:
        """The thoughts of the engine within the limits, the best first."""
        seconds = question["seconds"]
        if question["style"] == "scorer" or seconds == 0:
            return [engine.think(package("clock").Limits(0))]
        if question["use_book"]:
            thought = engine.think(package("clock").Limits(nodes=1))
            if thought.source == "book":
                return [thought]

        def limits(share: float = 1.0, depth: Optional[int] = question["depth"]) -> Any:
            left = None if seconds is None else max(share * seconds - (perf_counter() - self.began), 0.001)
            nodes = question["nodes"] and max(int(share * question["nodes"]), 1)
            return package("clock").Limits(left, nodes, depth)

        first: List[Any] = []
        position = engine.position
        unsolved = question["family"] == "reversi" and question["depth"] is None
        if unsolved and position.plies_left() <= position.parameters.solvable:
            # The solver says nothing until it has ended.
            first = engine.analyse(limits(FIRST_SHARE, FIRST_DEPTH), question["lines"], self._found)
            self._used = self.nodes()
        if self.stopped:
            return first
        thoughts: List[Any] = engine.analyse(limits(), question["lines"], self._found)
        # A search that was ended in its first iteration knows less than the one before.
        return first if first and not any(thought.depth for thought in thoughts) else thoughts

    def _found(self, thoughts: List[Any], final: bool = False) -> bool:
        """Note thoughts; returns whether the thinking should end."""
        lines = [self._line(thought, len(thoughts) > 1) for thought in thoughts]
        known = any(line["depth"] or line["exact"] for line in lines)
        mixed = len({line["depth"] for line in lines if not line["exact"]}) > 1  # the last iteration did not end
        if not final or not self.lines or (known and (not mixed or lines[0]["exact"])):
            self.lines, self.source = lines, thoughts[0].source if thoughts else "search"
        return self.stopped

    def _line(self, thought: Any, several: bool) -> Dict[str, Any]:
        """A thought with what is proved; a thought without a search gets the value of the evaluation."""
        engine = self.engine
        position, searchable = engine.position, package("searchable")
        value, left, pv = thought.value, position.plies_left(), list(thought.pv)
        exact, plies, discs = "", None, None
        if thought.source in ("search", "scorer") and not thought.depth and abs(value) < searchable.PROVED_WIN:
            value = self._evaluated(position, thought.move)
        if engine.variant.family == "reversi":
            sure = thought.source == "solver" or (thought.source == "search" and thought.depth >= left)
            if sure:
                exact = _sign(value)
                if thought.source != "solver" or self._is_exact(several):
                    final, disc = package("reversi.position").FINAL, package("reversi.position").DISC
                    discs = (abs(value) - final) // disc * (1 if value > 0 else -1) if value else 0
                    discs = -discs if position.side else discs
        elif abs(value) >= searchable.PROVED_WIN:
            exact, plies = _sign(value), searchable.WIN - abs(value)
            pv = self._to_the_end(position, pv, plies)
        elif thought.depth >= left <= SURE_CELLS and not value:
            exact = "draw"
        return {"moves": pv, "value": value, "depth": thought.depth, "exact": exact, "plies": plies, "discs": discs}

    @staticmethod
    def _evaluated(position: Any, move: int) -> int:
        """The value of a move by the evaluation of the position after it."""
        searchable = package("searchable")
        position.play(move)
        outcome = position.outcome()
        infinite = package("evaluator").INFINITE
        value = position.evaluate(-infinite, infinite) if outcome is None else outcome
        position.undo()
        if abs(value) >= searchable.PROVED_WIN:
            value += 1 if value < 0 else -1
        return -int(value)

    def _is_exact(self, several: bool) -> bool:
        """Whether the solver knows the value of the position, and not only who wins; with several lines it does."""
        if several:
            return True
        position, solver = self.engine.position, self.engine.search.solver
        now = package("clock").Deadline(0)  # so that it only looks up what it has proved
        return bool(solver.solve(*position.discs, position.side, now).exact)

    @staticmethod
    def _to_the_end(position: Any, line: List[int], plies: int) -> List[int]:
        """A line of a proved result, continued to its end as far as the tables of threats decide it."""
        for move in line:
            position.play(move)
        line = line[:]
        while len(line) < plies and position.outcome() is not None:
            moves = position.moves()
            if not moves:
                break
            line.append(moves[0])
            position.play(moves[0])
        for _ in line:
            position.undo()
        return line

    def nodes(self, thoughts: Sequence[Any] = ()) -> int:
        """The nodes used so far, those of the threat searches and of the solver included; `thoughts`: at the end."""
        engine = self.engine
        if self._ended or engine is None:
            return self._used
        search, deadline = engine.search, engine.deadline
        if thoughts and thoughts[0].source == "solver":
            nodes = sum(thought.nodes for thought in thoughts)
        elif search.deadline is deadline:
            nodes = search.nodes
        else:  # the solver is at work
            solver = getattr(search, "solver", None)
            nodes = solver.nodes if solver is not None else 0
        return int(self._used + nodes + deadline.spent)


def _sign(value: int) -> str:
    return "win" if value > 0 else "loss" if value else "draw"


class Host:
    """Reads questions, lets a thread think, and sends looks."""

    def __init__(self, questions: int, answers: int) -> None:
        self.questions, self.answers = questions, answers
        self.mind = Mind()
        self.thread: Optional[threading.Thread] = None
        self.number = 0
        self.every = 0.1
        self.problem = ""
        self.told = False  # whether the surroundings of this question were sent
        self.wake, self.awake = os.pipe()

    def serve(self) -> None:
        """Answer until the pipe ends."""
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
                    os._exit(0)  # the runner has closed the pipe or has died; the thinking thread ends as well
                *lines, data = (data + chunk).split(b"\n")
                for line in lines:
                    self.read(json.loads(line.decode("ascii")))
                due = perf_counter() + self.every
            if self.wake in ready:
                os.read(self.wake, 1)
                self.end()
            elif self.thread is not None and perf_counter() >= due:
                due = perf_counter() + self.every
                self.look()

    def read(self, message: Dict[str, Any]) -> None:
        """Begin to think about a question, or stop."""
        if "stop" in message:
            if self.thread is not None and message["stop"] == self.number:
                self.stop()
            return
        self.number, self.every = message["number"], message["every"]
        self.told, self.problem = False, ""
        self.mind.begin()
        self.thread = threading.Thread(target=self.think, args=(message,), daemon=True)
        self.thread.start()

    def think(self, question: Dict[str, Any]) -> None:
        """The thread's work."""
        gc.disable()  # a collection may take 0.1 s
        try:
            self.mind.answer(question)
        except Exception:
            self.problem = traceback.format_exc()
        os.write(self.awake, b".")

    def stop(self) -> None:
        """End the thought; its deadline may not have been made yet, so it is told again until it has ended."""
        self.mind.stopped = True
        while self.thread is not None and self.thread.is_alive():
            if self.mind.engine is not None:
                self.mind.engine.stop()
            self.thread.join(AGAIN_SECONDS)

    def look(self) -> None:
        """Send what is known so far; end the thought if it takes too much memory."""
        if self.mind.lines or (self.mind.surroundings and not self.told):
            self.send(self.seen())
        if memory() > MOST_BYTES:
            self.stop()

    def end(self) -> None:
        """Send the final look, or why there is none."""
        if self.thread is not None:
            self.thread.join()
        self.thread = None
        self.send({"number": self.number, "error": self.problem} if self.problem else dict(self.seen(), finished=True))
        if memory() > MOST_BYTES or self.problem:
            self.mind.drop()
        elif perf_counter() - self.mind.began > 1:
            gc.collect()

    def seen(self) -> Dict[str, Any]:
        """The state of the thought."""
        mind = self.mind
        found = {"number": self.number, "lines": mind.lines, "nodes": mind.nodes(), "source": mind.source,
                 "seconds": perf_counter() - mind.began}  # fmt: skip
        if mind.surroundings and not self.told:
            self.told, found["surroundings"] = True, mind.surroundings
        return found

    def send(self, message: Dict[str, Any]) -> None:
        line = json.dumps(message, allow_nan=False).encode("ascii") + b"\n"
        try:
            while line:
                line = line[os.write(self.answers, line):]
        except BrokenPipeError:
            os._exit(0)


def memory() -> int:
    """Resident bytes of this process; 0 where it cannot be told."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def main() -> None:
    path, questions, answers = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    sys.argv[1:] = []
    sys.setswitchinterval(SWITCH_SECONDS)
    load_portable("loading").load_agent(path, NAME, {})
    Host(questions, answers).serve()


if __name__ == "__main__":
    main()
