"""Weak proof-number search (L. V. Allis 1994) of the question "does the attacker win?".

The attacker is to move in each position. An attempt is a move of the attacker, with the positions after those replies
of the defender that do not lose at once. The attacker wins a position with one attempt (OR) whose positions are all won
(AND). Weak numbers replace sums: the largest number counts in full, and every EQUAL further numbers add 1. A position
may be reached in several ways. Stones never leave the board, so there are no cycles.

Attempts cost time, so a position gets few at first. An open position gets more attempts after OFTEN visits, after OFTEN
squared visits, and so on. A position gets more attempts at once if all its attempts are refuted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

NEVER = 10**9  # infinity, of proof and disproof numbers
OFTEN = 6  # visits to a position before it gets more attempts
EQUAL = 8  # number of further positions that add 1 to a weak sum

Place = TypeVar("Place")


class Numbers(NamedTuple):
    """Proof and disproof number: estimates of the positions still to be settled to prove, or to refute, a win."""

    proof: int
    disproof: int


class Attempt(NamedTuple, Generic[Place]):
    """A move of the attacker, and the positions after the defender's replies that do not lose at once."""

    move: int
    open: tuple[Place, ...]


class ProofQuestion(Protocol[Place]):
    """The interface through which the search uses a game."""

    efforts: int  # how many times a position may get attempts

    def estimate(self, position: Place) -> Numbers:
        """The numbers of a position before its attempts are known."""

    def attempts(self, position: Place, effort: int) -> Sequence[Attempt[Place]]:
        """The attacker's attempts; an attempt without open positions wins. `effort` counts from 0."""


UNKNOWN, WON, GIVEN_UP = Numbers(1, 1), Numbers(0, NEVER), Numbers(NEVER, 0)


class ProofSearch(Generic[Place]):
    """Settles positions one by one, and keeps their numbers."""

    def __init__(self, question: ProofQuestion[Place]) -> None:
        self.question = question
        self.attempts: dict[Place, Sequence[Attempt[Place]]] = {}
        self._numbers: dict[Place, Numbers] = {}
        self._efforts: Counter[Place] = Counter()  # how many times a position got attempts
        self._visits: Counter[Place] = Counter()

    def numbers(self, position: Place) -> Numbers:
        if position not in self._numbers:
            self._numbers[position] = self.question.estimate(position)
        return self._numbers[position]

    def prove(self, root: Place, most: int) -> bool | None:
        """Whether the attacker wins; None if the question is not settled after `most` positions were opened."""
        for _ in range(most):
            path = self._descend(root)
            for position in reversed(path):
                self._visits[position] += 1
                if self._visits[position] == OFTEN ** self._efforts[position]:
                    self._try_more(position)
                while self._update(position) == GIVEN_UP and self._try_more(position):
                    pass
            if not all(self.numbers(root)):
                break
        numbers = self.numbers(root)
        return True if not numbers.proof else False if not numbers.disproof else None

    def _descend(self, root: Place) -> list[Place]:
        """The path to the position to expand, which has no attempts yet, or was settled on another path."""
        path = [root]
        while path[-1] in self.attempts:
            position = path[-1]
            if not all(self._update(position)):
                break
            attempt = min(self.attempts[position], key=lambda attempt: self._of_attempt(attempt).proof)
            unproved = [after for after in attempt.open if self.numbers(after).proof]
            path.append(min(unproved, key=lambda after: self.numbers(after).disproof))
        return path

    def _try_more(self, position: Place) -> bool:
        """Get more attempts for a position; returns False if the position has already had them `efforts` times."""
        effort = self._efforts[position]
        if effort >= self.question.efforts:
            return False
        self.attempts[position] = self.question.attempts(position, effort)
        self._efforts[position] += 1
        return True

    def _update(self, position: Place) -> Numbers:
        of_attempts = [self._of_attempt(attempt) for attempt in self.attempts[position]]
        proof = min((numbers.proof for numbers in of_attempts), default=NEVER)
        numbers = WON if not proof else Numbers(proof, _weak_sum(numbers.disproof for numbers in of_attempts))
        self._numbers[position] = GIVEN_UP if proof >= NEVER else numbers
        return self._numbers[position]

    def _of_attempt(self, attempt: Attempt[Place]) -> Numbers:
        of_open = [self.numbers(after) for after in attempt.open]
        disproof = min((numbers.disproof for numbers in of_open), default=NEVER)
        return Numbers(_weak_sum(numbers.proof for numbers in of_open), disproof)


def _weak_sum(numbers: Iterable[int]) -> int:
    """The largest number, plus 1 for every EQUAL other numbers that are not 0; at most NEVER."""
    counted = [number for number in numbers if number]
    return min(NEVER, max(counted, default=0) + max(0, len(counted) - 1) // EQUAL)
