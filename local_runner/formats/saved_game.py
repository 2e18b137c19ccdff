"""A game from a file of any format: its setup and moves, and the file's players, result, times and thoughts."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from local_runner.formats.sgf_tree import TreeNode
from local_runner.game.records import COLOURS, Cell, Result
from local_runner.game.setup import GameSetup
from local_runner.game.wording import result_text
from local_runner.language.languages import Message


class Part(Enum):
    """A part of a game that a format keeps or loses. The value is what sentences call the part."""

    MOVES = Message("moves")
    GAME = Message("name of the game and its rules")
    BOARD = Message("start board")
    NAMES = Message("players")
    RESULT = Message("winner")
    ENDING = Message("how the game ended")
    OPENING = Message("which moves are the opening")
    TIMES = Message("times")
    THOUGHTS = Message("thoughts of the agents")
    COMMENTS = Message("comments and marks")
    VARIATIONS = Message("variations")


@dataclass(frozen=True)
class SavedGame:
    """One game, which `GameSession(game.setup, cells=game.cells)` can replay.

    cells: the cell of each ply, the opening of `setup` included; None for a pass or a lost turn
    winner: 1 Black, 2 White, 3 a draw, 0 unknown or unfinished
    ending: how the game ended, in words: a Message, or the file's own text; "" if unknown
    seconds: seconds of each ply, None where unknown; empty if the file has none
    thoughts: the agent's report on its search for each ply, None where unknown; empty if the file has none
    damage: a sentence (Message) about the error in the file after the last of `cells`; "" if there is none
    result: the Result from the referee or from a file that tengen wrote; None if unknown
    left_out: the parts of the file that were not read
    tree: the game with its variations and comments, if it is to be written with them
    """

    setup: GameSetup
    cells: tuple[Cell | None, ...]
    names: tuple[str, str] = COLOURS
    winner: int = 0
    ending: str = ""
    seconds: tuple[float | None, ...] = ()
    thoughts: tuple[Mapping[str, Any] | None, ...] = ()
    damage: str = ""
    result: Result | None = field(default=None, compare=False)
    left_out: frozenset[Part] = field(default=frozenset(), compare=False)
    tree: TreeNode | None = field(default=None, compare=False)


def with_result(game: SavedGame, result: Result | None) -> SavedGame:
    """The game with this result, from which `winner` and `ending` are set. None leaves the game unchanged."""
    if result is None:
        return game
    return replace(game, result=result, winner=result.winner, ending=result_text(result))


@dataclass(frozen=True)
class GameTree:
    """One game with its variations, comments, marks and set-up stones, as SGF keeps them.

    env: the name of the game
    size: the board's side in cells
    root: the first node; the caller may change the tree
    damage: a sentence (Message) about where the file cannot be read on; "" if it was read whole
    """

    env: str
    size: int
    root: TreeNode
    damage: str = ""
