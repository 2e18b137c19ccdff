"""Forced wins by threats alone: VCF (victory by continuous fours) and VCT (by continuous fours and open threes).

A four leaves the other side one reply. An open three leaves it the ANSWER cells and fours of its own. A win that is
found holds against every reply. If none is found, there may still be one, with a quiet move or with more nodes.

VCF is a depth-first search. Most orders of the same fours are useless. Therefore a search `in_line` plays a four only
in line with the four before it, and only where another four may follow: on a THREE cell, or with two more FOUR cells
in line. That is several times as fast and overlooks few wins.

VCT is df-pn (A. Nagai 2002). phi estimates the number of leaves that must still be proved for the side to move to
reach its aim (the attacker: a win, the defender: no win); delta is the same for the other side; 0 means reached. phi
is the least delta of the children, delta the sum of their phis. A move of the attacker is an open three, after up to
MOST_FOURS fours with their replies, each move in line with the four before it.

A node is one stone of the attacker. The budget is in nodes. A new ThreatSearch, or one after `forget()`, gives the same
answer for the same board and budget on every machine. Otherwise it uses stored results, and answers sooner.
"""
from __future__ import annotations

from typing import Callable, List, NamedTuple, Optional, Tuple

from ..clock import Deadline, TimeUp
from ..lines import BLACK, cells_of
from ..parameters import UNLIMITED
from .board import KInARowBoard
from .patterns import Pattern

OPEN_FOUR, FOUR, OPEN_THREE, THREE = map(int, (Pattern.OPEN_FOUR, Pattern.FOUR, Pattern.OPEN_THREE, Pattern.THREE))

EVERYWHERE = -1             # a mask of all cells
LEAF_NODES = 60             # budget of the VCF at a df-pn leaf, in nodes
MOST_FOURS = 3              # most fours before the open three in one df-pn move
MOST_KEPT = 50000           # positions stored per attacking side, 0.3 kB each; beyond it all are dropped
CHECK_MASK = 15             # the deadline is checked every 16 nodes

Child = Tuple[Tuple[int, ...], int]         # (moves, with the replies to fours among them; key of the position after)
WON, LOST = (0, UNLIMITED), (UNLIMITED, 0)  # (phi, delta) of a settled position, for the side to move


class BudgetUsedUp(Exception):
    """The budget of this threat search is used up."""


class ThreatResult(NamedTuple):
    """What a threat search has found.

    line: own moves and replies in turn, up to the five; empty if no win was found. The first move wins against every
    reply; the line shows one of them. nodes: used; complete: False if the budget or the time ended the search
    """

    line: List[int]
    nodes: int
    complete: bool


class _Memory:
    """Stored results for one attacking side, by position key.

    no_vcf: positions without a VCF; the same for the search `in_line`; won: the VCF of leaves that have one
    numbers: (phi, delta); children: the moves that df-pn plays
    """

    def __init__(self) -> None:
        self.no_vcf: tuple[set[int], set[int]] = (set(), set())
        self.won: dict[int, list[int]] = {}
        self.numbers: dict[int, tuple[int, int]] = {}
        self.children: dict[int, list[Child]] = {}

    def positions(self) -> int:
        return sum(map(len, self.no_vcf)) + len(self.numbers)


def _unit_effort(mover_attacks: bool) -> int:
    return 1


