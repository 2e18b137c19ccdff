"""The settings of a game. Which of them fit its rules, the game checks."""

from dataclasses import dataclass

from env_adapter.actions import Cell


@dataclass(frozen=True)
class Setup:
    """The settings of a game.

    in_a_row: the number of stones in a line that wins, 0 if lines do not count
    start: moves that belong to the game, played in turn, Black first
    opening: moves of the caller, played after `start`
    max_step: step limit, None for the default
    board: if `Game.takes_board`: rows of ".", "X" (Black) and "O" to begin from, () for the usual start
    """

    game_name: str
    board_height: int
    board_width: int
    in_a_row: int = 0
    start: tuple[Cell, ...] = ()
    opening: tuple[Cell, ...] = ()
    max_step: int | None = None
    board: tuple[str, ...] = ()
