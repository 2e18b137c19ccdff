"""The games of rules.py as the searchers take them: played on, taken back, and worth something; for experiments.

Rows are tried on the cells near the stones, Reversi on all legal ones. What a position is worth is plain on purpose:

    rows      every run of cells that may still become a row counts by the stones in it
    Reversi   the weight map of report 000, and mobility; at the end the discs
"""

from typing import Hashable, List, Union

from . import searchers
from .disc_weights import DiscWeights
from .rules import DRAW, Position, Reversi, Rows, count
from .seed000 import MOBILITY, QUARTER

WIN = 10**6
PER_STONE = 8  # times as much for a run with one stone more, as each wants as many free cells less


class Played(searchers.Game):
    """A game of rules.py from some position on."""

    def __init__(self, rules: Union[Reversi, Rows], position: Position) -> None:
        self.rules = rules
        self.path = [position]

    @property
    def position(self) -> Position:
        """Where it stands."""
        return self.path[-1]

    def moves(self) -> List[int]:
        """Those of the rules."""
        return self.rules.moves(self.position)

    def play(self, move: int) -> None:
        """Make a legal move."""
        self.path.append(self.rules.play(self.position, move))

    def undo(self, move: int) -> None:
        """Take back the last move."""
        self.path.pop()

    def is_over(self) -> bool:
        """Whether the rules know a winner or a draw."""
        return self.rules.winner(self.position) is not None

    def key(self) -> Hashable:
        """The position itself."""
        return self.position


class PlayedReversi(Played):
    """Reversi; a value at the end is beyond all others, and greater by the lead."""

    def __init__(self, rules: Reversi, position: Position) -> None:
        super().__init__(rules, position)
        self.reversi = rules
        self.weights = DiscWeights(rules, QUARTER)

    def evaluate(self) -> int:
        """Weights and mobility, the own ones less the other's; at the end the lead in discs and WIN, 0 for a draw."""
        own, other, _ = self.position
        own_moves, other_moves = count(self.reversi.legal(own, other)), count(self.reversi.legal(other, own))
        if not own_moves and not other_moves:
            lead = count(own) - count(other)
            return lead + (WIN if lead > 0 else -WIN) if lead else 0
        return self.weights.total(own) - self.weights.total(other) + MOBILITY * (own_moves - other_moves)


class PlayedRows(Played):
    """A game of rows."""

    def __init__(self, rules: Rows, position: Position) -> None:
        super().__init__(rules, position)
        self.rows = rules

    def moves(self) -> List[int]:
        """The cells near the stones."""
        return self.rows.near(self.position)

    def evaluate(self) -> int:
        """-WIN after a row, or runs open to the side to move less those open to the other."""
        own, other, _ = self.position
        winner = self.rules.winner(self.position)
        if winner is not None:
            return 0 if winner == DRAW else -WIN
        return self.open_runs(own, other) - self.open_runs(other, own)

    def open_runs(self, own: int, other: int) -> int:
        """The runs of cells without a stone of `other`, each PER_STONE to the power of the own stones in it."""
        total, rows = 0, self.rows
        for step in rows.steps:
            open_at = free = rows.cells & ~other
            with_stones = [own & free]  # [k]: the runs that begin here have more than k own stones
            for i in range(1, rows.length):
                open_at &= free >> i * step
                with_stones = one_more(with_stones, own >> i * step)
            more = [open_at, *(open_at & runs for runs in with_stones)]
            exactly = [more[k] & ~more[k + 1] for k in range(rows.length)]
            total += sum(count(runs) * PER_STONE**k for k, runs in enumerate(exactly))
        return total


def one_more(with_stones: List[int], stones: int) -> List[int]:
    """The counts [k], as masks of where there are more than k, after `stones` have been added."""
    before = [-1, *with_stones, 0]  # everywhere are at least none
    return [before[k + 1] | before[k] & stones for k in range(len(with_stones) + 1)]


def played(rules: Union[Reversi, Rows], position: Position) -> Played:
    """The game of these rules from this position on."""
    return PlayedReversi(rules, position) if isinstance(rules, Reversi) else PlayedRows(rules, position)
