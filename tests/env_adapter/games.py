"""Moves and helpers for the tests of the referee. In lists of Reversi moves None is a pass."""

from collections.abc import Iterable

from env_adapter import Cell, Game, Step, make
from env_adapter.game import MARKS

Moves = tuple[Cell | None, ...]

# 4x4 Reversi, the shortest games out of thousands of random ones
BLACK_WINS_4X4: Moves = (
    *((1, 0), (0, 2), (0, 3), (2, 0), (3, 0), (1, 3)),
    *((0, 1), (0, 0), (2, 3), (3, 3), (3, 2), (3, 1)),
)  # full board, 10 to 6
DRAW_4X4: Moves = (
    *((1, 0), (2, 0), (3, 0), (0, 2), (0, 3), (0, 0)),
    *((2, 3), (3, 3), (3, 2), (1, 3), (0, 1), (3, 1)),
)  # full board, 8 to 8
DOUBLE_PASS_4X4: Moves = ((0, 1), (0, 2), (0, 3), (0, 0), (2, 0), None, (3, 3), None, None)  # 9 to 1
WIPE_OUT_6X6: Moves = ((2, 1), (1, 1), (0, 1), (3, 1), (4, 3), (4, 2), (4, 1), (4, 4), (5, 5))  # 13 to 0
PASS_6X6: Moves = ((3, 4), (4, 4), (1, 2), (3, 1), (5, 4), (5, 5), (3, 0), (5, 3), None)  # Black's pass; not over

BLACK_FIVE: Moves = ((7, 3), (0, 0), (7, 4), (0, 1), (7, 5), (0, 2), (7, 6), (0, 3), (7, 7))  # gobang
WHITE_FIVE: Moves = ((0, 0), (7, 3), (0, 2), (7, 4), (0, 4), (7, 5), (0, 6), (7, 6), (0, 8), (7, 7))
NO_LINE_3X3: Moves = ((1, 1), (0, 0), (0, 2), (2, 0), (1, 0), (1, 2), (0, 1), (2, 1), (2, 2))  # tic-tac-toe


def play(env: Game, moves: Iterable[Cell | None]) -> list[Step]:
    """Play `moves`; on a pass the answer is (0, 0)."""
    return [env.step(env.encode(*(move or (0, 0)))) for move in moves]


def drawn(text: str, in_a_row: int = 5) -> Game:
    """A k-in-a-row game with this board: X black, O white, . free, rows separated by spaces."""
    rows = text.split()
    marks = {mark: stone for stone, mark in MARKS.items()}
    env = make("gobang_1v1", board_height=len(rows), board_width=len(rows[0]), in_a_row=in_a_row)
    env.set_current_state([[[marks[mark]] for mark in row] for row in rows])
    return env
