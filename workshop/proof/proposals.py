"""Black's moves to try first, from what is known: hints from a file, and moves that won in similar positions.

Two positions with Black to move are similar if they differ in one white stone. Most white stones do not matter, so the
move that wins after one of them wins after its brothers, too. Proposals prove nothing.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from submission.k_in_a_row.book import Stones, canonical
from workshop.proof.positions import IMAGES, cells_in, stones_of


class Proposals:
    """Moves by position, and by position less one white stone."""

    def __init__(self) -> None:
        self._exact: dict[Stones, int] = {}
        self._similar: dict[Stones, Counter[int]] = defaultdict(Counter)
        self._learnt: set[tuple[Stones, int]] = set()
        self.seconds: dict[Stones, int] = {}  # Black's second stone, by the position before it

    def learn(self, stones: Stones, move: int) -> None:
        """A move that wins, or is said to win."""
        if (stones, move) in self._learnt:
            return
        self._learnt.add((stones, move))
        for less, image in _without_one_white(stones):
            self._similar[less][image[move]] += 1

    def read_hints(self, file: Path) -> None:
        """Learn from a JSON file {"moves": {"h8 i9": {"move": "i7", "proved": true}}, "second_stone": [...]}."""
        hints = json.loads(file.read_text("utf-8"))
        for name, hint in hints["moves"].items():
            form, image = canonical(stones_of(name), IMAGES)
            move = image[cells_in(hint["move"])[0]]
            self._exact[form] = move
            if hint["proved"]:
                self.learn(form, move)
        for row in hints["second_stone"]:
            form, image = canonical(stones_of("h8" + row["white"]), IMAGES)
            self.seconds[form] = image[cells_in(row["black"])[0]]

    def moves(self, form: Stones) -> Iterator[int]:
        """Moves for a canonical position, the best known first; some may be named twice."""
        if form in self._exact:
            yield self._exact[form]
        votes: Counter[int] = Counter()
        for less, image in _without_one_white(form):
            for move, count in self._similar.get(less, {}).items():
                votes[image.index(move)] += count
        for move, _ in votes.most_common():
            yield move


def _without_one_white(stones: Stones) -> Iterator[tuple[Stones, list[int]]]:
    """The canonical positions with one white stone less, each with the symmetry that leads to it."""
    black, white = stones
    for stone in white:
        yield canonical((black, tuple(cell for cell in white if cell != stone)), IMAGES)
