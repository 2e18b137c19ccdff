"""Our engine in a process of its own. The engine analyses positions, sends interim results, and can be stopped.

`engine_host.py` is the program in the process. This module replays the moves of a question by the rules, sends
the board, and turns the engine's values into winning chances. The engine's process ends when this process ends, also
after `kill -9`.
"""

import contextlib
import json
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import msgspec

from env_adapter import Cell
from local_runner.agents.catalogue import BUILT_INS, SUBMISSION
from local_runner.agents.declared_games import plays
from local_runner.errors import RunnerError, Unplayable
from local_runner.game.records import BLACK_WINS, WHITE_WINS
from local_runner.game.session import GameSession
from local_runner.game.setup import GameSetup, called
from local_runner.language.languages import _, shown
from local_runner.language.text import SENTENCE, shortened
from local_runner.processes import claims
from local_runner.processes.engine.engine_info import BestLine, Chances, EngineInfo, ProvedResult, names_of
from local_runner.processes.host_process import HostProcess
from local_runner.processes.sandbox import HostScript, SandboxMode
from local_runner.system import files

HOST = Path(__file__).parents[1] / "agent_side" / "engine_host.py"
LEAST_FOR_WINS = 0.3  # seconds; a question with less time does not ask for the forced wins of both sides
MOST_SAID = 1 << 16  # bytes at the end of the process's output, in which the reason of its end is looked for
CHOICE = "TENGEN_ENGINE"  # environment variable; "python": the Python engine, also where the compiled engine works
MEMORY_MB = 400.0  # memory limit of the process; the host itself ends a search above 250 MB


@dataclass(frozen=True)
class Question:
    """A position and the limits of the search. A search without limits runs until `stop`."""

    setup: GameSetup
    cells: tuple[Cell | None, ...]  # the moves so far, the opening included
    lines: int = 1  # number of best lines (MultiPV)
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    use_book: bool = False  # whether a book move is answered at once
    compiled: bool = True  # whether the compiled engine answers where it works, or always the Python engine


Running = TypeVar("Running", bound="EngineProcess")


class EngineProcess:
    """One engine, whose tables are kept from question to question of the same game.

    Only `stop` and `close` may be called from a second thread. A process that has died is replaced at the next
    question. `sandbox`: whether and how the process is confined, as for the project's other agents.
    """

    def __init__(self, sandbox: SandboxMode = SandboxMode.AUTO) -> None:
        self.sandbox = sandbox
        self.version = ""  # the Python version of the process
        self._spawned: HostProcess | None = None
        self._answers: BufferedReader
        self._stack = ExitStack()
        self._output = Path()
        self._running = False  # whether an answer is still to be read
        self._closed = False
        self._stopped = False  # whether to stop the present search as soon as the process has its question
        self._lock = threading.RLock()  # guards everything except reading answers
        self._session: GameSession | None = None

    @property
    def pid(self) -> int | None:
        """The id of the process in which the engine searches; None if no process is running."""
        with self._lock:
            return next(iter(self._spawned.members()), None) if self._spawned is not None else None

    def start(self, *, wait: bool = True) -> None:
        """Start the process, as the first question would. Raises RunnerError if that fails.

        `wait`: until the process is ready; else the first question waits.
        """
        with self._lock:
            if self._closed:
                raise RunnerError(_("the engine was closed; make a new one"))
            if self._spawned is not None:
                return
            self._output = self._stack.enter_context(claims.folder()) / "printed"
            script = HostScript(
                HOST, sys.executable, self.sandbox, arguments=(str(SUBMISSION),), readable=(SUBMISSION.parent,),
                trusted=True, memory_mb=MEMORY_MB,
            )  # fmt: skip
            self._spawned = HostProcess(script, self._output)
            self._answers = os.fdopen(self._spawned.replies, "rb", closefd=False)
            self._running = True
        if wait:
            self._answer()

    def ask(self, question: Question, look: Callable[[EngineInfo], object] | None = None) -> EngineInfo:
        """Search, call `look` with each interim result, return the final one. An exception in `look` ends the search.

        Raises RunnerError if the moves cannot be played, the engine does not play the game, the engine fails, or its
        process ends.
        """
        self._stopped = False
        session = self._replayed(question)
        if not plays(BUILT_INS["tengen"].games, session.env):
            raise RunnerError(_("our engine does not play {game}").format(game=shown(called(question.setup.env))))
        if session.result is not None:
            return _over(session)
        if (passed_out := _passed_out(session)) is not None:
            return passed_out
        chances = Chances.of(session)
        self._submit(_request(question, session))
        try:
            while True:
                answer = self._answer()
                if "error" in answer:
                    raise RunnerError(_("the engine failed: {why}").format(why=_last_line(answer["error"])))
                info = _info(answer, chances, session)
                if info.finished:
                    return info
                if look is not None:
                    look(info)
        except BaseException:
            self.stop()
            raise

    def proof(self, cells: Sequence[int]) -> dict[str, Any]:
        """The answer of the proof that Black wins gobang, as formats/proof_page.py describes it.

        `cells`: the moves of the game as row-major cell numbers. Raises RunnerError if the process ends.
        """
        self._stopped = False
        self._submit({"proof": list(cells)})
        return self._answer()["proof"]  # type: ignore[no-any-return]

    def stop(self) -> None:
        """Stop the present search within a few milliseconds, also before it has begun. Any thread may call this."""
        with self._lock, contextlib.suppress(RunnerError):  # the reader of answers reports a process that died
            self._stopped = True
            if self._spawned is not None:
                self._send({"stop": True})

    def close(self) -> None:
        """End the process. May be called twice, and from any thread; a running search then raises RunnerError."""
        with self._lock:
            self._closed = True
            self._end()

    def __del__(self) -> None:  # ends the process when no reference to this object is left
        with contextlib.suppress(Exception):
            self.close()

    def __enter__(self: Running) -> Running:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def _end(self) -> None:
        spawned, self._spawned, self._running = self._spawned, None, False
        if spawned is not None:
            spawned.kill()
            self._stack.close()

    def _submit(self, question: Mapping[str, Any]) -> None:
        """Read the remaining answers to the last question, whose caller may have given up waiting; send the new one."""
        self.start()
        while self._running:
            self._answer()
        self._running = True
        with self._lock:
            self._send(question)
            if self._stopped:
                self._send({"stop": True})

    def _send(self, message: Mapping[str, Any]) -> None:
        """Send a message, which fits into the pipe's buffer. Raises RunnerError if the process has ended."""
        with self._lock:
            if self._spawned is not None:
                with contextlib.suppress(OSError):
                    os.write(self._spawned.requests, json.dumps(message).encode("ascii") + b"\n")
                    return
        raise self._died()

    def _answer(self) -> dict[str, Any]:
        """The next answer of the process. Raises RunnerError when the process ends."""
        try:
            line = self._answers.readline()
        except OSError:  # another thread has closed the pipe
            line = b""
        if not line.endswith(b"\n"):
            raise self._died()
        answer: dict[str, Any] = json.loads(line)
        self.version = answer.get("ready", self.version)
        self._running = not answer["finished"]
        return answer

    def _died(self) -> RunnerError:
        """Clear away a process that has ended, and return the error that says why."""
        with self._lock:
            if self._closed:
                return RunnerError(_("the engine was closed while it was thinking"))
            said = (files.tail(self._output, MOST_SAID) or b"").decode("utf-8", "replace").strip()
            self._end()
        if said:
            return RunnerError(_("the engine's process has ended: {why}").format(why=_last_line(said)))
        return RunnerError(_("the engine's process has ended; ask again, and a new one starts"))

    def _replayed(self, question: Question) -> GameSession:
        """The session at the question's position. Continues the previous question's session if its moves lead there."""
        session, cells = self._session, question.cells
        if session is not None and (session.setup, *session.cells) == (question.setup, *cells[: len(session.cells)]):
            with contextlib.suppress(Unplayable):
                for cell in cells[len(session.cells) :]:
                    session.ply(cell)
                return session
        self._session = GameSession(question.setup, cells=cells)
        return self._session


