"""The judgement of a board for the search: what is decided, what must be answered, which cells are worth a look.

It sees one stone deeper than the board says, by the threat classes of the two colours (the mover's first):

    mover completes five                                          won in 1
    the other side completes five in two cells                    lost in 2;  in one cell: the only move
    mover makes an open four, or two fours with one stone         won in 3
    mover makes two of four and open three with one stone,
    and the other side has no four to make                        won in 5
    the other side would make an open four                        only the answers to it and fours of one's own help;
                                                                  lost in 4 where there is neither
    the other side would make two fours                           only his four cells and fours of one's own can help

"Can help" is a superset on purpose: the search refutes what does not. Beyond that, threats.py proves wins by threats:
by fours where the search would evaluate, by fours and threes higher up, the harder the higher.
"""
from __future__ import annotations

from typing import Sequence

from ..alphabeta import NEVER, WIN, late_move_reductions
from ..clock import Deadline
from ..lines import BLACK, cells_of
from .patterns import CLASSES, Pattern
from .threats import Threats

OPEN_FOUR, FOUR, OPEN_THREE = int(Pattern.OPEN_FOUR), int(Pattern.FOUR), int(Pattern.OPEN_THREE)
THREE = int(Pattern.THREE)

WIDTHS = (40, 6, 8, 11, 13, 15, 18, 24, 32, 40)  # cells looked at in a quiet position, by depth left; 0: root
VCF_TRIES = 40          # of a look for fours at the horizon
VCT_TRIES = (0, 0, 0, 0, 5, 10, 25, 75, 200, 500, 1200, 3000)      # of a look for fours and threes, by the depth left,
TREE_EFFORT = 30        # and it is given up where so much is left to prove;
ROOT_TRIES, ROOT_SHARE = 8000, 0.2                  # and at the root, where nodes are limited no more than this share
HOLD_TRIES, HOLD_SHARE, HOLD_PART = 500, 0.05, 10   # of a look for a win of the other side, and each move's part of it
MARGINS = ((0, -NEVER), (200, 200), (250, 300), (300, NEVER), (350, NEVER), (400, NEVER))   # by the depth left
LESS, MORE, BEST = 150, 700, 170    # but for one in a hundred, a value is so far below that of the lines, and above it,
                                    # and the best cells add so much to the rest of it
SMALL = bytes(range(8))         # merits not sorted: there are enough larger ones, or these come last
ESCAPE_TRIES = 50       # of a look for the threat that all moves seem to lose to
FEW = 3                 # so few cells are offered only where a four must be stopped


