"""The referee of the platform's board games, under the rules of the platform's code (with its bugs) or of its text.

    env = make("gobang_1v1", rules="platform", seed=7)
    while not env.is_terminal():
        all_observes, reward, done, info_before, info_after = env.step([black_answer, white_answer])

The games have the attributes and methods of the platform's environments, so code written for the platform runs on them
unchanged. The games add `legal_moves()`, `outcome()`, `stones()`, `text()` and `is_over()`. The rules are implemented
naively and readably on purpose. No agent shares this code, so tests can compare an agent's rules with it.
Start reading at `quirks.py`, then `game.py`.
"""

from env_adapter.actions import Cell, answer
from env_adapter.endings import Ending, EndingKind, Illegality, Outcome, Payment
from env_adapter.errors import (
    ActionError,
    EnvError,
    FullBoard,
    GameOver,
    IllegalMove,
    ObservationError,
    OpeningError,
    OptionError,
)
from env_adapter.game import Game, Step
from env_adapter.quirks import PLATFORM, RULES, STATED, Quirk
from env_adapter.registry import BoardStyle, GameKind, Platform, SgfGame, kind_of, kinds, make, names, register

__all__ = [
    "PLATFORM", "RULES", "STATED", "ActionError", "BoardStyle", "Cell", "Ending", "EndingKind", "EnvError",
    "FullBoard", "Game", "GameKind", "GameOver", "IllegalMove", "Illegality", "ObservationError", "OpeningError",
    "OptionError", "Outcome", "Payment", "Platform", "Quirk", "SgfGame", "Step", "answer", "kind_of", "kinds", "make",
    "names", "register",
]  # fmt: skip
