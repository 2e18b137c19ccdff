"""Converts the platform's observations to boards, and moves to pairs of one-hot lists. Knows no rules of the games.

An observation is the platform's own object and must not be changed. An observation has one of these forms:

    gobang     {"state_map": rows x cols x [v], "chess_player_idx": 1 | 2, ...}      v: 0 free, 1 black, 2 white
    reversi    {1: {(row, col), ...}, 2: {...}, "chess_player_idx": 1 | 2, "board_width": n, "board_height": n}
    reversi, after a pass: one row of the board as a list, [[v], ...], which holds no useful information

The answer to the platform is [one_hot_row, one_hot_col], plain lists of ints with a single 1.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, NamedTuple

from .boards import K_IN_A_ROW, REVERSI

USUAL_SIZE = 15  # length of a one-hot list if neither the action space nor the observation gives one
MOST_SIZE = 100  # most rows or columns; an observation or action space with more is refused
STONES = {0: 0, 1: 1, 2: 2}  # a stone as plain int, also from 1.0 or numpy's 1; int() of a huge text takes seconds


class Snapshot(NamedTuple):
    """A board as the platform showed it to one player.

    family: K_IN_A_ROW or REVERSI; stones: rows * cols bytes, row-major, 0 free, 1 black, 2 white
    player: the player that the platform asks, 1 Black, 2 White (not always the side to move)
    """

    family: str
    rows: int
    cols: int
    stones: bytes
    player: int


def decode(observation: Any) -> Snapshot | None:
    """The board of an observation; None if the observation is the row after a pass, or malformed."""
    try:
        if not issubclass(type(observation), dict):  # isinstance() would trust a false __class__
            return None
        return _decode_k_in_a_row(observation) if "state_map" in observation else _decode_reversi(observation)
    except Exception:  # a malformed observation can raise any exception
        return None


def is_row(observation: Any) -> bool:
    """Whether an observation looks like the board row that the platform sends after a pass."""
    try:
        return isinstance(observation, (list, tuple)) and len(observation) > 0
    except Exception:  # a malformed observation can raise any exception
        return False


def encode(cell: tuple[int, int], sizes: tuple[int, int]) -> list[list[int]]:
    """The two one-hot lists of (row, col); an index beyond the end of its list becomes 0."""
    answer = []
    for index, size in zip(cell, sizes):
        one_hot = [0] * size
        one_hot[index if 0 <= index < size else 0] = 1
        answer.append(one_hot)
    return answer


def action_sizes(action_space: Any, snapshot: Snapshot | None) -> tuple[int, int]:
    """The lengths of the two one-hot lists: `.n` of the two spaces, else the board's rows and columns, else USUAL_SIZE.

    The platform passes one player's pair of spaces. A list with the pairs of all players is accepted as well.
    """
    try:
        pair = action_space[0] if isinstance(action_space[0], (list, tuple)) else action_space
        rows, cols = pair
        return _sizes(rows.n, cols.n)
    except Exception:  # a malformed action space can raise any exception
        pass
    return (snapshot.rows, snapshot.cols) if snapshot else (USUAL_SIZE, USUAL_SIZE)


def _decode_k_in_a_row(observation: Any) -> Snapshot:
    board = observation["state_map"]
    rows, cols = _sizes(len(board), len(board[0]))
    cells = (cell for row in islice(board, rows + 1) for cell in islice(row, cols + 1))  # ends endless rows
    stones = bytes(STONES[cell[0] if hasattr(cell, "__len__") else cell] for cell in cells)
    return _checked(Snapshot(K_IN_A_ROW, rows, cols, stones, STONES[observation["chess_player_idx"]]))


def _decode_reversi(observation: Any) -> Snapshot:
    rows, cols = _sizes(observation["board_height"], observation["board_width"])
    if rows != cols:
        raise ValueError("a Reversi board is square")
    stones = bytearray(rows * cols)
    for stone in (1, 2):
        discs = list(islice(observation[stone], rows * cols + 1))  # an endless iterator is cut off
        if len(discs) > rows * cols:
            raise ValueError("more discs than cells")
        for row, col in discs:
            if not (0 <= row < rows and 0 <= col < cols):
                raise ValueError("a disc stands off the board")
            stones[row * cols + col] = stone
    return _checked(Snapshot(REVERSI, rows, cols, bytes(stones), STONES[observation["chess_player_idx"]]))


def _sizes(rows: Any, cols: Any) -> tuple[int, int]:
    if not (0 < rows <= MOST_SIZE and 0 < cols <= MOST_SIZE):  # a text raises here: int() of a huge one takes seconds
        raise ValueError("no board has such sizes")
    rows, cols = int(rows), int(cols)
    if not (0 < rows <= MOST_SIZE and 0 < cols <= MOST_SIZE):  # int(0.5) is 0; int() of an odd object may be anything
        raise ValueError("no board has such sizes")
    return rows, cols


def _checked(snapshot: Snapshot) -> Snapshot:
    if len(snapshot.stones) != snapshot.rows * snapshot.cols:
        raise ValueError("the board is not a rectangle")
    if not snapshot.player:
        raise ValueError("a player is neither 1 nor 2")
    return snapshot