class Position(Threats):
    """A board that the search can ask; see alphabeta.py."""

    few, margins, shallower = FEW, MARGINS, ()
    reductions, fallen = late_move_reductions(1.3), late_move_reductions(1.3, more=1)
    widths: Sequence[int] = WIDTHS

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

    def quiet(self) -> bool:
        """Tell whether the mover may do as he likes: neither side wins within three plies, nor threatens to."""
        if self._judged is not self.totals:
            self._judge()
        return not self._forced

    def plies_left(self) -> int:
        """Free cells: the game lasts no longer."""
        return self.geometry.cells - bin(self.occupied).count("1")

    def forced_line(self, deadline: Deadline) -> list[int]:
        """The moves of a win by fours and threes from here; [] where none is found."""
        tries = int(min(ROOT_TRIES, ROOT_SHARE * deadline.nodes))
        return self.vcf(tries, deadline) or self.vct(tries, deadline)

    def moves(self, depth: int = 0) -> list[int]:
        """Cells worth a look, best first, in an order that costs the same at any depth; not empty while one is free."""
        if self._judged is not self.totals:
            self._judge()
        if self._forced:
            cells = cells_of(self._forced)
            return sorted(cells, key=self.merits().__getitem__, reverse=True) if len(cells) > 1 else cells
        if not self.occupied:
            return [self.geometry.rows // 2 * self.geometry.cols + self.geometry.cols // 2]
        ordered = self._best(self.widths[min(depth, len(self.widths) - 1)])
        fours = (self._own | self._other) >> FOUR * self.geometry.cells & self.geometry.all
        return ordered + [cell for cell in cells_of(fours) if cell not in ordered] if fours else ordered

    def escapes(self, moves: list[int], deadline: Deadline) -> list[int]:
        """The cells of a win that the other side threatens, but for these; [] where moves() had all that may help."""
        if not self.quiet():
            return []
        return [cell for cell in self.threatened(ESCAPE_TRIES, deadline) if cell not in moves]

    def root_moves(self, deadline: Deadline) -> list[int]:
        """The cells of moves(), first those after which the other side is not seen to win by threats."""
        moves = self.moves()
        tries = int(min(HOLD_TRIES, HOLD_SHARE * deadline.nodes))
        if self.threatened(tries, deadline):
            moves.sort(key=lambda cell: self._loses(cell, tries // HOLD_PART, deadline))
        return moves

    def _loses(self, cell: int, tries: int, deadline: Deadline) -> bool:
        """Tell whether the other side is seen to win by threats after a move."""
        self.play(cell)
        outcome = self.outcome()
        lost = bool(self.vct(tries, deadline)) if outcome is None else outcome > 0
        self.undo()
        return lost

    def forced_win(self, depth: int, deadline: Deadline) -> int:
        """Plies of a line that wins by fours, or higher up by fours and threes; 0 where none is found."""
        if self._judged is not self.totals:
            self._judge()
        own, size, free = self._own, self.geometry.cells, self._forced or self.geometry.all
        if depth > 0:
            tries = VCT_TRIES[min(depth, len(VCT_TRIES) - 1)]
            if tries and (own >> OPEN_THREE * size | own >> FOUR * size) & free:
                return len(self.vct(tries, deadline, TREE_EFFORT))
            return 0
        fours = own >> FOUR * size & free
        if fours & own >> THREE * size or bin(fours).count("1") > 2:
            return len(self.vcf(VCF_TRIES, deadline, in_line=True))
        return 0

    def evaluate(self, low: int = -NEVER, high: int = NEVER) -> int:
        """Value of a quiet position in the mover's view: lines, turn, best cells, and cells where threats cross.

        Where less than all of that tells that it is at most `low`, or `high` at least: a bound.
        """
        value = self.lines_value()
        if value - LESS >= high:
            return value - LESS
        if value + MORE <= low:
            return value + MORE
        if self._judged is not self.totals:
            self._judge()
        size, all_cells = self.geometry.cells, self.geometry.all
        turn, threatened, crossing, best = self.geometry.of_board
        own, other = self._own, self._other
        value += turn[0]
        if other >> OPEN_FOUR * size & all_cells:
            value += threatened[0]
        cells = own >> FOUR * size & own >> OPEN_THREE * size & all_cells
        if cells:
            value += crossing[0] * bin(cells).count("1")
        cells = other >> FOUR * size & other >> OPEN_THREE * size & all_cells
        if cells:
            value += crossing[1] * bin(cells).count("1")
        if value + BEST >= high:
            return value + BEST
        best_own, best_other = self.best_merits()
        value += best[0] * best_own + best[1] * best_other
        return value

    def _judge(self) -> None:
        """Sort the position into one of the classes of the module's table."""
        self._judged = self.totals
        self._outcome = None
        t0, t1, t2, t3 = self.totals
        size, all_cells = self.geometry.cells, self.geometry.all
        across, diagonal = t0 | t1, t2 | t3
        anywhere, half = across | diagonal, size * CLASSES
        own_half, other_half = (0, half) if self.side == BLACK else (half, 0)
        own, other = self._own, self._other = anywhere >> own_half, anywhere >> other_half
        self._forced = own & all_cells                    # FIVE is the lowest class
        if self._forced:
            self._outcome = WIN - 1
            return
        self._forced = other & all_cells
        if self._forced:
            if self._forced & (self._forced - 1):
                self._outcome = 2 - WIN
            return
        twice = t0 & t1 | t2 & t3 | across & diagonal     # of the same class in two directions at once
        self._forced = (own >> OPEN_FOUR * size | twice >> own_half + FOUR * size) & all_cells
        if self._forced:
            self._outcome = WIN - 3
            return
        if not other >> FOUR * size & all_cells:
            four, three = own >> FOUR * size, own >> OPEN_THREE * size
            self._forced = (four & three | twice >> own_half + OPEN_THREE * size) & all_cells
            if self._forced:
                self._outcome = WIN - 5
            elif self.occupied == all_cells:
                self._outcome = 0
        elif other >> OPEN_FOUR * size & all_cells:
            answers = self._answers(other_half)
            self._forced = (answers | own >> FOUR * size) & all_cells
            if not self._forced:
                self._forced = other >> OPEN_FOUR * size & all_cells
                self._outcome = 4 - WIN
        elif twice >> other_half + FOUR * size & all_cells:
            self._forced = (own | other) >> FOUR * size & all_cells

    def _best(self, width: int) -> list[int]:
        """So many cells of most merit, those of more first; where few have any, of those near a stone, too."""
        merits, shape = self.merits(), self.geometry
        ordered: list[int] = []
        before = cell = -1
        for merit in sorted(merits.translate(None, SMALL), reverse=True)[:width]:
            cell = merits.find(merit, cell + 1 if merit == before else 0)
            before = merit
            ordered.append(cell)
        if len(ordered) < width:
            free = shape.all & ~self.occupied
            near = [cell for cell in cells_of(self.near() & free or free) if cell not in ordered]
            ordered += sorted(near, key=merits.__getitem__, reverse=True)[:width - len(ordered)]
        return ordered
