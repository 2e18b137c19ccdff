"""A k-in-a-row board for the search: decided results, forced replies and candidate moves.

The patterns of both sides show the end of the game up to five plies ahead:

    mover completes five                                          won in 1
    the opponent completes five on two cells                      lost in 2;  on one cell: the only move
    mover makes an open four, or two fours with one stone         won in 3
    mover makes a four and an open three, or two open threes,
    with one stone, and the opponent has no four to make          won in 5
    the opponent would make an open four                          only answers to it and own fours may help;
                                                                  lost in 4 where there is neither
    the opponent would make two fours with one stone              only its four cells and own fours may help

The cells that "may help" include some that do not; the search refutes those. threat_search.py finds longer wins. At
depths where VCF tries the fours, a four is a candidate only if it answers a threat or has a high ordering score.
"""

from __future__ import annotations

from typing import List, Optional, Tuple

from ..boards import BLACK, cells_of
from ..search.clock import Deadline
from ..search.searchable import WIN, Evaluated
from .board import KInARowBoard
from .parameters import EVALUATORS, KInARowParameters
from .patterns import Pattern
from .threat_search import ThreatSearch
from .weights import Weights

OPEN_FOUR, FOUR, OPEN_THREE, THREE = map(int, (Pattern.OPEN_FOUR, Pattern.FOUR, Pattern.OPEN_THREE, Pattern.THREE))
SMALL = bytes(range(8))  # ordering scores below 8: such cells are candidates only if too few have higher scores


