"""Forced wins: by fours alone (VCF), then by fours and open threes (VCT), found by looking at nothing else.

A four leaves the other side one reply; an open three leaves him the cells of the ANSWER masks, and fours of his own. So
a win by threats is proved where a search of all moves would see a dozen plies too little. What is claimed holds against
all replies. That nothing is found proves nothing: the win may need a quiet move, or more nodes.

VCT is found by df-pn (Nagai 2002): depth first, always on where the attack is nearest to being proved or refuted. Of a
position, `phi` tells how many leaves at least the side to move still has to settle for its aim (the attacker: to win,
the defender: to hold), `delta` the same of the other side; 0 is settled. phi is the least delta of the children, delta
the sum of their phis.
"""
from __future__ import annotations

from ..clock import Deadline, TimeUp
from ..lines import BLACK
from .board import Board
from .patterns import CLASSES, Pattern

OPEN_FOUR, FOUR, OPEN_THREE = int(Pattern.OPEN_FOUR), int(Pattern.FOUR), int(Pattern.OPEN_THREE)
THREE, ANSWER = int(Pattern.THREE), int(Pattern.ANSWER)
NEVER = 10**9               # of phi and delta: cannot be settled any more
MOST_KEPT = 50000           # positions remembered of either side's attacks: 0.3 kB each


class Attack:
    """What is known of one colour's threats: `lost`: keys of positions without a VCF; the rest is of df-pn."""

    def __init__(self) -> None:
        self.lost: set[int] = set()
        self.numbers: dict[int, tuple[int, int]] = {}                   # key -> phi, delta
        self.children: dict[int, list[tuple[int, int]]] = {}            # key -> cell and key of each

    def forget(self) -> None:
        """Drop all when it has grown too large."""
        if len(self.lost) + len(self.numbers) > MOST_KEPT:
            self.lost.clear()
            self.numbers.clear()
            self.children.clear()


class Threats(Board):
    """A board that finds forced wins of the side to move, and remembers what it has seen of them."""

    def __init__(self, rows: int, cols: int, k: int) -> None:
        super().__init__(rows, cols, k)
        self.attacks = (Attack(), Attack())
        self.attack = self.attacks[BLACK]
        self.tries = self.most_tries = 0
        self.deadline: Deadline | None = None

    def vcf(self, tries: int, deadline: Deadline | None = None) -> list[int]:
        """A win by fours: own moves and forced replies in turn up to the five; [] where none is found.

        `tries`: own moves that may be looked at. What is not found by the deadline is not found; nothing is raised.
        """
        return self._find(False, tries, deadline)

    def vct(self, tries: int, deadline: Deadline | None = None) -> list[int]:
        """A win by fours and open threes: a line of it, of which the first move wins against any reply; [] if none.

        `tries`: own moves by fours, and positions looked into; `deadline` as in `vcf`.
        """
        return self._find(True, tries, deadline)

    def _find(self, threes: bool, tries: int, deadline: Deadline | None) -> list[int]:
        played = len(self.history)
        self.attack = self.attacks[self.side]
        self.attack.forget()
        self.tries, self.most_tries, self.deadline = 0, tries, deadline
        try:
            line = self._vcf()
            if not line and threes:
                self._prove(True, NEVER, NEVER)
                self.most_tries += tries                # to tell the line
                line = self._line()
            return line
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

    # ---- by fours

    def _vcf(self) -> list[int]:
        if self.key in self.attack.lost:
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
        stop = other & all_cells
        if stop:
            fours &= stop if stop & (stop - 1) == 0 else 0
        else:
            twice = t0 & t1 | t2 & t3 | across & diagonal
            if self.side != BLACK:
                twice >>= half
            wins = (own >> OPEN_FOUR * size | twice >> FOUR * size) & all_cells
            if wins:
                return self._finish(wins.bit_length() - 1)
        better = fours & own >> THREE * size
        for group in (better, fours ^ better):
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
                line = self._vcf()
                self.undo()
                self.undo()
                if line:
                    return [cell, reply, *line]
        self.attack.lost.add(self.key)
        return []

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

    # ---- by fours and threes

    def _prove(self, attacking: bool, phi_limit: int, delta_limit: int) -> None:
        """Search from the board until one of its numbers reaches its limit; `attacking`: the attacker is to move."""
        numbers = self.attack.numbers
        children = self.attack.children.get(self.key)
        if children is None:
            self._count()
            children = self.attack.children[self.key] = self._threats() if attacking else self._defences()
        while True:
            phi, second, delta, best, best_phi = NEVER, NEVER, 0, 0, 0
            for cell, key in children:
                child_phi, child_delta = numbers[key]
                delta += child_phi
                if child_delta < phi:
                    phi, second, best, best_phi = child_delta, phi, cell, child_phi
                elif child_delta < second:
                    second = child_delta
            if not phi or delta > NEVER:
                delta = NEVER
            numbers[self.key] = phi, delta
            if phi >= phi_limit or delta >= delta_limit:
                return
            self.play(best)
            self._prove(not attacking, delta_limit - delta + best_phi, min(phi_limit, second + 1))
            self.undo()

    def _threats(self) -> list[tuple[int, int]]:
        """The attacker's moves that must be answered, with the keys they lead to."""
        size, all_cells = self.geometry.cells, self.geometry.all
        t0, t1, t2, t3 = self.totals
        anywhere = t0 | t1 | t2 | t3
        half = size * CLASSES
        own, other = (anywhere, anywhere >> half) if self.side == BLACK else (anywhere >> half, anywhere)
        stop = other & all_cells
        if stop:                                        # the only move, if it threatens something
            group = stop if stop & (stop - 1) == 0 else 0
        else:
            group = own >> OPEN_THREE * size
            if other >> OPEN_FOUR * size & all_cells:
                group &= other >> FOUR * size           # a three that does not stop his is too slow
            group = (group | own >> FOUR * size) & all_cells
        children = []
        while group:
            low = group & -group
            group ^= low
            cell = low.bit_length() - 1
            self.play(cell)
            replies = self._replies()
            if replies is not None:
                children.append((cell, self.key))
                if self.key not in self.attack.numbers:
                    self.attack.numbers[self.key] = (1, bin(replies).count("1")) if replies else (NEVER, 0)
            self.undo()
        return children

    def _defences(self) -> list[tuple[int, int]]:
        """The defender's replies with the keys they lead to; where one of them holds, that one alone."""
        numbers = self.attack.numbers
        replies = self._replies() or 0
        children = []
        while replies:
            low = replies & -replies
            replies ^= low
            cell = low.bit_length() - 1
            self.play(cell)
            key = self.key
            if key not in numbers:
                numbers[key] = (0, NEVER) if self._vcf() else (1, 1)
            self.undo()
            children.append((cell, key))
            if numbers[key] == (NEVER, 0):
                return children[-1:]
        return children

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
        played = len(self.history)
        if attack.numbers.get(self.key) != (0, NEVER):
            return line
        while True:
            won = self._vcf()
            if won:
                break
            cell = next(cell for cell, key in attack.children[self.key] if not attack.numbers[key][1])
            line.append(cell)
            self.play(cell)
            replies = attack.children.get(self.key)
            reply = replies[0][0] if replies else self._any_reply()
            line.append(reply)
            self.play(reply)
        while len(self.history) > played:
            self.undo()
        return line + won

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
