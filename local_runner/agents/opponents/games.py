"""The games of rules.py with a simple evaluation, as `SearchGame` objects for searchers.py; for experiments.

The search tries only cells near the stones in k in a row, and all legal moves in Reversi. The evaluations:

    k in a row   a window (k cells in a line) with n own stones and no opposing stone counts 8^n
    Reversi      the weight map of report 000, and mobility; at the end of the game the disc difference
"""

from typing import Hashable, List

from . import searchers
from .disc_weights import DiscWeights
from .rules import DRAW, KInARowRules, MaskPosition, ReversiRules, Rules, count
from .seed000 import MOBILITY, QUARTER

WIN = 10**6
PER_STONE = 8  # each own stone in a window multiplies the window's value by this


class SearchedGame(searchers.SearchGame):
    """A game of rules.py, starting from a given position."""

    def __init__(self, rules: Rules, position: MaskPosition) -> None:
        self.rules = rules
        self.path = [position]

    @property
    def position(self) -> MaskPosition:
        """The current position."""
        return self.path[-1]

    def moves(self) -> List[int]:
        return self.rules.moves(self.position)

    def play(self, move: int) -> None:
        self.path.append(self.rules.play(self.position, move))

    def undo(self, move: int) -> None:
        self.path.pop()

    def is_over(self) -> bool:
        return self.rules.winner(self.position) is not None

    def key(self) -> Hashable:
        return self.position


class SearchedReversi(SearchedGame):
    """Reversi. A won game is worth WIN plus the disc difference, a lost game the negative of that."""

    def __init__(self, rules: ReversiRules, position: MaskPosition) -> None:
        super().__init__(rules, position)
        self.reversi = rules
        self.weights = DiscWeights(rules, QUARTER)

    def evaluate(self) -> int:
        """Weights and mobility of the side to move, minus the opponent's weights and mobility.

        At the end of the game: the disc difference plus WIN for a win or minus WIN for a loss; 0 for a draw.
        """
        own, other, _ = self.position
        own_moves, other_moves = count(self.reversi.legal(own, other)), count(self.reversi.legal(other, own))
        if not own_moves and not other_moves:
            lead = count(own) - count(other)
            return lead + (WIN if lead > 0 else -WIN) if lead else 0
        return self.weights.total(own) - self.weights.total(other) + MOBILITY * (own_moves - other_moves)


class SearchedKInARow(SearchedGame):
    """k in a row. The moves are the cells near the stones."""

    def __init__(self, rules: KInARowRules, position: MaskPosition) -> None:
        super().__init__(rules, position)
        self.k_in_a_row = rules

    def moves(self) -> List[int]:
        return self.k_in_a_row.near(self.position)

    def evaluate(self) -> int:
        """-WIN if the opponent has won, 0 for a draw, else the value of own windows minus that of the opponent's."""
        own, other, _ = self.position
        winner = self.rules.winner(self.position)
        if winner is not None:
            return 0 if winner == DRAW else -WIN
        return self.open_windows(own, other) - self.open_windows(other, own)

    def open_windows(self, own: int, other: int) -> int:
        """The sum over all windows without a stone of `other` of PER_STONE ** (number of own stones in the window)."""
        total, rules = 0, self.k_in_a_row
        for step in rules.steps:
            open_at = free = rules.cells & ~other
            with_stones = [own & free]  # with_stones[n]: the first cells of windows with more than n own stones
            for i in range(1, rules.k):
                open_at &= free >> i * step
                with_stones = one_more(with_stones, own >> i * step)
            at_least = [open_at, *(open_at & windows for windows in with_stones)]
            exactly = [at_least[n] & ~at_least[n + 1] for n in range(rules.k)]
            total += sum(count(windows) * PER_STONE**n for n, windows in enumerate(exactly))
        return total


def one_more(with_stones: List[int], stones: int) -> List[int]:
    """Update `with_stones` for one more cell of each window; `stones` marks windows with an own stone there."""
    before = [-1, *with_stones, 0]  # -1 is all bits: every window has at least 0 stones
    return [before[n + 1] | before[n] & stones for n in range(len(with_stones) + 1)]


def searched_game(rules: Rules, position: MaskPosition) -> SearchedGame:
    """The game of these rules, starting from this position."""
    return SearchedReversi(rules, position) if isinstance(rules, ReversiRules) else SearchedKInARow(rules, position)
