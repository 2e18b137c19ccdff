"""A level of our engine as the human's opponent at the terminal."""

from typing import Any

from local_runner.analysis.opinion import opinion
from local_runner.game.coordinates import numbered
from local_runner.game.records import Reply
from local_runner.processes.engine.contestant import EngineContestant
from local_runner.processes.engine.levels import EngineLevel
from local_runner.processes.sandbox import SandboxMode

NO_REPLY = 1000  # an index beyond the end of every line, so that the opinion names no expected move


class LevelPlayer(EngineContestant):
    """Plays a level's moves.

    `said`: the engine's opinion at the level's last move. The opinion names the expected reply only if the level played
    the engine's best move.
    """

    def __init__(self, level: EngineLevel, mode: SandboxMode, seed: int) -> None:
        super().__init__(level, mode, seed, f"level{level.number}")
        self.said = ""

    def act(self, observation: Any, n_row: int, n_col: int) -> Reply:
        """The move as in EngineContestant; updates `said`."""
        reply = super().act(observation, n_row, n_col)
        if reply.cell is not None:
            is_best = numbered(self.info.lines[0].moves[0], n_col) == reply.cell
            self.said = opinion(self.info, self.session.to_move, n_col, at=1 if is_best else NO_REPLY)
        return reply
