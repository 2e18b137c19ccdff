"""The settings of a game, and the platform's attributes and methods for its board: sizes, cells, action spaces.

A cell is a list of `cell_dim` numbers (one in these games). Number k lies in 0 to `cell_range[k] - 1`. Both players see
the whole board, so a list with one entry for each player holds equal entries. Players are counted from 0. This module
knows no rules.
"""

from abc import ABC
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

from env_adapter.actions import Cell
from env_adapter.errors import ObservationError

if TYPE_CHECKING:
    from gymnasium.spaces import Discrete

LARGEST_BOARD = 26  # most cells on a side, in every game: columns are named by the letters a to z
Board = list[list[list[int]]]
GridShape = tuple[int, int, tuple[int, ...]]


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


class Grid(ABC):
    """A board whose cells are all visible to both players."""

    n_player: ClassVar[int] = 2
    cell_range: ClassVar[tuple[int, ...]] = (3,)
    cell_dim: ClassVar[int] = len(cell_range)
    cell_size: ClassVar[int] = prod(cell_range)

    seed: int
    current_state: Board

    def __init__(self, board_height: int, board_width: int) -> None:
        self.board_height = board_height
        self.board_width = board_width
        self.ob_board_height = [board_height] * self.n_player
        self.ob_board_width = [board_width] * self.n_player
        self.ob_cell_range = [self.cell_range] * self.n_player
        self.ob_vector_shape = [board_width * board_height * self.cell_dim] * self.n_player
        self.ob_vector_range = [self.cell_range] * self.n_player

    def get_grid_observation(self, current_state: Board, player_id: int, info_before: str) -> Board:
        """The given board."""
        return current_state

    def get_render_data(self, current_state: Board) -> list[list[int]]:
        """The board's values as rows of ints."""
        return [[cell[0] for cell in row] for row in current_state]

    def set_current_state(self, current_state: Board) -> None:
        """Replace the board. Raises NotImplementedError for an empty list.

        As on the platform, `all_grids` and Reversi's sets of discs are not updated.
        """
        if not current_state:
            raise NotImplementedError
        self.current_state = current_state

    def _empty_board(self) -> Board:
        return [[[0] * self.cell_dim for _ in range(self.board_width)] for _ in range(self.board_height)]

    def get_grid_many_observation(
        self, current_state: Board, player_id_list: Iterable[int], info_before: str = ""
    ) -> list[Board]:
        """The board as each of the players sees it."""
        return [self.get_grid_observation(current_state, player, info_before) for player in player_id_list]

    def get_grid_obs_config(self, player_id: int) -> GridShape:
        """Width, height and cell range of the board that a player sees."""
        return self.ob_board_width[player_id], self.ob_board_height[player_id], self.ob_cell_range[player_id]

    def get_grid_many_obs_space(self, player_id_list: Iterable[int]) -> dict[int, tuple[int, int, int]]:
        """Player -> width, height and depth of the board that the player sees."""
        configs = {player: self.get_grid_obs_config(player) for player in player_id_list}
        return {player: (width, height, len(cell_range)) for player, (width, height, cell_range) in configs.items()}

    def get_vector_obs_config(self, player_id: int) -> tuple[int, tuple[int, ...]]:
        """The number of values of the board as one vector, and the range of a cell."""
        return self.ob_vector_shape[player_id], self.ob_vector_range[player_id]

    def get_vector_many_obs_space(self, player_id_list: Iterable[int]) -> dict[int, int]:
        """Player -> the number of values of the board as one vector."""
        return {player: self.ob_vector_shape[player] for player in player_id_list}

    def is_not_valid_grid_observation(self, obs: Any, player_id: int) -> int:
        """Return 0 for a board of this size and range. Otherwise raise ObservationError.

        As on the platform, only the lengths of the first row and of the first cell are compared. Other rows and cells
        may be longer.
        """
        width, height, cell_range = self.get_grid_obs_config(player_id)
        depth = len(cell_range)
        try:
            lengths = len(obs), len(obs[0]), len(obs[0][0])
            cells = {
                (row, col): [obs[row][col][k] for k in range(depth)] for row in range(height) for col in range(width)
            }
        except (TypeError, LookupError):
            lengths = (0, 0, 0)
        if lengths != (height, width, depth):
            raise ObservationError(f"a board must be {height} rows of {width} cells, each a list of {depth}")
        for cell, values in cells.items():
            if any(value not in range(end) for value, end in zip(values, cell_range, strict=True)):
                ends = ", ".join(f"0 to {end - 1}" for end in cell_range)
                raise ObservationError(f"the cell {cell} holds {values!r}; accepted: {ends}")
        return 0

    # ---- spaces

    @cached_property
    def joint_action_space(self) -> "list[list[Discrete]]":
        """Both players' action spaces; made at the first access, because each has a random generator, slow to make."""
        return self.set_action_space()

    def get_single_action_space(self, player_id: int) -> "list[Discrete]":
        """The spaces of player 0 or 1: the rows, then the columns."""
        return self.joint_action_space[player_id]

    def set_action_space(self) -> "list[list[Discrete]]":
        """Make new action spaces for both players. The game's seed determines the cells that they sample."""
        from gymnasium.spaces import Discrete  # here, because the import is slow

        rows, cols = self.board_height, self.board_width
        return [[Discrete(rows, seed=seed), Discrete(cols, seed=seed + 1)] for seed in (self.seed, self.seed + 2)]

    def init_action_space(self) -> list[list[list[int]]]:
        """An all-zero joint action."""
        return [[[0] * int(space.n) for space in spaces] for spaces in self.joint_action_space]

    def get_action_dim(self) -> int:
        """The number of different answers of a player."""
        return self.board_height * self.board_width
