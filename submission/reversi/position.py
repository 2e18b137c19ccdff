"""A Reversi board for the search. Moves are cells, or PASS when the mover has no legal cell."""

from __future__ import annotations

from typing import Callable, List, Optional

from ..boards import BLACK, cells_of
from ..search.clock import Deadline
from ..search.searchable import Evaluated
from .board import PASS, ReversiBoard
from .parameters import EVALUATORS, ReversiParameters

FINAL = 100000  # base value of a won game, greater than any evaluation
DISC = 1000  # added to FINAL for each disc of the final difference


def final_value(difference: int) -> int:
    """The value of a finished game by the disc difference."""
    return difference * DISC + (FINAL if difference > 0 else -FINAL if difference < 0 else 0)


class ReversiPosition(ReversiBoard, Evaluated):
    """A board that the search can use; see searchable.py."""

    parameters: ReversiParameters

    def __init__(self, n: int, parameters: Optional[ReversiParameters] = None) -> None:
        self.parameters = parameters = parameters or ReversiParameters()
        evaluator = EVALUATORS[parameters.evaluator]
        super().__init__(n, evaluator)
        self.use(evaluator(self))
        self.probcut_depths = (0, *parameters.probcut_depths)

    def set_up(self, stones: bytes, side: int) -> None:
        """Set the board: n * n bytes, row-major, 0 free, 1 black, 2 white. `side` to move: 0 Black, 1 White."""
        black, white = (sum(1 << cell for cell, stone in enumerate(stones) if stone == colour) for colour in (1, 2))
        self.set_discs(black, white, side)

    def set_discs(self, black: int, white: int, side: int) -> None:
        super().set_discs(black, white, side)
        self.evaluator.reset()

    @classmethod
    def from_stones(
        cls, stones: bytes, n: int, side: int, parameters: Optional[ReversiParameters] = None
    ) -> ReversiPosition:
        """A position of n x n bytes, as for set_up()."""
        position = cls(n, parameters)
        position.set_up(stones, side)
        return position

    @classmethod
    def start(cls, n: int) -> ReversiPosition:
        """The start position: four discs, Black to move."""
        high = n * (n // 2) + n // 2
        low = high - n
        position = cls(n)
        position.set_discs(1 << low | 1 << high - 1, 1 << low - 1 | 1 << high, BLACK)
        return position

    # ---- the core

    @property
    def key(self) -> int:
        """The whole position as one int, so that different positions have different keys."""
        black, white = self.discs
        return (black << self.geometry.cells | white) << 1 | self.side

    def outcome(self) -> Optional[int]:
        """Value of a finished game in the mover's view, by the disc difference; None while a side can move."""
        if self.legal:
            return None
        black, white = self.discs
        difference = bin(black).count("1") - bin(white).count("1")
        return final_value(difference if self.side == BLACK else -difference)

    def moves(self, depth: int = 0) -> List[int]:
        """Legal cells, best first; [PASS] when there are none; [] when the game is over.

        The cells are sorted by the rank of the square. With at least `ordered_depth` plies left, the number of replies
        counts too. With at least `valued_depth` plies left, the value after the move also counts.
        """
        moves = cells_of(self.legal_cells(self.side))
        if not moves:
            return [PASS] if self.legal else []
        rank: Callable[[int], int] = self.geometry.rank.__getitem__
        if depth >= self.parameters.valued_depth:
            rank = self._rank_by_value
        elif depth >= self.parameters.ordered_depth:
            rank = self._rank_by_replies
        moves.sort(key=rank, reverse=True)
        return moves

    def _rank_by_replies(self, cell: int) -> int:
        self.play(cell)
        replies = bin(self.legal_cells(self.side)).count("1")
        self.undo()
        return self.geometry.rank[cell] - self.parameters.reply_rank * replies

    def _rank_by_value(self, cell: int) -> int:
        """_rank_by_replies times the value of a disc, plus `value_rank` times the value after the move."""
        self.play(cell)
        replies, value = bin(self.legal_cells(self.side)).count("1"), -self.evaluate()
        self.undo()
        rank = self.geometry.rank[cell] - self.parameters.reply_rank * replies
        return rank * self.evaluator.unit + value * self.parameters.value_rank

    # ---- tactics

    def forced(self) -> bool:
        """Whether the mover must pass."""
        return not self.legal_cells(self.side)

    def quiet(self) -> bool:
        """Whether the mover need not pass, and neither side has so few discs that it may be wiped out."""
        black, white = self.discs
        few = self.parameters.few_discs
        return not self.forced() and bin(black).count("1") > few < bin(white).count("1")

    def plies_left(self) -> int:
        """The number of free cells. Passes are not counted: a forced reply costs the search no depth."""
        black, white = self.discs
        return self.geometry.cells - bin(black | white).count("1")

    def root_moves(self, moves: List[int], deadline: Deadline) -> List[int]:
        """The moves, sorted by _rank_by_value; of moves with equal ranks, the lower cell comes first."""
        return sorted(sorted(moves), key=self._rank_by_value, reverse=True)

    def probcut_margin(self) -> int:
        return round(self.parameters.probcut_margin * self.evaluator.deviation())
