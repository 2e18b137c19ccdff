"""Names and numbers of cells, on boards with at most 26 columns.

A name such as h8 is the letter of the column, a at the left, and the number of the row, 1 at the top, as in Othello
transcripts and the files of c-gomoku-cli. A number is row * columns + column.

>>> name((7, 7)), cell("j10"), spelt([(7, 7), (8, 8)])
('h8', (9, 9), 'h8i9')
"""

import re
from collections.abc import Iterable, Sequence

from env_adapter import Cell

PASS = -1  # the number of a pass, and of a lost turn
LETTERS = "abcdefghijklmnopqrstuvwxyz"
NAME = re.compile(r"([a-z])([1-9][0-9]?)")


def number(cell: Cell | None, columns: int) -> int:
    """The number of a cell, row * columns + column; PASS for None."""
    return PASS if cell is None else cell[0] * columns + cell[1]


def numbered(number: int, columns: int) -> Cell | None:
    """The cell with a number; None for PASS."""
    return None if number == PASS else divmod(number, columns)


def name(cell: Cell) -> str:
    """The name of a cell, (row, col)."""
    return f"{LETTERS[cell[1]]}{cell[0] + 1}"


def cell(text: str) -> Cell | None:
    """The cell with a name; None if the text is no name. The cell may lie off the board."""
    match = NAME.fullmatch(text.strip().lower())
    return (int(match[2]) - 1, LETTERS.index(match[1])) if match else None


def written(cell: object) -> str:
    """The name of a cell, which may lie off the board. For any other value, its text."""
    if isinstance(cell, tuple) and len(cell) == 2 and all(type(part) is int for part in cell):
        row, col = cell
        if row >= 0 and 0 <= col < len(LETTERS):
            return name((row, col))
    return str(cell)


def last_played(cells: Sequence[Cell | None]) -> Cell | None:
    """The last cell that was played; None if all plies are passes or there are none."""
    return next(filter(None, reversed(cells)), None)


def spelt(cells: Iterable[Cell]) -> str:
    """The names of cells joined without separators."""
    return "".join(map(name, cells))
