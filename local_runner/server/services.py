"""The services that all pages share: the store, the rooms, the uploads and the files of the command line."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from local_runner.agents.spec import AgentSpec
from local_runner.game.move_text import read_moves
from local_runner.game.session import GameSession
from local_runner.processes.engine.engine_process import EngineProcess
from local_runner.processes.sandbox import SandboxMode
from local_runner.server import welcome
from local_runner.server.answers import Welcome
from local_runner.server.opened_files import OpenedFiles
from local_runner.server.parts import MOST_NAME
from local_runner.server.rooms import Rooms
from local_runner.server.seating import Seating
from local_runner.server.store import RoomStore
from local_runner.server.trees import BoardTrees
from local_runner.server.uploads import Uploads


class Services:
    """The services, made in the event loop. `files`, `agents`: those that the command line names."""

    def __init__(
        self, store: RoomStore, files: Sequence[Path], mode: SandboxMode, agents: Sequence[AgentSpec] = ()
    ) -> None:
        self.store = store
        self.mode = mode
        self.uploads = Uploads(store)
        self.agents = {agent.name[:MOST_NAME]: agent for agent in agents}
        self.rooms = Rooms(store, Seating(self.uploads, mode, self.agents))
        self.files = {path.name: path for path in files}
        self.opened = OpenedFiles(self.files)
        self.trees = BoardTrees(store, self.opened)
        self._prover, self._proving = EngineProcess(mode), threading.Lock()  # answers one question at a time

    def welcome(self) -> Welcome:
        """The answer to Hello, in the current language."""
        return Welcome(
            games=welcome.game_kinds(self.agents), levels=welcome.levels(), formats=welcome.formats(),
            rooms=[room.heading for room in self.store.rooms()], uploads=self.uploads.headings(),
            files=list(self.files),
        )  # fmt: skip

    def proof(self, moves: str) -> dict[str, Any]:
        """What the proof has after these moves of gobang. Raises RunnerError if they cannot be played."""
        from local_runner.formats.proof_page import GAME, numbered  # here, because few pages show it

        cells = read_moves(moves).cells
        session = GameSession(GAME, cells=cells)
        with self._proving:
            return {**self._prover.proof(numbered(cells)), "five": numbered(session.env.winning_line())}

    def close(self) -> None:
        """End the process that answers about the proof."""
        self._prover.close()
