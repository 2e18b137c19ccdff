"""A contestant that plays a level of our engine: in matches, at the terminal, in a room of the server.

The contestant asks the engine about the position of its session and ignores the observation. Subclasses show more of
the search.
"""

import time
from typing import Any

from local_runner.game.coordinates import numbered
from local_runner.game.records import AgentReport, Loaded, Reply
from local_runner.game.session import GameSession, Watcher
from local_runner.processes.engine.engine_info import EngineInfo
from local_runner.processes.engine.engine_process import EngineProcess, Question
from local_runner.processes.engine.levels import EngineLevel, chosen, level_question
from local_runner.processes.sandbox import SandboxMode


class EngineContestant(Watcher):
    """The engine at a level, in a process of its own, without limits of time and memory.

    `session`: the game; its owner sets it, or lets the contestant watch it. `info`: the engine's result at the last
    move. `name`: the name shown to users, "" for level1 to level5; `seed`: for the random choices of weak levels.
    """

    session: GameSession
    info: EngineInfo

    def __init__(self, level: EngineLevel, mode: SandboxMode, seed: int, name: str = "") -> None:
        self.name, self.is_ours = name or f"level{level.number}", True
        self._level, self._seed = level, seed
        self._engine = EngineProcess(mode)

    @property
    def is_to_move(self) -> bool:
        """Whether the session waits for a cell from this contestant."""
        return self.session.seats[self.session.to_move] is self and not self.session.must_pass

    def start(self) -> Loaded:
        """Start the process. Raises RunnerError if the process does not start."""
        self._engine.start()
        return Loaded(python=self._engine.version)

    def began(self, session: GameSession) -> None:
        """Take the session's game."""
        self.session = session

    def act(self, observation: Any, n_row: int, n_col: int) -> Reply:
        """The move for the session's position; an empty reply off turn and on a pass.

        Raises RunnerError if the engine fails or its process ends.
        """
        session = self.session
        if not self.is_to_move:
            return Reply()
        begun = time.perf_counter()
        self.info = info = self.think(level_question(self._level, session.setup, tuple(session.cells)))
        move = chosen(self._level, info, self._seed, len(session.cells))
        thought = {"depth": info.depth, "nodes": info.nodes, "chance": round(info.chance, 3), "source": info.source}
        return Reply(cell=numbered(move, n_col), seconds=time.perf_counter() - begun, thought=thought)

    def think(self, question: Question) -> EngineInfo:
        """The engine's final result for a question. Raises RunnerError if the engine fails."""
        return self._engine.think(question)

    def report(self) -> AgentReport:
        """A report with only the name."""
        return AgentReport(self.name)

    def close(self) -> None:
        """End the process."""
        self._engine.close()
