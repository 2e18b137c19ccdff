"""What a position must look like and how a game may end, as `conformance` expects it of any environment.

One class per family of games, written over sparse `Stones`. The rules of a move are the referee's own pure
functions (`find_line`, `legal_flips`), which tests pin against other sources; everything else is told here
a second time, on purpose.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from env_adapter.actions import Cell
from env_adapter.errors import ConformanceError
from env_adapter.game import BLACK, DRAW, EMPTY, UNFINISHED, WHITE, Observation, other
from env_adapter.k_in_a_row import find_line
from env_adapter.reversi import legal_flips

Stones = dict[Cell, int]  # the occupied cells only


class Result(NamedTuple):
    """What an ended game must show: check_win()'s code, the last reward and n_return, Black's first."""

    code: int
    reward: list[float]
    n_return: list[float]


class Ending(NamedTuple):
    """The accepted results of a position: none while the game must go on, several where rule sets differ."""

    results: list[Result]
    may_go_on: bool


def _won(code: int, by: int) -> Result:
    """check_win() says `code`, and player `by` is paid."""
    return Result(code, [100 * (by == BLACK), 100 * (by == WHITE)], [int(by == BLACK), int(by == WHITE)])


DRAWN = Result(DRAW, [50, 50], [0.5, 0.5])
UNPAID = Result(UNFINISHED, [0, 0], [0, 0])
GOES_ON = Ending([], may_go_on=True)


class Family(Protocol):
    """What the check must know of a family of games."""

    n_return_adds_up: bool  # reset() may leave n_return, and then a second game adds to it

    def stones(self, observation: Observation) -> Stones: ...

    def legal(self, stones: Stones, mover: int) -> Mapping[Cell, list[Cell]]: ...

    def ending(self, stones: Stones, mover: int, double_pass: bool, cut_off: bool) -> Ending: ...

    def own_state(self) -> list[tuple[str, object, object]]:
        """What else the environment keeps: (name, value, what it must be)."""
        ...

    def won(self) -> object:
        """What the attribute `won` must be after the end."""
        ...


class Lines:
    """Gobang and its kin."""

    n_return_adds_up = True

    def __init__(self, env: Any) -> None:
        self.env = env
        self.in_a_row = getattr(env, "in_a_row", 5)
        self.cells = [(row, col) for row in range(env.board_height) for col in range(env.board_width)]

    def stones(self, observation: Observation) -> Stones:
        board = observation["state_map"]
        return {(row, col): board[row][col][0] for row, col in self.cells if board[row][col][0] != EMPTY}

    def legal(self, stones: Stones, mover: int) -> Mapping[Cell, list[Cell]]:
        return {cell: [] for cell in self.cells if cell not in stones}

    def ending(self, stones: Stones, mover: int, double_pass: bool, cut_off: bool) -> Ending:
        line = find_line(self.env.current_state, self.in_a_row)
        if line is not None:
            owner = stones[line[0]]
            return Ending([_won(owner, owner)], may_go_on=False)
        if cut_off or len(stones) == len(self.cells):
            return Ending([_won(UNFINISHED, other(mover)), DRAWN], may_go_on=not cut_off)
        return GOES_ON

    def own_state(self) -> list[tuple[str, object, object]]:
        board = self.env.current_state
        free = {(row, col) for row, col in self.cells if board[row][col][0] == EMPTY}
        return [("all_grids", set(self.env.all_grids), free)]

    def won(self) -> object:
        line = find_line(self.env.current_state, self.in_a_row)
        return {} if line is None else [list(cell) for cell in line]


class Discs:
    """Reversi."""

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

    def ending(self, stones: Stones, mover: int, double_pass: bool, cut_off: bool) -> Ending:
        n_black = sum(stone == BLACK for stone in stones.values())
        n_white = len(stones) - n_black
        counted = DRAWN if n_black == n_white else _won(*([BLACK, BLACK] if n_black > n_white else [WHITE, WHITE]))
        if double_pass or len(stones) == self.n**2 or not n_black or not n_white:
            return Ending([counted], may_go_on=False)
        return Ending([counted, UNPAID], may_go_on=False) if cut_off else GOES_ON

    def own_state(self) -> list[tuple[str, object, object]]:
        shown = self.env.all_observes[0]
        return [("black", self.env.black, shown[BLACK]), ("white", self.env.white, shown[WHITE])]

    def won(self) -> object:
        return {BLACK: len(self.env.black), WHITE: len(self.env.white)}
