"""Boards as text for the tests: X black, O white, . free; other marks are free cells, such as * for a wanted move."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any, NamedTuple

import submission.submission as upload
from submission.boards import BLACK, WHITE
from submission.k_in_a_row.parameters import KInARowParameters
from submission.k_in_a_row.position import KInARowPosition

from .naive_line import windows

SYMBOLS = {"X": 1, "O": 2}


class Drawn(NamedTuple):
    """A board read from a drawing: its stones row-major, its size, and the cells marked with *."""

    stones: bytes
    rows: int
    cols: int
    marked: set[int]


def draw(text: str) -> Drawn:
    """Read a drawing: a line per row, or rows apart by /; spaces are left out."""
    rows = [line.replace(" ", "") for line in text.strip().replace("/", "\n").splitlines()]
    symbols = "".join(rows)
    stones = bytes(SYMBOLS.get(symbol, 0) for symbol in symbols)
    return Drawn(stones, len(rows), len(rows[0]), {i for i, symbol in enumerate(symbols) if symbol == "*"})


def drawings(text: str) -> dict[str, str]:
    """Drawings by name. They stand side by side, in blocks apart by empty lines: names, then rows, separated by |."""
    by_name = {}
    for block in text.strip().split("\n\n"):
        for name, *rows in zip_longest(*(line.split("|") for line in block.splitlines()), fillvalue=""):
            by_name[name.strip()] = "\n".join(row.strip() for row in rows if row.strip())
    return by_name


def padded(drawn: Drawn, size: int = 15) -> Drawn:
    """The drawing put into the middle of a size x size board."""
    top, left = (size - drawn.rows) // 2, (size - drawn.cols) // 2
    places = [(row + top) * size + col + left for row in range(drawn.rows) for col in range(drawn.cols)]
    stones = bytearray(size * size)
    for place, stone in zip(places, drawn.stones):
        stones[place] = stone
    return Drawn(bytes(stones), size, size, {places[cell] for cell in drawn.marked})


def five_in_a_row(drawn: Drawn, side: int = BLACK, parameters: KInARowParameters | None = None) -> KInARowPosition:
    """The position of a drawn board."""
    position = KInARowPosition(drawn.rows, drawn.cols, 5, parameters)
    position.set_up(drawn.stones, side)
    return position


def both_colours(drawing: str, size: int = 0) -> list[tuple[Drawn, KInARowPosition]]:
    """A drawing with X to move and its copy with exchanged colours, each with its position; `size` of padded() or 0."""
    pairs = []
    for side, text in ((BLACK, drawing), (WHITE, drawing.translate(str.maketrans("XOxo", "OXox")))):
        drawn = padded(draw(text), size) if size else draw(text)
        pairs.append((drawn, five_in_a_row(drawn, side)))
    return pairs


class Space:
    """The platform's Discrete, as far as the upload may use it."""

    def __init__(self, n) -> None:
        self.n = n


def call(observation: Any, rows: int = 15, cols: int = 15) -> list[int]:
    """Call the upload as the platform does, check the answer's form, and return [row, col]."""
    return checked(upload.my_controller(observation, [Space(rows), Space(cols)], False), [rows, cols])


def checked(answer: Any, sizes: list[int] | None = None) -> list[int]:
    """The [row, col] of an answer: two one-hot lists of plain ints, of these sizes if given, else of at most 100."""
    assert type(answer) is list and len(answer) == 2
    for one_hot in answer:
        assert type(one_hot) is list and {type(item) for item in one_hot} == {int}
        assert sorted(one_hot) == [0] * (len(one_hot) - 1) + [1] and len(one_hot) <= 100
    assert sizes in (None, [len(one_hot) for one_hot in answer])
    return [one_hot.index(1) for one_hot in answer]


def k_in_a_row_observation(stones: bytes, rows: int, cols: int, player: int) -> dict:
    """The platform's observation in a k-in-a-row game."""
    return {
        "state_map": [[[stones[row * cols + col]] for col in range(cols)] for row in range(rows)],
        "chess_player_idx": player,
        "board_width": cols,
        "board_height": rows,
    }


def reversi_observation(stones: bytes, n: int, player: int) -> dict:
    """The platform's observation in Reversi."""
    return {
        1: {divmod(i, n) for i, stone in enumerate(stones) if stone == 1},
        2: {divmod(i, n) for i, stone in enumerate(stones) if stone == 2},
        "chess_player_idx": player,
        "board_width": n,
        "board_height": n,
    }


def reversi_start(n: int) -> bytes:
    """The board of Reversi with the four discs of the start."""
    stones = bytearray(n * n)
    low, high = n // 2 - 1, n // 2
    stones[low * n + low] = stones[high * n + high] = 2
    stones[low * n + high] = stones[high * n + low] = 1
    return bytes(stones)


def completes(stones: bytes, rows: int, cols: int, k: int) -> list[int]:
    """The colours (1, 2) that have k or more stones in a row, found by looking at each run of k cells."""
    runs = windows(rows, cols, k)
    return [colour for colour in (1, 2) if any(all(stones[cell] == colour for cell in run) for run in runs)]
