"""Black's moves to try first: moves that won in similar positions.

Two positions with Black to move are similar if they differ in one white stone. Most white stones do not matter, so a
move that wins in one position often wins in the other position. Proposals prove nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from submission.k_in_a_row.book import Stones, canonical
from workshop.proof.positions import IMAGES


class Proposals:
    """Counts of winning moves, by the position without one of its white stones."""

    def __init__(self) -> None:
        self._similar: dict[Stones, Counter[int]] = defaultdict(Counter)
        self._learnt: set[tuple[Stones, int]] = set()

    def learn(self, stones: Stones, move: int) -> None:
        """Count a move that wins."""
        if (stones, move) in self._learnt:
            return
        self._learnt.add((stones, move))
        for less, image in _without_one_white(stones):
            self._similar[less][image[move]] += 1

    def moves(self, form: Stones) -> Iterator[int]:
        """Moves for a canonical position, those that won most often first."""
        votes: Counter[int] = Counter()
        for less, image in _without_one_white(form):
            for move, count in self._similar.get(less, {}).items():
                votes[image.index(move)] += count
        for move, _ in votes.most_common():
            yield move


def _without_one_white(stones: Stones) -> Iterator[tuple[Stones, list[int]]]:
    """The canonical positions with one white stone less, each with the symmetry that was applied."""
    black, white = stones
    for stone in white:
        yield canonical((black, tuple(cell for cell in white if cell != stone)), IMAGES)
