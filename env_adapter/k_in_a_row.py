"""k in a row: gobang, gomoku 11x11, tic-tac-toe.

k or more stones of one colour in a line win. There are no forbidden moves. Black moves first. The implementation is
naive: it scans the whole board after every move.
"""

from typing import Any

from env_adapter.actions import Cell, JointAction
from env_adapter.endings import Ending, EndingKind, Outcome, Payment
from env_adapter.errors import FullBoard, OptionError
from env_adapter.game import BLACK, DRAW, EMPTY, UNFINISHED, Game, Observation, other
from env_adapter.grid import Board
from env_adapter.quirks import Quirk

# (down, right). find_line returns the first line that it finds, so the order of the directions matters.
DIRECTIONS = ((1, -1), (1, 0), (1, 1), (0, 1))


def find_line(board: Board, length: int) -> list[Cell] | None:
    """The cells of the first line of `length` equal stones, scanning row by row; None if there is no such line."""
    stones = [[cell[0] for cell in cells] for cells in board]
    height, width, far = len(stones), len(stones[0]), length - 1
    for row, cells in enumerate(stones):
        for col, stone in enumerate(cells):
            if stone == EMPTY:
                continue
            for down, right in DIRECTIONS:
                end_row, end_col = row + far * down, col + far * right
                if end_row < height and 0 <= end_col < width and stones[end_row][end_col] == stone:
                    line = [(row + i * down, col + i * right) for i in range(length)]
                    if all(stones[r][c] == stone for r, c in line):
                        return line
    return None


class KInARow(Game):
    """The players place stones in turn; `in_a_row` stones of one colour in a line win."""

    family = "k_in_a_row"
    all_grids: list[Cell]  # the free cells, row by row

    @property
    def in_a_row(self) -> int:
        """k, the least number of stones in a winning line."""
        return self.setup.in_a_row

    def winning_line(self) -> list[Cell]:
        """The cells of the winning line; [] if there is none."""
        return find_line(self.current_state, self.in_a_row) or []

    def legal_moves(self) -> list[Cell]:
        """The free cells, row by row; none after the end."""
        return [] if self.is_over() else self._free_cells()

    def outcome(self) -> Outcome:
        """The winner and the ending. Without a winning line, the rule set decides who wins at the end."""
        line = find_line(self.current_state, self.in_a_row)
        if line is not None:
            return Outcome(self.get(*line[0]), Ending(EndingKind.LINE, tuple(line)))
        kind = self._ending_without_line()
        if kind is None:
            return Outcome(UNFINISHED)
        if Quirk.NO_LINE_PAYS_LAST_MOVER in self.quirks:
            return Outcome(other(self.chess_player), Ending(kind, paid=Payment.LAST_MOVER))
        return Outcome(DRAW, Ending(kind))

    def is_terminal(self) -> bool:
        """Whether a line, the step limit or a full board has ended the game. Stores a winning line in `won`."""
        return self.check_win() != UNFINISHED or self._ending_without_line() is not None

    def check_win(self) -> int:
        """The owner of the winning line, 3 for a draw, else 0. Stores the cells of the line in `won`."""
        line = find_line(self.current_state, self.in_a_row)
        if line is not None:
            self.won = [list(cell) for cell in line]
            return self.get(*line[0])
        drawn = Quirk.NO_LINE_PAYS_LAST_MOVER not in self.quirks and self._ending_without_line() is not None
        return DRAW if drawn else UNFINISHED

    def get_next_state(self, joint_action: JointAction) -> tuple[list[Observation], dict[str, Any]]:
        """Place the mover's stone. `info_after` is `{"action": cell}` with the cell that was played."""
        self.is_not_valid_action(joint_action)
        cell = self.decode(joint_action[self.chess_player - 1])
        if not self.check_at(*cell):
            if not self.all_grids:
                raise FullBoard(f"{cell} cannot be played, the board is full; set a smaller max_step")
            cell = self._replacement(cell, self.all_grids)
        self.step_cnt += 1
        self._place(cell)
        return self.get_all_observes(), {"action": cell}

    def get_reward(self, joint_action: JointAction) -> list[float]:
        """[0, 0] before the end; then 100 for the last mover, or 50 each for a draw. Sets `n_return` at the end."""
        reward: list[float] = [0, 0]
        if not self.is_terminal():
            return reward
        if self.check_win() == DRAW:
            self.n_return[:] = [0.5, 0.5]
            return [50, 50]
        last_mover = other(self.chess_player) - 1
        reward[last_mover] = 100
        self.n_return[last_mover] = 1
        return reward

    def get_dict_observation(self, player_id: int) -> Observation:
        """The board and its size. `chess_player_idx` is the player who sees the board, not the player to move."""
        board = self.current_state
        live = Quirk.LIVE_OBSERVATION in self.quirks
        return {
            "state_map": board if live else [[list(cell) for cell in row] for row in board],
            "chess_player_idx": player_id,
            "board_width": self.board_width,
            "board_height": self.board_height,
        }

    def get(self, row: int, col: int) -> int:
        """The stone on a cell; 0 off the board."""
        inside = 0 <= row < self.board_height and 0 <= col < self.board_width
        return self.current_state[row][col][0] if inside else EMPTY

    def check_at(self, x: int, y: int) -> bool:
        """Whether the cell in row `x`, column `y` is free."""
        return self.current_state[x][y][0] == EMPTY

    def _ending_without_line(self) -> EndingKind | None:
        """The ending of a position without a line; None if the game goes on."""
        full = all(cell[0] != EMPTY for row in self.current_state for cell in row)
        limit = self.step_cnt > self.max_step
        if full and (limit or Quirk.FULL_BOARD_GOES_ON not in self.quirks):
            return EndingKind.FULL_BOARD
        return EndingKind.STEP_LIMIT if limit else None

    def _free_cells(self) -> list[Cell]:
        board = self.current_state
        return [(row, col) for row, cells in enumerate(board) for col, cell in enumerate(cells) if cell[0] == EMPTY]

    def _check_setup(self) -> None:
        height, width = self.setup.board_height, self.setup.board_width
        if self.in_a_row < 2:
            raise OptionError("in_a_row must be at least 2, not {k}", k=self.in_a_row)
        if self.in_a_row > max(height, width):
            board, advice = f"{height}x{width}", "set a larger board_size"
            raise OptionError("{k} in a row do not fit on a board of {board}", advice, k=self.in_a_row, board=board)

    def _default_max_step(self) -> int:
        return self.board_height * self.board_width - len(self.setup.start) - len(self.setup.opening)

    def _clear_board(self) -> None:
        self.current_state = self._empty_board()
        self.chess_player = BLACK
        self.won = {}
        self.all_grids = self._free_cells()

    def _try(self, cell: Cell) -> list[Cell] | None:
        if not self.is_playable(cell):
            return None
        self._place(cell)
        return []

    def _place(self, cell: Cell) -> None:
        self.current_state[cell[0]][cell[1]][0] = self.chess_player
        self.chess_player = other(self.chess_player)
        self.all_grids.remove(cell)
