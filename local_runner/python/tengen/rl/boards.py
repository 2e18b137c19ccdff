"""Many games at once: `Boards` plays thousands of moves per call in numpy, by the rules of the site's text.

Eight games share a byte: the arrays of stones have the shape (cells of a board with a border, ceil(number / 8)), and
game g has the bit 7 - g % 8 of column g // 8. So one shift and one AND work on all games. A shift by a direction is a
slice of the first axis; the border around the board keeps a line from going on in the next row.
"""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import numpy.typing as npt

from env_adapter import STATED, OptionError, make
from env_adapter.game import BLACK, DRAW, WHITE

LINES = ((0, 1), (1, -1), (1, 0), (1, 1))
DIRECTIONS = (*LINES, *((-down, -right) for down, right in LINES))
Bits = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]


class Boards:
    """`number` games of one kind, played in step; Black begins in each.

    game: a name such as "gobang_1v1". overrides: as for `env_adapter.make`, such as board_size=8.
    actions: the number of actions, rows * cols, and in Reversi one more, the pass.
    mover, winner, plies: arrays of shape (number,). winner: 0 while a game goes on, 1 Black, 2 White, 3 draw.
    over: shape (number,), whether the game has ended. A game that has ended ignores its actions until it is reset.

    Raises OptionError for an unknown game or override, and for a number below 1.
    """

    def __init__(self, game: str, number: int, **overrides: Any) -> None:
        if number < 1:
            raise OptionError("the number of boards must be at least 1, not {number}", number=number)
        referee = make(game, STATED, **overrides)
        self.number, self.rows, self.cols = number, referee.board_height, referee.board_width
        self.has_pass, self.in_a_row, self.most_plies = referee.has_pass, referee.setup.in_a_row, referee.max_step
        self.actions = self.rows * self.cols + self.has_pass
        self._width = self.cols + 2
        self._size = (self.rows + 2) * self._width
        inner = np.zeros((self.rows + 2, self._width), bool)
        inner[1:-1, 1:-1] = True
        self._places = np.flatnonzero(inner)  # cell of the board -> position with the border
        self._inside = np.where(inner.reshape(-1, 1), np.uint8(255), np.uint8(0))
        self._all = np.arange(number)
        stones = np.array(referee.stones())
        self._start = [(stones == stone).ravel() for stone in (BLACK, WHITE)]
        self._first = referee.chess_player
        groups = -(-number // 8)
        self._own, self._other = (np.zeros((self._size, groups), np.uint8) for _ in "bw")
        self.mover, self.winner = np.zeros(number, np.int8), np.zeros(number, np.int8)
        self.plies, self._passes = np.zeros(number, np.int32), np.zeros(number, np.int8)
        self.over = np.zeros(number, bool)
        self._legal: Mask | None = None  # shape (actions, number)
        self.reset()

    def reset(self, games: Mask | None = None) -> None:
        """Start new games: all, or those with True in `games`, an array of shape (number,)."""
        chosen = np.ones(self.number, bool) if games is None else games
        bits = np.packbits(chosen)
        first, second = self._start if self._first == BLACK else self._start[::-1]
        for stones, start in ((self._own, first), (self._other, second)):
            stones &= ~bits
            stones[self._places[start]] |= bits
        self.mover[chosen] = self._first
        for values in (self.winner, self.plies, self._passes, self.over):
            values[chosen] = 0
        self._legal = None

    def legal(self) -> Mask:
        """Shape (number, actions): the legal actions of the side to move; none in games that are over.

        The last action of Reversi, the pass, is legal where no cell is.
        """
        if self._legal is None:
            bits = self._legal_cells() if self.has_pass else ~(self._own | self._other)
            bits &= ~np.packbits(self.over)
            legal = np.empty((self.actions, self.number), bool)
            legal[: self.rows * self.cols] = self._unpacked(bits)
            if self.has_pass:
                some = np.unpackbits(np.bitwise_or.reduce(bits, axis=0), count=self.number).view(bool)
                legal[-1] = ~(some | self.over)
            self._legal = legal
        turned: Mask = self._legal.T
        return turned

    def play(self, actions: npt.ArrayLike) -> None:
        """Play one action in each game that goes on; shape (number,), a cell row * cols + col, or the pass.

        Raises ValueError if an action is illegal; then nothing is played.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.number,) or not np.issubdtype(chosen.dtype, np.integer):
            raise ValueError(f"actions must be {self.number} whole numbers, not {chosen.dtype} of shape {chosen.shape}")
        going = ~self.over
        inside = (chosen >= 0) & (chosen < self.actions)
        legal = inside & self.legal()[self._all, np.where(inside, chosen, 0)]
        if not legal[going].all():
            wrong = int(np.flatnonzero(going & ~legal)[0])
            raise ValueError(f"action {chosen[wrong]} is illegal in game {wrong}")
        stones = going & (chosen < self.rows * self.cols)
        moves = self._at(chosen, stones)
        if self.has_pass:
            turned = self._turned(moves)
            self._own |= turned
            self._other &= ~turned
        self._own |= moves
        self._own, self._other = self._other, self._own
        self.mover[going] = BLACK + WHITE - self.mover[going]
        self.plies += stones
        self._passes = np.where(stones, 0, self._passes + going).astype(np.int8)
        self._legal = None
        self._end()
        if not going.all():  # undo the exchange of own and opponent's stones in the games that are over
            back = (self._own ^ self._other) & ~np.packbits(going)
            self._own ^= back
            self._other ^= back

    def copies(self, games: npt.ArrayLike) -> Boards:
        """New boards with the positions of some games; shape (n,), their indices, each as often as it is given.

        >>> import numpy as np
        >>> boards = Boards("reversi_1v1", 2)
        >>> games, actions = np.nonzero(boards.legal())  # all moves of both games
        >>> after = boards.copies(games)
        >>> after.play(actions)
        >>> after.number
        8
        """
        chosen = np.asarray(games)
        new = copy(self)
        new.number, new._all = len(chosen), np.arange(len(chosen))
        new._legal = None if self._legal is None else self._legal.take(chosen, axis=1)
        new._own, new._other = (
            np.packbits(np.unpackbits(bits, axis=1, count=self.number).take(chosen, axis=1), axis=1)
            for bits in (self._own, self._other)
        )
        for name in ("mover", "winner", "plies", "_passes", "over"):
            setattr(new, name, getattr(self, name)[chosen])
        return new

    def stones(self) -> npt.NDArray[np.int8]:
        """Shape (number, rows, cols): 0 free, 1 Black, 2 White."""
        own, other = (self._unpacked(bits).view(np.int8) for bits in (self._own, self._other))
        stones = own * self.mover + other * (BLACK + WHITE - self.mover)
        return np.ascontiguousarray(stones.T).reshape(self.number, self.rows, self.cols)

    def planes(self) -> npt.NDArray[np.float32]:
        """Shape (number, 2, rows, cols), 0 or 1: the stones of the side to move, and those of its opponent."""
        planes = np.concatenate([self._unpacked(self._own), self._unpacked(self._other)])
        floats: npt.NDArray[np.float32] = planes.T.reshape(self.number, 2, self.rows, self.cols).astype(np.float32)
        return floats

    # ---- rules

    def _end(self) -> None:
        last_mover = BLACK + WHITE - self.mover
        if self.has_pass:
            own, other = (self._count(stones) for stones in (self._own, self._other))
            full = own + other == self.rows * self.cols
            ended = (own == 0) | (other == 0) | full | (self._passes >= 2) | (self.plies >= self.most_plies)
            winner = np.where(own == other, DRAW, np.where(own > other, self.mover, last_mover))
        else:
            lines = self._lines()
            ended = lines | (self.plies >= self.most_plies)
            winner = np.where(lines, last_mover, DRAW)
        new = ended & ~self.over
        self.winner[new] = winner[new]
        self.over |= new

    def _lines(self) -> Mask:
        mask = np.zeros(self._other.shape[1], np.uint8)
        for direction in LINES:
            line, length = self._other, 1
            while length < self.in_a_row:
                step = min(length, self.in_a_row - length)
                line, length = line & self._shifted(line, direction, step), length + step
            mask |= np.bitwise_or.reduce(line, axis=0)
        return np.unpackbits(mask, count=self.number).astype(bool)

    def _legal_cells(self) -> Bits:
        free = ~(self._own | self._other) & self._inside
        legal: Bits = np.zeros_like(free)
        for direction in DIRECTIONS:
            legal |= self._shifted(self._run(self._own, direction), direction) & free
        return legal

    def _turned(self, moves: Bits) -> Bits:
        turned = np.zeros_like(moves)
        for direction in DIRECTIONS:
            run = self._run(moves, direction)
            # Each game has one move, so its run flips if any own disc in that game stands at the end of a run.
            ends = np.bitwise_or.reduce(self._shifted(run, direction) & self._own, axis=0)
            turned |= run & ends
        return turned

    def _run(self, stones: Bits, direction: tuple[int, int]) -> Bits:
        """The opponent's discs that follow the stones in a direction without a gap."""
        run: Bits = self._shifted(stones, direction) & self._other
        for _ in range(max(self.rows, self.cols) - 3):
            run |= self._shifted(run, direction) & self._other
        return run

    # ---- bits

    def _shifted(self, bits: Bits, direction: tuple[int, int], steps: int = 1) -> Bits:
        """The stones moved by some steps in a direction; the border may hold some of them."""
        by = steps * (direction[0] * self._width + direction[1])
        moved = np.zeros_like(bits)
        if by > 0:
            moved[by:] = bits[:-by]
        else:
            moved[:by] = bits[-by:]
        return moved

    def _at(self, cells: npt.NDArray[Any], games: Mask) -> Bits:
        stones = np.zeros((self._size, self.number), bool)
        stones[self._places[cells[games]], self._all[games]] = True
        return np.packbits(stones, axis=1)

    def _unpacked(self, bits: Bits) -> Mask:
        """Shape (cells of the board, number)."""
        return np.unpackbits(bits[self._places], axis=1, count=self.number).view(bool)

    def _count(self, bits: Bits) -> npt.NDArray[np.int64]:
        return np.asarray(np.count_nonzero(self._unpacked(bits), axis=0))
