"""The rules of both families of games on bit masks, for opponents that look ahead.

A set of cells is an int: cell (row, col) is bit `row * (width + 1) + col`. The one column too many stays empty, so that
what is shifted along a row, a column or a diagonal never goes on into the next row:

    0 1 2 .        a 3 x 3 board; the dots are bits 3, 7 and 11
    4 5 6 .
    8 9 10 .

A move is the mask of its one cell, and 0 is a pass. Positions are values, nothing is taken back. Knows no evaluation.
"""

import random
from typing import Iterator, List, NamedTuple, Optional, Union

from .observed import Cell, Seen, Stones

PASS = 0
DRAW = 0  # what `winner` says then; 1 is Black and 2 White
ROW_LENGTH = 5  # on boards that have room for it; on smaller ones a whole side, as at tic-tac-toe


class Position(NamedTuple):
    """The stones of the player to move, those of the other, and who is to move: 1 Black, 2 White."""

    own: int
    other: int
    player: int


class Board:
    """The cells of a board of `height` x `width` as bits."""

    def __init__(self, height: int, width: int) -> None:
        self.height = height
        self.width = width
        self.steps = (1, width + 1, width, width + 2)  # along a row, a column, and both diagonals
        self.cells = sum(self.bit((row, col)) for row in range(height) for col in range(width))

    def bit(self, cell: Cell) -> int:
        """The mask of one cell (row, col)."""
        return 1 << cell[0] * (self.width + 1) + cell[1]

    def cell(self, bit: int) -> Cell:
        """The (row, col) of a mask of one cell."""
        row, col = divmod(bit.bit_length() - 1, self.width + 1)
        return row, col

    def position(self, stones: Stones, player: int) -> Position:
        """The position on `stones[row][col]` (0 free, 1 black, 2 white) with `player` to move."""
        masks = [0, 0, 0]
        for row, line in enumerate(stones):
            for col, stone in enumerate(line):
                masks[stone] |= self.bit((row, col))
        return Position(masks[player], masks[3 - player], player)


class Reversi(Board):
    """Reversi on `size` x `size` cells: outflank and turn over, pass when stuck, most discs win."""

    def __init__(self, size: int) -> None:
        super().__init__(size, size)

    def legal(self, own: int, other: int) -> int:
        """All cells that the owner of `own` may play, as one mask."""
        free = self.cells & ~(own | other)
        found = 0
        for step in self.steps:
            run = own << step & other
            while run:
                run <<= step
                found |= run & free
                run &= other
            run = own >> step & other
            while run:
                run >>= step
                found |= run & free
                run &= other
        return found

    def flips(self, own: int, other: int, move: int) -> int:
        """The discs of `other` that playing `move` turns over; 0 if it may not be played."""
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

    def moves(self, position: Position) -> List[int]:
        """The legal moves, row by row; PASS alone where there are none. Asks not whether the game is over."""
        return list(bits(self.legal(position.own, position.other))) or [PASS]

    def play(self, position: Position, move: int) -> Position:
        """The position after a legal move or PASS."""
        own, other, player = position
        if not move:
            return Position(other, own, 3 - player)
        turned = self.flips(own, other, move)
        return Position(other ^ turned, own | move | turned, 3 - player)

    def winner(self, position: Position) -> Optional[int]:
        """1, 2 or DRAW once neither side can move, None before."""
        own, other, _ = position
        return None if self.legal(own, other) or self.legal(other, own) else self._leader(position)

    def finish(self, position: Position, dice: random.Random) -> int:
        """The winner, or DRAW, after moves at random to the end."""
        passes = 0
        while passes < 2:
            legal = self.legal(position.own, position.other)
            passes = 0 if legal else passes + 1
            position = self.play(position, dice.choice(list(bits(legal))) if legal else PASS)
        return self._leader(position)

    @staticmethod
    def _leader(position: Position) -> int:
        lead = count(position.own) - count(position.other)
        return DRAW if not lead else position.player if lead > 0 else 3 - position.player


class Rows(Board):
    """Put a stone on any free cell; `length` or more in a row win, a full board without is a draw."""

    def __init__(self, height: int, width: int, length: int) -> None:
        super().__init__(height, width)
        self.length = length

    def moves(self, position: Position) -> List[int]:
        """All free cells, row by row. Asks not whether the game is over."""
        return list(bits(self.cells & ~(position.own | position.other)))

    def near(self, position: Position) -> List[int]:
        """The free cells at most two from a stone, row by row; the centre on an empty board, all if none is near."""
        stones = spread = position.own | position.other
        if not stones:
            return [self.bit((self.height // 2, self.width // 2))]
        for _ in range(2):
            for step in self.steps:
                spread |= stones << step | stones >> step
            stones = spread = spread & self.cells
        return list(bits(spread & ~(position.own | position.other))) or self.moves(position)

    def play(self, position: Position, move: int) -> Position:
        """The position after a stone on a free cell."""
        return Position(position.other, position.own | move, 3 - position.player)

    def winner(self, position: Position) -> Optional[int]:
        """1, 2 or DRAW once the game is over, None before; looks for a row of the player who has just moved."""
        own, other, player = position
        if self.has_row(other):
            return 3 - player
        return None if (own | other) != self.cells else DRAW

    def finish(self, position: Position, dice: random.Random) -> int:
        """The winner, or DRAW, after moves at random to the end of a game that is not over."""
        own, other, player = position
        free = self.moves(position)
        dice.shuffle(free)
        for move in free:
            own |= move
            if self.has_row(own):
                return player
            own, other, player = other, own, 3 - player
        return DRAW

    def has_row(self, stones: int) -> bool:
        """Whether `length` of these are in a row."""
        for step in self.steps:
            rows = stones
            for _ in range(self.length - 1):
                rows &= rows >> step
            if rows:
                return True
        return False


def rules_for(seen: Seen) -> Union[Reversi, Rows]:
    """The rules of the game that is seen; how long a row must be follows from the board, as nobody says."""
    height, width = len(seen.stones), len(seen.stones[0])
    return Reversi(height) if seen.reversi else Rows(height, width, min(ROW_LENGTH, height, width))


def bits(mask: int) -> Iterator[int]:
    """The cells of a mask one by one, row by row."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def count(mask: int) -> int:
    """How many cells a mask has."""
    return bin(mask).count("1")
