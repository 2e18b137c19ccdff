"""Threats of five in a row, by the rule alone: a window is five cells in a line, and its stones are counted by colour.

This module takes only the constants BLACK and WHITE from the engine, so that its checks are independent.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from submission.boards import BLACK, WHITE

SIDE, FIVE = 15, 5
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
WEIGHTS = (1, 16)  # weight of a black and of a white stone; the sum in a window gives the number of each
WEIGHED = bytes.maketrans(bytes((1, 2)), bytes(WEIGHTS))
WINDOWS = np.array([  # the cells of each window
    [(row + i * down) * SIDE + col + i * right for i in range(FIVE)]
    for down, right in STEPS
    for row in range(SIDE)
    for col in range(SIDE)
    if row + (FIVE - 1) * down < SIDE and 0 <= col + (FIVE - 1) * right < SIDE
])  # fmt: skip


class FiveThreats:
    """The threats on a 15x15 board of bytes: 0 free, 1 black, 2 white."""

    def __init__(self, board: bytes) -> None:
        self.board = board
        self.sums = np.frombuffer(board.translate(WEIGHED), np.uint8)[WINDOWS].sum(1, dtype=np.uint8)

    def five_of(self, colour: int) -> bool:
        """Whether five stones of a colour stand in a row."""
        return bool((self.sums == FIVE * WEIGHTS[colour]).any())

    def fives(self, colour: int) -> set[int]:
        """The free cells where a stone of the colour makes five."""
        return {free for (free,) in self._free_cells(colour, FIVE - 1)}

    def fours(self, colour: int) -> dict[int, set[int]]:
        """For each cell where a stone of the colour makes a four: the cells that complete a five."""
        ends: dict[int, set[int]] = defaultdict(set)
        for one, other in self._free_cells(colour, FIVE - 2):
            ends[one].add(other)
            ends[other].add(one)
        return ends

    def defences(self) -> list[int]:
        """White's replies that stop Black's immediate win; only for White to move without a five of its own.

        After any other reply Black makes five at once, or two threats of five while White threatens none.
        """
        fives = self.fives(BLACK)
        if fives:
            return list(fives) if len(fives) == 1 else []
        free = {cell for cell, stone in enumerate(self.board) if not stone}
        doubles = [(cell, ends) for cell, ends in self.fours(BLACK).items() if len(ends) > 1]
        stops = [{cell, *ends} if len(ends) == 2 else {cell} for cell, ends in doubles]
        return sorted(free.intersection(*stops) | self.fours(WHITE).keys())

    def _free_cells(self, colour: int, stones: int) -> list[list[int]]:
        """The free cells of each window that holds this number of stones of the colour and none of the opponent's."""
        windows = WINDOWS[self.sums == stones * WEIGHTS[colour]].tolist()
        return [[cell for cell in window if not self.board[cell]] for window in windows]
