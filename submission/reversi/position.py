"""The judgement of a Reversi board for the search. Moves are cells, or PASS when the mover has none."""
from __future__ import annotations

from operator import itemgetter

from ..alphabeta import NEVER, late_move_reductions
from ..clock import Deadline
from ..lines import BLACK, cells_of
from .board import PASS, Board
from .evaluation import UNIT
from .weights import STAGES

VALUES = [itemgetter(stage) for stage in range(STAGES)]     # of a node
FINAL = 100000          # a decided game is worth more than any evaluation,
DISC = 1000             # and each disc of the final difference so much on top

FEW_DISCS = 8
ORDERED_DEPTH = 3       # from which on the order of moves pays for a look at the replies,
REPLY = 30              # each of which costs a move so much of its square's rank

# By depth, a smaller one that says nearly the same, and by stage how nearly, in standard deviations of the difference
# (workshop/reversi_probcut.py measures them).
SHALLOW = (0, 0, 0, 1, 2, 1, 2, 3, 4, 3, 4, 5, 6)
DEVIATION = [round((0.7 + 0.66 * stage) * UNIT) for stage in range(STAGES)]
SPARE = 0.5             # of a deviation, beyond the window
SHALLOWER = [tuple((depth, round(SPARE * deviation)) for depth in SHALLOW) for deviation in DEVIATION]


def worth(difference: int) -> int:
    """The value of a game that ends with so many discs more than the other side's."""
    return difference * DISC + (FINAL if difference > 0 else -FINAL if difference < 0 else 0)


class Position(Board):
    """A board that the search can ask; see alphabeta.py."""

    few, margins, reductions, fallen = 1, ((0, -NEVER),), late_move_reductions(1.6), None

    @property
    def shallower(self) -> tuple[tuple[int, int], ...]:
        """What stands for a search in full, as alphabeta.py asks for."""
        black, white = self.discs
        return SHALLOWER[self.geometry.evaluation.stages[bin(black | white).count("1")]]

    def escapes(self, moves: list[int], deadline: Deadline) -> list[int]:
        """None: moves() are all there are."""
        return []

    @classmethod
    def from_stones(cls, stones: bytes, n: int, side: int) -> Position:
        """Read n * n bytes, 0 free, 1 black, 2 white, row-major; `side` is 0 for black to move, 1 for white."""
        position = cls(n)
        black, white = (sum(1 << cell for cell, stone in enumerate(stones) if stone == colour) for colour in (1, 2))
        position.set_up(black, white, side)
        return position

    @classmethod
    def start(cls, n: int) -> Position:
        """The four discs that a game begins with, Black to move."""
        high = n * (n // 2) + n // 2
        low = high - n
        position = cls(n)
        position.set_up(1 << low | 1 << high - 1, 1 << low - 1 | 1 << high, BLACK)
        return position

    @property
    def key(self) -> int:
        """The position itself as one int: equal keys are equal positions."""
        black, white = self.discs
        return (black << self.geometry.cells | white) << 1 | self.side

    def outcome(self) -> int | None:
        """Value of a finished game in the mover's view, ranked by the disc difference; None while somebody can move."""
        if self.legal:
            return None
        black, white = self.discs
        difference = bin(black).count("1") - bin(white).count("1")
        return worth(difference if self.side == BLACK else -difference)

    def forced(self) -> bool:
        """Tell whether the mover must pass."""
        return not self.legal_cells(self.side)

    def quiet(self) -> bool:
        """Tell whether the mover need not pass, and neither side has so few discs that it may soon have none."""
        black, white = self.discs
        return not self.forced() and bin(black).count("1") > FEW_DISCS < bin(white).count("1")

    def forced_win(self, depth: int, deadline: Deadline) -> int:
        """Plies of a win by threats, as alphabeta.py asks for: none, Reversi has no threats."""
        return 0

    def forced_line(self, deadline: Deadline) -> list[int]:
        """The moves of a win by threats: none."""
        return []

    def plies_left(self) -> int:
        """Free cells; passes come on top, but a forced reply costs the search no depth."""
        black, white = self.discs
        return self.geometry.cells - bin(black | white).count("1")

    def moves(self, depth: int = 0) -> list[int]:
        """Legal cells, best first; [PASS] when there are none; [] when the game is over.

        Good squares are best, and with ORDERED_DEPTH left those, too, that leave the other side few replies.
        """
        moves = cells_of(self.legal_cells(self.side))
        if not moves:
            return [PASS] if self.legal else []
        merit = self.geometry.rank.__getitem__ if depth < ORDERED_DEPTH else self._merit
        moves.sort(key=merit, reverse=True)
        return moves

    def _merit(self, cell: int) -> int:
        self.play(cell)
        replies = bin(self.legal_cells(self.side)).count("1")
        self.undo()
        return self.geometry.rank[cell] - REPLY * replies

    def root_moves(self, deadline: Deadline) -> list[int]:
        """The moves, in the order of the deep nodes."""
        return self.moves(ORDERED_DEPTH)

    def evaluate(self, low: int = -NEVER, high: int = NEVER) -> int:
        """The value of the lists, of the turn and of each legal move more than the other side has, for the mover.

        Never a bound: no part of it is slow enough to be spared.
        """
        black, white = self.discs
        discs = bin(black | white).count("1")
        side = self.side
        _, stages, turn, mobility = self.geometry.evaluation
        value = sum(map(VALUES[stages[discs]], self.nodes))
        more = bin(self.legal_cells(side)).count("1") - bin(self.legal_cells(1 - side)).count("1")
        return (value if side == BLACK else -value) + turn[discs] + mobility[discs] * more
