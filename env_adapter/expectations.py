"""The legal moves, endings and state that `conformance.py` expects of an environment.

Each family of games has one class. A position is a dict of the occupied cells. Winning lines and flipped discs come
from the referee's functions `find_line` and `legal_flips`, which tests compare with other sources. All other rules are
implemented here a second time, to check the referee.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from env_adapter.actions import Cell
from env_adapter.errors import ConformanceError
from env_adapter.game import BLACK, DRAW, EMPTY, UNFINISHED, WHITE, Observation, other
from env_adapter.k_in_a_row import find_line
from env_adapter.reversi import legal_flips

Stones = dict[Cell, int]  # the occupied cells only


class ExpectedResult(NamedTuple):
    """The result of a finished game: the value of check_win(), the last reward, and n_return; Black's entries first."""

    code: int
    reward: list[float]
    n_return: list[float]


class ExpectedEnding(NamedTuple):
    """The accepted results of a position (several if the rule sets differ), and whether the game may go on."""

    results: list[ExpectedResult]
    may_go_on: bool


def _won(code: int, by: int) -> ExpectedResult:
    """The result in which check_win() returns `code` and player `by` is paid."""
    return ExpectedResult(code, [100 * (by == BLACK), 100 * (by == WHITE)], [int(by == BLACK), int(by == WHITE)])


DRAWN = ExpectedResult(DRAW, [50, 50], [0.5, 0.5])
UNPAID = ExpectedResult(UNFINISHED, [0, 0], [0, 0])
GOES_ON = ExpectedEnding([], may_go_on=True)


class KInARowExpectations:
    """The expectations of an environment of a k-in-a-row game."""

    n_return_adds_up = True  # a win sets only the winner's entry; an entry of the game before may remain

    def __init__(self, env: Any) -> None:
        self.env = env
        self.in_a_row = getattr(env, "in_a_row", 5)
        self.cells = [(row, col) for row in range(env.board_height) for col in range(env.board_width)]

    def stones(self, observation: Observation) -> Stones:
        """The occupied cells of an observation."""
        board = observation["state_map"]
        return {(row, col): board[row][col][0] for row, col in self.cells if board[row][col][0] != EMPTY}

    def legal(self, stones: Stones, mover: int) -> Mapping[Cell, list[Cell]]:
        """The legal cells of the mover, each with the cells that the move flips."""
        return {cell: [] for cell in self.cells if cell not in stones}

    def ending(self, stones: Stones, mover: int, double_pass: bool, cut_off: bool) -> ExpectedEnding:
        """The accepted endings of a position. `cut_off`: whether the step limit is reached."""
        line = find_line(self.env.current_state, self.in_a_row)
        if line is not None:
            owner = stones[line[0]]
            return ExpectedEnding([_won(owner, owner)], may_go_on=False)
        if cut_off or len(stones) == len(self.cells):
            return ExpectedEnding([_won(UNFINISHED, other(mover)), DRAWN], may_go_on=not cut_off)
        return GOES_ON

    def own_state(self) -> list[tuple[str, object, object]]:
        """The attributes that only this family's environments have, as (name, value, expected value)."""
        board = self.env.current_state
        free = {(row, col) for row, col in self.cells if board[row][col][0] == EMPTY}
        return [("all_grids", set(self.env.all_grids), free)]

    def won(self) -> object:
        """The expected value of the attribute `won` after the end."""
        line = find_line(self.env.current_state, self.in_a_row)
        return {} if line is None else [list(cell) for cell in line]


class ReversiExpectations:
    """The expectations of an environment of Reversi. The methods are those of KInARowExpectations."""

    n_return_adds_up = False

    def __init__(self, env: Any) -> None:
        self.env = env
        self.n = env.board_width

    def stones(self, observation: Observation) -> Stones:
        black, white = observation[BLACK], observation[WHITE]
        if black & white:
            raise ConformanceError(f"the cells {sorted(black & white)} are both black and white")
        return dict.fromkeys(black, BLACK) | dict.fromkeys(white, WHITE)

    def legal(self, stones: Stones, mover: int) -> Mapping[Cell, list[Cell]]:
        own = {cell for cell, stone in stones.items() if stone == mover}
        return legal_flips(own, stones.keys() - own, self.n)

    def ending(self, stones: Stones, mover: int, double_pass: bool, cut_off: bool) -> ExpectedEnding:
        n_black = sum(stone == BLACK for stone in stones.values())
        n_white = len(stones) - n_black
        counted = DRAWN if n_black == n_white else _won(*([BLACK, BLACK] if n_black > n_white else [WHITE, WHITE]))
        if double_pass or len(stones) == self.n**2 or not n_black or not n_white:
            return ExpectedEnding([counted], may_go_on=False)
        return ExpectedEnding([counted, UNPAID], may_go_on=False) if cut_off else GOES_ON

    def own_state(self) -> list[tuple[str, object, object]]:
        shown = self.env.all_observes[0]
        return [("black", self.env.black, shown[BLACK]), ("white", self.env.white, shown[WHITE])]

    def won(self) -> object:
        return {BLACK: len(self.env.black), WHITE: len(self.env.white)}


Expectations = KInARowExpectations | ReversiExpectations
