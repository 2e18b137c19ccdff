"""Forced wins by threats alone: VCF, see vcf.py, and VCT (victory by continuous fours and open threes).

After an open three the opponent can reply only on the ANSWER cells or with a four. A win that is found holds against
every reply. If no win is found, there may still be one, by a move that is no threat or with more nodes.

VCT is searched by df-pn (A. Nagai 2002). The attacker's aim is a win, the defender's aim is to prevent it. phi
estimates the number of leaves that must still be proved for the side to move to reach its aim; 0 means reached. delta
is the same for the opponent. phi is the least delta of the children, delta the sum of their phis. One df-pn move of
the attacker is an open three, or up to MOST_FOURS fours with their replies and then an open three. Each of these
attacker's stones is in line with the four before it.
"""

from __future__ import annotations

from typing import Callable, List, Optional, Tuple

from ..boards import cells_of
from ..search.clock import Deadline
from ..search.parameters import UNLIMITED
from .board import KInARowBoard
from .patterns import Pattern
from .vcf import EVERYWHERE, BudgetUsedUp, Child, FourSearch, ThreatResult

OPEN_FOUR, FOUR, OPEN_THREE = map(int, (Pattern.OPEN_FOUR, Pattern.FOUR, Pattern.OPEN_THREE))

LEAF_NODES = 60  # budget of the VCF at a df-pn leaf, in nodes
MOST_FOURS = 3  # most fours before the open three in one df-pn move
WON, LOST = (0, UNLIMITED), (UNLIMITED, 0)  # (phi, delta) of a settled position, for the side to move


class ThreatSearch(FourSearch):
    """Searches a board for forced wins of the side to move. The board is left as it was.

    Args: board: any KInARowBoard; effort(mover_attacks): initial proof number of a df-pn leaf.
    """

    def __init__(self, board: KInARowBoard, effort: Callable[[bool], int]) -> None:
        super().__init__(board)
        self.effort = effort

    def vct(self, budget: int, deadline: Optional[Deadline] = None, most_effort: int = UNLIMITED) -> ThreatResult:
        """As `vcf`, but by fours and open threes. `most_effort`: give up when the root's phi reaches this number."""
        return self._run(lambda: self._vct(most_effort), True, budget, deadline)

    def opponent_vct(self, budget: int, deadline: Optional[Deadline] = None) -> ThreatResult:
        """As `vct`, but the win that the opponent would have if it were the opponent's turn."""
        self.board.switch_side()
        try:
            return self.vct(budget, deadline)
        finally:
            self.board.switch_side()

    def _vct(self, most_effort: int) -> List[int]:
        line = self._line() or self._leaf()
        if not line:
            self._prove(True, most_effort, UNLIMITED)
            line = self._line()
            if not line and self._memory.numbers[self.board.key] != LOST:
                raise BudgetUsedUp  # phi has reached most_effort: give up
        return line

    def _prove(self, attacking: bool, phi_limit: int, delta_limit: int) -> None:
        """Run df-pn from this position, until phi or delta reaches its limit; `attacking`: the attacker is to move."""
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
        if stop:  # the opponent threatens a five: it must be stopped
            if stop & (stop - 1):
                return []
            fours &= stop
            threes = stop & ~fours
        elif other >> shifts[OPEN_FOUR] & all_cells:
            threes &= other >> shifts[FOUR]  # other threes are too slow: the opponent makes its open four
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
        """The defender's replies; if a reply is known to refute the attack, only that reply."""
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
        except BudgetUsedUp:  # if the whole budget is used up, the next node raises this again
            board.undo_to(played)
        finally:
            self._budget = budget
        if line:
            self._memory.won[board.key] = line
            self._memory.numbers[board.key] = WON
        return line

    def _replies(self) -> Optional[int]:
        """Mask of cells that may stop the opponent's threat; None if there is none, or if the mover can make a five."""
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
        """A reply in a lost position: the cell where the opponent would make a five or an open four."""
        shape = self.board.geometry
        _, other = self.board.masks()
        cells = other & shape.all or other >> shape.shifts[OPEN_FOUR] & shape.all
        return cells.bit_length() - 1
