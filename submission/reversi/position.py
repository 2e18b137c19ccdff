"""A Reversi position for the search: two masks of discs, moves and flips by shifting whole masks, a plain evaluation.

Bit row * n + col. The masks are the mover's and the other side's, so a pass is an exchange and undo puts two ints back.
"""
from __future__ import annotations

from ..alphabeta import NEVER
from ..clock import Deadline

PASS = -1

# Value of discs by kind of square, and of one more legal move than the other side, in the unit of the evaluation.
CORNER, C_SQUARE, X_SQUARE, EDGE, MOBILITY = 120, -25, -60, 6, 9
FINAL = 100000          # a decided game is worth more than any evaluation,
DISC = 1000             # and each disc of the final difference so much on top


class Squares:
    """What all boards of one size share. Use `squares()` to get one."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.all = (1 << n * n) - 1
        left = sum(1 << row * n for row in range(n))
        inner = self.all & ~left & ~(left << n - 1)         # discs of the left and right rim turn up and down only
        self.rays = ((1, inner), (n, self.all), (n + 1, inner), (n - 1, inner))
        last = n - 1
        # Per corner: the corner, its two C squares and its X square.
        self.corners = [tuple(1 << abs(row - i) * n + abs(col - j) for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)))
                        for row in (0, last) for col in (0, last)]
        taken = 0
        for squares_ in self.corners:
            for bit in squares_:
                taken |= bit
        rim = left | left << last | (1 << n) - 1 | ((1 << n) - 1) << n * last
        self.edges = rim & ~taken
        self.rank = [self._rank(1 << cell) for cell in range(n * n)]

    def _rank(self, bit: int) -> int:
        """Place of a square in the order of moves: the better the square, the larger."""
        for corner, c_row, c_col, x in self.corners:
            for square, value in ((corner, CORNER), (c_row, C_SQUARE), (c_col, C_SQUARE), (x, X_SQUARE)):
                if bit == square:
                    return value
        return EDGE if bit & self.edges else 0


_SQUARES: dict[int, Squares] = {}


def squares(n: int) -> Squares:
    """The one shared Squares of a size, made on first need."""
    if n not in _SQUARES:
        _SQUARES[n] = Squares(n)
    return _SQUARES[n]


class Position:
    """What alphabeta.py asks of a position, for Reversi. Moves are cells, or PASS when the mover has none."""

    few, margins = 1, ((0, -NEVER),)

    def __init__(self, n: int, own: int, other: int, side: int) -> None:
        self.squares = squares(n)
        self.own, self.other, self.side = own, other, side
        self.history: list[tuple[int, int, int | None]] = []
        self._legal: int | None = None          # legal cells of the mover, once they have been asked for

    @classmethod
    def from_stones(cls, stones: bytes, n: int, side: int) -> Position:
        """Read n * n bytes, 0 free, 1 black, 2 white, row-major; `side` is 0 for black to move, 1 for white."""
        own = sum(1 << cell for cell, stone in enumerate(stones) if stone == side + 1)
        other = sum(1 << cell for cell, stone in enumerate(stones) if stone == 2 - side)
        return cls(n, own, other, side)

    @property
    def key(self) -> int:
        """The position itself as one int: equal keys are equal positions."""
        bits = self.squares.n * self.squares.n
        return (self.own << bits | self.other) << 1 | self.side

    def legal(self) -> int:
        """Mask of the mover's legal cells."""
        if self._legal is None:
            self._legal = self._legal_cells(self.own, self.other)
        return self._legal

    def play(self, move: int) -> None:
        """Play a legal cell or PASS (not checked)."""
        self.history.append((self.own, self.other, self._legal))
        flips = 0
        if move != PASS:
            flips = self._flips(move)
            self.own |= 1 << move
        self.own, self.other = self.other & ~flips, self.own | flips
        self.side = 1 - self.side
        self._legal = None

    def undo(self) -> None:
        """Take the last move back."""
        self.own, self.other, self._legal = self.history.pop()
        self.side = 1 - self.side

    def outcome(self) -> int | None:
        """Value of a finished game in the mover's view, ranked by the disc difference; None while somebody can move."""
        if self.legal() or self._legal_cells(self.other, self.own):
            return None
        difference = bin(self.own).count("1") - bin(self.other).count("1")
        return difference * DISC + (FINAL if difference > 0 else -FINAL if difference < 0 else 0)

    def forced(self) -> bool:
        """Tell whether the mover must pass."""
        return not self.legal()

    def quiet(self) -> bool:
        """Tell whether the mover need not pass."""
        return not self.forced()

    def forced_win(self, depth: int, deadline: Deadline) -> int:
        """Plies of a win by threats, as alphabeta.py asks for: none, Reversi has no threats."""
        return 0

    def forced_line(self, deadline: Deadline) -> list[int]:
        """The moves of a win by threats: none."""
        return []

    def plies_left(self) -> int:
        """Free cells; passes come on top, but a forced reply costs the search no depth."""
        return bin(self.squares.all & ~(self.own | self.other)).count("1")

    def moves(self) -> list[int]:
        """Legal cells, good squares first; [PASS] when there are none; [] when the game is over."""
        legal = self.legal()
        if not legal:
            return [PASS] if self._legal_cells(self.other, self.own) else []
        rank = self.squares.rank
        moves = []
        while legal:
            low = legal & -legal
            moves.append(low.bit_length() - 1)
            legal ^= low
        moves.sort(key=rank.__getitem__, reverse=True)
        return moves

    def root_moves(self, deadline: Deadline) -> list[int]:
        """The moves in no other order than elsewhere."""
        return self.moves()

    def evaluate(self) -> int:
        """Corners, the squares beside free corners, edges and mobility, in the mover's view."""
        own, other = self.own, self.other
        value = MOBILITY * (bin(self.legal()).count("1") - bin(self._legal_cells(other, own)).count("1"))
        for corner, c_row, c_col, x in self.squares.corners:
            if own & corner:
                value += CORNER
            elif other & corner:
                value -= CORNER
            else:
                c_squares = c_row | c_col
                value += C_SQUARE * (bin(own & c_squares).count("1") - bin(other & c_squares).count("1"))
                value += X_SQUARE * (bool(own & x) - bool(other & x))
        edges = self.squares.edges
        return value + EDGE * (bin(own & edges).count("1") - bin(other & edges).count("1"))

    def _legal_cells(self, own: int, other: int) -> int:
        """Cells from which a run of `other` leads straight to a disc of `own`: one ray at a time, all discs at once."""
        cells = 0
        for shift, through in self.squares.rays:
            between = other & through
            run = own << shift & between
            while run:
                run = run << shift
                cells |= run
                run &= between
            run = own >> shift & between
            while run:
                run = run >> shift
                cells |= run
                run &= between
        return cells & self.squares.all & ~(own | other)

    def _flips(self, move: int) -> int:
        """Discs that turn when the mover plays on a cell."""
        own, other = self.own, self.other
        flips = 0
        for shift, through in self.squares.rays:
            between = other & through
            for step in (shift, -shift):
                run = 0
                bit = 1 << move
                while True:
                    bit = bit << step if step > 0 else bit >> -step
                    if not bit & between:
                        break
                    run |= bit
                if bit & own:
                    flips |= run
        return flips
