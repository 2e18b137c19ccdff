"""Tic-tac-toe solved by an exhaustive search, to test agents and books against.

A position is a string of nine characters, row by row: X and O are stones, `.` is a free cell.
"""

from functools import cache


def put(cells: str, at: int, mark: str) -> str:
    """The position after a stone on a cell."""
    return cells[:at] + mark + cells[at + 1 :]


@cache
def solved(cells: str, mover: str) -> int:
    """The result for the side to move with best play: 1, 0 or -1."""
    lines = [cells[i : i + 3] for i in (0, 3, 6)] + [cells[i::3] for i in (0, 1, 2)] + [cells[::4], cells[2:7:2]]
    other = "XO"[mover == "X"]
    if other * 3 in lines:
        return -1
    return max((-solved(put(cells, i, mover), other) for i in range(9) if cells[i] == "."), default=0)
