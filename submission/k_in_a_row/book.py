"""White's opening book of gobang: the replies hardest for Black, in data/gobang_book.txt, by workshop/gobang/book.py.

A row is a position, its reply, and the value and depth of the search. A stone is a letter for the column and a number
for the row, from 1 at the top. Black's and White's stones alternate, each colour sorted by cell.
Of all positions that are equal but for a rotation, a reflection or a shift, the file holds one: the book form.
"""

from __future__ import annotations

import pkgutil
import re
from functools import lru_cache
from typing import Iterable, NamedTuple, Tuple

from ..lines import BLACK, WHITE, rotations

SIZE, IN_A_ROW = 15, 5  # the book's game
FILE = "data/gobang_book.txt"
FREE = 4  # rows (columns): stones at least this far from both edges may be shifted to other rows (columns)

Stones = Tuple[Tuple[int, ...], Tuple[int, ...]]  # cells of Black's stones and of White's, sorted


class BookReply(NamedTuple):
    """A move, and the value (in the mover's view) and depth of the search that found it."""

    move: int
    value: int
    depth: int


class Book:
    """Finds the reply to a board in any of its images: rotated, reflected, shifted."""

    def __init__(self) -> None:
        text = pkgutil.get_data(__package__.rpartition(".")[0], FILE)
        self.images = images(SIZE)
        self.replies = read((text or b"").decode("ascii"))
        self.most_stones = max((len(black) + len(white) for black, white in self.replies), default=0)

    def look_up(self, board: bytes) -> BookReply | None:
        """The reply to a board (0 empty, 1 black, 2 white, row-major); None if the book has none."""
        if len(board) - board.count(0) > self.most_stones:
            return None
        form, image = book_form(stones_on(board), self.images)
        reply = self.replies.get(form)
        return reply._replace(move=image.index(reply.move)) if reply and reply.move in image else None


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
    return min((_moved(stones, image), image) for image in images)


def book_form(stones: Stones, images: list[list[int]]) -> tuple[Stones, list[int]]:
    """The smallest of the images of a position whose stones are shifted to the middle, where FREE allows it.

    Also returns the map from the cells of the board to those of the book form; -1 for a cell that leaves the board.
    """
    form, image, rows, cols = min(_shifted(stones, image) for image in images)
    places = [divmod(cell, SIZE) for cell in image]
    inside = range(SIZE)
    return form, [
        (row + rows) * SIZE + col + cols if row + rows in inside and col + cols in inside else -1 for row, col in places
    ]


def _shifted(stones: Stones, image: list[int]) -> tuple[Stones, list[int], int, int]:
    """An image of the stones shifted to the middle, the image, and the shift in rows and in columns."""
    moved = [image[cell] for cells in stones for cell in cells]
    rows, cols = _shift(cell // SIZE for cell in moved), _shift(cell % SIZE for cell in moved)
    return _moved(stones, image, rows * SIZE + cols), image, rows, cols


def _moved(stones: Stones, image: list[int], shift: int = 0) -> Stones:
    """An image of the stones; `shift` is added to each cell."""
    black, white = stones
    return tuple(sorted(image[cell] + shift for cell in black)), tuple(sorted(image[cell] + shift for cell in white))


def _shift(numbers: Iterable[int]) -> int:
    """The shift that centres the rows or columns of the stones; 0 if they may not be shifted."""
    used = sorted(numbers)
    if not used or used[0] < FREE or used[-1] >= SIZE - FREE:
        return 0
    return (SIZE - 1 - used[0] - used[-1]) // 2


def _cells(text: str) -> list[int]:
    return [(int(row) - 1) * SIZE + ord(col) - ord("a") for col, row in re.findall(r"([a-z])([0-9]+)", text)]
