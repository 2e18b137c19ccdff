"""A level of our engine as the human's opponent at the terminal."""

import time
from typing import Any

from local_runner.analysis.contestant import EngineContestant
from local_runner.analysis.levels import EngineLevel, chosen, level_question
from local_runner.analysis.opinion import opinion
from local_runner.game.coordinates import numbered
from local_runner.game.records import Reply
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
        """The move for the session's position; an empty reply off turn and on a pass.

        Raises RunnerError if the engine fails or its process ends.
        """
        session = self.session
        if not self.is_to_move:
            return Reply()
        begun = time.perf_counter()
        look = self._engine.think(level_question(self._level, session.setup, tuple(session.cells)))
        move = chosen(self._level, look, self._seed, len(session.cells))
        is_best = look.lines[0].moves[0] == move
        self.said = opinion(look, session.to_move, n_col, at=1 if is_best else NO_REPLY)
        thought = {"depth": look.depth, "nodes": look.nodes, "chance": round(look.chance, 3)}
        return Reply(cell=numbered(move, n_col), seconds=time.perf_counter() - begun, thought=thought)
