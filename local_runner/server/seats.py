"""Agents on the seats of a room, each in a sandboxed process of its own.

`SeatedAgent` is a contestant of a session. The platform calls both agents at every step. In a room, the call off turn
is made while the human thinks, so that the human's move need not wait for the call. Another thread can abandon a call.
"""

from pathlib import Path
from typing import Any

from local_runner.agents.declared_games import seconds_for
from local_runner.agents.spec import AgentSpec
from local_runner.game.records import AgentReport, Loaded, Reply
from local_runner.processes.child import AgentLimits
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import SandboxMode

OUR_SECONDS = 10.0  # limit of a call of the project's agents, which limit themselves to less unless the machine is busy


class Abandoned(Exception):
    """The call was abandoned, because its answer is no longer wanted."""


class SeatedAgent:
    """An agent in a process, which starts at the first call, and again after `renew`. Used by the room's thread.

    `output`: the file for the agent's output. `copy`: the copy of the agent's file that is played. Only `abandon` may
    be called from another thread.
    """

    def __init__(self, spec: AgentSpec, output: Path, mode: SandboxMode, copy: Path | None = None) -> None:
        self.name, self.is_ours = spec.name, spec.is_ours
        self._spec, self._output, self._copy = spec, output, copy
        self._limits = AgentLimits(OUR_SECONDS if spec.is_ours else seconds_for([spec]), sandbox=mode)
        self._start_anew()

    def _start_anew(self) -> None:
        self._process = AgentProcess(self._spec, self._output, self._limits, seed=0, copy=self._copy)
        self._abandoned = False
        self._ahead: tuple[int, Reply] | None = None  # the ply of `act_ahead`, and the answer

    def start(self) -> Loaded:
        """Start the process. Raises AgentError if the agent cannot be played, Abandoned after `abandon`."""
        loaded = self._process.start()
        self._check()
        return loaded

    def act(self, observation: Any, n_row: int, n_col: int) -> Reply:
        """The answer of `act_ahead` if there is one, else that of a new call. Raises Abandoned after `abandon`."""
        if self._ahead is not None:
            reply, self._ahead = self._ahead[1], None
            return reply
        if self._process.loaded is None and (fault := self.start().fault) is not None:
            return Reply(fault=fault)
        reply = self._process.act(observation, n_row, n_col)
        self._check()
        return reply

    def act_ahead(self, ply: int, observation: Any, n_row: int, n_col: int) -> None:
        """Call the agent off turn, at most once a ply. The next `act` returns the answer."""
        if self._ahead is None or self._ahead[0] != ply:
            self._ahead = None
            self._ahead = (ply, self.act(observation, n_row, n_col))

    def report(self) -> AgentReport:
        """The report of the process so far."""
        return self._process.report()

    def abandon(self) -> None:
        """Let the running call raise Abandoned. May be called from any thread. Call `renew` before the next call."""
        self._abandoned = True
        self._process.abandon()

    def renew(self) -> None:
        """Drop the answer of `act_ahead`, and use a new process from now on."""
        self.close()
        self._start_anew()

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def _check(self) -> None:
        if self._abandoned:
            raise Abandoned
