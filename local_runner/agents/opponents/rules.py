"""The rules of Reversi and k in a row on bit masks, for opponents that search.

A set of cells is an int: cell (row, col) is bit `row * (width + 1) + col`. One extra column stays empty, so that a
shift along a row, a column or a diagonal never reaches the next row:

    0 1 2 .        a 3 x 3 board; the dots are bits 3, 7 and 11
    4 5 6 .
    8 9 10 .

A move is the mask of one cell; 0 is a pass. Positions are immutable: playing a move makes a new position.
"""

import random
from typing import Iterator, List, NamedTuple, Optional, Union

from .observed import Cell, Seen, Stones

PASS = 0
DRAW = 0  # result of `winner` and `finish`; 1 is Black, 2 is White
USUAL_K = 5  # stones in a row; a board with a shorter side, such as tic-tac-toe, needs as many as that side has cells


class MaskPosition(NamedTuple):
    """The stones of the side to move, the opponent's stones, and the side to move (1 Black, 2 White)."""

    own: int
    other: int
    player: int


class MaskBoard:
    """The cells of a board of `height` x `width` as bits."""

    def __init__(self, height: int, width: int) -> None:
        self.height = height
        self.width = width
        self.steps = (1, width + 1, width, width + 2)  # along a row, a column, and both diagonals
        self.cells = sum(self.bit((row, col)) for row in range(height) for col in range(width))

    def bit(self, cell: Cell) -> int:
        """The mask of the cell (row, col)."""
        return 1 << cell[0] * (self.width + 1) + cell[1]

    def cell(self, bit: int) -> Cell:
        """The (row, col) of a mask of one cell."""
        row, col = divmod(bit.bit_length() - 1, self.width + 1)
        return row, col

    def position(self, stones: Stones, player: int) -> MaskPosition:
        """The position on `stones[row][col]` (0 free, 1 Black, 2 White) with `player` to move."""
        masks = [0, 0, 0]
        for row, line in enumerate(stones):
            for col, stone in enumerate(line):
                masks[stone] |= self.bit((row, col))
        return MaskPosition(masks[player], masks[3 - player], player)


class ReversiRules(MaskBoard):
    """Reversi on `size` x `size` cells."""

    def __init__(self, size: int) -> None:
        super().__init__(size, size)

    def legal(self, own: int, other: int) -> int:
        """The mask of all legal moves of the side with the discs `own`."""
        free = self.cells & ~(own | other)
        legal = 0
        for step in self.steps:
            run = own << step & other
            while run:
                run <<= step
                legal |= run & free
                run &= other
            run = own >> step & other
            while run:
                run >>= step
                legal |= run & free
                run &= other
        return legal

    def flips(self, own: int, other: int, move: int) -> int:
        """The mask of the discs of `other` that the move flips; 0 for an illegal move."""
        turned = 0
        for step in self.steps:
            caught, at = 0, move << step
            while at & other:
                caught |= at
                at <<= step
            if at & own:
                turned |= caught
            caught, at = 0, move >> step
            while at & other:
                caught |= at
                at >>= step
            if at & own:
                turned |= caught
        return turned

    def moves(self, position: MaskPosition) -> List[int]:
        """The legal moves, row by row; only PASS if there are none. Does not check whether the game is over."""
        return list(bits(self.legal(position.own, position.other))) or [PASS]

    def play(self, position: MaskPosition, move: int) -> MaskPosition:
        """The position after a legal move or PASS."""
        own, other, player = position
        if not move:
            return MaskPosition(other, own, 3 - player)
        turned = self.flips(own, other, move)
        return MaskPosition(other ^ turned, own | move | turned, 3 - player)

    def winner(self, position: MaskPosition) -> Optional[int]:
        """1, 2 or DRAW if neither side can move, else None."""
        own, other, _ = position
        return None if self.legal(own, other) or self.legal(other, own) else self._leader(position)

    def finish(self, position: MaskPosition, rng: random.Random) -> int:
        """Play random moves to the end of the game; returns the winner or DRAW."""
        passes = 0
        while passes < 2:
            legal = self.legal(position.own, position.other)
            passes = 0 if legal else passes + 1
            position = self.play(position, rng.choice(list(bits(legal))) if legal else PASS)
        return self._leader(position)

    @staticmethod
    def _leader(position: MaskPosition) -> int:
        lead = count(position.own) - count(position.other)
        return DRAW if not lead else position.player if lead > 0 else 3 - position.player


class KInARowRules(MaskBoard):
    """A stone goes on any free cell; `k` or more in a row win, and a full board without a row is a draw."""

    def __init__(self, height: int, width: int, k: int) -> None:
        super().__init__(height, width)
        self.k = k

    def moves(self, position: MaskPosition) -> List[int]:
        """All free cells, row by row. Does not check whether the game is over."""
        return list(bits(self.cells & ~(position.own | position.other)))

    def near(self, position: MaskPosition) -> List[int]:
        """The free cells at most two king's moves from a stone, row by row.

        On an empty board: the centre. If no free cell is near a stone: all free cells.
        """
        stones = spread = position.own | position.other
        if not stones:
            return [self.bit((self.height // 2, self.width // 2))]
        for _ in range(2):
            for step in self.steps:
                spread |= stones << step | stones >> step
            stones = spread = spread & self.cells
        return list(bits(spread & ~(position.own | position.other))) or self.moves(position)

    def play(self, position: MaskPosition, move: int) -> MaskPosition:
        """The position after a stone on a free cell."""
        return MaskPosition(position.other, position.own | move, 3 - position.player)

    def winner(self, position: MaskPosition) -> Optional[int]:
        """1, 2 or DRAW if the game is over, else None. Only the stones of the side that moved last are checked."""
        own, other, player = position
        if self.has_k_in_a_row(other):
            return 3 - player
        return None if (own | other) != self.cells else DRAW

    def finish(self, position: MaskPosition, rng: random.Random) -> int:
        """Play random moves to the end of a game that is not over; returns the winner or DRAW."""
        own, other, player = position
        free = self.moves(position)
        rng.shuffle(free)
        for move in free:
            own |= move
            if self.has_k_in_a_row(own):
                return player
            own, other, player = other, own, 3 - player
        return DRAW

    def has_k_in_a_row(self, stones: int) -> bool:
        """Whether at least `k` of these stones are in a row."""
        for step in self.steps:
            rows = stones
            for _ in range(self.k - 1):
                rows &= rows >> step
            if rows:
                return True
        return False


Rules = Union[ReversiRules, KInARowRules]


def rules_for(seen: Seen) -> Rules:
    """The rules for a position. An observation does not contain k, so k = min(USUAL_K, height, width)."""
    height, width = len(seen.stones), len(seen.stones[0])
    return ReversiRules(height) if seen.reversi else KInARowRules(height, width, min(USUAL_K, height, width))


def bits(mask: int) -> Iterator[int]:
    """The one-cell masks of the cells in a mask, row by row."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def count(mask: int) -> int:
    """The number of cells in a mask."""
    return bin(mask).count("1")
