"""Forced wins by fours alone: VCF, victory by continuous fours.

A four leaves the opponent one reply, so a win that is found holds against every reply. If no win is found, a search
with more nodes may still find one.

VCF is a depth-first search. Most orders of the same fours are useless. Therefore a search with `in_line` plays a four
only in line with the four before it. Another four must be able to follow: the four is on a THREE cell, or has two more
FOUR cells in line. A search in line is several times as fast as one of all fours, and overlooks few wins.

A node is one stone of the attacker. The budget is in nodes. Without stored results, the same board and budget give the
same answer on every machine. With stored results, a search needs fewer nodes.
"""

from __future__ import annotations

from typing import Callable, List, NamedTuple, Optional, Tuple

from ..boards import BLACK
from ..search.clock import Deadline, TimeUp
from .board import KInARowBoard
from .patterns import Pattern

OPEN_FOUR, FOUR, THREE = map(int, (Pattern.OPEN_FOUR, Pattern.FOUR, Pattern.THREE))

EVERYWHERE = -1  # a mask of all cells
MOST_STORED = 50000  # most positions stored per attacking side, 0.3 kB each; at one more, all are dropped
CHECK_MASK = 15  # the deadline is checked every 16 nodes

Child = Tuple[Tuple[int, ...], int]  # (moves, with the replies to fours among them; key of the position after)


class BudgetUsedUp(Exception):
    """This threat search has used all the nodes of its budget."""


class ThreatResult(NamedTuple):
    """The result of a threat search.

    line: own moves and replies in turn, up to the five; empty if no win was found. The first move wins against every
    reply, and the line shows one reply. nodes: number used; complete: False if the budget or the time ended the search
    """

    line: List[int]
    nodes: int
    complete: bool


class AttackMemory:
    """Results of one attacking side: position key -> result.

    no_vcf: positions without a VCF, first for the full search, then for the search `in_line`
    won: the VCF of the df-pn leaves that have one; numbers: (phi, delta) of df-pn; children: the moves that df-pn plays
    """

    def __init__(self) -> None:
        self.no_vcf: tuple[set[int], set[int]] = (set(), set())
        self.won: dict[int, list[int]] = {}
        self.numbers: dict[int, tuple[int, int]] = {}
        self.children: dict[int, list[Child]] = {}

    def positions(self) -> int:
        return sum(map(len, self.no_vcf)) + len(self.numbers)


class FourSearch:
    """Searches a board for a VCF of the side to move. The board is left as it was. Args: board: any KInARowBoard."""

    def __init__(self, board: KInARowBoard) -> None:
        self.board = board
        self.forget()

    def forget(self) -> None:
        """Drop all stored results, so that the next answer depends only on the board and the budget."""
        self._memories = [AttackMemory(), AttackMemory()]
        self._memory = self._memories[BLACK]
        self._in_line = False
        self._nodes = self._budget = 0
        self._deadline: Optional[Deadline] = None

    def vcf(self, budget: int, deadline: Optional[Deadline] = None, in_line: bool = False) -> ThreatResult:
        """A win by fours.

        Args: budget: nodes; deadline: may end the search earlier, and its `spent` grows by the nodes used; in_line: see
        the module.
        """
        if self.board.key in self._memories[self.board.side].no_vcf[in_line]:
            return ThreatResult([], 0, True)
        return self._run(self._vcf, in_line, budget, deadline)

    def _run(
        self, search: Callable[[], List[int]], in_line: bool, budget: int, deadline: Optional[Deadline]
    ) -> ThreatResult:
        board = self.board
        played, side = len(board.history), board.side
        if self._memories[side].positions() > MOST_STORED:
            self._memories[side] = AttackMemory()
        self._memory, self._in_line = self._memories[side], in_line
        self._nodes, self._budget, self._deadline = 0, budget, deadline
        line, complete = [], True
        try:
            line = search()
        except (BudgetUsedUp, TimeUp):
            board.undo_to(played)
            complete = False
        if deadline is not None:
            deadline.spent += self._nodes
        return ThreatResult(line, self._nodes, complete)

    def _count(self) -> None:
        """Count a node. Raises BudgetUsedUp beyond the budget, TimeUp if the deadline has come."""
        self._nodes += 1
        if self._nodes > self._budget:
            raise BudgetUsedUp
        if self._deadline is not None and not self._nodes & CHECK_MASK:
            self._deadline.check(0)

    def _vcf(self, zone: int = EVERYWHERE) -> List[int]:
        """The line of a VCF, empty if there is none. A search with `in_line` plays its first four in the zone."""
        board, no_vcf = self.board, self._memory.no_vcf[self._in_line]
        if board.key in no_vcf:
            return []
        shape = board.geometry
        all_cells, shifts = shape.all, shape.shifts
        t0, t1, t2, t3 = board.totals  # here masks() and crossings() are written out, to save the calls
        straight, diagonal = t0 | t1, t2 | t3
        own = other = straight | diagonal
        crossing = t0 & t1 | t2 & t3 | straight & diagonal
        if board.side:
            own >>= shape.half
            crossing >>= shape.half
        else:
            other >>= shape.half
        five = own & all_cells
        if five:
            return [five.bit_length() - 1]
        fours = own >> shifts[FOUR] & all_cells
        if not fours:
            no_vcf.add(board.key)
            return []
        stop = other & all_cells
        if stop:  # the opponent threatens a five: the four must be on its cell
            better = fours & stop if stop & (stop - 1) == 0 else 0
            fours = 0
        else:
            wins = (own >> shifts[OPEN_FOUR] | crossing >> shifts[FOUR]) & all_cells
            if wins:
                return self._finish(wins.bit_length() - 1)
            better = fours & own >> shifts[THREE]
            if self._in_line:
                better = zone & (better | self._with_two_more(fours & zone & ~better, fours))
                fours = 0
        for group in (better, fours & ~better):
            while group:
                low = group & -group
                group ^= low
                self._count()
                cell = low.bit_length() - 1
                board.play(cell)
                replies = self._fives()
                if replies & (replies - 1):  # two cells of five: only after a `stop`, else `wins` has this cell
                    board.undo()
                    return self._finish(cell)
                reply = replies.bit_length() - 1
                board.play(reply)
                line = self._vcf(shape.in_line[cell])
                board.undo()
                board.undo()
                if line:
                    return [cell, reply, *line]
        no_vcf.add(board.key)
        return []

    def _with_two_more(self, cells: int, fours: int) -> int:
        """Those of the `cells` that have two more FOUR cells in line: for the reply and for the next four."""
        in_line = self.board.geometry.in_line
        chosen = 0
        while cells:
            low = cells & -cells
            cells ^= low
            others = fours & in_line[low.bit_length() - 1] & ~low
            if others & (others - 1):
                chosen |= low
        return chosen

    def _fives(self) -> int:
        """Mask of the cells where the side that has just moved could make a five."""
        board = self.board
        t0, t1, t2, t3 = board.totals
        black = t0 | t1 | t2 | t3
        return (black if board.side else black >> board.geometry.half) & board.geometry.all

    def _finish(self, cell: int) -> List[int]:
        """The line after a stone that threatens two fives: the stone, a reply, the five."""
        self.board.play(cell)
        fives = self._fives()
        self.board.undo()
        reply = fives & -fives
        return [cell, reply.bit_length() - 1, (fives ^ reply).bit_length() - 1]
