"""Positions of the proof: Black to move, each the canonical one of its eight images; and their names.

h8m14g7d4      Black's and White's stones in turn, each colour sorted by cell, not in the order of play
"""

from __future__ import annotations

import re
from functools import cache

from local_runner.game.coordinates import spelt
from submission.k_in_a_row.book import CELLS, SIZE, Stones, canonical, images
from workshop.gobang.book import add_stone, alternating
from workshop.gobang.game import to_opening

CELL = re.compile(r"([a-o])([0-9]+)")
IMAGES, MIDDLE = images(SIZE), CELLS // 2


def form_of(stones: Stones) -> Stones:
    """The canonical image of a position."""
    return canonical(stones, IMAGES)[0]


def after_reply(position: Stones, move: int, reply: int) -> Stones:
    """The canonical position after Black's move and White's reply."""
    return form_of(add_stone(add_stone(position, move), reply))


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
    return tuple(sorted(forms, key=lambda form: (-_distance(form[1][0]), form)))


def name_of(stones: Stones) -> str:
    """A position as text."""
    return cells_text(alternating(stones))


def stones_of(text: str) -> Stones:
    """The inverse of name_of()."""
    cells = cells_in(text)
    return tuple(sorted(cells[::2])), tuple(sorted(cells[1::2]))


def cells_text(cells: list[int]) -> str:
    return spelt(to_opening(cells))


def cells_in(text: str) -> list[int]:
    """The cells of a text such as h8i9."""
    return [(int(row) - 1) * SIZE + ord(col) - ord("a") for col, row in CELL.findall(text)]


def _distance(cell: int) -> int:
    """The larger of the distances in rows and in columns from the middle."""
    return max(abs(cell // SIZE - SIZE // 2), abs(cell % SIZE - SIZE // 2))
