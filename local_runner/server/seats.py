"""The players of rooms: agents in sandboxed processes, our engine at one of its levels, and humans.

`SeatedAgent` and `SeatedEngine` are contestants of a session. The platform calls both agents at every step. In a room,
the call off turn is made while the human thinks, so that the human's move need not wait for it. Our engine searches the
session's position, not an observation, and reports the progress of the search. Another thread can abandon a call.
"""

import secrets
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from local_runner.agents.catalogue import BUILT_INS
from local_runner.agents.declared_games import refuse_misfits, seconds_for
from local_runner.agents.own_files import copied
from local_runner.agents.spec import AgentSpec, parse_agent
from local_runner.errors import AgentError
from local_runner.game.records import AgentReport, Loaded, Reply
from local_runner.game.setup import GameSetup
from local_runner.language.languages import _, unknown
from local_runner.processes.child import AgentLimits
from local_runner.processes.engine.engine_info import EngineInfo
from local_runner.processes.engine.engine_process import Question
from local_runner.processes.engine.levels import EngineContestant, EngineLevel, level
from local_runner.processes.process import AgentProcess
from local_runner.processes.sandbox import SandboxMode
from local_runner.server.store import Uploads
from local_runner.server.wire import HUMAN, Seat

OUR_SECONDS = 10.0  # limit of a call of the project's agents; they take less unless the machine is busy
AHEAD_SECONDS = 120.0  # longest search while the human is to move: a game left open must not load the machine
AGAIN_NODES = 50  # limit of a second search, used if the first was stopped before it had a move


class Abandoned(Exception):
    """The call was abandoned, because its answer is no longer wanted."""


class SeatedAgent:
    """An agent in a process, which starts at the first call, and again after `renew`. Used by the room's thread.

    `output`: the file for the agent's output. `copy`: the copy of the agent's file that is played. Only `abandon` may
    be called from another thread.
    """

    def __init__(self, spec: AgentSpec, output: Path, mode: SandboxMode, copy: Path | None = None) -> None:
        self.name, self.is_ours = spec.name, spec.is_ours
        limits = AgentLimits(OUR_SECONDS if spec.is_ours else seconds_for([spec]), sandbox=mode)
        self._new = partial(AgentProcess, spec, output, limits, seed=secrets.randbits(31), copy=copy,
                            given_up=lambda: self._abandoned)  # fmt: skip
        self._start_anew()

    def _start_anew(self) -> None:
        self._abandoned: bool = False
        self._process = self._new()
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


class SeatedEngine(EngineContestant):
    """The engine at a level. Used by the room's thread; only `abandon` and `stop_search` may be called from any thread.

    `on_info`: called with each report of the search. The strongest level also ponders: it searches in the human's time.
    The other levels do not, because a node limit sets their strength.
    """

    def __init__(self, level: EngineLevel, mode: SandboxMode, seed: int) -> None:
        super().__init__(level, mode, seed, level.title)
        self.on_info: Callable[[EngineInfo], object] = lambda info: None
        self._abandoned = False

    def start(self) -> Loaded:
        """Start the process, and do not wait for it: a human's first move comes before the engine is ready."""
        self._engine.start(wait=False)
        return Loaded()

    @property
    def thinks_ahead(self) -> bool:
        """Whether this level searches in the human's time."""
        return self._level.nodes is None

    def think(self, question: Question) -> EngineInfo:
        """The engine's final result for a question, with at least one line.

        Raises Abandoned after `abandon`, and RunnerError if the engine fails.
        """
        if self._abandoned:
            raise Abandoned
        info = self._asked(question, lambda: not self._abandoned)
        if not info.lines and not self._abandoned:  # the search was stopped before it had a move
            again = Question(question.setup, question.cells, nodes=AGAIN_NODES, compiled=question.compiled)
            info = self._asked(again, lambda: not self._abandoned)
        if self._abandoned:
            raise Abandoned
        return info

    def think_ahead(self, lines: int, wanted: Callable[[], bool]) -> None:
        """Search the position in which the human is to move, until `stop_search` is called or `wanted()` is false."""
        self._asked(Question(self.session.setup, tuple(self.session.cells), lines=lines, seconds=AHEAD_SECONDS), wanted)

    def _asked(self, question: Question, wanted: Callable[[], bool]) -> EngineInfo:
        def report(info: EngineInfo) -> None:
            if wanted():
                self.on_info(info)
            else:
                self._engine.stop()

        last = self._engine.ask(question, report)
        report(last)  # a proved result may end the search before its first report
        return last

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


RoomContestant = SeatedAgent | SeatedEngine | str  # str: the name of a human


class Seating:
    """The players of rooms: humans, our engine at a level, the project's agents by name, and uploads by id.

    `given`: further agents by name, which the command line names.
    """

    def __init__(self, uploads: Uploads, mode: SandboxMode, given: Mapping[str, AgentSpec]) -> None:
        self._uploads, self.mode, self._given = uploads, mode, given

    def name(self, seat: Seat, env: str) -> str:
        """The name to show; for a human and a level, a text that is translated later.

        Raises RunnerError if the seat's agent does not exist or does not play this game.
        """
        if (spec := self._agent(seat)) is not None:
            refuse_misfits([spec], GameSetup(env))
            return spec.name
        return level(seat.level).title if seat.kind == "level" else HUMAN

    def contestant(self, seat: Seat, folder: Path) -> RoomContestant:
        """The contestant of a seat. `folder`: for an agent's output and the copy of the agent that is played."""
        if seat.kind == "level":
            return SeatedEngine(level(seat.level), self.mode, secrets.randbits(31))
        if (spec := self._agent(seat)) is None:
            return HUMAN
        number = sum(1 for _file in folder.iterdir())
        (output := folder / f"printed-{number}.txt").touch()
        copy = copied(spec, folder / f"agent-{number}")
        return SeatedAgent(spec, output, self.mode, copy)

    def _agent(self, seat: Seat) -> AgentSpec | None:
        if seat.kind == "upload":
            return AgentSpec(self._uploads.name(seat.upload), self._uploads.path(seat.upload), {})
        if seat.kind != "agent":
            return None
        if seat.name in self._given:
            return self._given[seat.name]
        if seat.name not in BUILT_INS:  # only known names, so that a page cannot run a file by its path
            raise AgentError(unknown(_("agent"), seat.name, [*BUILT_INS, *self._given]))
        return parse_agent(seat.name)
