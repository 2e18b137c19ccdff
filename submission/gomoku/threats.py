"""Forced wins by fours and open threes (VCT), found by looking at nothing else.

A four leaves the other side one reply; an open three leaves him the cells of the ANSWER masks, and fours of his own.
What is claimed holds against all replies. That nothing is found proves nothing: the win may need a quiet move, or more
nodes. A four is played only for what it makes possible: each move after it, up to the three, is in line with the four
before, and a run of fours with its three is one attack.

VCT is found by df-pn (Nagai 2002): depth first, always on where the attack is nearest to being proved or refuted. Of a
position, `phi` tells how many leaves at least the side to move still has to settle for its aim (the attacker: to win,
the defender: to hold), `delta` the same of the other side; 0 is settled. phi is the least delta of the children, delta
the sum of their phis. Of a leaf, the value of the board tells how much the attacker will have to settle.
"""
from __future__ import annotations

from ..clock import Deadline, TimeUp
from ..lines import BLACK
from .fours import EVERYWHERE, FOUR, OPEN_FOUR, Child, Fours
from .patterns import CLASSES, Pattern

OPEN_THREE, ANSWER = int(Pattern.OPEN_THREE), int(Pattern.ANSWER)
NEVER = 10**9               # of phi and delta: cannot be settled any more
LEAF_TRIES = 60             # fours looked at, at a leaf of df-pn
CHAIN = 3                   # fours in a run before a three
HOPE, STEP, MOST_EFFORT = 1000, 70, 20      # a leaf counts for 1 at this value, and for one more for each step below


