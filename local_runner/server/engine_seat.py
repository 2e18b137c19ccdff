"""Our engine on a seat of a room, at one of its levels.

The engine searches the session's position, not an observation, and reports the progress of the search. The strongest
level also ponders: it searches in the human's time. The other levels do not, because a node limit sets their strength.
"""

from collections.abc import Callable

from local_runner.processes.engine.contestant import EngineContestant
from local_runner.processes.engine.engine_info import EngineInfo
from local_runner.processes.engine.engine_process import Question
from local_runner.processes.engine.levels import EngineLevel
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

    def think(self, question: Question) -> EngineInfo:
        """The engine's final result for a question, with at least one line.

        Raises Abandoned after `abandon`, and RunnerError if the engine fails.
        """
        info = self._reported(question)
        if info.lines:
            return info
        return self._reported(Question(question.setup, question.cells, nodes=AGAIN_NODES))  # stopped before a move

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

    def _reported(self, question: Question) -> EngineInfo:
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
