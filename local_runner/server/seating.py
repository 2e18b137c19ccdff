"""Makes the contestant of a seat, and checks whether a seat is possible in a game."""

import secrets
from collections.abc import Mapping
from pathlib import Path

from local_runner.agents.catalogue import BUILT_INS
from local_runner.agents.declared_games import refuse_misfits
from local_runner.agents.own_files import copied
from local_runner.agents.spec import AgentSpec, parse_agent
from local_runner.errors import AgentError
from local_runner.game.setup import GameSetup
from local_runner.language.languages import _
from local_runner.language.suggestions import unknown
from local_runner.processes.engine.levels import level
from local_runner.processes.sandbox import SandboxMode
from local_runner.server.engine_seat import SeatedEngine
from local_runner.server.game import RoomContestant
from local_runner.server.parts import AgentSeat, LevelSeat, SeatSpec, UploadSeat
from local_runner.server.seats import SeatedAgent
from local_runner.server.stored_room import HUMAN
from local_runner.server.uploads import Uploads


class Seating:
    """The players of rooms: humans, our engine at a level, the project's agents by name, and uploads by id.

    `given`: further agents by name, which the command line names.
    """

    def __init__(self, uploads: Uploads, mode: SandboxMode, given: Mapping[str, AgentSpec] | None = None) -> None:
        self._uploads = uploads
        self._given = given or {}
        self.mode = mode

    def name(self, seat: SeatSpec) -> str:
        """The name to show; for a human and a level, a text that is translated later."""
        match seat:
            case AgentSeat():
                return seat.name
            case UploadSeat():
                return self._uploads.name(seat.upload)
            case LevelSeat():
                return level(seat.level).title
        return HUMAN

    def check(self, seat: SeatSpec, env: str) -> None:
        """Raise RunnerError if the seat's agent does not exist or does not play this game."""
        if (spec := self._agent(seat)) is not None:
            refuse_misfits([spec], GameSetup(env))

    def contestant(self, seat: SeatSpec, folder: Path) -> RoomContestant:
        """The contestant of a seat. `folder`: for an agent's output and the copy of the agent that is played."""
        if isinstance(seat, LevelSeat):
            return SeatedEngine(level(seat.level), self.mode, secrets.randbits(31))
        if (spec := self._agent(seat)) is None:
            return HUMAN
        number = sum(1 for _file in folder.iterdir())
        (output := folder / f"printed-{number}.txt").touch()
        folder.chmod(0o711)  # the user of a sandbox may reach the copy
        copy = copied(spec, folder / f"agent-{number}")
        return SeatedAgent(spec, output, self.mode, copy)

    def _agent(self, seat: SeatSpec) -> AgentSpec | None:
        match seat:
            case AgentSeat():
                if seat.name in self._given:
                    return self._given[seat.name]
                if seat.name not in BUILT_INS:  # so that a page cannot name a path
                    raise AgentError(unknown(_("agent"), seat.name, [*BUILT_INS, *self._given]))
                return parse_agent(seat.name)
            case UploadSeat():
                return self._uploads.spec(seat.upload)
        return None
