"""White's opening book of gobang: the replies hardest for Black, in data/gobang_book.txt, by workshop/gobang/book.py.

A row is a position, its reply, and the value and depth of the search. A stone is a letter for the column and a number
for the row, from 1 at the top. Black's and White's stones alternate, each colour sorted by cell.
Of the eight symmetric images of a position the file holds only the smallest, the canonical form.
"""

from __future__ import annotations

import pkgutil
import re
from functools import lru_cache
from typing import NamedTuple, Tuple

from ..lines import BLACK, WHITE, rotations

SIZE, IN_A_ROW = 15, 5  # the book's game
FILE = "data/gobang_book.txt"

Stones = Tuple[Tuple[int, ...], Tuple[int, ...]]  # cells of Black's stones and of White's, sorted


class BookReply(NamedTuple):
    """A move, and the value (in the mover's view) and depth of the search that found it."""

    move: int
    value: int
    depth: int


class Book:
    """Finds the reply to a board in any of its eight symmetric images."""

    def __init__(self) -> None:
        text = pkgutil.get_data(__package__.rpartition(".")[0], FILE)
        self.images = images(SIZE)
        self.replies = read((text or b"").decode("ascii"))
        self.most_stones = max((len(black) + len(white) for black, white in self.replies), default=0)

    def look_up(self, board: bytes) -> BookReply | None:
        """The reply to a board (0 empty, 1 black, 2 white, row-major); None if the book has none."""
        if len(board) - board.count(0) > self.most_stones:
            return None
        form, image = canonical(stones_on(board), self.images)
        reply = self.replies.get(form)
        return reply and reply._replace(move=image.index(reply.move))


@lru_cache(maxsize=None)
def book() -> Book:
    """The book, read on first use."""
    return Book()


def read(text: str) -> dict[Stones, BookReply]:
    """Read the text of a book file: replies by canonical position."""
    replies = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            position, move, value, depth = line.split()
            cells = _cells(position)
            replies[tuple(cells[::2]), tuple(cells[1::2])] = BookReply(_cells(move)[0], int(value), int(depth))
    return replies


def stones_on(board: bytes) -> Stones:
    """The stones of a board (0 empty, 1 black, 2 white, row-major)."""
    black, white = (tuple(cell for cell, stone in enumerate(board) if stone == colour + 1) for colour in (BLACK, WHITE))
    return black, white


def images(size: int) -> list[list[int]]:
    """The eight symmetries of a square board. Item i of an image is the cell to which cell i is mapped."""
    mirrored = [cell + size - 1 - 2 * (cell % size) for cell in range(size * size)]
    return [image for rotation in rotations(size) for image in (rotation, [rotation[cell] for cell in mirrored])]


def canonical(stones: Stones, images: list[list[int]]) -> tuple[Stones, list[int]]:
    """The smallest image of a position, and the symmetry that maps the position to it."""
    black, white = stones
    return min(
        ((tuple(sorted(image[cell] for cell in black)), tuple(sorted(image[cell] for cell in white))), image)
        for image in images
    )


def _cells(text: str) -> list[int]:
    return [(int(row) - 1) * SIZE + ord(col) - ord("a") for col, row in re.findall(r"([a-z])([0-9]+)", text)]
