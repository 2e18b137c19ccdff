"""References for tests: positions from the referee's games, Reversi by minimax on lists, and tic-tac-toe solved.

Boards are `stones[row][col]`: 0 free, 1 Black, 2 White. Drawn boards are rows of `.XO`: X Black, O White. A position of
tic-tac-toe is a string of nine characters, row by row.
"""

import random
from collections.abc import Sequence
from functools import cache

from env_adapter import answer, make
from env_adapter.reversi import legal_flips
from local_runner.processes.agent_side.guests import MoBoard

Stones = list[list[int]]
Cell = tuple[int, int]
MARKS = ".XO"


class Board(MoBoard):
    """The board of the Mo platform, drawn as text, to play on: `rows` are its marks."""

    def __init__(self, text: str = "........ " * 3 + "...OX... ...XO... " + "........ " * 3) -> None:
        self.rows = [list(row) for row in text.split()]
        super().__init__(self.rows)

    def play(self, move: str, color: str) -> list[str]:
        """Play a legal move; returns the cells that it turns over."""
        return self._move(move, color)


def drawn(text: str) -> Stones:
    """The board drawn as text."""
    return [[MARKS.index(mark) for mark in row] for row in text.split()]


@cache
def positions(size: int, number: int, seed: int = 0) -> Sequence[tuple[Stones, int]]:
    """Positions from random games of the referee, with the side to move, which has a legal move."""
    found: list[tuple[Stones, int]] = []
    rng = random.Random(seed)
    while len(found) < number:
        env = make("reversi_8x8_1v1", rules="stated", board_size=size)
        for _ in range(rng.randrange(size * size - 5)):
            if not env.is_terminal():
                play(env, rng)
        if env.legal_moves():
            found.append((env.stones(), env.chess_player))
    return found


def play(env, rng: random.Random) -> Cell | None:
    """Play one random step of the referee's game. Returns the cell, None for a pass."""
    legal = env.legal_moves()
    cell = rng.choice(legal) if legal else None
    env.step([answer(cell or (0, 0), env.board_height, env.board_width)] * 2)
    return cell


def sets(stones: Stones, player: int) -> tuple[set[Cell], set[Cell]]:
    """The cells of the player's discs, and of the other's."""
    cells = [(r, c, stone) for r, row in enumerate(stones) for c, stone in enumerate(row)]
    own, other = ({(r, c) for r, c, stone in cells if stone == colour} for colour in (player, 3 - player))
    return own, other


def legal(stones: Stones, player: int) -> dict[Cell, list[Cell]]:
    """The referee's legal cells, row by row, with the discs that they turn over."""
    return _legal(tuple(map(bytes, stones)), player)


@cache  # the same trees are searched for every set of options
def _legal(rows: tuple[bytes, ...], player: int) -> dict[Cell, list[Cell]]:
    return legal_flips(*sets(list(map(list, rows)), player), len(rows))


def after(stones: Stones, player: int, cell: Cell) -> Stones:
    """The board after a legal move."""
    new = [row[:] for row in stones]
    for r, c in [cell, *legal(stones, player)[cell]]:
        new[r][c] = player
    return new


def exact(stones: Stones, player: int) -> int:
    """The disc difference for `player`, the side to move, after best play."""
    moves = legal(stones, player)
    if moves:
        return max(-exact(after(stones, player, cell), 3 - player) for cell in moves)
    if legal(stones, 3 - player):
        return -exact(stones, 3 - player)
    own, other = sets(stones, player)
    return len(own) - len(other)


# ---- tic-tac-toe


def put(cells: str, at: int, mark: str) -> str:
    """The position after a stone on a cell."""
    return cells[:at] + mark + cells[at + 1 :]


def has_won(cells: str, mark: str) -> bool:
    """Whether a side has three in a row."""
    lines = [cells[i : i + 3] for i in (0, 3, 6)] + [cells[i::3] for i in (0, 1, 2)] + [cells[::4], cells[2:7:2]]
    return mark * 3 in lines


@cache
def solved(cells: str, mover: str) -> int:
    """The result for the side to move with best play: 1, 0 or -1."""
    other = "XO"[mover == "X"]
    if has_won(cells, other):
        return -1
    return max((-solved(put(cells, i, mover), other) for i in range(9) if cells[i] == "."), default=0)
