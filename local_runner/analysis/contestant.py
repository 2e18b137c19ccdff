"""The base of contestants that are a level of our engine, at the terminal and in a room of the server.

A contestant asks the engine about the position of its session, not about an observation. Subclasses decide how.
"""

from abc import ABC, abstractmethod
from typing import Any

from local_runner.analysis.engine import EngineProcess
from local_runner.analysis.levels import EngineLevel
from local_runner.game.records import AgentReport, Loaded, Reply
from local_runner.game.session import GameSession
from local_runner.processes.sandbox import SandboxMode


class EngineContestant(ABC):
    """The engine at a level, in a process of its own; `session` is the game, which its owner sets.

    `name`: to show; `seed`: of the random choices of weak levels.
    """

    session: GameSession

    def __init__(self, level: EngineLevel, mode: SandboxMode, seed: int, name: str) -> None:
        self.name, self.is_ours = name, True
        self._level, self._seed = level, seed
        self._engine = EngineProcess(mode)

    @property
    def is_to_move(self) -> bool:
        """Whether the session waits for a cell from it."""
        return self.session.seats[self.session.to_move] is self and not self.session.must_pass

    def start(self) -> Loaded:
        """Start the process. Raises RunnerError if it does not start."""
        self._engine.start()
        return Loaded(python=self._engine.version)

    @abstractmethod
    def act(self, observation: Any, n_row: int, n_col: int) -> Reply:
        """The move for the session's position; nothing off turn and on a pass."""

    def report(self) -> AgentReport:
        """Nothing but the name."""
        return AgentReport(self.name)

    def close(self) -> None:
        """End the process."""
        self._engine.close()
