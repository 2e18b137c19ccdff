"""Our engine on a seat of a room, at one of its levels.

The engine searches the session's position, not an observation, and reports the progress of the search. The strongest
level also ponders: it searches in the human's time. The other levels do not, because a node limit sets their strength.
"""

import time
from collections.abc import Callable
from typing import Any

from local_runner.analysis.contestant import EngineContestant
from local_runner.analysis.engine import Question
from local_runner.analysis.engine_info import EngineInfo
from local_runner.analysis.levels import EngineLevel, chosen, level_question
from local_runner.game.records import Reply
from local_runner.processes.sandbox import SandboxMode
from local_runner.server.seats import Abandoned

AHEAD_SECONDS = 120.0  # longest search in the human's time, so that a game left open does not load the machine
HINT_SECONDS = 0.8  # search time of a hint
AGAIN_NODES = 50  # limit of a second search, used if the first was stopped before it had a move


class SeatedEngine(EngineContestant):
    """The engine at a level. Used by the room's thread; only `abandon` and `stop_search` may be called from any thread.

    `on_info`: called with each report of the search.
    """

    def __init__(self, level: EngineLevel, mode: SandboxMode, seed: int) -> None:
        super().__init__(level, mode, seed, level.title)
        self.on_info: Callable[[EngineInfo], object] = lambda info: None
        self._abandoned = False

    @property
    def thinks_ahead(self) -> bool:
        """Whether this level searches in the human's time."""
        return self._level.nodes is None

    def act(self, observation: Any, n_row: int, n_col: int) -> Reply:
        """The move in the session's position. Returns an empty reply if the engine is not to move.

        Raises Abandoned after `abandon`, and RunnerError if the engine fails.
        """
        session = self.session
        if not self.is_to_move:
            return Reply()
        begun = time.perf_counter()
        question = level_question(self._level, session.setup, tuple(session.cells))
        info = self._think(question)
        if not info.lines:  # the search was stopped before it had a move
            info = self._think(Question(session.setup, tuple(session.cells), nodes=AGAIN_NODES))
        move = chosen(self._level, info, self._seed, len(session.cells))
        thought = {"depth": info.depth, "nodes": info.nodes, "chance": round(info.chance, 3), "source": info.source}
        cell = (move // n_col, move % n_col)
        return Reply(cell=cell, seconds=time.perf_counter() - begun, thought=thought)

    def think_ahead(self, lines: int, wanted: Callable[[], bool]) -> None:
        """Search the position in which the human is to move, until `stop_search` is called or `wanted()` is false."""
        question = Question(
            self.session.setup, tuple(self.session.cells), lines=lines, seconds=AHEAD_SECONDS, ahead=True
        )

        def report(info: EngineInfo) -> None:
            if wanted():
                self.on_info(info)
            else:
                self._engine.stop()

        report(self._engine.think(question, report))  # a proved result may end the search before its first report

    def abandon(self) -> None:
        """Let the running call raise Abandoned."""
        self._abandoned = True
        self._engine.stop()

    def stop_search(self) -> None:
        """End the running search. The engine plays the best move found so far."""
        self._engine.stop()

    def renew(self) -> None:
        """Accept calls again after `abandon`. The process is kept, because each question to it holds its position."""
        self._abandoned = False

    def _think(self, question: Question) -> EngineInfo:
        def report(info: EngineInfo) -> None:
            if self._abandoned:
                self._engine.stop()
            else:
                self.on_info(info)

        if not self._abandoned:
            last = self._engine.think(question, report)
        if self._abandoned:
            raise Abandoned
        self.on_info(last)
        return last
