"""Observations and actions for learning: planes of stones, a mask of legal actions, numbered actions, and pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from env_adapter import Cell, Game
from env_adapter.game import BLACK, WHITE
from local_runner.errors import RunnerError
from local_runner.formats.files.png import pixels
from local_runner.formats.saved_game import SavedGame
from local_runner.game.session import GameSession
from local_runner.language.languages import _
from local_runner.language.suggestions import unknown

Observation = dict[str, Any]
MODES = ["ansi", "rgb_array"]
PICTURE = 480  # pixels: width of a rendered board


def actions(env: Game) -> int:
    """The number of actions: one for each cell, row by row, and in games with passes one more, the pass."""
    return env.board_height * env.board_width + env.has_pass


def spaces_of(env: Game) -> tuple[spaces.Dict, spaces.Discrete]:
    """The spaces of observations and of actions.

    An observation has two Boxes of int8, 0 or 1: "observation" of shape (2, rows, cols), "action_mask" of (actions,).
    """
    return spaces.Dict({
        "observation": spaces.Box(0, 1, (2, env.board_height, env.board_width), np.int8),
        "action_mask": spaces.Box(0, 1, (actions(env),), np.int8),
    }), spaces.Discrete(actions(env))  # fmt: skip


def observed(session: GameSession, player: int) -> Observation:
    """The observation of player 0 (Black) or 1 (White): its own stones, the opponent's, and its legal actions.

    The mask is all zeros if the player is not to move.
    """
    env = session.env
    stones = np.array(env.stones(), np.int8)
    planes = np.stack([stones == player + 1, stones == 2 - player]).astype(np.int8)
    mask = np.zeros(actions(env), np.int8)
    if session.result is None and session.to_move == player:
        legal = [row * env.board_width + col for row, col in env.legal_moves()]
        mask[legal or [-1]] = 1
    return {"observation": planes, "action_mask": mask}


def cell_of(env: Game, action: int) -> Cell | None:
    """The cell (row, col) of an action; None for the pass."""
    return None if action == env.board_height * env.board_width else divmod(int(action), env.board_width)


def reward(session: GameSession, player: int) -> float:
    """1 if player 0 (Black) or 1 (White) has won, -1 if it has lost, else 0."""
    if session.result is None or session.result.winner not in (BLACK, WHITE):
        return 0.0
    return 1.0 if session.result.winner == player + 1 else -1.0


def checked_mode(mode: str | None) -> str | None:
    """The render mode. Raises RunnerError for one that draws nothing."""
    if mode not in (None, *MODES):
        raise RunnerError(unknown(_("render mode"), str(mode), MODES))
    return mode


def rendered(session: GameSession, mode: str | None) -> Any:
    """The board: "ansi": as text; "rgb_array": as an array of uint8, shape (height, width, 3); None: None."""
    if mode == "ansi":
        return session.env.text()
    if mode == "rgb_array":
        return np.asarray(pixels(SavedGame(session.setup, tuple(session.cells)), PICTURE))
    return None
