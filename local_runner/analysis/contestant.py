"""The base class of contestants that play a level of our engine, at the terminal or in a room of the server.

A contestant asks the engine about the position of its session and ignores the observation. Subclasses implement `act`.
"""

from abc import ABC, abstractmethod
from typing import Any

from local_runner.analysis.engine import EngineProcess
from local_runner.analysis.levels import EngineLevel
from local_runner.game.records import AgentReport, Loaded, Reply
from local_runner.game.session import GameSession
from local_runner.processes.sandbox import SandboxMode


class EngineContestant(ABC):
    """The engine at a level, in a process of its own. The owner of the contestant sets `session`, the game.

    `name`: the name shown to users; `seed`: for the random choices of weak levels.
    """

    session: GameSession

    def __init__(self, level: EngineLevel, mode: SandboxMode, seed: int, name: str) -> None:
        self.name, self.is_ours = name, True
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

    @abstractmethod
    def act(self, observation: Any, n_row: int, n_col: int) -> Reply:
        """The move for the session's position; an empty reply off turn and on a pass."""

    def report(self) -> AgentReport:
        """A report with only the name."""
        return AgentReport(self.name)

    def close(self) -> None:
        """End the process."""
        self._engine.close()
