"""The endgame solver's board: legal moves and a fixed move order.

A position is one int. The lowest bits of a position are Black's disc difference. Above these, each cell has two bits: 0
free, 1 black, 2 white. So a move is an addition. Three tables give the flips of a move on a cell: by the discs on the
row, on the column and on both diagonals. The tables are filled on first use. The rows (see below) are computed once for
each set of free cells. Rows of cells in odd regions come first (parity: the side that plays first in an odd region also
plays last in it).

    square    a cell and the side that plays on it: (FlipTable and its mask for each of PARTS, change of the position by
              the new disc, cell)
    set       [rows, number of free cells, their mask, side to move]; for two free cells a LastTwo
    row       [square, the set after the move, or None until it is first needed]
    move      (position after it, row)
"""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Tuple

from ..boards import BLACK, cells_of

MANY = 6  # with at least this many free cells, moves are ordered by the number of the opponent's replies
MOST_CONTENTS = 2000  # most entries in one table, 150 bytes each; a full table is emptied
MOST_SETS = 10000  # most sets of free cells, 1.5 kB each; if there are more, all are dropped before the next search

# Groups of directions, as (rows down, columns right). Each cell has one table per group.
PARTS = (((0, 1), (0, -1)), ((1, 0), (-1, 0)), ((1, 1), (-1, -1), (1, -1), (-1, 1)))

Square = Tuple[Any, ...]
FreeSet = Any
Row = List[Any]
Move = Tuple[int, Row]


class FlipTable(Dict[int, int]):
    """The discs on the rays from a cell -> change of the position by the discs that a move there flips; 0 for none.

    Args: side: the side that plays; rays: for each ray the bit positions of its cells, nearest first.
    """

    def __init__(self, side: int, rays: list[list[int]]) -> None:
        super().__init__()
        self.side, self.rays = side, rays
        self.mask = sum(3 << shift for ray in rays for shift in ray)

    def __missing__(self, contents: int) -> int:
        own, other = self.side + 1, 2 - self.side
        flipped = 0
        for ray in self.rays:
            run = 0
            for shift in ray:
                disc = contents >> shift & 3
                if disc != other:
                    flipped += run if disc == own else 0
                    break
                run += 1 << shift
        change = 2 * bin(flipped).count("1") - flipped  # for Black: each 2 becomes 1, the difference grows by 2
        if len(self) >= MOST_CONTENTS:
            self.clear()
        self[contents] = change = change if self.side == BLACK else -change
        return change


class LastCell(Dict[int, int]):
    """The discs on the lines through the last free cell -> change of the mover's disc difference by the last move.

    The change is negative if only the opponent can play there, and 0 if neither side can.

    Args: squares: the squares of the cell for the side to move and for the opponent; sign: 1 if Black is to move,
    else -1; score: mask of the disc difference.
    """

    def __init__(self, squares: tuple[Square, Square], sign: int, score: int) -> None:
        super().__init__()
        self.squares, self.sign, self.score = squares, sign, score
        self.mask = squares[0][1] | squares[0][3] | squares[0][5]

    def __missing__(self, contents: int) -> int:
        own_square, other_square = self.squares
        own = flipped_by(own_square, contents) * self.sign & self.score
        other = flipped_by(other_square, contents) * -self.sign & self.score
        if len(self) >= MOST_CONTENTS:
            self.clear()
        self[contents] = gain = own + 1 if own else -other - 1 if other else 0
        return gain


class LastTwo(NamedTuple):
    """The last two free cells.

    own, other: the moves of the mover and of the opponent. A move is (the cell's square, the LastCell of the other cell
    for the next side to move, the mask of that table)
    sign, zero: difference in the mover's view = (position & score) * sign + zero
    """

    own: tuple[Any, ...]
    other: tuple[Any, ...]
    sign: int
    zero: int
    score: int


def flipped_by(square: Square, board: int) -> int:
    """Change of the position by the discs that a move on the square flips; 0 if the move is illegal."""
    a, in_a, b, in_b, c, in_c, _, _ = square
    return a[board & in_a] + b[board & in_b] + c[board & in_c]


def legal_moves(board: int, rows: list[Row]) -> list[Move]:
    """The legal moves among the rows."""
    moves = []
    for row in rows:
        a, in_a, b, in_b, c, in_c, placed, _ = row[0]
        change = a[board & in_a] + b[board & in_b] + c[board & in_c]
        if change:
            moves.append((board + change + placed, row))
    return moves


def square_class(cell: int, n: int) -> int:
    """The class of a cell for the move order, from 0 (corner, the best) to 6 (X square, the worst)."""
    near, far = sorted(min(place, n - 1 - place) for place in divmod(cell, n))
    if (near, far) in ((0, 0), (0, 1), (1, 1)):
        return (0, 5, 6)[near + far]
    return (2 - (far == 2), 4)[near] if near < 2 else 3


