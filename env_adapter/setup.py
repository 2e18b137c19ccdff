"""The settings of a game. The game checks whether the settings fit its rules."""

from dataclasses import dataclass

from env_adapter.actions import Cell

LARGEST_BOARD = 26  # cells on a side, in every game: columns are named by the letters a to z


@dataclass(frozen=True)
class Setup:
    """The settings of a game.

    in_a_row: the number of stones in a winning line, 0 if lines do not count
    start: moves with which every game of this name begins, of both sides in turn, Black first
    opening: further moves, which the caller chooses, played after `start`
    max_step: step limit, None for the default
    board: rows of ".", "X" (Black) and "O" to begin from, only if `Game.takes_board`; () for the usual start
    """

    game_name: str
    board_height: int
    board_width: int
    in_a_row: int = 0
    start: tuple[Cell, ...] = ()
    opening: tuple[Cell, ...] = ()
    max_step: int | None = None
    board: tuple[str, ...] = ()
