"""Positions of the book and of the proof: the sorted cells of Black's and of White's stones; and their names.

h8m14g7d4      Black's and White's stones in turn, each colour sorted by cell, not in the order of play

A position of the proof has Black to move, and is the canonical one of its eight images.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import zip_longest

from local_runner.game.coordinates import spelt
from submission.boards import WHITE
from submission.k_in_a_row.book import CELLS, SIZE, Stones, canonical, images, stones_on, with_stone

CELL = re.compile(r"([a-o])([0-9]+)")
IMAGES = images(SIZE)
MIDDLE = CELLS // 2  # Black's first stone


def form_of(stones: Stones) -> Stones:
    """The canonical image of a position."""
    return canonical(stones, IMAGES)[0]


def stones_after(moves: list[int]) -> Stones:
    """The stones after these moves from the empty board."""
    return tuple(sorted(moves[::2])), tuple(sorted(moves[1::2]))


def add_stone(stones: Stones, cell: int) -> Stones:
    """The position after one more stone of the side to move."""
    black, white = stones
    if len(black) == len(white):
        return tuple(sorted((*black, cell))), white
    return black, tuple(sorted((*white, cell)))


def count_stones(stones: Stones) -> int:
    """The number of stones of both colours."""
    return sum(map(len, stones))


def alternating(stones: Stones) -> list[int]:
    """The stones as moves: Black's and White's in turn."""
    return [cell for pair in zip_longest(*stones) for cell in pair if cell is not None]


def after_reply(position: Stones, move: int, reply: int) -> Stones:
    """The canonical position after Black's move and White's reply."""
    return form_of(add_stone(add_stone(position, move), reply))


def form_after(board: bytes, cell: int) -> Stones:
    """The canonical position after White's stone on a cell of this board."""
    return form_of(stones_on(with_stone(board, cell, WHITE)))


def board_of(stones: Stones) -> bytes:
    """The board: 0 free, 1 black, 2 white."""
    board = bytearray(CELLS)
    for colour, cells in enumerate(stones, start=1):
        for cell in cells:
            board[cell] = colour
    return bytes(board)


@cache
def second_moves() -> tuple[Stones, ...]:
    """The 35 positions after Black's first stone in the middle and a white stone, the nearest ones last."""
    forms = dict.fromkeys(form_of(((MIDDLE,), (cell,))) for cell in range(CELLS) if cell != MIDDLE)

    def place(form: Stones) -> tuple[int, Stones]:
        """By the larger of the distances in rows and in columns from the middle."""
        row, col = divmod(form[1][0], SIZE)
        return -max(abs(row - SIZE // 2), abs(col - SIZE // 2)), form

    return tuple(sorted(forms, key=place))


def name_of(stones: Stones) -> str:
    """A position as text."""
    return cells_text(alternating(stones))


def stones_of(text: str) -> Stones:
    """The inverse of name_of()."""
    return stones_after(cells_in(text))


def cells_text(cells: Iterable[int]) -> str:
    return spelt([divmod(cell, SIZE) for cell in cells])


def cells_in(text: str) -> list[int]:
    """The cells of a text such as h8i9."""
    return [(int(row) - 1) * SIZE + ord(col) - ord("a") for col, row in CELL.findall(text)]
