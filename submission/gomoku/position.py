"""The judgement of a board for the search: what is decided, what must be answered, which cells are worth a look.

It sees one stone deeper than the board says, by the threat classes of the two colours (the mover's first):

    mover completes five                                          won in 1
    the other side completes five in two cells                    lost in 2;  in one cell: the only move
    mover makes an open four, or two fours with one stone         won in 3
    mover makes two of four and open three with one stone,
    and the other side has no four to make                        won in 5
    the other side would make an open four, or two fours          only his four cells and fours of one's own can help

"Can help" is a superset on purpose: the search refutes what does not.
"""
from __future__ import annotations

from ..alphabeta import WIN
from ..lines import BLACK, cells_of
from .board import Board
from .patterns import CLASSES, FOUR, OPEN_FOUR, OPEN_THREE

WIDTH = 24              # cells looked at in a quiet position
FEW = 5                 # so few cells are offered only where a four must be stopped
# Evaluation, in the unit of patterns.WINDOW_VALUE; to the mover's credit or debit.
TEMPO = 12              # having the move
MAKES_THREE = 8         # a cell that makes an open three
UNDER_THREAT = 90       # the other side would make an open four


class Position(Board):
    """A board that the search can ask; see alphabeta.py."""

    few = FEW

    def __init__(self, rows: int, cols: int, k: int) -> None:
        super().__init__(rows, cols, k)
        self._judged: tuple[int, ...] | None = None          # the totals that the fields below belong to
        self._outcome: int | None = None
        self._forced = 0
        self._own = self._other = 0

    def outcome(self) -> int | None:
        """Value of a decided position in the mover's view (WIN minus the plies to the end), None while it is open."""
        if self._judged is not self.totals:
            self._judge()
        return self._outcome

    def forced(self) -> bool:
        """Tell whether the position is too hot to be evaluated: a five must be stopped."""
        if self._judged is not self.totals:
            self._judge()
        return self._forced & (self._forced - 1) == 0 and self._forced != 0

    def plies_left(self) -> int:
        """Free cells: the game lasts no longer."""
        return self.geometry.cells - bin(self.occupied).count("1")

    def moves(self) -> list[int]:
        """Cells worth a look, best first; never empty while a cell is free."""
        if self._judged is not self.totals:
            self._judge()
        if self._forced:
            return self._ordered(self._forced)
        shape = self.geometry
        near = self.near & ~self.occupied
        if not near:
            free = shape.all & ~self.occupied
            middle = shape.rows // 2 * shape.cols + shape.cols // 2
            return [middle] if free >> middle & 1 else self._ordered(free)
        return self._ordered(near)[:WIDTH]

    def forcing(self) -> list[int]:
        """Moves that leave the other side one reply and threaten more: a four and, in another line, an open three."""
        if self._judged is not self.totals:
            self._judge()
        size = self.geometry.cells
        return cells_of(self._own >> FOUR * size & self._own >> OPEN_THREE * size & self.geometry.all)

    def evaluate(self) -> int:
        """Value of a quiet position in the mover's view."""
        if self._judged is not self.totals:
            self._judge()
        value = self.value if self.side == BLACK else -self.value
        size = self.geometry.cells
        all_cells = self.geometry.all
        value += TEMPO + MAKES_THREE * (
            bin(self._own >> OPEN_THREE * size & all_cells).count("1")
            - bin(self._other >> OPEN_THREE * size & all_cells).count("1"))
        if self._other >> OPEN_FOUR * size & all_cells:
            value -= UNDER_THREAT
        return value

    def _judge(self) -> None:
        """Sort the position into one of the classes of the module's table."""
        self._judged = self.totals
        self._outcome = None
        t0, t1, t2, t3 = self.totals
        size, all_cells = self.geometry.cells, self.geometry.all
        across, diagonal = t0 | t1, t2 | t3
        anywhere = across | diagonal
        twice = t0 & t1 | t2 & t3 | across & diagonal     # of the same class in two directions at once
        half = size * CLASSES
        if self.side == BLACK:
            own, own_twice, other, other_twice = anywhere, twice, anywhere >> half, twice >> half
        else:
            own, own_twice, other, other_twice = anywhere >> half, twice >> half, anywhere, twice
        self._own, self._other = own, other
        self._forced = own & all_cells                    # FIVE is the lowest class
        if self._forced:
            self._outcome = WIN - 1
            return
        self._forced = other & all_cells
        if self._forced:
            if self._forced & (self._forced - 1):
                self._outcome = 2 - WIN
            return
        self._forced = (own >> OPEN_FOUR * size | own_twice >> FOUR * size) & all_cells
        if self._forced:
            self._outcome = WIN - 3
            return
        if not other >> FOUR * size & all_cells:
            four, three = own >> FOUR * size, own >> OPEN_THREE * size
            self._forced = (four & three | own_twice >> OPEN_THREE * size) & all_cells
            if self._forced:
                self._outcome = WIN - 5
            elif self.occupied == all_cells:
                self._outcome = 0
        elif (other >> OPEN_FOUR * size | other_twice >> FOUR * size) & all_cells:
            self._forced = (own | other) >> FOUR * size & all_cells

    def _ordered(self, cells: int) -> list[int]:
        """The cells of a mask, those that matter most on their four lines first."""
        nodes = self.nodes
        places = self.geometry.places[BLACK]
        scored = []
        for cell in cells_of(cells):
            (l0, s0, _), (l1, s1, _), (l2, s2, _), (l3, s3, _) = places[cell]
            scored.append((nodes[l0][-1].order[s0] + nodes[l1][-1].order[s1]
                           + nodes[l2][-1].order[s2] + nodes[l3][-1].order[s3], cell))
        scored.sort(reverse=True)
        return [cell for _, cell in scored]
