"""Wins by fours alone (VCF), and what is remembered of looks for forced wins.

A four leaves the other side one reply. So a win by fours is proved where a search of all moves would see a dozen plies
too little, and what is claimed holds against all replies. That nothing is found proves nothing where the tries ended.

Fours can be played in any order and at any time, and most of the orders are good for nothing. A look `in_line` plays a
four only in line with the four before, which may have made it possible, and where it may make another one possible: on
a THREE cell, or with more fours in line than the reply. That is several times as quick and overlooks few.
"""
from __future__ import annotations

from typing import Callable, Tuple

from ..clock import Deadline, TimeUp
from ..lines import BLACK
from .board import Board
from .patterns import CLASSES, Pattern

OPEN_FOUR, FOUR, THREE = int(Pattern.OPEN_FOUR), int(Pattern.FOUR), int(Pattern.THREE)
EVERYWHERE = -1             # a mask of all cells
MOST_KEPT = 50000           # positions remembered of either side's attacks: 0.3 kB each

Child = Tuple[Tuple[int, ...], int]         # moves, the replies to fours among them, and the key they lead to


class Attack:
    """What is known of one colour's threats.

    lost: keys of positions without a VCF: without any, and without one of fours in line; won: the VCF of the leaves
    that have one; numbers: phi and delta of positions, children: what df-pn plays there, by their keys
    """

    def __init__(self) -> None:
        self.lost: tuple[set[int], set[int]] = (set(), set())
        self.won: dict[int, list[int]] = {}
        self.numbers: dict[int, tuple[int, int]] = {}
        self.children: dict[int, list[Child]] = {}

    def positions(self) -> int:
        """How much is kept."""
        return sum(map(len, self.lost)) + len(self.numbers)


class Fours(Board):
    """A board that finds wins by fours of the side to move, and remembers what it has seen of them."""

    def __init__(self, rows: int, cols: int, k: int) -> None:
        super().__init__(rows, cols, k)
        self.attacks = [Attack(), Attack()]
        self.attack = self.attacks[BLACK]
        self.in_line = False            # fours must be in line with the four before
        self.tries = self.most_tries = 0
        self.deadline: Deadline | None = None

    def vcf(self, tries: int, deadline: Deadline | None = None, in_line: bool = False) -> list[int]:
        """A win by fours: own moves and forced replies in turn up to the five; [] where none is found.

        `tries`: own moves that may be looked at; `in_line`: each in line with the one before, and with what may come
        next: that is quicker. What is not found by the deadline is not found; nothing is raised.
        """
        if self.key in self.attacks[self.side].lost[in_line]:
            return []
        return self._find(self._vcf, in_line, tries, deadline)

    def _find(self, look: Callable[[], list[int]], in_line: bool, tries: int, deadline: Deadline | None) -> list[int]:
        """What a look from the board finds before the tries are used up; the board is left as it was."""
        played = len(self.history)
        if self.attacks[self.side].positions() > MOST_KEPT:
            self.attacks[self.side] = Attack()
        self.attack = self.attacks[self.side]
        self.in_line = in_line
        self.tries, self.most_tries, self.deadline = 0, tries, deadline
        try:
            return look()
        except TimeUp:
            while len(self.history) > played:
                self.undo()
            return []
        finally:
            if deadline is not None:
                deadline.spent += self.tries

    def _count(self) -> None:
        self.tries += 1
        if self.tries > self.most_tries:
            raise TimeUp
        if self.deadline is not None and not self.tries & 15:
            self.deadline.check(0)

    def _vcf(self, zone: int = EVERYWHERE) -> list[int]:
        """A win by fours from the board, the first of them in the zone; raises TimeUp when the tries are used up."""
        lost = self.attack.lost[self.in_line]
        if self.key in lost:
            return []
        t0, t1, t2, t3 = self.totals
        size, all_cells = self.geometry.cells, self.geometry.all
        across, diagonal = t0 | t1, t2 | t3
        own = other = across | diagonal
        half = size * CLASSES
        if self.side == BLACK:
            other >>= half
        else:
            own >>= half
        five = own & all_cells
        if five:
            return [five.bit_length() - 1]
        fours = own >> FOUR * size & all_cells
        if not fours:
            lost.add(self.key)
            return []
        stop = other & all_cells
        if stop:
            better = fours & stop if stop & (stop - 1) == 0 else 0
            fours = 0
        else:
            twice = t0 & t1 | t2 & t3 | across & diagonal
            if self.side != BLACK:
                twice >>= half
            wins = (own >> OPEN_FOUR * size | twice >> FOUR * size) & all_cells
            if wins:
                return self._finish(wins.bit_length() - 1)
            better = fours & own >> THREE * size
            if self.in_line:
                better = zone & (better | self._in_company(fours & zone & ~better, fours))
                fours = 0
        for group in (better, fours & ~better):
            while group:
                low = group & -group
                group ^= low
                self._count()
                cell = low.bit_length() - 1
                self.play(cell)
                replies = self._fives()
                if replies & (replies - 1):             # two fives: only where a five had to be stopped first
                    self.undo()
                    return self._finish(cell)
                reply = replies.bit_length() - 1
                self.play(reply)
                line = self._vcf(self.geometry.in_line[cell])
                self.undo()
                self.undo()
                if line:
                    return [cell, reply, *line]
        lost.add(self.key)
        return []

    def _in_company(self, cells: int, fours: int) -> int:
        """Those of the cells that have two fours in line: one is the reply, the other may come next."""
        found = 0
        while cells:
            low = cells & -cells
            cells ^= low
            others = fours & self.geometry.in_line[low.bit_length() - 1] & ~low
            if others & (others - 1):
                found |= low
        return found

    def _fives(self) -> int:
        """Cells where the side that has just moved completes a five."""
        t0, t1, t2, t3 = self.totals
        anywhere = t0 | t1 | t2 | t3
        return (anywhere if self.side != BLACK else anywhere >> self.geometry.cells * CLASSES) & self.geometry.all

    def _finish(self, cell: int) -> list[int]:
        """The line of a stone that leaves two fives: the stone, a reply, the five."""
        self.play(cell)
        fives = self._fives()
        self.undo()
        low = fives & -fives
        return [cell, low.bit_length() - 1, (fives ^ low).bit_length() - 1]