class KInARowPosition(KInARowBoard, Evaluated):
    """A board that the search can use; see searchable.py.

    Args: parameters: of the engine; weights: of the evaluation, by default the evaluator's own.
    """

    __slots__ = ("_answers", "_forced", "_other", "_outcome", "_own", "_scanned")  # used at every node

    parameters: KInARowParameters

    def __init__(
        self, rows: int, cols: int, k: int, parameters: KInARowParameters | None = None, weights: Weights | None = None
    ) -> None:
        self.parameters = parameters = parameters or KInARowParameters()
        evaluator = EVALUATORS[parameters.evaluator].suited(k, weights)
        super().__init__(rows, cols, k, weights or evaluator.weights())
        self._scanned: Optional[Tuple[int, ...]] = None  # `totals` when _scan() set the fields below
        self._outcome: Optional[int] = None
        self._forced = 0  # mask of the only candidates; 0: no restriction
        self._answers = 0  # the cells of _forced that answer an open four or two fours
        self._own = self._other = 0  # result of masks()
        self._widths = (parameters.root_candidates, *parameters.candidates)
        self._vct_nodes = (0, *parameters.vct_nodes)
        self.use(evaluator(self))
        self.threats = self.new_threats()

    def set_up(self, stones: bytes, side: int) -> None:
        super().set_up(stones, side)  # calls play(), which updates an incremental evaluator
        self.evaluator.reset()

    def new_threats(self) -> ThreatSearch:
        """A threat search of this board that has no stored results."""
        return ThreatSearch(self, self.evaluator.effort)

    # ---- wins and threats on the board

    def outcome(self) -> Optional[int]:
        """Value of a decided position in the mover's view (WIN minus the plies to the end), None while it is open."""
        self._scan()
        return self._outcome

    def forced(self) -> bool:
        """Whether a win or a threat leaves a single candidate, for example the cell that stops a five."""
        self._scan()
        return self._forced & (self._forced - 1) == 0 and self._forced != 0

    def quiet(self) -> bool:
        """Whether no row of the module's table applies: no win and no threat restricts the candidates."""
        self._scan()
        return not self._forced

    def scanned_masks(self) -> Tuple[int, int]:
        """As masks(), but from the stored result of _scan()."""
        self._scan()
        return self._own, self._other

    def plies_left(self) -> int:
        """The number of free cells."""
        return self.geometry.cells - bin(self.occupied).count("1")

    def _scan(self) -> None:
        """Find the row of the module's table that applies; set _outcome, _forced, _answers, _own and _other.

        The results are stored until the board changes.
        """
        if self._scanned is self.totals:
            return
        self._scanned = self.totals
        self._outcome = None
        self._answers = 0
        t0, t1, t2, t3 = self.totals
        shape = self.geometry
        all_cells = shape.all
        open_four, four, open_three = shape.shifts[OPEN_FOUR], shape.shifts[FOUR], shape.shifts[OPEN_THREE]
        straight, diagonal = t0 | t1, t2 | t3
        own = other = straight | diagonal
        if self.side == BLACK:
            other >>= shape.half
        else:
            own >>= shape.half
        self._own, self._other = own, other
        self._forced = own & all_cells  # FIVE is the lowest mask
        if self._forced:
            self._outcome = WIN - 1
            return
        self._forced = other & all_cells
        if self._forced:
            if self._forced & (self._forced - 1):
                self._outcome = 2 - WIN
            return
        own_crossing = other_crossing = t0 & t1 | t2 & t3 | straight & diagonal
        if self.side == BLACK:
            other_crossing >>= shape.half
        else:
            own_crossing >>= shape.half
        self._forced = (own >> open_four | own_crossing >> four) & all_cells
        if self._forced:
            self._outcome = WIN - 3
        elif not other >> four & all_cells:
            self._forced = (own >> four & own >> open_three | own_crossing >> open_three) & all_cells
            if self._forced:
                self._outcome = WIN - 5
            elif self.occupied == all_cells:
                self._outcome = 0
        elif other >> open_four & all_cells:
            self._answers = self.open_four_answers()
            self._forced = self._answers | own >> four & all_cells
            if not self._forced:
                self._forced = other >> open_four & all_cells
                self._outcome = 4 - WIN
        elif other_crossing >> four & all_cells:
            self._answers = other >> four & all_cells
            self._forced = self._answers | own >> four & all_cells

    # ---- candidate moves

    def moves(self, depth: int = 0) -> List[int]:
        """Candidate cells, best first; not empty while a cell is free."""
        self._scan()
        few_fours = 0 < depth <= self.parameters.vcf_depth
        if self._forced:
            cells = cells_of((self._answers if few_fours else 0) or self._forced)
            return sorted(cells, key=self.scores().__getitem__, reverse=True) if len(cells) > 1 else cells
        if not self.occupied:
            return [self.geometry.rows // 2 * self.geometry.cols + self.geometry.cols // 2]
        ordered = self._best_cells(self._widths[min(depth, len(self._widths) - 1)])
        if few_fours or not self.parameters.fours_in_candidates:
            return ordered
        fours = (self._own | self._other) >> self.geometry.shifts[FOUR] & self.geometry.all
        return ordered + [cell for cell in cells_of(fours) if cell not in ordered]

    def _best_cells(self, width: int) -> List[int]:
        """The `width` cells of highest ordering score; if too few cells have a score, also other cells near a stone."""
        shape = self.geometry
        scores = self.scores() if self.parameters.learnt_order else bytes(shape.cells)
        ordered: List[int] = []
        before = cell = -1
        for score in sorted(scores.translate(None, SMALL), reverse=True)[:width]:
            cell = scores.find(score, cell + 1 if score == before else 0)
            before = score
            ordered.append(cell)
        if len(ordered) < width:
            free = shape.all & ~self.occupied
            near = [cell for cell in cells_of(self.near() & free or free) if cell not in ordered]
            ordered += sorted(near, key=scores.__getitem__, reverse=True)[: width - len(ordered)]
        return ordered

    def root_moves(self, moves: List[int], deadline: Deadline) -> List[int]:
        """The candidates. If the opponent threatens a VCT, the moves after which none is found come first."""
        use = self.parameters
        nodes = int(min(use.hold_nodes, use.hold_share * deadline.nodes))
        if use.hold_nodes and self.threats.opponent_vct(nodes, deadline).line:
            return sorted(moves, key=lambda cell: self._loses(cell, nodes // use.hold_part, deadline))
        return moves

    def _loses(self, cell: int, nodes: int, deadline: Deadline) -> bool:
        """Whether the opponent wins after a move, by the module's table or by VCT."""
        self.play(cell)
        outcome = self.outcome()
        lost = bool(self.threats.vct(nodes, deadline).line) if outcome is None else outcome > 0
        self.undo()
        return lost

    def defences(self, moves: List[int], deadline: Deadline) -> List[int]:
        """The cells of the opponent's VCT that are not in `moves`; empty under a threat: moves() has all answers."""
        nodes = self.parameters.defence_nodes
        if not nodes or not self.quiet():
            return []
        return [cell for cell in self.threats.opponent_vct(nodes, deadline).line if cell not in moves]

    # ---- wins by threats

    def winning_line(self, deadline: Deadline) -> List[int]:
        """The moves of a VCF or, without one, of a VCT; empty if none is found."""
        use = self.parameters
        nodes = int(min(use.root_nodes, use.root_share * deadline.nodes))
        return self.threats.vcf(nodes, deadline).line or self.threats.vct(nodes, deadline).line

    def forced_win(self, depth: int, deadline: Deadline) -> int:
        """Plies of a win, 0 if none is found: by VCF with at most `vcf_depth` plies left, by VCT with more."""
        self._scan()
        own, shifts = self._own, self.geometry.shifts
        free = self._forced or self.geometry.all
        if depth > self.parameters.vcf_depth:
            nodes = self._vct_nodes[min(depth, len(self._vct_nodes) - 1)]
            if nodes and (own >> shifts[OPEN_THREE] | own >> shifts[FOUR]) & free:
                return len(self.threats.vct(nodes, deadline, self.parameters.vct_effort).line)
            return 0
        fours = own >> shifts[FOUR] & free
        if fours and (fours & own >> shifts[THREE] or bin(fours).count("1") > 2):
            return len(self.threats.vcf(self.parameters.vcf_nodes, deadline, in_line=True).line)
        return 0