def engine_choice() -> str:
    """The engine that the user wants: "search" (Python) if CHOICE says so, else "native" (compiled)."""
    return "search" if os.environ.get(CHOICE) == "python" else "native"


def _request(question: Question, session: GameSession) -> dict[str, Any]:
    """The message to the host; agent_side/engine_host.py explains its fields."""
    env = session.env
    return {
        "engine": engine_choice() if question.compiled else "search",
        "variant": [env.family, env.board_height, env.board_width, env.setup.in_a_row or None],
        "stones": "".join(str(stone) for row in env.stones() for stone in row),
        "side": session.to_move,
        "wins": question.nodes is None and (question.seconds is None or question.seconds >= LEAST_FOR_WINS),
        **{name: value for name, value in vars(question).items() if name not in ("setup", "cells", "compiled")},
    }


def _info(answer: Mapping[str, Any], chances: Chances, session: GameSession) -> EngineInfo:
    """The host's answer with the chances and names of its lines."""
    lines, columns = answer["lines"], session.env.board_width
    for line in lines:
        line.update(chance=chances.after(line), names=names_of(line["moves"], columns))
    first = {"chance": lines[0]["chance"] if lines else 0.5, "depth": max((line["depth"] for line in lines), default=0)}
    return msgspec.convert({**answer, **first}, EngineInfo)


def _over(session: GameSession) -> EngineInfo:
    """The engine info of a finished game."""
    assert session.result is not None
    chance = {BLACK_WINS: 1.0, WHITE_WINS: 0.0}.get(session.result.winner, 0.5)
    return EngineInfo((), chance, 0, 0, 0.0, finished=True)


def _passed_out(session: GameSession) -> EngineInfo | None:
    """The engine info if neither side can move, so that only passes are left until the end; None otherwise."""
    if not session.must_pass:
        return None
    end = GameSession(session.setup, cells=(*session.cells, None))
    while end.must_pass:
        end.play(None)
    if end.result is None:
        return None
    passes = (-1,) * (len(end.cells) - len(session.cells))
    exact = {session.to_move + 1: ProvedResult.WIN, 2 - session.to_move: ProvedResult.LOSS}
    stones = [stone for row in end.env.stones() for stone in row]
    line = BestLine(
        passes, _over(end).chance, 0, len(passes), exact=exact.get(end.result.winner, ProvedResult.DRAW),
        discs=stones.count(BLACK_WINS) - stones.count(WHITE_WINS), names=("pass",) * len(passes),
    )  # fmt: skip
    return EngineInfo((line,), line.chance, len(passes), 0, 0.0, source="solver", finished=True)


def _last_line(text: str) -> str:
    return shortened(text.strip().splitlines()[-1] if text.strip() else "", SENTENCE)
