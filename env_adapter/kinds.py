"""The type of a named game: its properties that are not rules.

A `GameKind` joins a name such as "gobang_1v1" to the class with the rules and the settings. It says how the board is
drawn, which sizes are offered and which platform has the game. The class holds the properties of
its family: `Game.family`, `has_pass`, `turns_discs`, `takes_board`, `illegal_free`. Texts are English.
"""

from dataclasses import dataclass
from enum import Enum

from env_adapter.game import Game
from env_adapter.setup import Setup


class BoardStyle(Enum):
    """How a board is drawn."""

    CROSSINGS = "crossings"  # stones on the crossings of lines
    SQUARES = "squares"  # discs in squares
    MARKS = "marks"  # crosses and noughts


class Platform(Enum):
    """The platforms that have our games."""

    JIDI = "jidi"
    MO = "mo"


class SgfGame(Enum):
    """A game that game files of other programs hold; the value is its number in SGF, GM[...]."""

    OTHELLO = "2"
    GOMOKU = "4"  # also in the files of Piskvork


@dataclass(frozen=True)
class GameKind:
    """A named game.

    name: as `make` knows it
    title: its usual name
    rules: the class with the rules of its family
    setup: the usual settings
    style: how its board is drawn
    opening_plies: length of a random opening, in plies
    sizes: sides of the square boards that are offered; () for its own board only
    platform: where it is played, None for nowhere
    sgf: the game in files of other programs, None if they do not have it
    """

    name: str
    title: str
    rules: type[Game]
    setup: Setup
    style: BoardStyle
    opening_plies: int
    sizes: tuple[int, ...] = ()
    platform: Platform | None = None
    sgf: SgfGame | None = None

    @property
    def family(self) -> str:
        """The name of the family, whose games share the rules."""
        return self.rules.family

    @property
    def board(self) -> tuple[int, int]:
        """The rows and columns of the usual board."""
        return self.setup.board_height, self.setup.board_width
