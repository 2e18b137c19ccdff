"""Who sits in a room: humans, who are only names, and agents in sandboxed processes of their own.

`SeatedAgent` is a contestant of a session. The platform calls both sides at every step; here an agent is called off
turn while the human thinks, so that a human's move need not wait for it. Another thread can abandon a call.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from local_runner.agents.declared_games import seconds_for
from local_runner.agents.spec import AgentSpec
from local_runner.game.records import AgentReport, Loaded, Reply
from local_runner.language.languages import Message
from local_runner.processes.child import AgentLimits
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import SandboxMode
from local_runner.server.messages import HumanSeat, Seat

HUMAN = Message("human")
OUR_SECONDS = 10.0  # for a call of an agent of the project, which keeps its own time; a busy machine is not its fault


class Abandoned(Exception):
    """The call was given up, because its answer is not wanted any more."""


class SeatedAgent:
    """An agent in its process, which starts at the first call and again after `renew`. Used by the room's thread.

    `output`: the file for what it prints. Only `abandon` may be called from another thread.
    """

    def __init__(self, spec: AgentSpec, output: Path, mode: SandboxMode, seed: int = 0) -> None:
        seconds = OUR_SECONDS if spec.is_ours else seconds_for([spec])
        self.name, self.is_ours = spec.name, spec.is_ours
        self._make: Callable[[], AgentProcess] = lambda: AgentProcess(
            spec, output, AgentLimits(seconds, sandbox=mode), seed=seed
        )
        self._process = self._make()
        self._abandoned = False
        self._ahead: tuple[int, Reply] | None = None

    def start(self) -> Loaded:
        """Start the process. Raises AgentError if the file cannot be played, Abandoned if it was given up."""
        loaded = self._process.start()
        self._check()
        return loaded

    def act(self, observation: Any, n_row: int, n_col: int) -> Reply:
        """The answer, which may have been asked for ahead of time. Raises Abandoned."""
        if self._ahead is not None:
            reply, self._ahead = self._ahead[1], None
            return reply
        if self._process.loaded is None and (fault := self.start().fault) is not None:
            return Reply(fault=fault)
        reply = self._process.act(observation, n_row, n_col)
        self._check()
        return reply

    def act_ahead(self, ply: int, observation: Any, n_row: int, n_col: int) -> None:
        """Ask off turn, once a ply; the next `act` gives the answer."""
        if self._ahead is None or self._ahead[0] != ply:
            self._ahead = None
            self._ahead = (ply, self.act(observation, n_row, n_col))

    def report(self) -> AgentReport:
        """What the process did so far."""
        return self._process.report()

    def abandon(self) -> None:
        """Give up the call that is running; from any thread. The next call needs `renew`."""
        self._abandoned = True
        self._process.abandon()

    def renew(self) -> None:
        """Forget what was asked, and begin with a new process."""
        self.close()
        self._process, self._abandoned, self._ahead = self._make(), False, None

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def _check(self) -> None:
        if self._abandoned:
            raise Abandoned


def is_human(seat: Seat) -> bool:
    """Whether somebody at the page sits there."""
    return isinstance(seat, HumanSeat)
