"""Positions of the proof: Black to move, the canonical one of eight images; and how those of gobang are written.

h8m14g7d4      Black and White in turn, each colour sorted by cell; an order of play it is not
"""

from __future__ import annotations

import re
from functools import cache

from local_runner.game.coordinates import spelt
from submission.k_in_a_row.book import SIZE, Stones, canonical, images
from submission.k_in_a_row.proved import CELLS
from submission.lines import DIRECTIONS
from workshop.gobang.book import add_stone, alternating
from workshop.gobang.game import IN_A_ROW, to_opening

CELL = re.compile(r"([a-o])([0-9]+)")


class Board:
    """A square board for five in a row, and its canonical positions."""

    def __init__(self, size: int) -> None:
        self.size, self.cells = size, size * size
        self.images = images(size)

    def form_of(self, stones: Stones) -> Stones:
        """The canonical image of a position."""
        return canonical(stones, self.images)[0]

    def after_reply(self, position: Stones, move: int, reply: int) -> Stones:
        """The canonical position after Black's move and White's reply."""
        return self.form_of(add_stone(add_stone(position, move), reply))

    def board_of(self, stones: Stones) -> bytes:
        """The board: 0 free, 1 black, 2 white."""
        board = bytearray(self.cells)
        for colour, cells in enumerate(stones, start=1):
            for cell in cells:
                board[cell] = colour
        return bytes(board)

    def makes_five(self, board: bytes, cell: int, stone: int) -> bool:
        """Whether a stone on this cell makes five or more in a row; nothing but the rule of the game."""
        row, col = divmod(cell, self.size)
        for down, right in DIRECTIONS:
            length = 1
            for way in (1, -1):
                r, c = row + way * down, col + way * right
                while 0 <= r < self.size and 0 <= c < self.size and board[r * self.size + c] == stone:
                    length, r, c = length + 1, r + way * down, c + way * right
            if length >= IN_A_ROW:
                return True
        return False


GOBANG = Board(SIZE)
IMAGES, MIDDLE = GOBANG.images, GOBANG.cells // 2
form_of, after_reply, board_of = GOBANG.form_of, GOBANG.after_reply, GOBANG.board_of


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
