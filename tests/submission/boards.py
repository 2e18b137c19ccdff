"""Boards as text for the tests: X black, O white, . free; other marks (a * for an expected cell, say) are free, too."""

from __future__ import annotations

from typing import NamedTuple

SYMBOLS = {"X": 1, "O": 2}


class Drawn(NamedTuple):
    """A board read from a drawing: its stones row-major, its size, and the cells marked with *."""

    stones: bytes
    rows: int
    cols: int
    marked: set[int]


def draw(text: str) -> Drawn:
    """Read a drawing: a line per row, or rows apart by /; spaces are left out.

    >>> draw('''
    ... X . O
    ... . * .
    ... ''')
    Drawn(stones=b'\\x01\\x00\\x02\\x00\\x00\\x00', rows=2, cols=3, marked={4})
    """
    rows = [line.replace(" ", "") for line in text.strip().replace("/", "\n").splitlines()]
    symbols = "".join(rows)
    stones = bytes(SYMBOLS.get(symbol, 0) for symbol in symbols)
    return Drawn(stones, len(rows), len(rows[0]), {i for i, symbol in enumerate(symbols) if symbol == "*"})


def padded(drawn: Drawn, size: int = 15) -> Drawn:
    """The drawing put into the middle of a size x size board."""
    top, left = (size - drawn.rows) // 2, (size - drawn.cols) // 2
    stones = bytearray(size * size)
    for cell, stone in enumerate(drawn.stones):
        stones[_shifted(cell, drawn.cols, top, left, size)] = stone
    return Drawn(bytes(stones), size, size, {_shifted(cell, drawn.cols, top, left, size) for cell in drawn.marked})


def k_in_a_row_observation(stones: bytes, rows: int, cols: int, player: int) -> dict:
    """What the platform shows in a k-in-a-row game."""
    return {
        "state_map": [[[stones[row * cols + col]] for col in range(cols)] for row in range(rows)],
        "chess_player_idx": player,
        "board_width": cols,
        "board_height": rows,
    }


def reversi_observation(stones: bytes, n: int, player: int) -> dict:
    """What the platform shows in Reversi."""
    return {
        1: {divmod(i, n) for i, stone in enumerate(stones) if stone == 1},
        2: {divmod(i, n) for i, stone in enumerate(stones) if stone == 2},
        "chess_player_idx": player,
        "board_width": n,
        "board_height": n,
    }


def reversi_start(n: int) -> bytes:
    """The four discs of the start."""
    stones = bytearray(n * n)
    low, high = n // 2 - 1, n // 2
    stones[low * n + low] = stones[high * n + high] = 2
    stones[low * n + high] = stones[high * n + low] = 1
    return bytes(stones)


def completes(stones: bytes, rows: int, cols: int, k: int) -> list[int]:
    """Colours (1, 2) that have k or more in a row somewhere: the naive rule, cell by cell."""
    winners = []
    for colour in (1, 2):
        for cell in range(rows * cols):
            row, col = divmod(cell, cols)
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                run = [(row + i * down, col + i * right) for i in range(k)]
                if all(0 <= r < rows and 0 <= c < cols and stones[r * cols + c] == colour for r, c in run):
                    winners.append(colour)
    return sorted(set(winners))


def _shifted(cell: int, cols: int, top: int, left: int, size: int) -> int:
    row, col = divmod(cell, cols)
    return (row + top) * size + col + left
