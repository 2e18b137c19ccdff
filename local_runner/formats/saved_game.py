"""A game as it was read from any file: its setup, its moves, and what the file says of players, result and time."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from local_runner.game_setup import GameSetup
from local_runner.records import COLOURS, Cell


@dataclass(frozen=True)
class SavedGame:
    """One game, which `GameSession(game.setup, cells=game.cells)` can replay.

    `cells`: one for each ply, the opening of `setup` included; None for a pass or a lost turn. `winner`: 1 Black,
    2 White, 3 a draw, 0 unknown or unfinished. `ending`: how it ended, in words (`languages.kept`), "" if unknown.
    `seconds`, `thoughts`: by ply, None where unknown; empty if the file has none. `damage`: a sentence that says what
    is wrong in the file after the last of `cells`, "" if nothing is.
    """

    setup: GameSetup
    cells: tuple[Cell | None, ...]
    names: tuple[str, str] = COLOURS
    winner: int = 0
    ending: str = ""
    seconds: tuple[float | None, ...] = ()
    thoughts: tuple[Mapping[str, Any] | None, ...] = ()
    damage: str = ""


@dataclass(frozen=True)
class Heading:
    """What a list of games shows of one game; `plies` includes the opening."""

    names: tuple[str, str]
    winner: int
    ending: str
    plies: int
    env: str
