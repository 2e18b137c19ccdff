"""Reversi on boards of even size from 4x4 to 26x26.

As on the platform, the sets of cells `black` and `white` hold the position. Every step rewrites the board from the
sets. The implementation is naive: from every empty cell it walks in all eight directions.
`step_cnt` does not count passes. Two passes in a row end the game. The platform has no method `lose_turn`; games of a
human against an agent use it.
"""

from collections.abc import Sequence, Set
from itertools import product
from typing import Any, ClassVar

from env_adapter.actions import Cell, JointAction
from env_adapter.endings import Ending, EndingKind, Outcome, Payment
from env_adapter.errors import OptionError
from env_adapter.game import BLACK, DRAW, MARKS, UNFINISHED, WHITE, Game, Observation, Step, other
from env_adapter.grid import LARGEST_BOARD, Setup
from env_adapter.quirks import Quirk, Quirks

DIRECTIONS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


def given_discs(board: Sequence[str]) -> tuple[set[Cell], set[Cell]]:
    """Black's and White's discs on a board given as rows of ".", "X" and "O"."""
    marked = [((row, col), mark) for row, line in enumerate(board) for col, mark in enumerate(line)]
    black, white = ({cell for cell, mark in marked if mark == MARKS[stone]} for stone in (BLACK, WHITE))
    return black, white


def flips(own: Set[Cell], foe: Set[Cell], cell: Cell, size: int) -> list[Cell]:
    """The discs of `foe` that `own` flips by playing the empty `cell`. If there are none, the move is illegal.

    As on the platform, a walk ends at the first own disc or off the board. If an agent has written into the
    sets, a cell may be in both: the first cell of a walk then counts as the foe's, later cells count as own discs.
    """
    outflanked = []
    for down, right in DIRECTIONS:
        row, col = cell[0] + down, cell[1] + right
        walked = []
        while (row, col) in foe:
            walked.append((row, col))
            row, col = row + down, col + right
            if (row, col) in own:
                outflanked += walked
                break
            if not (0 <= row < size and 0 <= col < size):
                break
    return outflanked


def legal_flips(own: Set[Cell], foe: Set[Cell], size: int) -> dict[Cell, list[Cell]]:
    """The legal cells of the side with the discs `own`, row by row, each with the discs that the move flips."""
    empty = (cell for cell in product(range(size), range(size)) if cell not in own and cell not in foe)
    return {cell: turned for cell in empty if (turned := flips(own, foe, cell, size))}


