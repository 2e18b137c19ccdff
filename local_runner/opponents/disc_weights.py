"""What a disc is worth by where it lies at Reversi, on boards of any even size, from a map of the 8x8 board.

A map is one quarter of the 8x8 board, corner first; the others mirror it. On another board a cell takes the weight of
the 8x8 cell that lies as far from the two nearest edges, of which three cells and more are the same: corners, X squares
next to them on the diagonal, C squares next to them on the edge, and the edges keep their meaning.
"""

from operator import getitem
from typing import Sequence

from .rules import Board

BYTE = 256


class DiscWeights:
    """The weights of a board's cells, ready to be added up over a mask of cells: a table for each byte of it."""

    def __init__(self, board: Board, quarter: Sequence[Sequence[int]]) -> None:
        last = len(quarter) - 1
        self._size = (board.cells.bit_length() + 7) // 8  # bytes of a mask
        weights = [0] * (self._size * 8)
        for row in range(board.height):
            for col in range(board.width):
                down, right = min(row, board.height - 1 - row), min(col, board.width - 1 - col)
                weights[board.bit((row, col)).bit_length() - 1] = quarter[min(down, last)][min(right, last)]
        self._tables = []
        for place in range(0, len(weights), 8):
            table = [0]
            for byte in range(1, BYTE):  # without its lowest bit the byte is in the table already
                table.append(table[byte & byte - 1] + weights[place + (byte & -byte).bit_length() - 1])
            self._tables.append(table)

    def total(self, mask: int) -> int:
        """The sum over the cells of a mask."""
        return sum(map(getitem, self._tables, mask.to_bytes(self._size, "little")))
