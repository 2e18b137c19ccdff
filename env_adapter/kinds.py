"""The properties of a named game that are not rules.

A `GameKind` joins a name such as "gobang_1v1" to the class with the rules and to the settings. A `GameKind` also says
how the board is drawn, which sizes are offered and which platform has the game. The class with the rules holds the
properties of the family: `Game.family`, `has_pass`, `turns_discs`, `takes_board`, `illegal_free`. All texts are in
English.
"""

from dataclasses import dataclass
from enum import Enum

from env_adapter.game import Game
from env_adapter.setup import Setup


class BoardStyle(Enum):
    """The style in which a board is drawn."""

    CROSSINGS = "crossings"  # stones on the crossings of lines
    SQUARES = "squares"  # discs in squares
    MARKS = "marks"  # crosses and noughts


class Platform(Enum):
    """The platforms that have our games."""

    JIDI = "jidi"
    MO = "mo"


class SgfGame(Enum):
    """A game that SGF files can hold; the value is the game's number in the property GM[...]."""

    OTHELLO = "2"
    GOMOKU = "4"  # the files of the program Piskvork can hold it, too


@dataclass(frozen=True)
class GameKind:
    """A named game.

    name: as `make` knows it
    title: its usual name
    rules: the class with the rules of its family
    setup: the usual settings
    style: how its board is drawn
    opening_plies: length of a random opening, in plies
    sizes: sides of the square boards that users may choose; () if only the usual board is offered
    platform: the platform that has the game; None if no platform has it
    sgf: the game in SGF files; None if SGF has no such game
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
        """The name of the family; games of one family share their rules."""
        return self.rules.family

    @property
    def board(self) -> tuple[int, int]:
        """The rows and columns of the usual board."""
        return self.setup.board_height, self.setup.board_width
