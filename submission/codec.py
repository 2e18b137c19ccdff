"""The platform's observations and actions: reads boards, writes pairs of one-hot lists. Knows no rules.

The platform passes its own game objects, so an observation must not be changed. It is one of:

    gobang     {"state_map": rows x cols x [v], "chess_player_idx": 1 | 2, ...}      v: 0 free, 1 black, 2 white
    reversi    {1: {(row, col), ...}, 2: {...}, "chess_player_idx": 1 | 2, "board_width": n, "board_height": n}
    reversi, after a pass: one row of the board as a list, [[v], ...], which holds no useful information

The answer is [one_hot_row, one_hot_col], plain lists of ints with a single 1.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, NamedTuple

from .variant import K_IN_A_ROW, REVERSI

USUAL_SIZE = 15  # used when neither the action space nor the observation has a size
MOST_SIZE = 100  # most rows or columns; a larger size is treated as junk
STONES = {0: 0, 1: 1, 2: 2}  # number -> plain int, also for 1.0 or numpy's 1; int() of a huge text takes seconds


class Snapshot(NamedTuple):
    """A board as the platform showed it to one player.

    family: K_IN_A_ROW or REVERSI; stones: rows * cols bytes, row-major, 0 free, 1 black, 2 white
    player: who must answer, 1 Black, 2 White (not always the side to move)
    """

    family: str
    rows: int
    cols: int
    stones: bytes
    player: int


def decode(observation: Any) -> Snapshot | None:
    """Read an observation; None when it is not one of the two dicts (a row after a pass, or junk)."""
    try:
        if not issubclass(type(observation), dict):  # isinstance() believes an object that lies about its class
            return None
        return _decode_k_in_a_row(observation) if "state_map" in observation else _decode_reversi(observation)
    except Exception:  # junk can raise anything
        return None


def is_row(observation: Any) -> bool:
    """Whether an observation looks like the row of the board that follows a pass."""
    try:
        return isinstance(observation, (list, tuple)) and len(observation) > 0
    except Exception:  # as above
        return False


def encode(cell: tuple[int, int], sizes: tuple[int, int]) -> list[list[int]]:
    """The two one-hot lists of (row, col); an index that does not fit its size becomes 0."""
    answer = []
    for index, size in zip(cell, sizes):
        one_hot = [0] * size
        one_hot[index if 0 <= index < size else 0] = 1
        answer.append(one_hot)
    return answer


def action_sizes(action_space: Any, snapshot: Snapshot | None) -> tuple[int, int]:
    """The lengths of the two one-hot lists: `.n` of the spaces, else the board's rows and columns, else USUAL_SIZE.

    The platform passes one player's pair of spaces. A list with the pairs of all players is accepted as well.
    """
    try:
        pair = action_space[0] if isinstance(action_space[0], (list, tuple)) else action_space
        rows, cols = pair
        return _sizes(rows.n, cols.n)
    except Exception:  # as above
        pass
    return (snapshot.rows, snapshot.cols) if snapshot else (USUAL_SIZE, USUAL_SIZE)


def _decode_k_in_a_row(observation: Any) -> Snapshot:
    board = observation["state_map"]
    rows, cols = _sizes(len(board), len(board[0]))
    cells = (cell for row in islice(board, rows + 1) for cell in islice(row, cols + 1))  # junk may have no end
    stones = bytes(STONES[cell[0] if hasattr(cell, "__len__") else cell] for cell in cells)
    return _checked(Snapshot(K_IN_A_ROW, rows, cols, stones, STONES[observation["chess_player_idx"]]))


def _decode_reversi(observation: Any) -> Snapshot:
    rows, cols = _sizes(observation["board_height"], observation["board_width"])
    if rows != cols:
        raise ValueError("a Reversi board is square")
    stones = bytearray(rows * cols)
    for stone in (1, 2):
        discs = list(islice(observation[stone], rows * cols + 1))  # as above
        if len(discs) > rows * cols:
            raise ValueError("more discs than cells")
        for row, col in discs:
            if not (0 <= row < rows and 0 <= col < cols):
                raise ValueError("a disc stands off the board")
            stones[row * cols + col] = stone
    return _checked(Snapshot(REVERSI, rows, cols, bytes(stones), STONES[observation["chess_player_idx"]]))


def _sizes(rows: Any, cols: Any) -> tuple[int, int]:
    if not (0 < rows <= MOST_SIZE and 0 < cols <= MOST_SIZE):  # before int(), which may take seconds
        raise ValueError("no board has such sizes")
    rows, cols = int(rows), int(cols)
    if not (0 < rows <= MOST_SIZE and 0 < cols <= MOST_SIZE):  # 0.5, or an object that lies
        raise ValueError("no board has such sizes")
    return rows, cols


def _checked(snapshot: Snapshot) -> Snapshot:
    if len(snapshot.stones) != snapshot.rows * snapshot.cols:
        raise ValueError("the board is not a rectangle")
    if not snapshot.player:
        raise ValueError("a player is neither 1 nor 2")
    return snapshot
