"""The rules of Connect Four, which the project does not ship. Its test shows what a game needs: one file, one line.

The board has 6 rows and 7 columns. A stone falls to the lowest free cell of its column, else the game is k in a row. As
on the platform, an answer names a cell, so a move names the cell where the stone comes to lie. Any other cell is
illegal.
"""

from typing import Any

from env_adapter import BoardStyle, Cell, Game, GameKind
from env_adapter.actions import JointAction
from env_adapter.game import EMPTY, Observation
from env_adapter.grid import Setup
from env_adapter.k_in_a_row import KInARow
from env_adapter.quirks import Quirk, Quirks

OF_THE_PLATFORM = {  # behaviour of the platform's own games that this game does not share
    Quirk.FULL_BOARD_GOES_ON, Quirk.LIVE_OBSERVATION, Quirk.NO_LINE_PAYS_LAST_MOVER, Quirk.SHAPE_CHECK_SWAPS_AXES,
}  # fmt: skip


class ConnectFour(KInARow):
    """The players drop stones in turn; a line of `in_a_row` stones of one colour wins."""

    family = "connect_four"
    illegal_free = "has no stone below it"

    def __init__(self, setup: Setup, quirks: Quirks, seed: int | None = None) -> None:
        super().__init__(setup, quirks - OF_THE_PLATFORM, seed)

    def is_playable(self, cell: Cell) -> bool:
        """Whether the cell is the lowest free one of its column."""
        row, col = cell
        lowest = row + 1 == self.board_height
        return super().is_playable(cell) and (lowest or self.current_state[row + 1][col][0] != EMPTY)

    def legal_moves(self) -> list[Cell]:
        """The playable cells, row by row; none after the end."""
        return Game.legal_moves(self)

    def get_next_state(self, joint_action: JointAction) -> tuple[list[Observation], dict[str, Any]]:
        """Place the mover's stone on its cell, or on a random legal cell where illegal moves are replaced."""
        self.is_not_valid_action(joint_action)
        cell = self.decode(joint_action[self.chess_player - 1])
        if not self.is_playable(cell):
            cell = self._replacement(cell, self.legal_moves())
        self._place(cell)
        self.step_cnt += 1
        return self.get_all_observes(), {"action": cell}


KIND = GameKind(
    "connect_four_1v1", "Connect Four", ConnectFour, Setup("connect_four", 6, 7, in_a_row=4), BoardStyle.SQUARES,
    opening_plies=2,
)  # fmt: skip