def neighbours(cell: int, n: int) -> int:
    """Mask of the up to eight neighbours of a cell on an n x n board."""
    row, col = divmod(cell, n)
    return sum(
        1 << down * n + right
        for down in range(max(row - 1, 0), min(row + 2, n))
        for right in range(max(col - 1, 0), min(col + 2, n))
        if (down, right) != (row, col)
    )


class FreeCells:
    """The squares and sets (see the module) of an n x n board, each made on first need."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.bits = (2 * n * n).bit_length()  # number of bits of the disc difference
        self.score = (1 << self.bits) - 1  # mask of the disc difference
        self.zero = n * n  # added to the disc difference, so that it is never negative
        self.order: list[int] = []  # cells that may be free, the best square_class first
        self.corners = sum(1 << cell for cell in (0, n - 1, n * n - n, n * n - 1))
        self.near = {1 << cell: neighbours(cell, n) for cell in range(n * n)}
        self.squares: dict[int, Square] = {}
        self.lasts: dict[tuple[int, int], LastCell] = {}
        self.sets: dict[int, FreeSet] = {}

    def board(self, black: int, white: int) -> int:
        """The position of two masks of discs, bit row * n + col."""
        board = self.zero + bin(black).count("1") - bin(white).count("1")
        for colour, discs in enumerate((black, white), 1):
            board += sum(colour << self.bits + 2 * cell for cell in cells_of(discs))
        return board

    def difference(self, board: int, side: int) -> int:
        """Discs of `side` minus those of the opponent."""
        difference = (board & self.score) - self.zero
        return difference if side == BLACK else -difference

    def begin(self, free: int) -> None:
        """Prepare for positions whose free cells are a subset of `free`; drop all sets if they exceed MOST_SETS."""
        self.order = sorted(cells_of(free), key=lambda cell: square_class(cell, self.n))
        if len(self.sets) > MOST_SETS:
            self.sets.clear()

    def rows(self, free: int, side: int) -> list[Row]:
        """A row for each free cell, in cell order."""
        return [[self.square(cell, side), None] for cell in cells_of(free)]

    def get(self, free: int, side: int) -> FreeSet:
        """The set of two or more free cells with `side` to move."""
        key = free << 1 | side
        free_set = self.sets.get(key)
        if free_set is None:
            cells = [cell for cell in self.order if free >> cell & 1]
            if len(cells) == 2:
                free_set = self._pair(cells, side)
            else:
                odd = self._odd(free) if len(cells) < MANY else 0
                cells.sort(key=lambda cell: not odd >> cell & 1)
                free_set = [[[self.square(cell, side), None] for cell in cells], len(cells), free, side]
            self.sets[key] = free_set
        return free_set

    def _pair(self, cells: list[int], side: int) -> LastTwo:
        def in_turn(mover: int) -> tuple[Any, ...]:
            lasts = [self.last(cell, 1 - mover) for cell in reversed(cells)]
            return tuple((self.square(cell, mover), last, last.mask) for cell, last in zip(cells, lasts))

        sign = 1 if side == BLACK else -1
        return LastTwo(in_turn(side), in_turn(1 - side), sign, -sign * self.zero, self.score)

    def _odd(self, free: int) -> int:
        """Mask of the free cells in regions of odd size; cells of a region touch by a side or a corner."""
        near = self.near
        odd = 0
        while free:
            todo = region = free & -free
            free ^= region
            count = 0
            while todo:
                cell = todo & -todo
                reached = near[cell] & free
                free ^= reached
                region |= reached
                todo ^= cell | reached
                count += 1
            if count & 1:
                odd |= region
        return odd

    def last(self, cell: int, side: int) -> LastCell:
        """The LastCell table of a cell, with `side` to move."""
        key = cell, side
        if key not in self.lasts:
            squares = self.square(cell, side), self.square(cell, 1 - side)
            self.lasts[key] = LastCell(squares, 1 if side == BLACK else -1, self.score)
        return self.lasts[key]

    def square(self, cell: int, side: int) -> Square:
        """The square (see the module) of a cell for a move of `side`."""
        key = cell << 1 | side
        if key not in self.squares:
            square: list[Any] = []
            for part in PARTS:
                rays = [ray for step in part for ray in [self._ray(cell, step)] if len(ray) > 1]
                table = FlipTable(side, rays)
                square += [table, table.mask]
            disc = side + 1 << self.bits + 2 * cell
            self.squares[key] = (*square, disc + (1 if side == BLACK else -1), cell)
        return self.squares[key]

    def _ray(self, cell: int, step: tuple[int, int]) -> list[int]:
        """The bit positions of the cells from a cell to the edge in one direction, nearest first."""
        row, col = divmod(cell, self.n)
        down, right = step
        ray = []
        row, col = row + down, col + right
        while 0 <= row < self.n and 0 <= col < self.n:
            ray.append(self.bits + 2 * (row * self.n + col))
            row, col = row + down, col + right
        return ray