class Reversi(Game):
    """A game of Reversi. `legal_position` maps the mover's legal cells to the discs that a move there flips."""

    family = "reversi"
    has_pass = True
    turns_discs = True
    takes_board = True
    illegal_free = "turns no disc over"
    directions: ClassVar[list[tuple[int, int]]] = list(DIRECTIONS)

    def __init__(self, setup: Setup, quirks: Quirks, seed: int | None = None) -> None:
        super().__init__(setup, quirks, seed)
        self.legal_position = self.legal_positions()

    def reset(self) -> list[Observation]:
        """Start a new game from the opening. The random generator is not reset."""
        all_observes = super().reset()
        if Quirk.RESET_KEEPS_LEGAL_POSITION not in self.quirks:
            self.legal_position = self.legal_positions()
        return all_observes

    @property
    def n(self) -> int:
        """The length of a side."""
        return self.board_width

    def legal_positions(self) -> dict[Cell, list[Cell]]:
        """Compute the legal cells of the player to move, each with the discs that a move there flips."""
        return legal_flips(*self._own_and_foe(), self.n)

    def legal_moves(self) -> list[Cell]:
        """The legal cells of the player to move, row by row; [] if the player must pass, and after the end."""
        return [] if self.is_over() else list(self.legal_positions())

    def lose_turn(self) -> Step:
        """Make a step in which the player to move plays nothing. Two lost turns in a row do not end the game."""
        info_before = self.step_before_info()
        self.last = 0
        self.chess_player = other(self.chess_player)
        done = self.is_terminal()
        return Step(self._after_pass(), self.get_reward([]), done, info_before, {})

    def outcome(self) -> Outcome:
        """The winner by number of discs, and the ending. Quirk.STEP_LIMIT_UNDECIDED: no winner at the step limit."""
        kind = self._ending()
        if kind is None:
            return Outcome(UNFINISHED)
        if kind is EndingKind.STEP_LIMIT and Quirk.STEP_LIMIT_UNDECIDED in self.quirks:
            return Outcome(UNFINISHED, Ending(kind, paid=Payment.NOBODY))
        n_black, n_white = len(self.black), len(self.white)
        winner = DRAW if n_black == n_white else BLACK if n_black > n_white else WHITE
        return Outcome(winner, Ending(kind, discs=(n_black, n_white)))

    def is_terminal(self) -> bool:
        """Whether the game is over. Calls `check_win`, which records the result.

        With Quirk.RESULT_WAITS_FOR_CHECK_WIN, `check_win` is not called after a double pass or at the step limit.
        """
        cut_short = bool(self.done) or self.step_cnt > self.max_step
        if cut_short and Quirk.RESULT_WAITS_FOR_CHECK_WIN in self.quirks:
            return True
        return self.check_win() != UNFINISHED or cut_short

    def check_win(self) -> int:
        """The winner's code. Stores the disc counts in `won`; if the game is decided, sets `reward` and `n_return`."""
        if len(self.black) + len(self.white) == self.n**2:
            self.done = 1
        self.won = {BLACK: len(self.black), WHITE: len(self.white)}
        winner = self.outcome().winner
        if winner == DRAW:
            self.reward[:] = [50, 50]
            self.n_return = [0.5, 0.5]
        elif winner != UNFINISHED:
            self.reward[winner - 1] = 100
            self.n_return = [int(winner == BLACK), int(winner == WHITE)]
        return winner

    def step_before_info(self, info: str = "") -> str:
        """The text that names the player to move. Updates `legal_position`, which `get_next_state` reads."""
        self.legal_position = self.legal_positions()
        return super().step_before_info(info)

    def get_next_state(self, joint_action: JointAction) -> tuple[Any, dict[str, Any]]:
        """Play the mover's disc. If the mover has no legal cell, make a pass without reading the answer.

        `info_after` is `{"action": cell, "reverse_positions": flipped cells}`, or {} on a pass.
        """
        self.is_not_valid_action(joint_action)
        if not self.legal_position:
            self._pass()
            return self._after_pass(), {}
        self.last = 0
        cell = self.decode(joint_action[self.chess_player - 1])
        if cell not in self.legal_position:
            cell = self._replacement(cell, list(self.legal_position))
        flipped = self.legal_position[cell]
        self._put(cell, flipped)
        self._write_board()
        self.step_cnt += 1
        return self.get_all_observes(), {"action": cell, "reverse_positions": flipped}

    def get_reward(self, joint_action: JointAction) -> list[float]:
        """[0, 0] until the result is recorded, then 100 for the winner or 50 each for a draw."""
        return self.reward if Quirk.SHARED_REWARD in self.quirks else list(self.reward)

    def get_dict_observation(self, player_id: int) -> Observation:
        """Both players' discs as sets of (row, col). `chess_player_idx` is the player who sees the observation."""
        live = Quirk.LIVE_OBSERVATION in self.quirks
        return {
            BLACK: self.black if live else set(self.black),
            WHITE: self.white if live else set(self.white),
            "chess_player_idx": player_id,
            "board_width": self.board_width,
            "board_height": self.board_height,
        }

    def _ending(self) -> EndingKind | None:
        """The ending; None while the game goes on."""
        if not self.black or not self.white:
            return EndingKind.WIPE_OUT
        if len(self.black) + len(self.white) == self.n**2:
            return EndingKind.FULL_BOARD
        if self.done:
            return EndingKind.DOUBLE_PASS
        return EndingKind.STEP_LIMIT if self.step_cnt > self.max_step else None

    def _after_pass(self) -> Any:
        """The observations after a pass or a lost turn."""
        observes = self.get_all_observes()
        return self.current_state if Quirk.LIST_AFTER_PASS in self.quirks else observes

    def _pass(self) -> None:
        if self.last:
            self.done = 1
        else:
            self.last = 1
            self.chess_player = other(self.chess_player)

    def is_playable(self, cell: Cell) -> bool:
        """Whether the cell is free and turns a disc over."""
        return super().is_playable(cell) and bool(flips(*self._own_and_foe(), cell, self.n))

    def is_playable_for_opponent(self, cell: Cell) -> bool:
        """Whether the cell turns a disc over for the opponent of the player to move, but not for the player."""
        own, foe = self._own_and_foe()
        return super().is_playable(cell) and not flips(own, foe, cell, self.n) and bool(flips(foe, own, cell, self.n))

    def _skip(self) -> None:
        if self.can_move():
            self.last = 0
            self.chess_player = other(self.chess_player)
        else:
            self._pass()

    def _check_setup(self) -> None:
        height, width = self.setup.board_height, self.setup.board_width
        if height != width or width % 2 or not 4 <= width <= LARGEST_BOARD:
            board = f"{height}x{width}"
            raise OptionError(
                "a Reversi board is square with an even side from 4 to 26, not {board}", "set board_size", board=board
            )

    def _default_max_step(self) -> int:
        return self.n**2

    def _clear_result(self) -> None:
        super()._clear_result()
        self.won = {}

    def _clear_board(self) -> None:
        low, high = self.n // 2 - 1, self.n // 2
        self.black, self.white = {(low, high), (high, low)}, {(low, low), (high, high)}
        if self.setup.board:
            self.black, self.white = given_discs(self.setup.board)
        self.current_state = self._empty_board()
        self._write_board()
        self.last = 0  # 1 after a pass
        self.done = 0  # 1 after a double pass, or once check_win() has seen a full board
        self.reward: list[float] = [0, 0]

    def _own_and_foe(self) -> tuple[set[Cell], set[Cell]]:
        return (self.black, self.white) if self.chess_player == BLACK else (self.white, self.black)

    def _try(self, cell: Cell) -> list[Cell] | None:
        flipped = flips(*self._own_and_foe(), cell, self.n) if super().is_playable(cell) else []
        if not flipped:
            return None
        self.last = 0
        for row, col in (cell, *flipped):
            self.current_state[row][col][0] = self.chess_player
        self._put(cell, flipped)
        return flipped

    def _put(self, cell: Cell, flipped: list[Cell]) -> None:
        """Place a disc and flip. The sets are new, so writing into an old observation does not change the game."""
        own, foe = self._own_and_foe()
        own, foe = own.union((cell,), flipped), foe.difference(flipped)
        self.black, self.white = (own, foe) if self.chess_player == BLACK else (foe, own)
        self.chess_player = other(self.chess_player)

    def _write_board(self) -> None:
        for stone, cells in ((BLACK, self.black), (WHITE, self.white)):
            for cell in cells:
                self.current_state[cell[0]][cell[1]][0] = stone
