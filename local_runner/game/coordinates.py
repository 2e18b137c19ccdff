"""Names of cells: a letter for the column, a from the left, and the number of the row, 1 at the top, such as h8.

Othello transcripts, the files of c-gomoku-cli and our books of openings use them. A board has at most 26 columns.

>>> name((7, 7)), cell("j10"), spelt([(7, 7), (8, 8)])
('h8', (9, 9), 'h8i9')
"""

import re
from collections.abc import Iterable

from local_runner.game.records import Cell

LETTERS = "abcdefghijklmnopqrstuvwxyz"
NAME = re.compile(r"([a-z])([1-9][0-9]?)")
PAIR = re.compile(r"(\(row, col\) = )?\((\d+), (\d+)\)")
ANY_NAME = re.compile(r"([a-z])([0-9]{1,3})")  # of a cell that need not be on any board


def name(cell: Cell) -> str:
    """The name of a cell, (row, col)."""
    return f"{LETTERS[cell[1]]}{cell[0] + 1}"


def cell(text: str) -> Cell | None:
    """The cell of a name, which need not be on the board; None if the text is no name."""
    found = NAME.fullmatch(text.strip().lower())
    return cell_of(found) if found else None


def cell_of(found: re.Match[str]) -> Cell:
    """The cell of a match of `NAME` or `ANY_NAME`."""
    return int(found[2]) - 1, LETTERS.index(found[1])


def with_names(text: str, both: str) -> str:
    """A text with the names of cells instead of (row, col); instead of "(row, col) = ..." both, as the template says.

    >>> with_names("(7, 3), (7, 7)", ""), with_names("(row, col) = (7, 3)", "{name} (row {row})")
    ('d8, h8', 'd8 (row 7)')
    """

    def named(found: re.Match[str]) -> str:
        row, col = int(found[2]), int(found[3])
        if col >= len(LETTERS):
            return found[0]
        spelling = name((row, col))
        return both.format(name=spelling, row=row, col=col) if found[1] else spelling

    return PAIR.sub(named, text)


def spelt(cells: Iterable[Cell]) -> str:
    """The names of cells one after the other."""
    return "".join(map(name, cells))
