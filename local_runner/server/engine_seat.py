"""Our engine on a seat of a room, at one of its levels.

It gets the session's position instead of an observation, and reports its search. The strongest level
also thinks ahead in the human's time. The other levels do not, because a number of nodes limits their strength.
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

AHEAD_SECONDS = 120.0  # longest thought ahead; then the machine rests
HINT_SECONDS = 0.8
AGAIN_NODES = 50  # of the second search, if the first was ended before its first move


class SeatedEngine(EngineContestant):
    """The engine at a level. The room's thread uses it; `abandon` and `stop_search` may be called from any thread.

    `on_info`: called with each report of the search.
    """

    def __init__(self, level: EngineLevel, mode: SandboxMode, seed: int) -> None:
        super().__init__(level, mode, seed, level.name)
        self.on_info: Callable[[EngineInfo], object] = lambda info: None
        self._abandoned = False

    @property
    def thinks_ahead(self) -> bool:
        """Whether this level uses the human's time."""
        return self._level.nodes is None

    def act(self, observation: Any, n_row: int, n_col: int) -> Reply:
        """The move for the session's position; nothing off turn and on a pass. Raises Abandoned, RunnerError."""
        session = self.session
        if not self.is_to_move:
            return Reply()
        begun = time.perf_counter()
        question = level_question(self._level, session.setup, tuple(session.cells))
        info = self._think(question)
        if not info.lines:  # stopped before its first move
            info = self._think(Question(session.setup, tuple(session.cells), nodes=AGAIN_NODES))
        move = chosen(self._level, info, self._seed, len(session.cells))
        thought = {"depth": info.depth, "nodes": info.nodes, "chance": round(info.chance, 3), "source": info.source}
        cell = (move // n_col, move % n_col)
        return Reply(cell=cell, seconds=time.perf_counter() - begun, thought=thought)

    def think_ahead(self, lines: int, wanted: Callable[[], bool]) -> None:
        """Search the human's position until `stop_search`, or until `wanted` says no."""
        question = Question(
            self.session.setup, tuple(self.session.cells), lines=lines, seconds=AHEAD_SECONDS, ahead=True
        )

        def report(info: EngineInfo) -> None:
            if wanted():
                self.on_info(info)
            else:
                self._engine.stop()

        report(self._engine.think(question, report))  # a proved result ends the thought, maybe before its first report

    def abandon(self) -> None:
        """Give up the call that is running."""
        self._abandoned = True
        self._engine.stop()

    def stop_search(self) -> None:
        """End the search that runs; its best move so far counts."""
        self._engine.stop()

    def renew(self) -> None:
        """Take calls again after `abandon`. The process goes on, because each question holds its position."""
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