class ThreatSearch:
    """Searches a board for forced wins of the side to move. The board is left as it was.

    Args: board: any KInARowBoard; effort(mover_attacks): initial proof number of a df-pn leaf.
    """

    def __init__(self, board: KInARowBoard, effort: Callable[[bool], int] = _unit_effort) -> None:
        self.board, self.effort = board, effort
        self.forget()

    def forget(self) -> None:
        """Drop all stored results, so that the next answer depends only on the board and the budget."""
        self._memories = [_Memory(), _Memory()]
        self._memory = self._memories[BLACK]
        self._in_line = False
        self._nodes = self._budget = 0
        self._deadline: Optional[Deadline] = None

    # ---- public methods

    def vcf(self, budget: int, deadline: Optional[Deadline] = None, in_line: bool = False) -> ThreatResult:
        """A win by fours.

        Args: budget: nodes; deadline: may end the search earlier, its `spent` grows by the nodes; in_line: see above.
        """
        if self.board.key in self._memories[self.board.side].no_vcf[in_line]:
            return ThreatResult([], 0, True)
        return self._run(self._vcf, in_line, budget, deadline)

    def vct(self, budget: int, deadline: Optional[Deadline] = None, most_effort: int = UNLIMITED) -> ThreatResult:
        """A win by fours and open threes. `most_effort`: give up when the root's phi reaches this. Else as `vcf`."""
        return self._run(lambda: self._vct(most_effort), True, budget, deadline)

    def opponent_vct(self, budget: int, deadline: Optional[Deadline] = None) -> ThreatResult:
        """The win that the other side would have if it were its turn; as `vct`."""
        self.board.switch_side()
        try:
            return self.vct(budget, deadline)
        finally:
            self.board.switch_side()

    def _run(self, search: Callable[[], List[int]], in_line: bool, budget: int,
             deadline: Optional[Deadline]) -> ThreatResult:
        board = self.board
        played, side = len(board.history), board.side
        if self._memories[side].positions() > MOST_KEPT:
            self._memories[side] = _Memory()
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
        """Count a node. Raises BudgetUsedUp or TimeUp."""
        self._nodes += 1
        if self._nodes > self._budget:
            raise BudgetUsedUp
        if self._deadline is not None and not self._nodes & CHECK_MASK:
            self._deadline.check(0)

    # ---- fours

    def _vcf(self, zone: int = EVERYWHERE) -> List[int]:
        """The line of a VCF, empty if there is none; `in_line`: its first four is in the zone."""
        board, no_vcf = self.board, self._memory.no_vcf[self._in_line]
        if board.key in no_vcf:
            return []
        shape = board.geometry
        all_cells, shifts = shape.all, shape.shifts
        own, other = board.masks()
        five = own & all_cells
        if five:
            return [five.bit_length() - 1]
        fours = own >> shifts[FOUR] & all_cells
        if not fours:
            no_vcf.add(board.key)
            return []
        stop = other & all_cells
        if stop:                                        # the other side threatens a five: the four must be on its cell
            better = fours & stop if stop & (stop - 1) == 0 else 0
            fours = 0
        else:
            crossing, _ = board.crossings()
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
                if replies & (replies - 1):             # two fives: possible only after a `stop`, see `wins`
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
        """The `cells` with two more FOUR cells in line: one may become the reply, the other the next four."""
        in_line = self.board.geometry.in_line
        found = 0
        while cells:
            low = cells & -cells
            cells ^= low
            others = fours & in_line[low.bit_length() - 1] & ~low
            if others & (others - 1):
                found |= low
        return found

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

    # ---- fours and threes

    def _vct(self, most_effort: int) -> List[int]:
        line = self._line() or self._leaf()
        if not line:
            self._prove(True, most_effort, UNLIMITED)
            line = self._line()
        return line

    def _prove(self, attacking: bool, phi_limit: int, delta_limit: int) -> None:
        """df-pn from this position, until phi or delta reaches its limit; `attacking`: the attacker is to move."""
        board, numbers = self.board, self._memory.numbers
        key = board.key
        children = self._memory.children.get(key)
        if children is None:
            self._count()
            children = self._memory.children[key] = self._attacks() if attacking else self._defences()
        while True:
            phi, second, delta, best_phi = UNLIMITED, UNLIMITED, 0, 0
            best: tuple[int, ...] = ()
            for cells, after in children:
                child_phi, child_delta = numbers[after]
                delta += child_phi
                if child_delta < phi:
                    phi, second, best, best_phi = child_delta, phi, cells, child_phi
                elif child_delta < second:
                    second = child_delta
            if not phi or delta > UNLIMITED:
                delta = UNLIMITED
            numbers[key] = phi, delta
            if phi >= phi_limit or delta >= delta_limit:
                return
            for cell in best:
                board.play(cell)
            self._prove(not attacking, delta_limit - delta + best_phi, min(phi_limit, second + 1))
            for _ in best:
                board.undo()

    def _attacks(self, before: Tuple[int, ...] = (), zone: int = EVERYWHERE) -> List[Child]:
        """The attacker's moves: open threes in the zone, also after fours; `before`: fours and replies just played."""
        board, numbers = self.board, self._memory.numbers
        shape = board.geometry
        all_cells, shifts = shape.all, shape.shifts
        own, other = board.masks()
        stop = other & all_cells
        fours = own >> shifts[FOUR] & zone & all_cells
        threes = own >> shifts[OPEN_THREE] & zone & all_cells & ~fours
        if stop:                                        # the other side threatens a five: it must be stopped
            if stop & (stop - 1):
                return []
            fours &= stop
            threes = stop & ~fours
        elif other >> shifts[OPEN_FOUR] & all_cells:
            threes &= other >> shifts[FOUR]             # too slow, unless the three takes a FOUR cell of the other side
        children: List[Child] = []
        while threes:
            low = threes & -threes
            threes ^= low
            cell = low.bit_length() - 1
            self._count()
            board.play(cell)
            replies = self._replies()
            if replies is not None:
                children.append(((*before, cell), board.key))
                if board.key not in numbers:
                    count = bin(replies).count("1")
                    numbers[board.key] = (1, self.effort(False) * count) if count else LOST
            board.undo()
        if len(before) == 2 * MOST_FOURS:
            return children
        while fours:
            low = fours & -fours
            fours ^= low
            cell = low.bit_length() - 1
            self._count()
            board.play(cell)
            reply = self._fives().bit_length() - 1
            board.play(reply)
            children += self._attacks((*before, cell, reply), shape.in_line[cell])
            board.undo()
            board.undo()
        return children

    def _defences(self) -> List[Child]:
        """The defender's replies; if one of them is known to refute the attack, only that one."""
        board, numbers = self.board, self._memory.numbers
        children: List[Child] = []
        for cell in cells_of(self._replies() or 0):
            board.play(cell)
            key = board.key
            if key not in numbers and not self._leaf():
                numbers[key] = self.effort(True), 1
            board.undo()
            children.append(((cell,), key))
            if numbers[key] == LOST:
                return children[-1:]
        return children

    def _leaf(self) -> List[int]:
        """The VCF at a df-pn leaf, with a budget of LEAF_NODES. A win is stored as a proof."""
        board = self.board
        played, budget = len(board.history), self._budget
        self._budget = min(budget, self._nodes + LEAF_NODES)
        line: List[int] = []
        try:
            line = self._vcf()
        except BudgetUsedUp:                            # if the whole budget is used up, the next node raises it again
            board.undo_to(played)
        finally:
            self._budget = budget
        if line:
            self._memory.won[board.key] = line
            self._memory.numbers[board.key] = WON
        return line

    def _replies(self) -> Optional[int]:
        """Mask of cells that may stop the other side's threat; None if it has none, or the mover can make a five."""
        board = self.board
        shape = board.geometry
        all_cells, shifts = shape.all, shape.shifts
        own, other = board.masks()
        if own & all_cells:
            return None
        fives = other & all_cells
        if fives:
            return 0 if fives & (fives - 1) else fives
        if other >> shifts[OPEN_FOUR] & all_cells:
            replies = board.open_four_answers()
        else:
            _, crossing = board.crossings()
            if not crossing >> shifts[FOUR] & all_cells:
                return None
            replies = other >> shifts[FOUR]
        return (replies | own >> shifts[FOUR]) & all_cells

    def _line(self) -> List[int]:
        """The line of a win that is already proved; empty if no win is proved."""
        board, memory = self.board, self._memory
        line: List[int] = []
        if memory.numbers.get(board.key) != WON:
            return line
        played = len(board.history)
        while board.key not in memory.won:
            cells = next(cells for cells, key in memory.children[board.key] if not memory.numbers[key][1])
            for cell in cells:
                board.play(cell)
            replies = memory.children.get(board.key)
            reply = replies[0][0][0] if replies else self._any_reply()
            board.play(reply)
            line += (*cells, reply)
            if not replies:
                self._leaf()
        line += memory.won[board.key]
        board.undo_to(played)
        return line

    def _any_reply(self) -> int:
        """A reply in a lost position: the cell where the other side would make a five or an open four."""
        shape = self.board.geometry
        _, other = self.board.masks()
        cells = other & shape.all or other >> shape.shifts[OPEN_FOUR] & shape.all
        return cells.bit_length() - 1
