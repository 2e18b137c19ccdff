"""Replies to the first stones, found by long searches beforehand: data/gobang_book.txt, by workshop/gobang_book.py.

A row is a position, its reply, and what the search made of it (value, depth). A stone is a letter for the column and a
number for the row, from 1 at the top; Black's stones and White's take turns, each in the order of their cells, and -
is the empty board. Boards that are turned or mirrored are one: of the eight images the file has the canonical form,
whose cells come first.
"""
from __future__ import annotations

import pkgutil
import re
from functools import lru_cache
from typing import NamedTuple, Tuple

from ..lines import BLACK, WHITE, turns

SIZE, IN_A_ROW = 15, 5              # of the game that the book is for
FILE = "data/gobang_book.txt"

Stones = Tuple[Tuple[int, ...], Tuple[int, ...]]            # cells of Black's stones and of White's, each in order


class Reply(NamedTuple):
    """The move in a position, and the search it comes from: its value in the mover's view, and its depth."""

    move: int
    value: int
    depth: int


class Book:
    """The replies, read when they are first asked for."""

    def __init__(self) -> None:
        text = pkgutil.get_data(__package__.rpartition(".")[0], FILE)
        self.images = images(SIZE)
        self.replies = read((text or b"").decode("ascii"))
        self.most_stones = max((len(black) + len(white) for black, white in self.replies), default=0)

    def look_up(self, board: bytes) -> Reply | None:
        """The reply to a board (0 empty, 1 black, 2 white, row-major); None where the book has none."""
        if len(board) - board.count(0) > self.most_stones:
            return None
        black, white = (tuple(cell for cell, stone in enumerate(board) if stone == colour + 1)
                        for colour in (BLACK, WHITE))
        form, image = canonical((black, white), self.images)
        reply = self.replies.get(form)
        return reply and reply._replace(move=image.index(reply.move))


@lru_cache(maxsize=None)
def book() -> Book:
    """The one Book."""
    return Book()


def read(text: str) -> dict[Stones, Reply]:
    """The replies that the text of a file holds, by the canonical forms of positions."""
    replies = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            position, move, value, depth = line.split()
            cells = _cells(position)
            replies[tuple(cells[::2]), tuple(cells[1::2])] = Reply(_cells(move)[0], int(value), int(depth))
    return replies


def images(size: int) -> list[list[int]]:
    """The eight symmetries of a square board: of each, where every cell goes. One of them leaves all where they are."""
    mirrored = [cell + size - 1 - 2 * (cell % size) for cell in range(size * size)]
    return [image for turn in turns(size) for image in (turn, [turn[cell] for cell in mirrored])]


def canonical(stones: Stones, images: list[list[int]]) -> tuple[Stones, list[int]]:
    """The least image of a position, and a symmetry that leads to it."""
    black, white = stones
    return min(((tuple(sorted(image[cell] for cell in black)), tuple(sorted(image[cell] for cell in white))), image)
               for image in images)


def _cells(text: str) -> list[int]:
    return [(int(row) - 1) * SIZE + ord(col) - ord("a") for col, row in re.findall(r"([a-z])([0-9]+)", text)]