class Threats(Fours):
    """A board that finds forced wins of the side to move, and remembers what it has seen of them."""

    def vct(self, tries: int, deadline: Deadline | None = None, effort: int = NEVER) -> list[int]:
        """A win by fours and open threes: a line of it, of which the first move wins against any reply; [] if none.

        `tries`: own moves that may be looked at; `deadline` as in `vcf`; `effort`: phi with which it is given up.
        """
        return self._find(lambda: self._vct(effort), True, tries, deadline)

    def threatened(self, tries: int, deadline: Deadline | None = None) -> list[int]:
        """The win that the other side would have if it were its turn; as `vct`."""
        self._pass()
        line = self.vct(tries, deadline)
        self._pass()
        return line

    def _pass(self) -> None:
        self.side = 1 - self.side
        self.key ^= self.geometry.turn_key

    def _vct(self, effort: int) -> list[int]:
        line = self._line() or self._leaf()
        if not line:
            self._prove(True, effort, NEVER)
            line = self._line()
        return line

    def _prove(self, attacking: bool, phi_limit: int, delta_limit: int) -> None:
        """Search from the board until one of its numbers reaches its limit; `attacking`: the attacker is to move."""
        numbers = self.attack.numbers
        children = self.attack.children.get(self.key)
        if children is None:
            self._count()
            children = self.attack.children[self.key] = self._attacks() if attacking else self._defences()
        while True:
            phi, second, delta, best_phi = NEVER, NEVER, 0, 0
            best: tuple[int, ...] = ()
            for cells, key in children:
                child_phi, child_delta = numbers[key]
                delta += child_phi
                if child_delta < phi:
                    phi, second, best, best_phi = child_delta, phi, cells, child_phi
                elif child_delta < second:
                    second = child_delta
            if not phi or delta > NEVER:
                delta = NEVER
            numbers[self.key] = phi, delta
            if phi >= phi_limit or delta >= delta_limit:
                return
            for cell in best:
                self.play(cell)
            self._prove(not attacking, delta_limit - delta + best_phi, min(phi_limit, second + 1))
            for _ in best:
                self.undo()

    def _attacks(self, before: tuple[int, ...] = (), zone: int = EVERYWHERE) -> list[Child]:
        """The threes in the zone, and those after more fours; `before`: the fours of the run, already played."""
        size, all_cells = self.geometry.cells, self.geometry.all
        t0, t1, t2, t3 = self.totals
        anywhere = t0 | t1 | t2 | t3
        half = size * CLASSES
        own, other = (anywhere, anywhere >> half) if self.side == BLACK else (anywhere >> half, anywhere)
        stop = other & all_cells
        fours = own >> FOUR * size & zone & all_cells
        threes = own >> OPEN_THREE * size & zone & all_cells & ~fours
        if stop:                                        # the only move, if it threatens something
            if stop & (stop - 1):
                return []
            fours &= stop
            threes = stop & ~fours
        elif other >> OPEN_FOUR * size & all_cells:
            threes &= other >> FOUR * size              # a three that does not stop his is too slow
        children: list[Child] = []
        while threes:
            low = threes & -threes
            threes ^= low
            cell = low.bit_length() - 1
            self._count()
            self.play(cell)
            replies = self._replies()
            if replies is not None:
                children.append(((*before, cell), self.key))
                if self.key not in self.attack.numbers:
                    effort = self._effort(-self.lines_value()) * bin(replies).count("1")
                    self.attack.numbers[self.key] = (1, effort) if replies else (NEVER, 0)
            self.undo()
        if len(before) == 2 * CHAIN:
            return children
        while fours:
            low = fours & -fours
            fours ^= low
            cell = low.bit_length() - 1
            self._count()
            self.play(cell)
            reply = self._fives().bit_length() - 1
            self.play(reply)
            children += self._attacks((*before, cell, reply), self.geometry.in_line[cell])
            self.undo()
            self.undo()
        return children

    def _defences(self) -> list[Child]:
        """The defender's replies; where one of them holds, that one alone."""
        numbers = self.attack.numbers
        replies = self._replies() or 0
        children: list[Child] = []
        while replies:
            low = replies & -replies
            replies ^= low
            cell = low.bit_length() - 1
            self.play(cell)
            key = self.key
            if key not in numbers and not self._leaf():
                numbers[key] = self._effort(self.lines_value()), 1
            self.undo()
            children.append(((cell,), key))
            if numbers[key] == (NEVER, 0):
                return children[-1:]
        return children

    def _leaf(self) -> list[int]:
        """A win by some few fours, which is remembered, also as a proof."""
        played, most = len(self.history), self.most_tries
        self.most_tries = min(most, self.tries + LEAF_TRIES)
        line: list[int] = []
        try:
            line = self._vcf()
        except TimeUp:                                  # if it is of more than the leaf, it is raised again
            while len(self.history) > played:
                self.undo()
        finally:
            self.most_tries = most
        if line:
            self.attack.won[self.key] = line
            self.attack.numbers[self.key] = 0, NEVER
        return line

    def _effort(self, value: int) -> int:
        """How much there seems to be left to prove where the board is worth so much to the attacker."""
        return min(max((HOPE - value) // STEP, 1), MOST_EFFORT)

    def _replies(self) -> int | None:
        """Cells with which the side to move may stop a threat; None where there is none, or where he has a five."""
        size, all_cells = self.geometry.cells, self.geometry.all
        half = size * CLASSES
        own_half, other_half = (0, half) if self.side == BLACK else (half, 0)
        t0, t1, t2, t3 = self.totals
        anywhere = t0 | t1 | t2 | t3
        own, other = anywhere >> own_half, anywhere >> other_half
        if own & all_cells:
            return None
        fives = other & all_cells
        if fives:
            return 0 if fives & (fives - 1) else fives
        if other >> OPEN_FOUR * size & all_cells:
            replies = self._answers(other_half)
        else:
            twice = t0 & t1 | t2 & t3 | (t0 | t1) & (t2 | t3)
            if not twice >> other_half + FOUR * size & all_cells:
                return None
            replies = other >> FOUR * size
        return (replies | own >> FOUR * size) & all_cells

    def _answers(self, half: int) -> int:
        """Cells that leave a colour no OPEN_FOUR cell in any direction; `half`: where its masks begin."""
        size, all_cells = self.geometry.cells, self.geometry.all
        answers = all_cells
        for total in self.totals:
            if total >> half + OPEN_FOUR * size & all_cells:
                answers &= total >> half + ANSWER * size
        return answers

    def _line(self) -> list[int]:
        """A line of a proved win from the board; [] where none is proved."""
        attack = self.attack
        line: list[int] = []
        if attack.numbers.get(self.key) != (0, NEVER):
            return line
        played = len(self.history)
        while self.key not in attack.won:
            cells = next(cells for cells, key in attack.children[self.key] if not attack.numbers[key][1])
            for cell in cells:
                self.play(cell)
            replies = attack.children.get(self.key)
            reply = replies[0][0][0] if replies else self._any_reply()
            self.play(reply)
            line += (*cells, reply)
            if not replies:
                self._leaf()
        line += attack.won[self.key]
        while len(self.history) > played:
            self.undo()
        return line

    def _any_reply(self) -> int:
        """The reply of a side that has none: to where the other would go on."""
        fives = self._fives()
        if fives:
            return fives.bit_length() - 1
        t0, t1, t2, t3 = self.totals
        anywhere = t0 | t1 | t2 | t3
        size = self.geometry.cells
        half = 0 if self.side != BLACK else size * CLASSES
        return (anywhere >> half + OPEN_FOUR * size & self.geometry.all).bit_length() - 1
