"""Piece-square weights for Reversi, on boards of any even size, from a weight map of the 8x8 board.

The map lists one quarter of the 8x8 board, with the corner first; the other quarters mirror it. On another size, a cell
takes the weight of the 8x8 cell with the same distances to its two nearest edges; distances of 3 and more count as 3.
So corners, X squares (diagonally next to a corner), C squares (next to a corner on the edge) and edges keep their
weights.
"""

from operator import getitem
from typing import Sequence

from .observed import MaskBoard

BYTE = 256


class DiscWeights:
    """Sums the weights of a mask of cells, with one look-up table for each byte of the mask."""

    def __init__(self, board: MaskBoard, quarter: Sequence[Sequence[int]]) -> None:
        last = len(quarter) - 1
        self._size = (board.cells.bit_length() + 7) // 8  # bytes in a mask
        weights = [0] * (self._size * 8)
        for row in range(board.height):
            for col in range(board.width):
                down, right = min(row, board.height - 1 - row), min(col, board.width - 1 - col)
                weights[board.bit((row, col)).bit_length() - 1] = quarter[min(down, last)][min(right, last)]
        self._tables = []
        for place in range(0, len(weights), 8):
            table = [0]
            for byte in range(1, BYTE):  # the table already holds the byte without its lowest bit
                table.append(table[byte & byte - 1] + weights[place + (byte & -byte).bit_length() - 1])
            self._tables.append(table)

    def total(self, mask: int) -> int:
        """The sum of the weights over the cells of a mask."""
        return sum(map(getitem, self._tables, mask.to_bytes(self._size, "little")))
