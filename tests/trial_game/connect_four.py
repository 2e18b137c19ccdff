"""The rules of Connect Four, which the project does not ship. Its test shows what a game needs: one file, one line.

The board has 6 rows and 7 columns. A stone falls to the lowest free cell of its column. As on the platform, an answer
names a cell, so a move names the cell where the stone comes to lie. Any other cell is illegal. Knows no other game but
for `find_line`.
"""

from typing import Any

from env_adapter import BoardStyle, Cell, Ending, EndingKind, Game, GameKind, Outcome
from env_adapter.actions import JointAction
from env_adapter.errors import OptionError
from env_adapter.game import DRAW, EMPTY, UNFINISHED, Observation, other
from env_adapter.grid import Setup
from env_adapter.k_in_a_row import find_line
from env_adapter.quirks import Quirk, Quirks


class ConnectFour(Game):
    """The players drop stones in turn; a line of `in_a_row` stones of one colour wins."""

    family = "connect_four"
    illegal_free = "has no stone below it"

    def __init__(self, setup: Setup, quirks: Quirks, seed: int | None = None) -> None:
        super().__init__(setup, quirks - {Quirk.SHAPE_CHECK_SWAPS_AXES}, seed)  # a bug of the platform's own games

    def is_playable(self, cell: Cell) -> bool:
        """Whether the cell is the lowest free one of its column."""
        row, col = cell
        lowest = row + 1 == self.board_height
        return super().is_playable(cell) and (lowest or self.current_state[row + 1][col][0] != EMPTY)

    def winning_line(self) -> list[Cell]:
        """The cells of the line that has won; [] without one."""
        return find_line(self.current_state, self.setup.in_a_row) or []

    def outcome(self) -> Outcome:
        """The owner of the line, or a draw on a full board."""
        if line := self.winning_line():
            owner = self.current_state[line[0][0]][line[0][1]][0]
            return Outcome(owner, Ending(EndingKind.LINE, tuple(line)))
        full = all(cell[0] != EMPTY for row in self.current_state for cell in row)
        return Outcome(DRAW, Ending(EndingKind.FULL_BOARD)) if full else Outcome(UNFINISHED)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.is_over()

    def check_win(self) -> int:
        """The winner's code; writes the line into `won`."""
        self.won = [list(cell) for cell in self.winning_line()]
        return self.outcome().winner

    def get_next_state(self, joint_action: JointAction) -> tuple[list[Observation], dict[str, Any]]:
        """Drop the mover's stone, or another one instead of an illegal one if the rule set replaces."""
        self.is_not_valid_action(joint_action)
        cell = self.decode(joint_action[self.chess_player - 1])
        if not self.is_playable(cell):
            cell = self._replacement(cell, self.legal_moves())
        self._place(cell)
        self.step_cnt += 1
        return self.get_all_observes(), {"action": cell}

    def get_reward(self, joint_action: JointAction) -> list[float]:
        """At the end 100 for the winner, or 50 each for a draw."""
        winner = self.outcome().winner
        paid = {UNFINISHED: [0.0, 0.0], DRAW: [0.5, 0.5]}.get(winner, [float(winner == 1), float(winner == 2)])
        self.n_return = paid
        return [100 * share for share in paid]

    def get_dict_observation(self, player_id: int) -> Observation:
        """The board and its size; `chess_player_idx` is the player who sees it."""
        return {
            "state_map": [[list(cell) for cell in row] for row in self.current_state],
            "chess_player_idx": player_id,
            "board_width": self.board_width,
            "board_height": self.board_height,
        }

    def _check_setup(self) -> None:
        if min(self.setup.board_height, self.setup.board_width) < self.setup.in_a_row:
            raise OptionError(f"{self.setup.in_a_row} in a row do not fit on the board")

    def _default_max_step(self) -> int:
        return self.board_height * self.board_width

    def _clear_board(self) -> None:
        self.current_state = self._empty_board()
        self.won = []

    def _place(self, cell: Cell) -> list[Cell]:
        self.current_state[cell[0]][cell[1]][0] = self.chess_player
        self.chess_player = other(self.chess_player)
        return []


KIND = GameKind(
    "connect_four_1v1", "Connect Four", ConnectFour, Setup("connect_four", 6, 7, in_a_row=4), BoardStyle.SQUARES,
    opening_plies=2,
)  # fmt: skip
