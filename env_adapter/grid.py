"""What the platform's games say of a board as a grid of cells: its size and values, as each player is shown it.

Every player sees the whole board, so all entries of a list here are equal; they stand apart because the platform's do.
A cell is a list of `cell_dim` numbers (one, in these games), the k-th from 0 to `cell_range[k] - 1`. Players are
counted from 0. Knows no rules.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from math import prod
from typing import Any, ClassVar

from env_adapter.errors import ObservationError

Board = list[list[list[int]]]
GridShape = tuple[int, int, tuple[int, ...]]


class Grid(ABC):
    """A board that is shown whole to both players."""

    n_player: ClassVar[int] = 2
    cell_range: ClassVar[tuple[int, ...]] = (3,)
    cell_dim: ClassVar[int] = len(cell_range)
    cell_size: ClassVar[int] = prod(cell_range)

    def __init__(self, board_height: int, board_width: int) -> None:
        self.board_height = board_height
        self.board_width = board_width
        self.ob_board_height = [board_height] * self.n_player
        self.ob_board_width = [board_width] * self.n_player
        self.ob_cell_range = [self.cell_range] * self.n_player
        self.ob_vector_shape = [board_width * board_height * self.cell_dim] * self.n_player
        self.ob_vector_range = [self.cell_range] * self.n_player

    @abstractmethod
    def get_grid_observation(self, current_state: Board, player_id: int, info_before: str) -> Board:
        """What a player is shown of a board."""

    def get_grid_many_observation(
        self, current_state: Board, player_id_list: Iterable[int], info_before: str = ""
    ) -> list[Board]:
        """What each of the players is shown of a board."""
        return [self.get_grid_observation(current_state, player, info_before) for player in player_id_list]

    def get_grid_obs_config(self, player_id: int) -> GridShape:
        """Width, height and range of the cells of what a player is shown."""
        return self.ob_board_width[player_id], self.ob_board_height[player_id], self.ob_cell_range[player_id]

    def get_grid_many_obs_space(self, player_id_list: Iterable[int]) -> dict[int, tuple[int, int, int]]:
        """By player: width, height and depth of what it is shown."""
        configs = {player: self.get_grid_obs_config(player) for player in player_id_list}
        return {player: (width, height, len(cell_range)) for player, (width, height, cell_range) in configs.items()}

    def get_vector_obs_config(self, player_id: int) -> tuple[int, tuple[int, ...]]:
        """How many numbers the board is, laid out in one row, and the range of a cell."""
        return self.ob_vector_shape[player_id], self.ob_vector_range[player_id]

    def get_vector_many_obs_space(self, player_id_list: Iterable[int]) -> dict[int, int]:
        """By player: how many numbers the board is."""
        return {player: self.ob_vector_shape[player] for player in player_id_list}

    def is_not_valid_grid_observation(self, obs: Any, player_id: int) -> int:
        """0 for a board of this size and range; ObservationError, saying what is wrong, for anything else.

        As on the platform the width is read off the first row and the depth off the first cell.
        """
        width, height, cell_range = self.get_grid_obs_config(player_id)
        depth = len(cell_range)
        try:
            lengths = len(obs), len(obs[0]), len(obs[0][0])
            cells = {(row, col): [obs[row][col][k] for k in range(depth)]
                     for row in range(height) for col in range(width)}
        except (TypeError, LookupError):
            lengths = (0, 0, 0)
        if lengths != (height, width, depth):
            raise ObservationError(f"a board is {height} rows of {width} cells, each a list of {depth}; not this one")
        for cell, values in cells.items():
            if any(value not in range(end) for value, end in zip(values, cell_range, strict=True)):
                ends = ", ".join(f"0 to {end - 1}" for end in cell_range)
                raise ObservationError(f"the cell {cell} holds {values!r}; accepted: {ends}")
        return 0
