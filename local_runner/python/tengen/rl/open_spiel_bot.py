"""An agent as a bot of OpenSpiel.

    game = pyspiel.load_game("othello")
    bot = AgentBot(game, 0, "tengen")
    action = bot.step(game.new_initial_state())

The games are OpenSpiel's othello (Reversi 8x8), tic_tac_toe, and mnk(m=15,n=15,k=5) (gobang). An action of these games
is a cell, row * columns + column, or in othello the pass, 64.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pyspiel

from local_runner.agents.spec import parse_agent
from local_runner.errors import RunnerError
from local_runner.game.session import GameSession
from local_runner.game.wording import fault_text
from local_runner.language.languages import _, shown
from local_runner.language.suggestions import unknown
from local_runner.processes.process import AgentProcess
from tengen.given import setup_of

GAMES = {
    "othello()": "reversi_8x8_1v1",
    "tic_tac_toe()": "tictactoe_1v1",
    "mnk(k=5,m=15,n=15)": "gobang_1v1",
}


class AgentBot(pyspiel.Bot):  # type: ignore[misc]
    """Plays one side with an agent, which runs in its own process under the site's limits.

    game: a game of GAMES. player_id: 0 for the side that begins, else 1.
    agent: as on the command line, such as "tengen" or "./submission.py:depth=2".

    Raises TengenError for another game and for an unknown agent.
    """

    def __init__(self, game: Any, player_id: int, agent: str = "tengen") -> None:
        super().__init__()
        name = str(game)
        if name not in GAMES:
            raise RunnerError(unknown(_("game"), name, GAMES))
        self._player = player_id
        self._setup = setup_of(GAMES[name], "stated")
        self._spec = parse_agent(agent)
        self._folder = tempfile.TemporaryDirectory(prefix="tengen-bot-")
        self._process: AgentProcess | None = None

    def player_id(self) -> int:
        return self._player

    def restart_at(self, state: Any) -> None:
        """Nothing needs to be done: `step` reads the whole game."""

    def step(self, state: Any) -> int:
        """The action for a state in which it is this bot's turn. Raises TengenError if the agent fails."""
        rows, cols = self._setup.kind.board
        cells = [None if action == rows * cols else divmod(action, cols) for action in state.history()]
        session = GameSession(self._setup, cells=cells)
        if session.must_pass:
            return rows * cols
        reply = self._agent().act(session.env.get_dict_observation(self._player + 1), rows, cols)
        if fault := reply.fault or reply.bad_form:
            raise RunnerError(f"{self._spec.name}: {shown(fault_text(fault))}")
        if why := session.why_not(reply.cell):
            raise RunnerError(f"{self._spec.name}: {why}")
        assert reply.cell is not None
        return reply.cell[0] * cols + reply.cell[1]

    def close(self) -> None:
        """End the agent's process; the next step starts it again."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def _agent(self) -> AgentProcess:
        if self._process is None:
            self._process = AgentProcess(self._spec, Path(self._folder.name, "output.txt"))
            self._process.start()
        return self._process
