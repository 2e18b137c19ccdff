"""Moves as the user gives them, and the names of cells.

>>> cells_of("h8i9"), cells_of(["h8", (8, 8), "pass"]), cells_of((7, 7))
(((7, 7), (8, 8)), ((7, 7), (8, 8), None), ((7, 7),))
"""

import operator
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from local_runner.errors import RunnerError
from local_runner.game import coordinates
from local_runner.game.move_text import read_moves
from local_runner.game.records import Cell
from local_runner.language.languages import _
from local_runner.language.text import shortened

PASS = "pass"
Move = str | tuple[int, int] | None  # "h8" or (row, column) from 0; "pass" or None
Moves = Move | Iterable[Move]  # a text may hold several moves: "h8i9h9"


def cell(name: str) -> tuple[int, int]:
    """The row and column, counted from 0, of the cell with a name.

    Raises:
        TengenError: The text is no name of a cell.

    Examples:
        >>> cell("h8"), cell("a10")
        ((7, 7), (9, 0))
    """
    place = coordinates.cell(name)
    if place is None:
        raise RunnerError(_("{text} is no cell; write a cell such as h8").format(text=repr(shortened(name))))
    return place


def name(cell: tuple[int, int] | None) -> str:
    """The name of a cell, given as (row, column) from 0; `"pass"` for None.

    Raises:
        TengenError: The row is below 0, or the column is not 0 to 25.

    Examples:
        >>> name((7, 7)), name((9, 0)), name(None)
        ('h8', 'a10', 'pass')
    """
    if cell is None:
        return PASS
    row, col = cell
    if row < 0 or not 0 <= col < len(coordinates.LETTERS):
        raise RunnerError(_("{cell} has no name; a board has at most 26 rows and columns").format(cell=cell))
    return coordinates.name((row, col))


def cells_of(moves: Any) -> tuple[Cell | None, ...]:
    """The cells of moves, None for a pass. Raises RunnerError for anything that is no move."""
    if moves is None:
        return (None,)
    if isinstance(moves, str):
        reading = read_moves(moves)
        if reading.rest:
            sentence = _("{text} cannot be read as moves from {rest} on; write moves such as h8h9i9, or (row, column)")
            raise RunnerError(sentence.format(text=repr(shortened(moves)), rest=repr(shortened(reading.rest[:20]))))
        return reading.cells
    try:
        items = list(moves)
    except TypeError:
        sentence = _("{text} is no move; write moves such as h8h9i9, or (row, column)")
        raise RunnerError(sentence.format(text=repr(moves))) from None
    with suppress(TypeError, ValueError):
        row, col = map(operator.index, items)
        return ((row, col),)
    return tuple(cell for item in items for cell in cells_of(item))


def names_of(cells: Iterable[Cell | None]) -> tuple[str, ...]:
    """The names of cells, `"pass"` for None."""
    return tuple(PASS if cell is None else coordinates.name(cell) for cell in cells)
